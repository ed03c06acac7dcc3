#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Q, K and V composition of all heads of a GGUF file in NumPy. Prints one JSON object.

Gains of the norms are folded in; scores are raw, nothing is subtracted. Two forms:
  matrices  W_QK and W_OV as [Dm, Dm] matrices and the norm of their product, one pair of heads after another
  factors   the same norms from products of [Dh, Dm] factors, all heads of two layers together
--pairs N computes N of the pairs of layers, evenly spaced, and "scaled" and "scaled_cpu" are the seconds of all.
"""

import argparse
import itertools
import time

import numpy as np

from gguf_model import GgufModel
from measure import Phases, cpu_seconds, print_result


def clocks():
    """Wall and processor seconds."""
    return np.array([time.perf_counter(), time.process_time()])


def read_layers(model):
    """For each layer Q, K, V [H, Dh, Dm] with the gain folded in and O [H, Dm, Dh]; KV heads are repeated."""
    tensors = dict(model.tensors("attn_"))
    group = model.heads // model.kv_heads
    layers = []
    for number in range(model.layers):
        prefix = f"layers.{number}."
        gain = tensors[prefix + "input_layernorm.weight"]

        def heads(part):
            weight = tensors[f"{prefix}self_attn.{part}.weight"] * gain
            return weight.reshape(-1, model.head_dim, model.model_dim)

        output = tensors[prefix + "self_attn.o_proj.weight"].reshape(model.model_dim, model.heads, model.head_dim)
        layers.append((heads("q_proj"), np.repeat(heads("k_proj"), group, axis=0),
                       np.repeat(heads("v_proj"), group, axis=0), np.ascontiguousarray(output.swapaxes(0, 1))))
    return layers


def with_matrices(layers, pairs, scores):
    qk = [q.swapaxes(1, 2) @ k for q, k, _, _ in layers]
    ov = [o @ v for _, _, v, o in layers]
    qk_norms = np.linalg.norm(qk, axis=(2, 3))
    ov_norms = np.linalg.norm(ov, axis=(2, 3))
    begin = clocks()
    for earlier, later in pairs:
        for one, two in itertools.product(range(len(ov[earlier])), range(len(qk[later]))):
            write = ov[earlier][one]
            norm = ov_norms[earlier, one]
            at = (earlier, one, later, two)
            scores["q"][at] = np.linalg.norm(qk[later][two].T @ write) / (qk_norms[later, two] * norm)
            scores["k"][at] = np.linalg.norm(qk[later][two] @ write) / (qk_norms[later, two] * norm)
            scores["v"][at] = np.linalg.norm(ov[later][two] @ write) / (ov_norms[later, two] * norm)
    return clocks() - begin


def gram(left, right):
    return left @ right.swapaxes(-1, -2)


def every_product(read, written):
    """[earlier head, later head, Dh, Dh] by one product of two large matrices."""
    heads, size, width = read.shape
    product = read.reshape(-1, width) @ written.swapaxes(0, 1).reshape(width, -1)
    return product.reshape(heads, size, heads, size).transpose(2, 0, 1, 3)


def with_factors(layers, pairs, scores):
    """||A X B||^2 = sum((A^T A) X (B B^T) * X), for each pair of heads."""
    q_grams, k_grams, v_grams = ([gram(layer[part], layer[part]) for layer in layers] for part in range(3))
    o_grams = [gram(layer[3].swapaxes(1, 2), layer[3].swapaxes(1, 2)) for layer in layers]
    qk_norms = [np.sqrt(np.einsum("hij,hij->h", a, b)) for a, b in zip(q_grams, k_grams)]
    ov_norms = [np.sqrt(np.einsum("hij,hij->h", a, b)) for a, b in zip(o_grams, v_grams)]
    begin = clocks()
    for earlier, later in pairs:
        q, k, v, _ = layers[later]
        kinds = {"q": (k_grams[later], q, qk_norms[later]), "k": (q_grams[later], k, qk_norms[later]),
                 "v": (o_grams[later], v, ov_norms[later])}
        for kind, (left, read, norms) in kinds.items():
            between = every_product(read, layers[earlier][3])
            product = left[None] @ between @ v_grams[earlier][:, None]
            squares = np.einsum("abij,abij->ab", product, between)
            scores[kind][earlier, :, later, :] = np.sqrt(np.maximum(squares, 0)) / (
                norms[None, :] * ov_norms[earlier][:, None])
    return clocks() - begin


def largest_differences(path, scores, pairs):
    import h5py

    differences = {}
    with h5py.File(path) as file:
        for kind, values in scores.items():
            ours = file[f"composition/{kind}"][...]
            differences[kind] = max(float(np.abs(ours[a, :, b] - values[a, :, b]).max()) for a, b in pairs)
    return differences


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", help="GGUF file of the llama architecture")
    parser.add_argument("--form", choices=["matrices", "factors"], default="factors")
    parser.add_argument("--pairs", type=int, default=0, help="pairs of layers to compute (default: all)")
    parser.add_argument("--compare", metavar="FILE.h5", help="what headscope-engine composition -o wrote")
    parser.add_argument("--threads", type=int, help="set through the environment by the driver")
    options = parser.parse_args()
    phases = Phases()
    model = GgufModel(options.model)
    layers = read_layers(model)
    phases.end("load")
    everything = list(itertools.combinations(range(model.layers), 2))
    count = min(options.pairs or len(everything), len(everything))
    pairs = [everything[i * len(everything) // count] for i in range(count)]
    shape = (model.layers, model.heads, model.layers, model.heads)
    scores = {kind: np.zeros(shape) for kind in "qkv"}
    run = with_matrices if options.form == "matrices" else with_factors
    loop = run(layers, pairs, scores)
    phases.end("compute")
    seconds = phases.rounded()
    rest = loop * (len(everything) / count - 1)
    result = {"tool": "numpy", "form": options.form, "layer_pairs": count, "of": len(everything), "seconds": seconds,
              "scaled": round(seconds["total"] + rest[0], 3), "scaled_cpu": round(cpu_seconds() + rest[1], 3)}
    if options.compare:
        result["largest_difference"] = largest_differences(options.compare, scores, pairs)
    print_result(result)


if __name__ == "__main__":
    main()
