#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Trains the model of method `learned` from gold pages, cross-validated by site.

train_learned.py --dana PROGRAM --out FOLDER [--copies DIR] DIR

DIR holds gold pages as for `dana eval`. --copies: a folder with altered copies of the same pages (same corpus, id and url),
a sample of which is trained on as well. FOLDER gets learned.model (which replaces data/learned.model) and report.txt. Needs numpy, scipy, xgboost.
A run with the same pages and options gives the same model.
"""
import argparse
import os
import subprocess
import sys
import zlib
from collections import defaultdict

try:
    import numpy as np
    import scipy.sparse as sparse
    import xgboost
    from scipy.optimize import minimize
except ImportError as missing:
    sys.exit(f"dana train: learned needs the Python packages numpy, scipy and xgboost: {missing}")

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from model_file import TOKEN_BITS, Trees, model_bytes, quantise_weights  # noqa: E402

FOLDS = 4
SEED = 1
PAGE_WEIGHT_MOST = 6.0  # a page of many short blocks must not outweigh others
ORACLE_LEAST = 0.6  # pages whose gold text cannot be put together from blocks teach nothing


def registered_domain(host):
    """Near enough: two labels, three below co.uk and the like."""
    parts = host.split(":")[0].split(".")
    three = len(parts) > 2 and len(parts[-2]) <= 3 and len(parts[-1]) == 2
    return ".".join(parts[-3:] if three else parts[-2:])


class Page:
    def __init__(self, line, source, first):
        self.corpus, self.id, site, self.script, blocks, gold = line.rstrip("\n").split("\t")
        self.source = source
        self.rows = slice(first, first + int(blocks))
        self.gold = int(gold)
        self.site = registered_domain(site) if site else f"{self.corpus}/{self.id}"
        self.fold = zlib.crc32(self.site.encode()) % FOLDS

    @property
    def name(self):
        return f"{self.corpus}/{self.id}"


def best_f1(part, tokens, gold):
    """F1 of the best set of blocks, when the matched part of each is known."""
    f1 = 0.0
    for _ in range(20):
        kept = part > f1 / 2
        total = tokens[kept].sum() + gold
        better = 2 * (part * tokens)[kept].sum() / total if total else 1.0
        if abs(better - f1) < 1e-6:
            break
        f1 = better
    return f1


def decode(chance, words):
    """The threshold that decode.c finds."""
    mass, threshold = (chance * words).sum() + 1e-9, 0.0
    for _ in range(32):
        kept = chance >= threshold
        share = (chance * words)[kept].sum() / (words[kept].sum() + mass)
        if share <= threshold:
            break
        threshold = share
    return chance >= threshold


class Source:
    """One folder of gold pages and what `dana features` says of it."""

    def __init__(self, args, directory, name, wanted=None):
        self.args, self.directory, self.folder = args, directory, os.path.join(args.out, name)
        self.list = None
        os.makedirs(self.folder, exist_ok=True)
        if wanted is not None:
            self.list = self.write_list("wanted", wanted)
        path = self.run("tokens", ["--tokens"], self.list)
        self.labels = np.fromfile(f"{path}/labels.u32", "<u4").reshape(-1, 2)
        counts = np.fromfile(f"{path}/token_counts.u32", "<u4").astype(np.int64)
        ids = np.fromfile(f"{path}/tokens.u16", "<u2").astype(np.int32)
        ends = np.concatenate([[0], np.cumsum(counts)])
        self.tokens = sparse.csr_matrix((np.ones(len(ids), np.float32), ids, ends), (len(counts), 1 << TOKEN_BITS))
        self.tokens.sum_duplicates()
        self.pages, first = [], 0
        with open(f"{path}/pages.tsv", encoding="utf-8") as lines:
            for line in lines:
                self.pages.append(Page(line, self, first))
                first = self.pages[-1].rows.stop
        assert first == len(self.labels)
        self.names = [open(f"{path}/stage{s}.names", encoding="utf-8").read().split() for s in (1, 2)]
        self.version = open(f"{path}/version", encoding="utf-8").read().strip()

    def write_list(self, name, names):
        path = os.path.join(self.folder, name + ".list")
        with open(path, "w", encoding="utf-8") as out:
            out.writelines(n + "\n" for n in names)
        return path

    def run(self, name, options, pages=None):
        path = os.path.join(self.folder, name)
        command = [self.args.dana, "features", "-o", path] + options + (["--list", pages] if pages else []) + [self.directory]
        subprocess.run(command, check=True)
        return path

    def features(self, models, stage):
        """Features of a stage and margins, each page seen by the model that was trained without its site."""
        columns = len(self.names[stage - 1])
        rows = np.zeros((len(self.labels), columns), np.uint8)
        margins = np.zeros((len(self.labels), 2), np.int32)
        words = np.zeros(len(self.labels), np.uint32)
        for fold in range(FOLDS):
            pages = [p for p in self.pages if p.fold == fold]
            if not pages:
                continue
            listed = self.write_list(f"fold{fold}", [p.name for p in pages])
            path = self.run("features", ["--model", models[fold]], listed)
            got = np.fromfile(f"{path}/stage{stage}.u8", np.uint8).reshape(-1, columns)
            at = np.concatenate([np.arange(p.rows.start, p.rows.stop) for p in pages])
            rows[at] = got
            margins[at] = np.fromfile(f"{path}/margins.i32", "<i4").reshape(-1, 2)
            words[at] = np.fromfile(f"{path}/words.u32", "<u4")
        return rows, margins, words


class Data:
    """All blocks of all sources, one after the other."""

    def __init__(self, sources):
        self.sources = sources
        self.pages = []
        offset = 0
        for source in sources:
            for page in source.pages:
                page.at = slice(page.rows.start + offset, page.rows.stop + offset)
                self.pages.append(page)
            offset += len(source.labels)
        labels = np.concatenate([s.labels for s in sources]).astype(np.float32)
        self.length = labels[:, 0]
        self.part = labels[:, 1] / np.maximum(labels[:, 0], 1)
        self.tokens = sparse.vstack([s.tokens for s in sources], format="csr")
        self.names = sources[0].names
        self.fold = np.zeros(len(labels), np.int8)
        self.weight = np.zeros(len(labels), np.float32)

    def weigh(self, copy_weight):
        count = defaultdict(int)
        for page in self.pages:
            if page.source is self.sources[0]:
                count[page.corpus] += 1
        for page in self.pages:
            self.fold[page.at] = page.fold
            length = self.length[page.at]
            page.used = length.sum() > 0 and best_f1(self.part[page.at], length, page.gold) >= ORACLE_LEAST
            if not page.used:
                continue
            weight = length / (page.gold + 50.0)
            weight *= min(1.0, PAGE_WEIGHT_MOST / weight.sum())
            weight *= 20 / np.sqrt(max(count[page.corpus], 20))
            if page.source is not self.sources[0]:
                weight *= copy_weight
            self.weight[page.at] = weight**0.75 * weight.mean() ** 0.25

    def features(self, models, stage):
        parts = [s.features(models, stage) for s in self.sources]
        return tuple(np.concatenate(p) for p in zip(*parts))


def fit_tokens(tokens, part, weight, penalty=1e-4, steps=50):
    """Logistic regression on soft labels; answers the weights, the bias last."""
    weight = weight / weight.sum()

    def loss(w):
        z = np.clip(tokens @ w[:-1] + w[-1], -30, 30)
        rest = weight * (1 / (1 + np.exp(-z)) - part)
        value = (weight * (np.logaddexp(0, z) - part * z)).sum() + penalty * (w[:-1] ** 2).sum()
        slope = tokens.T @ rest + 2 * penalty * w[:-1]
        return float(value), np.concatenate([slope, [rest.sum()]]).astype(np.float64)

    start = np.zeros(tokens.shape[1] + 1)
    return minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": steps, "maxcor": 7}).x


def sample_rows(weight, share):
    """About that share of the rows: heavy ones all, light ones by chance in proportion, and heavier for it."""
    low, high = 0.0, float(weight.max())
    for _ in range(40):
        middle = (low + high) / 2
        if np.minimum(1, weight / max(middle, 1e-12)).mean() > share:
            low = middle
        else:
            high = middle
    at = np.flatnonzero(np.random.default_rng(SEED).random(len(weight)) * high < weight)
    return at, np.maximum(weight[at], high)


def fit_trees(args, rows, part, weight, trees, depth, eta, columns):
    options = dict(objective="binary:logistic", eta=eta, max_depth=depth, subsample=0.7, colsample_bytree=columns,
                   tree_method="hist", nthread=args.threads, min_child_weight=2, reg_lambda=3, max_bin=args.bins, seed=SEED)
    at, weight = sample_rows(weight, args.share)
    weight = weight / weight.mean()
    rows, part = rows[at], part[at]
    matrix = xgboost.QuantileDMatrix(rows, label=part, weight=weight, max_bin=args.bins, nthread=args.threads)
    booster = xgboost.train(options, matrix, trees)
    return Trees.from_booster(booster, depth), booster


class Trainer:
    def __init__(self, args, data):
        self.args, self.data = args, data
        self.lines = []
        self.names = [data.sources[0].version] + data.names[0] + data.names[1]
        # one model for each fold, trained without it, and the last on everything
        self.parts = [{"tokens": None, "stage1": Trees(), "stage2": Trees()} for _ in range(FOLDS + 1)]

    def say(self, text):
        print(text, flush=True)
        self.lines.append(text)

    def train_rows(self, fold):
        return np.flatnonzero((self.data.weight > 0) & (self.data.fold != fold))

    def write_models(self):
        paths = []
        for fold, part in enumerate(self.parts):
            path = os.path.join(self.args.out, f"fold{fold}.bin" if fold < FOLDS else "learned.model")
            with open(path, "wb") as out:
                out.write(model_bytes(self.names, *part["tokens"], part["stage1"], part["stage2"]))
            paths.append(path)
        return paths

    def fit_tokens(self):
        for fold in self.folds():
            at = self.train_rows(fold)
            d = self.data
            weights = fit_tokens(d.tokens[at], d.part[at], d.weight[at].astype(np.float64))
            self.parts[fold]["tokens"] = quantise_weights(weights)

    def folds(self):
        return range(FOLDS + 1)

    def fit_stage(self, stage, trees, depth, eta, columns):
        rows, _, _ = self.data.features(self.write_models(), stage)
        gains = None
        for fold in self.folds():
            at = self.train_rows(fold)
            found, booster = fit_trees(self.args, rows[at], self.data.part[at], self.data.weight[at], trees, depth, eta, columns)
            self.parts[fold][f"stage{stage}"] = found
            gains = booster.get_score(importance_type="total_gain")
        ranked = sorted(gains.items(), key=lambda g: -g[1])
        names = self.data.names[stage - 1]
        self.say(f"stage {stage}: features by gain: " + " ".join(names[int(f[1:])] for f, _ in ranked))
        return rows

    def report(self, title, margins, words):
        chance = 1 / (1 + np.exp(-margins / 4096.0))
        groups = defaultdict(list)
        for page in self.data.pages:
            length, part = self.data.length[page.at], self.data.part[page.at]
            if not length.sum():
                continue
            kept = decode(chance[page.at], words[page.at].astype(np.float64))
            total = length[kept].sum() + page.gold
            f1 = 2 * (part * length)[kept].sum() / total if total else 1.0
            page.f1 = f1
            if page.source is not self.data.sources[0]:
                groups["copies"].append(f1)
                continue
            groups["all"].append(f1)
            groups["Latin" if page.script == "Latin" else "other scripts"].append(f1)
            groups[page.corpus].append(f1)
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
            rows, margins, _ = self.data.features([model] * FOLDS, stage)
            self.compare(stage, self.parts[FOLDS][f"stage{stage}"], rows, margins)
        self.say(f"the program's sums are the trainer's on every block: {len(rows)} blocks, both stages, all models")

    def train(self):
        a = self.args
        self.fit_tokens()
        self.say("tokens fitted")
        rows = self.fit_stage(1, a.trees1, a.depth1, a.eta1, 0.3)
        rows2 = self.fit_stage(2, a.trees2, a.depth2, a.eta2, 0.4)
        models = self.write_models()
        _, margins, words = self.data.features(models, 2)
        if a.check:
            self.check(models[-1], rows, rows2, margins)
        self.report("stage 1", margins[:, 0], words)
        self.report("stage 2", margins[:, 1], words)
        data = open(models[-1], "rb").read()
        self.say(f"model: {len(data)} bytes")
        with open(os.path.join(a.out, "report.txt"), "w", encoding="utf-8") as out:
            out.write("\n".join(self.lines) + "\n")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dana", default="dana", help="the program")
    parser.add_argument("--out", required=True)
    parser.add_argument("--copies")
    parser.add_argument("--copies-one-in", type=int, default=4, help="share of copies that are trained on")
    parser.add_argument("--copy-weight", type=float, default=0.5)
    parser.add_argument("--sample", help="file of CORPUS/ID lines that are reported apart")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--bins", type=int, default=64)
    parser.add_argument("--share", type=float, default=0.5, help="share of the blocks that trees are grown from")
    parser.add_argument("--trees1", type=int, default=128)
    parser.add_argument("--depth1", type=int, default=6)
    parser.add_argument("--eta1", type=float, default=0.075)
    parser.add_argument("--trees2", type=int, default=96)
    parser.add_argument("--depth2", type=int, default=5)
    parser.add_argument("--eta2", type=float, default=0.08)
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
    data.weigh(args.copy_weight)
    Trainer(args, data).train()


if __name__ == "__main__":
    main()
