# SPDX-License-Identifier: MIT
"""Gold pages as `dana features` sees them: blocks, labels, tokens and features, with the weights and folds of training."""
import os
import subprocess
import sys
import zlib
from collections import defaultdict

import numpy as np
import scipy.sparse as sparse

from model_file import KINDS, TOKEN_BITS

FOLDS = 4
PAGE_WEIGHT_MOST = 6.0  # a page of many short blocks must not outweigh others
ORACLE_LEAST = 0.6  # pages whose gold text cannot be put together from blocks teach nothing
GOLD_SHARE = 0.3  # what partial gold is taken to be of the page's text, for the weights of blocks


def registered_domain(host):
    """Near enough: two labels, three below co.uk and the like."""
    parts = host.split(":")[0].split(".")
    three = len(parts) > 2 and len(parts[-2]) <= 3 and len(parts[-1]) == 2
    return ".".join(parts[-3:] if three else parts[-2:])


def read_index(directory):
    """Columns that only training knows: {name: (kind, gold)}."""
    with open(os.path.join(directory, "index.tsv"), encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines]
    columns = {name: i for i, name in enumerate(rows[0])}
    cell = lambda row, name: row[columns[name]] if columns.get(name, len(row)) < len(row) else ""  # noqa: E731
    return {f"{cell(row, 'corpus')}/{cell(row, 'id')}": (cell(row, "kind"), cell(row, "gold")) for row in rows[1:]}


class Page:
    def __init__(self, line, source, first, index):
        self.corpus, self.id, site, self.script, blocks, gold = line.rstrip("\n").split("\t")
        self.source = source
        self.rows = slice(first, first + int(blocks))
        self.gold = int(gold)
        self.site = registered_domain(site) if site else f"{self.corpus}/{self.id}"
        self.fold = zlib.crc32(self.site.encode()) % FOLDS
        kind, extent = index.get(self.name, ("", ""))
        if kind and kind not in KINDS:
            sys.exit(f"{self.name}: kind {kind!r} of index.tsv is none of {', '.join(KINDS)}")
        self.kind = KINDS.index(kind) if kind else -1
        self.partial = extent == "partial"

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


class Source:
    """One folder of gold pages and what `dana features` gives of it."""

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
        self.pages, first, index = [], 0, read_index(directory)
        with open(f"{path}/pages.tsv", encoding="utf-8") as lines:
            for line in lines:
                self.pages.append(Page(line, self, first, index))
                first = self.pages[-1].rows.stop
        assert first == len(self.labels)
        parts = ("stage1", "stage2", "kinds")
        self.names = {p: open(f"{path}/{p}.names", encoding="utf-8").read().split() for p in parts}
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
        """Features of a stage, margins, words and features of kinds, each page seen by the model that was trained without its site."""
        columns = len(self.names[f"stage{stage}"])
        rows = np.zeros((len(self.labels), columns), np.uint8)
        margins = np.zeros((len(self.labels), 3), np.int32)
        words = np.zeros(len(self.labels), np.uint32)
        kinds = np.zeros((len(self.pages), len(self.names["kinds"])), np.uint8)
        for fold in range(FOLDS):
            numbers = [i for i, p in enumerate(self.pages) if p.fold == fold]
            pages = [self.pages[i] for i in numbers]
            if not pages:
                continue
            listed = self.write_list(f"fold{fold}", [p.name for p in pages])
            path = self.run("features", ["--model", models[fold]], listed)
            at = np.concatenate([np.arange(p.rows.start, p.rows.stop) for p in pages])
            rows[at] = np.fromfile(f"{path}/stage{stage}.u8", np.uint8).reshape(-1, columns)
            margins[at] = np.fromfile(f"{path}/margins.i32", "<i4").reshape(-1, 3)
            words[at] = np.fromfile(f"{path}/words.u32", "<u4")
            kinds[numbers] = np.fromfile(f"{path}/kinds.u8", np.uint8).reshape(-1, kinds.shape[1])
        return rows, margins, words, kinds


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
        self.partial = np.zeros(len(labels), bool)
        for page in self.pages:
            self.fold[page.at] = page.fold
            self.partial[page.at] = page.partial
        self.page_fold = np.array([p.fold for p in self.pages])
        self.kind = np.array([p.kind for p in self.pages])

    def groups(self):
        """Pages that are weighed together: a corpus, or, where a corpus has several kinds of page, the pages of a kind in all such."""
        kinds = defaultdict(set)
        for page in self.pages:
            kinds[page.corpus].add(page.kind)
        return [p.corpus if len(kinds[p.corpus]) == 1 else KINDS[p.kind] for p in self.pages]

    def weigh(self, args):
        groups, count = self.groups(), defaultdict(int)
        for page, group in zip(self.pages, groups):
            count[group] += page.source is self.sources[0]
        for page, group in zip(self.pages, groups):
            length = self.length[page.at]
            page.used = length.sum() > 0
            if page.used and not page.partial:
                page.used = best_f1(self.part[page.at], length, page.gold) >= ORACLE_LEAST
            if not page.used:
                continue
            gold = GOLD_SHARE * length.sum() if page.partial else page.gold
            weight = length / (gold + 50.0)
            weight *= min(1.0, PAGE_WEIGHT_MOST / weight.sum())
            weight *= 20 / np.sqrt(max(count[group], 20))
            weight *= args.partial_weight if page.partial else 1.0
            weight *= args.copy_weight if page.source is not self.sources[0] else 1.0
            self.weight[page.at] = weight**0.75 * weight.mean() ** 0.25

    def features(self, models, stage):
        parts = [s.features(models, stage) for s in self.sources]
        return tuple(np.concatenate(p) for p in zip(*parts))
