# SPDX-License-Identifier: MIT
"""The model file of method `learned` (src/extract/learned/model.h)."""
import struct

import numpy as np

MAGIC = b"dana-learned-2\n\0"
TOKEN_BITS = 16
LEAF_ONE = 4096
TOKEN_ONE = 32
KINDS = ["article", "list", "forum", "product", "documentation", "service", "other"]


def fnv1a(data, h=0x811C9DC5):
    for byte in data:
        h = ((h ^ byte) * 16777619) & 0xFFFFFFFF
    return h


class Trees:
    """Boosted oblivious trees: all nodes of a level ask whether one feature is above a bin; the first level's answer is a leaf's highest bit."""

    def __init__(self, n=0, depth=1, outputs=1):
        self.depth = depth
        self.levels = np.zeros((n, depth, 2), np.uint8)
        self.leaves = np.zeros((n, 2 ** depth, outputs), np.int16)

    @classmethod
    def from_catboost(cls, model, depth, outputs=1):
        """`model`: what CatBoost writes as JSON. Leaves have `outputs` numbers."""
        scale, bias = model["scale_and_bias"]
        bias = np.array(bias if isinstance(bias, list) else [bias])
        columns = {f["feature_index"]: f["flat_feature_index"] for f in model["features_info"]["float_features"]}
        trees = cls(len(model["oblivious_trees"]), depth, outputs)
        for i, tree in enumerate(model["oblivious_trees"]):
            splits = tree["splits"] or []
            for level in range(depth):  # a level that is not there asks nothing: its answer is always 0
                if level < len(splits):
                    # CatBoost: 1 when x > border; x is an integer
                    trees.levels[i, level] = columns[splits[level]["float_feature_index"]], int(np.floor(splits[level]["border"]))
                else:
                    trees.levels[i, level] = 0, 255
            values = np.array(tree["leaf_values"]).reshape(-1, outputs) * scale + (bias if i == 0 else 0)
            for leaf in range(2 ** depth):
                answers = [(leaf >> (depth - 1 - level)) & 1 for level in range(len(splits))]
                place = sum(answer << level for level, answer in enumerate(answers))  # CatBoost: the lowest bit
                trees.leaves[i, leaf] = np.clip(np.round(values[place] * LEAF_ONE), -32768, 32767)
        return trees

    def margins(self, rows):
        """The sum of leaves for each row of bytes: what the C code computes."""
        columns = np.ascontiguousarray(rows.T)
        out = np.zeros((len(rows), self.leaves.shape[2]), np.int64)
        for levels, leaves in zip(self.levels, self.leaves):
            leaf = np.zeros(len(rows), np.uint8)
            for feature, at in levels:
                leaf = 2 * leaf + (columns[feature] > at)
            out += leaves[leaf]
        return out if out.shape[1] > 1 else out[:, 0]


def quantise_weights(weights):
    """Weights of tokens in 1/32, and the bias behind them."""
    scaled = np.round(weights * TOKEN_ONE)
    return np.clip(scaled[:-1], -127, 127).astype(np.int8), int(scaled[-1])


def model_bytes(names, weights, bias, stage1, stage2, kinds):
    """`names`: version of the features and their names of both stages and of kinds, in order."""
    hashed = fnv1a("".join(n + "\n" for n in names).encode())
    parts = (stage1, stage2, kinds)
    head = MAGIC + struct.pack("<Ii", hashed, bias)
    head += b"".join(struct.pack("<II", len(part.levels), part.depth) for part in parts)
    head += struct.pack(f"<{len(KINDS)}I", *[256] * len(KINDS))  # 256: as in models that moved the threshold by kind, for nothing
    body = head + weights.tobytes()
    for part in parts:
        body += part.levels.tobytes() + part.leaves.astype("<i2").tobytes()
    return body + struct.pack("<I", fnv1a(body))
