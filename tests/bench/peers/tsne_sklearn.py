#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""t-SNE by scikit-learn (Barnes-Hut): 250 exaggerated + 500 iterations. Prints one JSON object."""

import contextlib
import io
import re

import numpy as np

from measure import Phases, print_result
from tsne_options import arguments


def main():
    options = arguments(__doc__)
    from sklearn.manifold import TSNE

    vectors = np.load(options.vectors)
    # Its own rules for stopping early are off: everyone runs the same 750 iterations.
    method = TSNE(
        perplexity=options.perplexity, max_iter=750, early_exaggeration=12, learning_rate="auto",
        init=np.load(options.init) if options.init else "pca", n_iter_without_progress=10000,
        min_grad_norm=0, n_jobs=options.threads, random_state=options.seed, verbose=1)
    phases = Phases()
    log = io.StringIO()
    with contextlib.redirect_stdout(log):
        embedding = method.fit_transform(vectors)
    phases.end("all")

    total = phases.seconds["all"]
    neighbors = sum(map(float, re.findall(
        r"(?:Indexed|Computed neighbors for) \d+ samples in ([\d.]+)s", log.getvalue())))
    np.save(options.output, np.asarray(embedding, np.float32))
    print_result({
        "tool": "scikit-learn", "points": len(vectors), "dims": vectors.shape[1],
        "threads": options.threads, "iterations": int(method.n_iter_) + 1,
        "seconds": {"neighbors": round(neighbors, 3), "rest": round(total - neighbors, 3),
                    "total": round(total, 4)},
        "kl": float(method.kl_divergence_), "output": options.output})


if __name__ == "__main__":
    main()
