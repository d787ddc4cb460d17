#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Trains the model of method `learned` from gold pages, cross-validated by site.

train_learned.py --dana PROGRAM --out FOLDER [--copies DIR] DIR

DIR holds gold pages as for `dana eval`; its index.tsv may have the columns `kind` (of page; see KINDS in model_file.py) and `gold`
("partial": the gold text is main text, but not all of it). --copies: a folder with altered copies of the same pages (same corpus, id
and url), a sample of which is trained on as well. FOLDER gets learned.model (which replaces data/learned.model) and report.txt. Needs
numpy, scipy, catboost. A run with the same pages and options gives the same model.
"""
import argparse
import os
import sys
import zlib
from collections import defaultdict

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
try:
    import numpy as np
    from fitting import decode, fit_kinds, fit_stage, fit_tokens
    from gold_pages import FOLDS, Data, Source
    from model_file import KINDS, Trees, model_bytes, quantise_weights
except ImportError as missing:
    sys.exit(f"dana train: learned needs the Python packages numpy, scipy and catboost: {missing}")

SHORT = 10  # tokens of a block that counts as short: an ingredient, an item of a list
GUESSED_LEAST = 0.7  # label of a block that the teacher keeps and partial gold does not have


def sigmoid(margins):
    return 1 / (1 + np.exp(-margins / 4096.0))


class Trainer:
    def __init__(self, args, data):
        self.args, self.data = args, data
        self.lines = []
        self.names = [data.sources[0].version] + data.names["stage1"] + data.names["stage2"] + data.names["kinds"]
        # one model for each fold, trained without it, and the last on everything
        self.parts = [dict(tokens=None, stage1=Trees(), stage2=Trees(), kinds=Trees(0, 1, len(KINDS)))
                      for _ in self.folds()]

    def say(self, text):
        print(text, flush=True)
        self.lines.append(text)

    def folds(self):
        return range(FOLDS + 1)

    def train_rows(self, fold):
        return np.flatnonzero((self.data.weight > 0) & (self.data.fold != fold))

    def write_models(self):
        paths = []
        for fold, part in enumerate(self.parts):
            path = os.path.join(self.args.out, f"fold{fold}.bin" if fold < FOLDS else "learned.model")
            with open(path, "wb") as out:
                out.write(model_bytes(self.names, *part["tokens"], *(part[p] for p in ("stage1", "stage2", "kinds"))))
            paths.append(path)
        return paths

    def fit_tokens(self):
        d = self.data
        for fold in self.folds():
            at = self.train_rows(fold)
            at = at[~d.partial[at] | (d.part[at] >= 0.5)]  # what partial gold does not have may be main text
            self.parts[fold]["tokens"] = quantise_weights(fit_tokens(d.tokens[at], d.part[at], d.weight[at].astype(np.float64)))
        self.say("tokens fitted")

    def guess_labels(self, rows, words):
        """Blocks that partial gold does not have may be main text or not: a teacher that learned from full gold, without the page's site,
        labels them by its chance, those that it keeps by at least GUESSED_LEAST."""
        d = self.data
        if not d.partial.any():
            return
        for fold in range(FOLDS):
            at = self.train_rows(fold)
            at = at[~d.partial[at]]
            teacher, _ = fit_stage(self.args, rows[at], d.part[at], d.weight[at], self.args.trees1 // 2, 1.5 * self.args.eta1)
            for page in (p for p in d.pages if p.partial and p.fold == fold):
                chance = sigmoid(teacher.margins(rows[page.at]))
                kept = decode(chance, words[page.at].astype(np.float64))
                guess = np.where(kept, np.maximum(chance, GUESSED_LEAST), chance)
                page.known = d.part[page.at].copy()
                d.part[page.at] = np.where(page.known >= 0.5, page.known, guess)
        self.say("blocks beside partial gold labelled")

    def fit_stage(self, stage, rows, trees, eta):
        d, gains = self.data, None
        for fold in self.folds():
            at = self.train_rows(fold)
            self.parts[fold][f"stage{stage}"], gains = fit_stage(self.args, rows[at], d.part[at], d.weight[at], trees, eta)
        names = d.names[f"stage{stage}"]
        self.say(f"stage {stage}: features by gain: " + " ".join(f"{names[i]} {gains[i]:.2f}" for i in np.argsort(-gains)))

    def fit_kinds(self, rows):
        d, right, all_pages = self.data, defaultdict(int), defaultdict(int)
        if not (d.kind >= 0).any():
            return
        for fold in self.folds():
            at = np.flatnonzero((d.kind >= 0) & (d.page_fold != fold))
            self.parts[fold]["kinds"] = fit_kinds(self.args, rows[at], d.names["kinds"], d.kind[at])
        d.share = np.zeros((len(d.pages), len(KINDS)))
        for fold in range(FOLDS):
            at = np.flatnonzero(d.page_fold == fold)
            chance = sigmoid(self.parts[fold]["kinds"].margins(rows[at]))
            d.share[at] = chance / chance.sum(1, keepdims=True)
        for page, share in zip(d.pages, d.share):
            if page.kind >= 0 and page.source is d.sources[0]:
                all_pages[page.kind] += 1
                right[page.kind] += int(share.argmax()) == page.kind
        self.say("kinds found: " + "  ".join(f"{KINDS[k]} {right[k]} of {n}" for k, n in sorted(all_pages.items())))

    def f1(self, page, kept):
        length, part = self.data.length[page.at], self.data.part[page.at]
        total = length[kept].sum() + page.gold
        return 2 * (part * length)[kept].sum() / total if total else 1.0

    def recall_of_known(self, page, kept, groups):
        """Of partial gold only what is known counts: the share of its words that is kept, of short and of long blocks."""
        length, known = self.data.length[page.at], page.known
        for name, these in (("short", length <= SHORT), ("long", length > SHORT)):
            these = these & (known >= 0.5)
            if these.any():
                groups[f"{page.corpus} {name} blocks found"].append((known * length)[these & kept].sum() / (known * length)[these].sum())

    def report(self, title, margins, words):
        chance, groups, d = sigmoid(margins), defaultdict(list), self.data
        for page in d.pages:
            if not d.length[page.at].sum():
                continue
            kept = decode(chance[page.at], words[page.at].astype(np.float64))
            if page.partial:
                if page.source is d.sources[0]:
                    self.recall_of_known(page, kept, groups)
                continue
            f1 = self.f1(page, kept)
            if page.source is not d.sources[0]:
                groups["copies"].append(f1)
                continue
            groups["all"].append(f1)
            groups["Latin" if page.script == "Latin" else "other scripts"].append(f1)
            groups[page.corpus].append(f1)
            if page.kind >= 0:
                groups[f"kind {KINDS[page.kind]}"].append(f1)
            if page.name in self.args.sampled:
                groups["sample"].append(f1)
        self.say(f"{title}: " + "  ".join(f"{k} {np.mean(v):.4f}" for k, v in sorted(groups.items())))

    def compare(self, stage, trees, rows, margins):
        for piece in np.array_split(np.arange(len(rows)), max(1, len(rows) // 50000)):
            if not np.array_equal(trees.margins(rows[piece]), margins[piece, stage - 1]):
                sys.exit(f"stage {stage}: the program's sums differ from the trainer's")

    def check(self, model, rows, rows2, margins):
        """The C code's sums are the trainer's, block for block: of the models of the folds, and of the last one on all pages."""
        for fold in range(FOLDS):
            at = np.flatnonzero(self.data.fold == fold)
            self.compare(1, self.parts[fold]["stage1"], rows[at], margins[at])
            self.compare(2, self.parts[fold]["stage2"], rows2[at], margins[at])
        for stage in (1, 2):
            rows, margins, _, _ = self.data.features([model] * FOLDS, stage)
            self.compare(stage, self.parts[FOLDS][f"stage{stage}"], rows, margins)
        self.say(f"the program's sums are the trainer's on every block: {len(rows)} blocks, both stages, all models")

    def train(self):
        a, d = self.args, self.data
        self.fit_tokens()
        rows, _, words, _ = d.features(self.write_models(), 1)
        self.guess_labels(rows, words)
        self.fit_stage(1, rows, a.trees1, a.eta1)
        self.fit_kinds(d.features(self.write_models(), 2)[3])
        rows2 = d.features(self.write_models(), 2)[0]
        self.fit_stage(2, rows2, a.trees2, a.eta2)
        _, margins, words, _ = d.features(self.write_models(), 2)
        model = self.write_models()[-1]
        if a.check:
            self.check(model, rows, rows2, margins)
        self.report("stage 1", margins[:, 0], words)
        self.report("stage 2", margins[:, 1], words)
        self.report("with blocks alike", margins[:, 2], words)
        self.say(f"model: {os.path.getsize(model)} bytes")
        with open(os.path.join(a.out, "report.txt"), "w", encoding="utf-8") as out:
            out.write("\n".join(self.lines) + "\n")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dana", default="dana", help="the program")
    parser.add_argument("--out", required=True)
    parser.add_argument("--copies")
    parser.add_argument("--copies-one-in", type=int, default=4, help="share of copies that are trained on")
    parser.add_argument("--copy-weight", type=float, default=0.5)
    parser.add_argument("--partial-weight", type=float, default=0.7, help="of pages with partial gold")
    parser.add_argument("--sample", help="file of CORPUS/ID lines that are reported apart")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--bins", type=int, default=64)
    parser.add_argument("--share", type=float, default=0.35, help="share of the blocks that trees are grown from")
    parser.add_argument("--depth", type=int, default=6, help="of the trees of both stages")
    parser.add_argument("--trees1", type=int, default=160)
    parser.add_argument("--eta1", type=float, default=0.12)
    parser.add_argument("--trees2", type=int, default=160)
    parser.add_argument("--eta2", type=float, default=0.08)
    parser.add_argument("--trees-kinds", type=int, default=64)
    parser.add_argument("--check", action="store_true", help="compare the program's sums with the trainer's on every block")
    parser.add_argument("directory")
    args = parser.parse_args()
    args.sampled = set(open(args.sample, encoding="utf-8").read().split()) if args.sample else set()
    os.makedirs(args.out, exist_ok=True)
    return args


def main():
    args = arguments()
    sources = [Source(args, args.directory, "pages")]
    if args.copies:
        wanted = [p.name for p in sources[0].pages if zlib.crc32(p.name.encode()) % args.copies_one_in == 0]
        sources.append(Source(args, args.copies, "copies", wanted))
    data = Data(sources)
    data.weigh(args)
    Trainer(args, data).train()


if __name__ == "__main__":
    main()
