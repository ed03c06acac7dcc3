#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""TwoNN of every head of a cache with scikit-dimension. Prints one JSON object.

CACHE.h5 is a cache of head vectors. scikit-dimension fits the slope with F = (i - 1) / n and keeps
floor(0.9 n) ratios; Headscope has F = i / n and leaves out round(0.1 n). --compare LAYERS.json (what
headscope layers --geometry --json printed) gives the largest relative difference of both as they are,
and of the slope of scikit-dimension's ratios by Headscope's definition.
"""

import argparse
import json

import numpy as np
import skdim

from measure import Phases, print_result
from minimal_cache import read_stages


def twonn(rows):
    """scikit-dimension's dimension."""
    return skdim.id.TwoNN().fit(rows).dimension_


def twonn_by_our_definition(rows):
    """The slope of scikit-dimension's ratios with F = i / n, equal rows merged first."""
    rows = np.unique(rows, axis=0)
    count = len(rows)
    kept = count - max(1, round(0.1 * count))
    fitted = skdim.id.TwoNN(discard_fraction=1 - (kept + 0.5) / count).fit(rows)
    logs = np.asarray(fitted.x_, np.float64).ravel()
    if len(logs) != kept:
        raise SystemExit(f"expected {kept} ratios, found {len(logs)}")
    return float(-(logs @ np.log1p(-np.arange(1, kept + 1) / count)) / (logs @ logs))


def read_heads(path):
    """{(layer, stage, head from 1): float32 [N, D]}"""
    return {(layer, stage, head + 1): np.ascontiguousarray(vectors[:, head])
            for layer, stage, vectors in read_stages(path) if stage in ("1", "2", "3")
            for head in range(vectors.shape[1])}


def ours_from(path):
    with open(path, encoding="utf-8") as file:
        rows = json.load(file)["results"]
    return {(row["layer"], str(row["stage"]), int(row["unit"].split()[-1])): row["twonn"]
            for row in rows if row["unit"] != "full"}


def largest_relative(ours, theirs):
    return max(abs(theirs[head] / ours[head] - 1) for head in ours)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cache")
    parser.add_argument("--compare", metavar="LAYERS.json")
    parser.add_argument("--threads", type=int, help="set through the environment by the driver")
    options = parser.parse_args()
    phases = Phases()
    heads = read_heads(options.cache)
    phases.end("load")
    found = {head: twonn(rows) for head, rows in heads.items()}
    phases.end("compute")
    result = {"tool": "scikit-dimension", "version": skdim.__version__, "heads": len(heads),
              "seconds": phases.rounded()}
    if options.compare:
        ours = ours_from(options.compare)
        same = {head: twonn_by_our_definition(heads[head]) for head in ours}
        result["largest_relative_difference"] = largest_relative(ours, found)
        result["by_our_definition"] = largest_relative(ours, same)
    print_result(result)


if __name__ == "__main__":
    main()
