# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes and reads the cache of head vectors in the form anyone with h5py may write."""

import h5py
import numpy as np

TEXT = h5py.string_dtype("utf-8")


def write_cache(path, model, documents, topics):
    """documents: id, text, tokens, labels {name: strings or None}, stages {(layer, stage): [N, H, D]}.

    topics: {label name: (names, stages)} with stages as above, one row a name, in sorted order.
    """
    with h5py.File(path, "w") as file:
        file.attrs["format"] = "headscope-cache"
        file.attrs["version"] = 1
        file.attrs["application"] = "transformers"
        for key in ("pooling", "eos"):
            file.attrs[key] = model[key]
        group = file.create_group("model")
        for key in ("name", "family", "layers", "heads", "kv_heads", "head_dim", "model_dim",
                    "vocabulary", "sha256"):
            group.attrs[key] = model[key]
        file.create_dataset("documents/id", data=documents["id"], dtype=TEXT)
        file.create_dataset("documents/text", data=documents["text"], dtype=TEXT)
        file["documents/tokens"] = np.asarray(documents["tokens"], np.int32)
        file["documents/flags"] = (np.asarray(documents["tokens"]) == 0).astype(np.uint8)
        for name, values in documents["labels"].items():
            categories = topics[name][0]
            code = {category: number for number, category in enumerate(categories)}
            codes = [code.get(value, -1) for value in values]
            file[f"documents/labels/{name}/codes"] = np.asarray(codes, np.int32)
            file.create_dataset(f"documents/labels/{name}/categories", data=categories, dtype=TEXT)
        write_stages(file.create_group("embeddings"), documents["stages"])
        for name, (_, stages) in topics.items():
            write_stages(file.create_group(f"topics/{name}/embeddings"), stages)


def write_stages(group, stages):
    for (layer, stage), vectors in sorted(stages.items()):
        group[f"layer_{layer:03d}/stage{stage}"] = np.ascontiguousarray(vectors, np.float32)


def read_stages(path):
    """Yields (layer, stage, [N, H, D] array) of every stored stage, layers and stages in order."""
    with h5py.File(path) as file:
        if file.attrs.get("format") != "headscope-cache":
            raise SystemExit(f"{path}: expected a cache of head vectors, found another format")
        for layer, group in sorted(file["embeddings"].items()):
            for stage, dataset in sorted(group.items()):
                yield int(layer.removeprefix("layer_")), stage.removeprefix("stage"), values(dataset)


def values(dataset):
    """Float32 whatever the store; bfloat16 stands in uint16 with an attribute that says so."""
    data = dataset[...]
    if data.dtype == np.uint16:
        return (data.astype(np.uint32) << 16).view(np.float32)
    return data.astype(np.float32)
