"""Trains the tagger of titles: `python3 tagger.py LESSONS MODEL OUT`.

LESSONS is what `lessons DATA titles` of gleaner-eval writes: the lines around each task in pieces, and of each telling word
whether the title that a person gave the task holds it. MODEL is the folder of all-MiniLM-L6-v2. OUT gets `tagger.bin`, and
`tagger.0.bin` and `tagger.1.bin`, which were trained without the texts of one fold each: trees learn from what these say of them.
The embeddings of pieces are left as they are and not written: the sentence encoder has the same.
"""

import argparse
import json
import random
import time
from pathlib import Path

import torch
import torch.nn.functional as F
import train
from train import batches, bytes_of, optimiser_of, pace, pretrained, quantised, step

FOLDS = 2
GOLD = 0.5  # what a task with its gold evidence counts beside one as it was found
SIZE = 16


def fold_of(group):
    return ((group * 0x9E3779B1 & 0xFFFFFFFF) >> 8) % FOLDS


def pool(lessons, chance):
    """One lesson of each task: as it was found or with its gold evidence."""
    by = {}
    for lesson in lessons:
        by.setdefault((lesson["id"], lesson["gold"]), []).append(lesson)
    return [chance.choice(versions) for versions in by.values()]


def learn(lessons, args, seed):
    chance = random.Random(seed)
    torch.manual_seed(seed)
    train.OUTPUTS = 1
    model = pretrained(args.model, args.layers)
    # Which of two thousand pieces stands for a speaker has to be learnt; those of words have been.
    optimiser = optimiser_of(model, args)
    total = args.passes * sum(len(lesson["pieces"]) for lesson in pool(lessons, random.Random(seed)))
    seen, started, told = 0, time.time(), 0
    while seen < total:
        todo = pool(lessons, chance)
        chance.shuffle(todo)
        items = [(lesson["pieces"], lesson) for lesson in todo]
        todo = [batch for at in range(0, len(items), 256) for batch in batches(items[at : at + 256], SIZE)]
        chance.shuffle(todo)
        for part, pieces, mask in todo:
            pace(optimiser, seen / total)
            model.train()
            outputs = model(pieces, mask)[..., 0]
            rows = [
                (row, place, label, (1.0 if lesson["found"] else GOLD) / len(lesson["pieces"]) ** 0.5 * 12)
                for row, (_, lesson) in enumerate(part)
                for place, label in zip(lesson["places"], lesson["labels"])
                if label is not None
            ]
            seen += int(mask.sum())
            if not rows:
                continue
            logits = outputs[[row[0] for row in rows], [row[1] for row in rows]]
            labels = torch.tensor([row[2] for row in rows], dtype=torch.float)
            weight = torch.tensor([row[3] for row in rows])
            loss = (F.binary_cross_entropy_with_logits(logits, labels, reduction="none") * weight).sum() / len(part) / 8
            step(model, optimiser, loss)
            if seen / total > told:
                told += 0.1
                print(f"{min(seen / total, 1):.0%}  loss {loss:.3f}  {seen / (time.time() - started):.0f} pieces/s", flush=True)
            if seen >= total:
                break
    return model.eval()


def precision(model, lessons):
    """The average precision of the words of found tasks."""
    found = [lesson for lesson in lessons if lesson["found"] and lesson["counts"]]
    scored = []
    with torch.no_grad():
        for part, pieces, mask in batches([(lesson["pieces"], lesson) for lesson in found], 32):
            outputs = model(pieces, mask)[..., 0]
            for row, (_, lesson) in enumerate(part):
                for place, label in zip(lesson["places"], lesson["labels"]):
                    if label is not None:
                        scored.append((float(outputs[row, place]), label))
    scored.sort(reverse=True)
    right, sum_, all_ = 0, 0.0, sum(label for _, label in scored)
    for at, (_, label) in enumerate(scored, 1):
        if label:
            right += 1
            sum_ += right / at
    return sum_ / max(all_, 1)


def written(model):
    """The file of the weights, without the embeddings of pieces."""
    words, model.words = model.words, torch.nn.Embedding(1, train.WIDTH)
    file = train.written(model)
    model.words = words
    magic, sizes, rest = file[:4], file[4:32], file[32:]
    return magic + b"\0\0\0\0" + sizes[4:] + rest[len(bytes_of(torch.zeros(1, train.WIDTH))) :]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lessons", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--layers", type=int, default=3)
    parser.add_argument("--passes", type=float, default=2.5)
    parser.add_argument("--rate", type=float, default=1.5e-4)
    parser.add_argument("--only", type=int, help="the fold to train, 2 for all texts; every one without it")
    args = parser.parse_args()
    lessons = [json.loads(line) for line in args.lessons.open()]
    for held in range(FOLDS):
        if args.only not in (None, held):
            continue
        print(f"fold {held + 1} of {FOLDS}", flush=True)
        model = quantised(learn([lesson for lesson in lessons if fold_of(lesson["group"]) != held], args, 1 + held))
        for kind in (False, True):
            own = [lesson for lesson in lessons if fold_of(lesson["group"]) == held and lesson["is_talk"] == kind]
            print(f"{'talk' if kind else 'documents'}: average precision of words {precision(model, own):.3f}", flush=True)
        (args.out / f"tagger.{held}.bin").write_bytes(written(model))
    if args.only in (None, FOLDS):
        print("all", flush=True)
        (args.out / "tagger.bin").write_bytes(written(learn(lessons, args, 9)))


if __name__ == "__main__":
    main()
