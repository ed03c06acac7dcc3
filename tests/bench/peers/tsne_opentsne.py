#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""t-SNE by openTSNE at its defaults: 250 exaggerated + 500 iterations. Prints one JSON object."""

import numpy as np

from measure import Phases, print_result
from tsne_options import arguments


def main():
    options = arguments(__doc__)
    from openTSNE import TSNEEmbedding, affinity, initialization

    vectors = np.load(options.vectors)
    phases = Phases()
    neighbors = affinity.get_knn_index(
        vectors, "auto", int(3 * options.perplexity), "euclidean", n_jobs=options.threads,
        random_state=options.seed)
    neighbors.build()
    phases.end("neighbors")
    affinities = affinity.PerplexityBasedNN(
        perplexity=options.perplexity, knn_index=neighbors, n_jobs=options.threads)
    phases.end("affinities")
    if options.init:
        start = np.load(options.init).astype(np.float64)
    else:
        start = initialization.pca(vectors, random_state=options.seed)
    phases.end("init")
    embedding = TSNEEmbedding(start, affinities, negative_gradient_method="auto",
                              n_jobs=options.threads, random_state=options.seed)
    embedding.optimize(250, exaggeration=12, momentum=0.8, inplace=True)
    phases.end("exaggeration")
    embedding.optimize(500, momentum=0.8, inplace=True)
    phases.end("optimise")

    seconds = phases.rounded()
    np.save(options.output, np.asarray(embedding, np.float32))
    print_result({
        "tool": "openTSNE", "points": len(vectors), "dims": vectors.shape[1],
        "threads": options.threads, "seconds": seconds, "kl": float(embedding.kl_divergence),
        "ms_per_iteration":
            round((seconds["exaggeration"] + seconds["optimise"]) * 1000 / 750, 4),
        "output": options.output})


if __name__ == "__main__":
    main()
