#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Recall of neighbour lists on one exactly searched sample of rows. Prints one JSON object."""

import argparse

import numpy as np

from measure import Phases, print_result

BLOCK = 50


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vectors", help=".npy, [N, D]")
    parser.add_argument("lists", nargs="+", help=".npy [N, k], or F.h5:/path")
    parser.add_argument("--samples", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=7)
    return parser.parse_args()


def read_lists(name):
    file, colon, path = name.rpartition(":")
    if not colon:
        return np.load(name)
    import h5py

    with h5py.File(file) as opened:
        return opened[path][...]


def last_true_distances(vectors, rows, k):
    """Squared distance of the k-th neighbour of each row, in double by direct differences."""
    squares = np.einsum("ij,ij->i", vectors, vectors)
    wide = min(len(vectors) - 1, k + 20)  # float32 products may swap near ties: measured again
    last = np.empty(len(rows))
    for begin in range(0, len(rows), BLOCK):
        some = rows[begin:begin + BLOCK]
        rough = squares - 2 * (vectors[some] @ vectors.T)
        rough[np.arange(len(some)), some] = np.inf
        found = np.argpartition(rough, wide - 1, axis=1)[:, :wide]
        for i, row in enumerate(some):
            last[begin + i] = np.sort(distances(vectors, row, found[i]))[k - 1]
    return last


def distances(vectors, row, others):
    difference = vectors[others].astype(np.float64) - vectors[row].astype(np.float64)
    return np.einsum("ij,ij->i", difference, difference)


def main():
    options = arguments()
    vectors = np.load(options.vectors)
    vectors = vectors - vectors.mean(axis=0, dtype=np.float64).astype(np.float32)
    lists = {name: read_lists(name) for name in options.lists}
    k = min(found.shape[1] for found in lists.values())
    rows = np.sort(np.random.default_rng(options.seed).choice(
        len(vectors), min(options.samples, len(vectors)), replace=False))
    phases = Phases()
    last = last_true_distances(vectors, rows, k)
    # A neighbour counts when it is no farther than the last true one.
    results = [{"list": name, "recall": float(np.mean(
        [np.mean(distances(vectors, row, found[row, :k]) <= limit) for row, limit in zip(rows, last)]))}
        for name, found in lists.items()]
    phases.end("check")
    print_result({"tool": "neighbor_recall", "points": len(vectors), "k": k, "samples": len(rows),
                  "lists": results, "seconds": phases.rounded()})


if __name__ == "__main__":
    main()
