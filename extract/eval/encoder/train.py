"""Trains the sentence encoder: `python3 train.py LESSONS MODEL OUT`.

LESSONS is what the `lessons` binary of gleaner-eval writes. MODEL is the folder of all-MiniLM-L6-v2 (`model.safetensors`), of
which the first `--layers` are taken. OUT gets `encoder.bin`, the weights as `gleaner_extract::encoder` reads them, and
`heldout.jsonl.gz`, what encoders that never saw a text say of its sentences, in eighths. Needs torch and safetensors.
"""

import argparse
import gzip
import json
import random
import struct
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from torch import nn

WIDTH, INNER, HEADS, POSITIONS, OUTPUTS = 384, 1536, 12, 256, 3
CLS, SEP, NOBODY, SPEAKERS = 101, 102, 10, 12
FOLDS = 3
LONGEST = 240  # pieces of a window to learn from
OUTPUT_WEIGHTS = torch.tensor([1.0, 0.4, 0.4])


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.key, self.value, self.output = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.attended = nn.LayerNorm(WIDTH, eps=1e-12)
        self.up, self.down = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.fed = nn.LayerNorm(WIDTH, eps=1e-12)

    def forward(self, states, bias, drop):
        def split(of):
            return of(states).view(*states.shape[:2], HEADS, WIDTH // HEADS).transpose(1, 2)

        mixed = F.scaled_dot_product_attention(split(self.query), split(self.key), split(self.value), attn_mask=bias)
        mixed = self.output(mixed.transpose(1, 2).reshape(states.shape))
        states = self.attended(states + F.dropout(mixed, drop, self.training))
        inner = self.down(F.gelu(self.up(states), approximate="tanh"))
        return self.fed(states + F.dropout(inner, drop, self.training))


class Encoder(nn.Module):
    def __init__(self, layers, pieces):
        super().__init__()
        self.words, self.positions = nn.Embedding(pieces, WIDTH), nn.Embedding(POSITIONS, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.head = nn.Linear(WIDTH, OUTPUTS)

    def forward(self, pieces, mask, drop=0.1):
        states = self.norm(self.words(pieces) + self.positions.weight[: pieces.shape[1]])
        states = F.dropout(states, drop, self.training)
        bias = torch.zeros(mask.shape).masked_fill(~mask, -1e9)[:, None, None, :]
        for layer in self.layers:
            states = layer(states, bias, drop)
        return self.head(states)


def pretrained(folder, layers):
    """The first layers of the pretrained model, with a new head."""
    found = load_file(str(Path(folder) / "model.safetensors"))
    words = found["embeddings.word_embeddings.weight"]
    state = {"words.weight": words}
    kinds = found["embeddings.token_type_embeddings.weight"]
    state["positions.weight"] = found["embeddings.position_embeddings.weight"][:POSITIONS] + kinds[0]
    names = {
        "query": "attention.self.query", "key": "attention.self.key", "value": "attention.self.value",
        "output": "attention.output.dense", "attended": "attention.output.LayerNorm",
        "up": "intermediate.dense", "down": "output.dense", "fed": "output.LayerNorm",
    }
    for part in ("weight", "bias"):
        state[f"norm.{part}"] = found[f"embeddings.LayerNorm.{part}"]
        for at in range(layers):
            for ours, theirs in names.items():
                state[f"layers.{at}.{ours}.{part}"] = found[f"encoder.layer.{at}.{theirs}.{part}"]
    model = Encoder(layers, len(words))
    missing, unknown = model.load_state_dict(state, strict=False)
    assert set(missing) == {"head.weight", "head.bias"} and not unknown
    model.words.weight.requires_grad = False
    nn.init.normal_(model.head.weight, std=0.02)
    nn.init.constant_(model.head.bias, -2.0)
    return model


def batches(items, size):
    """Items of like length together; each begins with its pieces."""
    items = sorted(items, key=lambda item: len(item[0]))
    for start in range(0, len(items), size):
        part = items[start : start + size]
        longest = max(len(item[0]) for item in part)
        pieces = torch.zeros(len(part), longest, dtype=torch.long)
        mask = torch.zeros(len(part), longest, dtype=torch.bool)
        for row, item in enumerate(part):
            pieces[row, : len(item[0])] = torch.tensor(item[0])
            mask[row, : len(item[0])] = True
        yield part, pieces, mask


def joined(sentences):
    """Sentences as the encoder reads them, and where the mark of each stands."""
    pieces, marks, known = [CLS], [], {}
    for sentence in sentences:
        marks.append(len(pieces))
        speaker = sentence["speaker"]
        pieces.append(NOBODY if speaker is None else NOBODY + 1 + min(known.setdefault(speaker, len(known)), SPEAKERS - 1))
        pieces += sentence["pieces"]
    return pieces + [SEP], marks


def windows(lessons, chance):
    """Windows to learn from: all that hold a task or come near one, and some of the others."""
    found = []
    for lesson in lessons:
        sentences, start = lesson["sentences"], 0
        room = chance.randrange(60, LONGEST)
        while start < len(sentences):
            end, read = start, 0
            while end < len(sentences) and (end == start or read + len(sentences[end]["pieces"]) < room):
                read += len(sentences[end]["pieces"]) + 1
                end += 1
            part, start, room = sentences[start:end], end, LONGEST
            gate = max(sentence["gate"] for sentence in part)
            keep = 1.0 if gate > -1.0 or any(sentence["labels"][0] for sentence in part) else 0.5 if gate > -2.5 else 0.15
            if chance.random() < (keep if lesson["is_talk"] else max(keep, 0.8)):
                pieces, marks = joined(part)
                found.append((pieces, marks, part))
    return found


def optimiser_of(model, args):
    """An optimiser whose steps are smaller the nearer a layer lies to the words, and largest for the new head."""
    plain = ("bias", "norm.", "attended.", "fed.")
    groups = []
    for name, weights in model.named_parameters():
        if weights.requires_grad:
            depth = int(name.split(".")[1]) if name.startswith("layers") else -1
            rate = args.rate * (5 if name.startswith("head") else 0.85 ** (args.layers - 1 - depth))
            decay = 0.0 if any(part in name for part in plain) else 0.01
            groups.append({"params": [weights], "lr": rate, "base": rate, "weight_decay": decay})
    return torch.optim.AdamW(groups)


def pace(optimiser, done):
    """Sets the size of steps by the part of the training that is done: growing at first, then shrinking."""
    share = min(done / 0.06, max(0.02, (1 - done) / 0.94), 1.0)
    for group in optimiser.param_groups:
        group["lr"] = group["base"] * share


def step(model, optimiser, loss):
    """One step against the loss."""
    optimiser.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimiser.step()


def learn(lessons, args, seed):
    """An encoder that has learnt from these lessons."""
    chance = random.Random(seed)
    torch.manual_seed(seed)
    model = pretrained(args.model, args.layers)
    optimiser = optimiser_of(model, args)
    total = args.passes * sum(len(window[0]) for window in windows(lessons, random.Random(seed)))
    seen, started, told = 0, time.time(), 0
    while seen < total:
        pool = windows(lessons, chance)
        chance.shuffle(pool)
        todo = [batch for at in range(0, len(pool), 256) for batch in batches(pool[at : at + 256], 12)]
        chance.shuffle(todo)
        for part, pieces, mask in todo:
            pace(optimiser, seen / total)
            model.train()
            # Half the time of whole floats, on processors that have it.
            with torch.autocast("cpu", dtype=torch.bfloat16):
                outputs = model(pieces, mask).float()
            rows = [
                (row, mark, sentence)
                for row, (_, marks, sentences) in enumerate(part)
                for mark, sentence in zip(marks, sentences)
                if sentence["weight"] > 0
            ]
            seen += int(mask.sum())
            if not rows:
                continue
            logits = outputs[[row for row, _, _ in rows], [mark for _, mark, _ in rows]]
            labels = torch.tensor([sentence["labels"] for _, _, sentence in rows], dtype=torch.float)
            weight = torch.tensor([min(sentence["weight"], 2.0) for _, _, sentence in rows])[:, None]
            loss = F.binary_cross_entropy_with_logits(logits, labels, reduction="none")
            loss = (loss * weight * OUTPUT_WEIGHTS).sum() / len(part) / 6
            step(model, optimiser, loss)
            if seen / total > told:
                told += 0.1
                print(f"{min(seen / total, 1):.0%}  loss {loss:.3f}  {seen / (time.time() - started):.0f} pieces/s", flush=True)
            if seen >= total:
                break
    return model.eval()


def judge(model, lesson):
    """Logits of every sentence of a text, in the windows in which they are judged."""
    items = [(window["pieces"], window["marks"], number) for number, window in enumerate(lesson["windows"])]
    found = {}
    with torch.no_grad():
        for part, pieces, mask in batches(items, 32):
            outputs = model(pieces, mask)
            for row, (_, marks, number) in enumerate(part):
                found[number] = outputs[row, marks]
    return torch.cat([found[number] for number in range(len(items))])


def bytes_of(matrix):
    """A matrix of one byte a weight: the scale of each row, then the rows."""
    scale = matrix.abs().amax(1).clamp(min=1e-8) / 127
    rows = torch.round(matrix / scale[:, None]).to(torch.int8)
    return scale.numpy().astype("<f4").tobytes() + rows.numpy().tobytes()


def written(model):
    """The file of the weights."""
    state = {name: weights.detach().float() for name, weights in model.state_dict().items()}

    def vector(name):
        return state[name].numpy().astype("<f4").tobytes()

    def dense(name):
        return bytes_of(state[name + ".weight"]) + vector(name + ".bias")

    def norm(name):
        return vector(name + ".weight") + vector(name + ".bias")

    layers = len(model.layers)
    file = b"GLE1" + struct.pack("<7I", len(state["words.weight"]), POSITIONS, WIDTH, INNER, layers, HEADS, OUTPUTS)
    file += bytes_of(state["words.weight"]) + bytes_of(state["positions.weight"]) + norm("norm")
    for at in range(layers):
        part = f"layers.{at}."
        file += b"".join(dense(part + name) for name in ("query", "key", "value", "output"))
        file += norm(part + "attended") + dense(part + "up") + dense(part + "down") + norm(part + "fed")
    return file + dense("head")


def quantised(model):
    """The same encoder with weights as the file has them."""
    for module in model.modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            weights = module.weight.data
            scale = weights.abs().amax(1, keepdim=True).clamp(min=1e-8) / 127
            module.weight.data = torch.round(weights / scale) * scale
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lessons", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--passes", type=float, default=1.5)
    parser.add_argument("--rate", type=float, default=1e-4)
    args = parser.parse_args()
    lessons = [json.loads(line) for line in args.lessons.open()]
    fold = [((lesson["group"] * 0x9E3779B1 & 0xFFFFFFFF) >> 8) % FOLDS for lesson in lessons]
    with gzip.open(args.out / "heldout.jsonl.gz", "wt") as file:
        for held in range(FOLDS):
            print(f"fold {held + 1} of {FOLDS}", flush=True)
            model = quantised(learn([lesson for lesson, own in zip(lessons, fold) if own != held], args, 1 + held))
            for lesson in (lesson for lesson, own in zip(lessons, fold) if own == held):
                logits = torch.round(judge(model, lesson) * 8).to(torch.int16).tolist()
                print(json.dumps({"id": lesson["id"], "logits": logits}, separators=(",", ":")), file=file)
    print("all", flush=True)
    (args.out / "encoder.bin").write_bytes(written(learn(lessons, args, 9)))


if __name__ == "__main__":
    main()
