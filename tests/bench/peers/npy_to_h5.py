#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts .npy files into one HDF5 file: npy_to_h5.py OUT.h5 NAME=FILE.npy... Prints a JSON object."""

import argparse

import h5py
import numpy as np

from measure import print_result


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output")
    parser.add_argument("arrays", nargs="+", metavar="NAME=FILE.npy")
    parser.add_argument("--last-rows", type=int, default=0,
                        help="also write /test, the numbers of the last rows")
    options = parser.parse_args()
    with h5py.File(options.output, "w") as file:
        for pair in options.arrays:
            name, _, source = pair.partition("=")
            file[name] = np.load(source)
        if options.last_rows:
            rows = len(file[options.arrays[0].partition("=")[0]])
            file["test"] = np.arange(rows - options.last_rows, rows, dtype=np.int32)
    print_result({"output": options.output})


if __name__ == "__main__":
    main()
