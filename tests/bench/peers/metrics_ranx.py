#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""nDCG, recall and MRR at 10 of every head of a cache with ranx. Prints one JSON object.

The documents are the queries, ranked by cosine in NumPy without the query itself; those with the
same label are relevant. --write-qrels FILE writes these judgements for headscope evaluate --qrels
and ends. --compare EVALUATE.json (what headscope evaluate --of heads --json printed) gives the
largest difference of each measure.
"""

import argparse
import json

import h5py
import numpy as np

from measure import Phases, print_result
from minimal_cache import read_stages

MEASURES = {"ndcg": "ndcg@10", "recall": "recall@10", "mrr": "mrr@10"}


def judgements(path, label):
    with h5py.File(path) as file:
        ids = file["documents/id"].asstr()[...].tolist()
        codes = file[f"documents/labels/{label}/codes"][...]
    same = (codes[:, None] == codes[None, :]) & (codes[:, None] >= 0)
    np.fill_diagonal(same, False)
    return ids, {ids[row]: {ids[other]: 1 for other in np.flatnonzero(columns)}
                 for row, columns in enumerate(same) if columns.any()}


def ranked(vectors, ids, queries):
    """{query: {document: cosine}} of the ten nearest documents."""
    units = vectors.astype(np.float64)
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    cosines = units @ units.T
    np.fill_diagonal(cosines, -2)
    nearest = np.argsort(-cosines, axis=1, kind="stable")[:, :10]
    return {ids[row]: {ids[column]: float(cosines[row, column]) for column in columns}
            for row, columns in enumerate(nearest) if ids[row] in queries}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cache")
    parser.add_argument("--label", default="topic")
    parser.add_argument("--write-qrels", metavar="FILE")
    parser.add_argument("--compare", metavar="EVALUATE.json")
    parser.add_argument("--threads", type=int, help="set through the environment by the driver")
    options = parser.parse_args()
    phases = Phases()
    ids, relevant = judgements(options.cache, options.label)
    if options.write_qrels:
        with open(options.write_qrels, "w", encoding="utf-8") as file:
            file.writelines(f"{query} 0 {document} 1\n" for query, documents in relevant.items()
                            for document in documents)
        return
    import ranx

    phases.end("import")
    stages = [stage for stage in read_stages(options.cache) if stage[1] in ("1", "2", "3")]
    qrels = ranx.Qrels(relevant)
    phases.end("load")
    found = {}
    for layer, stage, vectors in stages:
        for head in range(vectors.shape[1]):
            run = ranx.Run(ranked(vectors[:, head], ids, relevant))
            scores = ranx.evaluate(qrels, run, list(MEASURES.values()))
            found[layer, stage, head + 1] = {name: float(scores[key]) for name, key in MEASURES.items()}
            if len(found) == 1:
                phases.end("first")  # Numba compiles or loads its functions
    phases.end("compute")
    result = {"tool": "ranx", "heads": len(found), "seconds": phases.rounded()}
    if options.compare:
        with open(options.compare, encoding="utf-8") as file:
            rows = json.load(file)["results"]
        result["largest_difference"] = {
            name: max(abs(row[name] - found[row["layer"], str(row["stage"]), int(row["unit"].split()[-1])][name])
                      for row in rows) for name in MEASURES}
    print_result(result)


if __name__ == "__main__":
    main()
