#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Neighbours by Annoy as openTSNE uses it (50 trees). Prints one JSON object."""

import argparse
import os

import numpy as np

from measure import Phases, print_result


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vectors", help=".npy, [N, D]")
    parser.add_argument("-o", "--output", required=True, help=".npy, [N, k] indices")
    parser.add_argument("-k", type=int, default=90)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    from openTSNE.nearest_neighbors import Annoy

    vectors = np.load(options.vectors)
    phases = Phases()
    index = Annoy(vectors, options.k, "euclidean", n_jobs=options.threads, random_state=options.seed)
    neighbors, _ = index.build()
    phases.end("neighbors")
    np.save(options.output, neighbors.astype(np.int32))
    print_result({"tool": "Annoy by openTSNE", "points": len(vectors), "k": options.k,
                  "threads": options.threads, "seconds": phases.rounded(),
                  "output": options.output})


if __name__ == "__main__":
    main()
