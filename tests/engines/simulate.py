#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""simulate.py: a run of many tasks of which some fail, as a table of doc/SCALE.md has it."""
import heapq
import random

TASKS, CORES, SECONDS, WAIT, FAIL, RUNS = 90_000, 1_000, 44, 120, 0.01, 100


def run(rng, restarts):
    """Tasks that are not done in the end, and hours. A task that fails does so after a random part of its time."""
    cores = [0.0] * CORES
    again = []  # when, attempts so far
    missing = new = 0
    end = 0.0
    while new < TASKS or again:
        now = heapq.heappop(cores)
        if new < TASKS and not (again and again[0][0] <= now):
            attempts = 0
            new += 1
        else:
            ready, attempts = heapq.heappop(again)
            now = max(now, ready)
        if rng.random() >= FAIL:
            now += SECONDS
        else:
            now += SECONDS * rng.random()
            if attempts < restarts:
                heapq.heappush(again, (now + WAIT, attempts + 1))
            else:
                missing += 1
        end = max(end, now)
        heapq.heappush(cores, now)
    return missing, end / 3600


if __name__ == "__main__":
    for restarts in 0, 1, 2, 3:
        rng = random.Random(restarts)
        found = [run(rng, restarts) for _ in range(RUNS)]
        print("| %d | %.2f | %d %% | %.2f |" % (restarts, sum(m for m, _ in found) / RUNS,
                                              100 * sum(m == 0 for m, _ in found) / RUNS, sum(h for _, h in found) / RUNS))
