# SPDX-License-Identifier: MIT
"""What is fitted to gold pages: weights of tokens, trees of both stages and of kinds of page."""
import json
import os
import tempfile

import catboost
import numpy as np
from scipy.optimize import minimize

from model_file import KINDS, Trees

SEED = 1


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


def grow(args, options, rows, labels, weight, outputs=1):
    """Trees by CatBoost, and what each column gave."""
    booster = catboost.CatBoost(dict(bootstrap_type="Bernoulli", thread_count=args.threads, random_seed=SEED,
                                     allow_writing_files=False, verbose=False, border_count=args.bins, **options))
    booster.fit(catboost.Pool(rows.astype(np.float32), label=labels, weight=weight / weight.mean()))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trees.json")
        booster.save_model(path, format="json")
        with open(path, encoding="utf-8") as text:
            trees = Trees.from_catboost(json.load(text), options["depth"], outputs)
    return trees, booster.get_feature_importance()


def fit_stage(args, rows, part, weight, trees, eta):
    at, weight = sample_rows(weight, args.share)
    options = dict(loss_function="CrossEntropy", iterations=trees, depth=args.depth, learning_rate=eta,
                   l2_leaf_reg=3, rsm=0.3, subsample=0.7)
    return grow(args, options, rows[at], part[at], weight)


def fit_kinds(args, rows, names, kinds):
    """A kind of few pages is heard as well: its pages weigh n^-1/2. Kinds without pages are never found. Each page comes a second time, at half
    weight, as one that neither declares what it is nor has an address."""
    here, numbers, counts = np.unique(kinds, return_inverse=True, return_counts=True)
    weight = counts[numbers] ** -0.5
    bare = rows.copy()
    bare[:, [name.startswith(("DECLARES_", "PAGE_URL_")) or name == "PAGE_KIND" for name in names]] = 0
    options = dict(loss_function="MultiClassOneVsAll", iterations=args.trees_kinds, depth=4, learning_rate=0.3,
                   l2_leaf_reg=5, rsm=0.5, subsample=0.8)
    rows, numbers, weight = np.concatenate([rows, bare]), np.tile(numbers, 2), np.concatenate([weight, weight / 2])
    trees, _ = grow(args, options, rows, numbers, weight, len(here))
    leaves = np.zeros(trees.leaves.shape[:2] + (len(KINDS),), np.int16)
    leaves[0] = -32768
    leaves[:, :, here] = trees.leaves
    trees.leaves = leaves
    return trees


def decode(chance, words):
    """The blocks that decode_best of stage2.c keeps."""
    mass, threshold = (chance * words).sum() + 1e-9, 0.0
    for _ in range(32):
        kept = chance >= threshold
        share = (chance * words)[kept].sum() / (words[kept].sum() + mass)
        if share <= threshold:
            break
        threshold = share
    return chance >= min(threshold, 65535 / 65536)
