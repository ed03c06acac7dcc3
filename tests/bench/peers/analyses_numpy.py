#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Head statistics and heatmap in NumPy. Prints one JSON object.

VECTORS.npy is [documents x heads, dims], documents outer. Topics: document modulo 8, a topic's
vector the mean of its documents'. Seconds are medians of --repeat.
"""

import argparse
import statistics
import time

import numpy as np

from measure import print_result

TOPICS = 8
PER_TOPIC = 120


def median_seconds(repeat, body):
    seconds = []
    for _ in range(repeat):
        begin = time.perf_counter()
        body()
        seconds.append(time.perf_counter() - begin)
    return statistics.median(seconds)


def head_statistics(vectors):
    norms = np.linalg.norm(vectors, axis=2)
    mean_unit = (vectors / norms[:, :, None]).mean(axis=0, dtype=np.float64)
    spread = 1 - (mean_unit ** 2).sum(axis=1)
    return norms.mean(axis=0), norms.std(axis=0), spread, norms.mean(axis=0) * spread


def heatmap(vectors, topics):
    """[1 + heads, columns]: cosines with the document's own topic, sorted by the full row."""
    columns = []
    for topic, centre in enumerate(topics):
        chosen = vectors[topic::TOPICS][:PER_TOPIC]
        full = chosen.reshape(len(chosen), -1) @ centre.ravel()
        full /= np.linalg.norm(chosen.reshape(len(chosen), -1), axis=1) * np.linalg.norm(centre)
        heads = np.einsum("nhd,hd->nh", chosen, centre)
        heads /= np.linalg.norm(chosen, axis=2) * np.linalg.norm(centre, axis=1)
        order = np.argsort(-full, kind="stable")
        columns.append(np.column_stack([full, heads])[order])
    return np.concatenate(columns).T


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("vectors")
    parser.add_argument("--heads", type=int, default=32)
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--threads", type=int, help="set through the environment by the driver")
    options = parser.parse_args()
    rows = np.load(options.vectors)
    vectors = rows[:len(rows) // options.heads * options.heads].reshape(-1, options.heads, rows.shape[1])
    topics = np.stack([vectors[topic::TOPICS].mean(axis=0) for topic in range(TOPICS)])
    print_result({
        "tool": "numpy",
        "heads": median_seconds(options.repeat, lambda: head_statistics(vectors)),
        "heatmap": median_seconds(options.repeat, lambda: heatmap(vectors, topics))})


if __name__ == "__main__":
    main()
