# SPDX-License-Identifier: GPL-3.0-or-later
"""The options both t-SNE peers take."""

import argparse
import os


def arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("vectors", help=".npy, [N, D]")
    parser.add_argument("-o", "--output", required=True, help=".npy, [N, 2]")
    parser.add_argument("--init", default="", help=".npy, [N, 2]; default PCA")
    parser.add_argument("--perplexity", type=float, default=30)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()
