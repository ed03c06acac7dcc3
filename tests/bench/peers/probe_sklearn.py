#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which head does a vector come from? scikit-learn's logistic regression. Prints one JSON object.

Reads a cache of head vectors (one result a stage and layer) or plain matrices. The objective is
C * sum of the log losses + 1/2 |W|^2 over the training rows, intercepts free, natural logarithms.
"""

import argparse
import time

import numpy as np

from measure import print_result


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cache", nargs="?", help="cache of head vectors")
    parser.add_argument("--vectors", help="F.h5:/path or .npy, [N, D]")
    parser.add_argument("--labels", help="F.h5:/path or .npy, [N] integers")
    parser.add_argument("--test-rows", help="F.h5:/path or .npy, [n] integers")
    parser.add_argument("--layers", default="", help="of a cache; default all it has")
    parser.add_argument("--test", type=float, default=0.2)
    parser.add_argument("--split", choices=("rows", "documents"), default="rows")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--c", type=float, default=1.0)
    parser.add_argument("--solver", choices=("lbfgs", "newton-cholesky", "newton-cg"),
                        default="lbfgs")
    parser.add_argument("--dtype", choices=("float32", "float64"), default="float64",
                        help="what the solver sees; in float32 lbfgs stops well before the optimum")
    parser.add_argument("--tolerance", type=float, default=1e-8)
    parser.add_argument("--max-iterations", type=int, default=20000)
    options = parser.parse_args()
    if bool(options.cache) == bool(options.vectors) or bool(options.vectors) != bool(options.labels):
        parser.error("expected a cache, or --vectors with --labels")
    return options


def read_array(name):
    file, colon, path = name.rpartition(":")
    if not colon:
        return np.load(name)
    import h5py

    with h5py.File(file) as opened:
        return opened[path][...]


def test_rows(options, documents, heads):
    """Row numbers held back, sorted; by documents all heads of a document go together."""
    random = np.random.default_rng(options.seed)
    if options.split == "rows":
        rows = random.permutation(documents * heads)[:round(options.test * documents * heads)]
    else:
        chosen = random.permutation(documents)[:round(options.test * documents)]
        rows = (chosen[:, None] * heads + np.arange(heads)).ravel()
    return np.sort(rows)


def objective(model, vectors, labels, c):
    logits = vectors.astype(np.float64) @ model.coef_.T + model.intercept_
    top = logits.max(axis=1, keepdims=True)
    log_sum = np.log(np.exp(logits - top).sum(axis=1)) + top[:, 0]
    column = np.searchsorted(model.classes_, labels)
    loss = log_sum - logits[np.arange(len(labels)), column]
    return float(c * loss.sum() + 0.5 * (model.coef_ ** 2).sum())


def probe(options, vectors, labels, test):
    from sklearn.linear_model import LogisticRegression

    vectors = vectors.astype(options.dtype)
    train = np.setdiff1d(np.arange(len(vectors)), test)
    model = LogisticRegression(C=options.c, solver=options.solver, tol=options.tolerance,
                               max_iter=options.max_iterations)
    begin = time.perf_counter()
    model.fit(vectors[train], labels[train])
    seconds = time.perf_counter() - begin
    accuracy = float((model.predict(vectors[test]) == labels[test]).mean())
    return {"train": len(train), "test": len(test), "classes": len(model.classes_),
            "accuracy": accuracy, "ci95": 1.96 * (accuracy * (1 - accuracy) / len(test)) ** 0.5,
            "objective": objective(model, vectors[train], labels[train], options.c),
            "iterations": int(np.max(model.n_iter_)), "seconds": round(seconds, 4)}


def cache_results(options):
    from minimal_cache import read_stages

    wanted = {int(layer) for layer in options.layers.split(",") if layer}
    for layer, stage, vectors in read_stages(options.cache):
        if wanted and layer not in wanted:
            continue
        finite = np.isfinite(vectors).all(axis=(1, 2))
        vectors = vectors[finite]
        documents, heads, width = vectors.shape
        labels = np.tile(np.arange(heads), documents)
        test = test_rows(options, documents, heads)
        yield {"layer": layer, "stage": stage,
               **probe(options, vectors.reshape(-1, width), labels, test)}


def matrix_results(options):
    vectors, labels = read_array(options.vectors), read_array(options.labels)
    if options.test_rows:
        test = read_array(options.test_rows)
    else:
        test = test_rows(options, len(vectors), 1)
    yield {"layer": None, "stage": None, **probe(options, vectors, labels, test)}


def main():
    options = arguments()
    results = list(cache_results(options) if options.cache else matrix_results(options))
    print_result({"tool": "scikit-learn", "solver": options.solver, "split": options.split,
                  "results": results})


if __name__ == "__main__":
    main()
