# SPDX-License-Identifier: MIT
"""The model file of method `learned` (src/extract/learned/model.h)."""
import json
import struct

import numpy as np

MAGIC = b"dana-learned-1\n\0"
TOKEN_BITS = 16
LEAF_ONE = 4096
TOKEN_ONE = 32


def fnv1a(data, h=0x811C9DC5):
    for byte in data:
        h = ((h ^ byte) * 16777619) & 0xFFFFFFFF
    return h


class Trees:
    """Boosted trees, completed to one depth: nodes {feature, bin}, to the right when the feature is above bin."""

    def __init__(self, n=0, depth=1):
        self.depth = depth
        self.nodes = np.zeros((n, 2 ** depth - 1, 2), np.uint8)
        self.leaves = np.zeros((n, 2 ** depth), np.int16)

    @classmethod
    def from_booster(cls, booster, depth):
        dumps = [json.loads(d) for d in booster.get_dump(dump_format="json")]
        trees = cls(len(dumps), depth)
        for i, root in enumerate(dumps):
            trees._fill(i, root, 0, 0)
        return trees

    def _fill(self, i, node, level, index):
        if level == self.depth:
            self.leaves[i, index] = int(np.clip(round(node["leaf"] * LEAF_ONE), -32768, 32767))
            return
        at = 2 ** level - 1 + index
        if "leaf" in node:  # a leaf above the lowest level: everything goes left, both sides end alike
            self.nodes[i, at] = (0, 255)
            sides = (node, node)
        else:
            below = int(np.ceil(node["split_condition"])) - 1  # xgboost: left when x < condition; x is an integer
            self.nodes[i, at] = (int(node["split"].lstrip("f")), np.clip(below, 0, 255))
            children = {c["nodeid"]: c for c in node["children"]}
            sides = (children[node["yes"]], children[node["no"]])
        for side in (0, 1):
            self._fill(i, sides[side], level + 1, 2 * index + side)

    def margins(self, rows):
        """The sum of leaves for each row of bytes: what the C code computes."""
        out = np.zeros(len(rows), np.int64)
        for nodes, leaves in zip(self.nodes, self.leaves):
            index = np.zeros(len(rows), np.int64)
            for level in range(self.depth):
                node = nodes[2 ** level - 1 + index]
                index = 2 * index + (rows[np.arange(len(rows)), node[:, 0]] > node[:, 1])
            out += leaves[index]
        return out


def quantise_weights(weights):
    """Weights of tokens in 1/32, and the bias behind them."""
    scaled = np.round(weights * TOKEN_ONE)
    return np.clip(scaled[:-1], -127, 127).astype(np.int8), int(scaled[-1])


def model_bytes(names, weights, bias, stage1, stage2):
    """`names`: version of the features and their names of both stages, in order."""
    hashed = fnv1a("".join(n + "\n" for n in names).encode())
    head = MAGIC + struct.pack("<IiIIII", hashed, bias, len(stage1.nodes), stage1.depth, len(stage2.nodes), stage2.depth)
    body = head + weights.tobytes()
    for stage in (stage1, stage2):
        body += stage.nodes.tobytes() + stage.leaves.astype("<i2").tobytes()
    return body + struct.pack("<I", fnv1a(body))
