#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact KL of maps, by one evaluator for all tools. Prints one JSON object.

P from the exact 3 x perplexity nearest neighbours, Z over all pairs, everything in double: nobody's
own figure is comparable, since each tool takes its own approximate neighbours and approximate Z.
Written for up to some 32,000 points; the time grows with the square.
"""

import argparse

import numpy as np
from scipy.sparse import csr_matrix

from measure import Phases, print_result

BLOCK = 1024


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("vectors", help=".npy, [N, D]")
    parser.add_argument("maps", nargs="+", help=".npy [N, 2], or F.h5:/path")
    parser.add_argument("--perplexity", type=float, default=30)
    parser.add_argument("--samples", type=int, default=2000, help="rows judged for knn10")
    return parser.parse_args()


def read_map(name):
    file, colon, path = name.rpartition(":")
    if not colon:
        return np.load(name).astype(np.float64)
    import h5py

    with h5py.File(file) as opened:
        return opened[path][...].astype(np.float64)


def squared_distances(rows, points, squares):
    """[len(rows), N]; may be some ulps of the squares below zero."""
    distances = (rows @ points.T) * -2
    distances += squares
    distances += np.einsum("ij,ij->i", rows, rows)[:, None]
    return distances


def exact_neighbors(points, k):
    """Indices and squared distances [N, k] of the nearest others, self left out."""
    squares = np.einsum("ij,ij->i", points, points)
    index = np.empty((len(points), k), np.int64)
    distance = np.empty((len(points), k))
    # The product loses digits for near duplicates, so a few more survive it and are measured again
    # by direct differences before the k nearest are chosen.
    wide = min(len(points) - 1, k + 10)
    for begin in range(0, len(points), BLOCK):
        rows = points[begin:begin + BLOCK]
        rough = squared_distances(rows, points, squares)
        rough[np.arange(len(rows)), begin + np.arange(len(rows))] = np.inf
        found = np.sort(np.argpartition(rough, wide - 1, axis=1)[:, :wide], axis=1)
        for row in range(len(rows)):
            difference = points[found[row]] - rows[row]
            direct = np.einsum("ij,ij->i", difference, difference)
            order = np.argsort(direct, kind="stable")[:k]
            index[begin + row] = found[row, order]
            distance[begin + row] = direct[order]
    return index, distance


def affinities(index, distance, perplexity):
    """Symmetric P as CSR, sums to 1. Bisection of every row at once, to 1e-12 in the entropy."""
    shifted = distance - distance[:, :1]
    target = np.log(perplexity)
    low = np.zeros(len(shifted))
    high = np.full(len(shifted), np.inf)
    beta = 1 / np.maximum(shifted.mean(axis=1), 1e-300)
    for _ in range(200):
        weight = np.exp(-beta[:, None] * shifted)
        total = weight.sum(axis=1)
        entropy = np.log(total) + beta * (weight * shifted).sum(axis=1) / total
        if np.max(np.abs(entropy - target)) < 1e-12:
            break
        flat = entropy > target
        low = np.where(flat, beta, low)
        high = np.where(flat, high, beta)
        beta = np.where(np.isinf(high), beta * 2, (low + np.minimum(high, 1e308)) / 2)
    weight /= total[:, None]
    n, k = index.shape
    conditional = csr_matrix((weight.ravel(), index.ravel(), np.arange(0, n * k + 1, k)), (n, n))
    return ((conditional + conditional.T) / (2 * n)).tocoo()


def normaliser(map_points):
    """Sum over all ordered pairs i != j of 1 / (1 + |y_i - y_j|^2)."""
    total = 0.0
    for begin in range(0, len(map_points), BLOCK):
        rows = map_points[begin:begin + BLOCK]
        squared = np.subtract.outer(rows[:, 0], map_points[:, 0]) ** 2
        squared += np.subtract.outer(rows[:, 1], map_points[:, 1]) ** 2
        squared += 1
        total += np.reciprocal(squared, out=squared).sum()
    return total - len(map_points)


def kl(p, map_points):
    difference = map_points[p.row] - map_points[p.col]
    squared = np.einsum("ij,ij->i", difference, difference)
    positive = p.data > 0
    weight = p.data[positive]
    return float((weight * np.log(weight)).sum() + (weight * np.log1p(squared[positive])).sum()
                 + np.log(normaliser(map_points)) * weight.sum())


def kept_neighbors(index, map_points, samples):
    """Mean share of the 10 nearest neighbours kept, over evenly spread rows."""
    squares = np.einsum("ij,ij->i", map_points, map_points)
    rows = np.unique(np.linspace(0, len(map_points) - 1, samples).astype(int))
    kept = 0
    for row in rows:
        distances = squared_distances(map_points[row:row + 1], map_points, squares)[0]
        distances[row] = np.inf
        nearest = np.argpartition(distances, 10)[:10]
        kept += len(np.intersect1d(nearest, index[row, :10]))
    return kept / (10 * len(rows))


def main():
    options = arguments()
    vectors = np.load(options.vectors).astype(np.float64)
    phases = Phases()
    # The mean carries no distance; without it the products keep more digits.
    index, distance = exact_neighbors(vectors - vectors.mean(axis=0), int(3 * options.perplexity))
    phases.end("neighbors")
    p = affinities(index, distance, options.perplexity)
    phases.end("affinities")
    results = []
    for name in options.maps:
        points = read_map(name)
        results.append({"map": name, "kl_exact": kl(p, points),
                        "knn10": kept_neighbors(index, points, options.samples)})
    phases.end("maps")
    print_result({"tool": "exact_kl", "points": len(vectors), "perplexity": options.perplexity,
                  "maps": results, "seconds": phases.rounded()})


if __name__ == "__main__":
    main()
