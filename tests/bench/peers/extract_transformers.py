#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Head vectors of documents through Hugging Face transformers, at its best setting on a CPU.

Float32, scaled-dot-product attention, no mask (causal model, right padding, last real token),
documents bucketed by length. Hooks take the input and output of every o_proj. Prints one JSON
object; with --cache also writes the vectors of --layers as a cache, topics included.
"""

import argparse
import os

from measure import Phases, print_result, read_documents, seconds_since_start

os.environ.setdefault("HF_HUB_OFFLINE", "1")

MODEL = os.path.join(os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")),
                     "headscope/models/SmolLM2-135M-Instruct.Q4_1.gguf")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("documents", help="JSONL")
    parser.add_argument("--model", default=MODEL, help="GGUF, llama architecture")
    parser.add_argument("--text-column", default="text")
    parser.add_argument("--label-columns", default="", help="written to the cache, with topics")
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--budget", type=int, default=2048, help="padded tokens in one batch")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--layers", default="", help="kept for the cache, 0-based; default the last")
    parser.add_argument("--cache", default="", help="HDF5 file to write")
    return parser.parse_args()


def load(path):
    """The model with the weights of the GGUF file, and the file itself."""
    import torch
    from gguf_model import GgufModel
    from transformers import LlamaConfig, LlamaModel

    file = GgufModel(path)
    config = LlamaConfig(
        vocab_size=len(file.value("tokenizer.ggml.tokens")), hidden_size=file.model_dim,
        intermediate_size=file.inner_dim, num_hidden_layers=file.layers,
        num_attention_heads=file.heads, num_key_value_heads=file.kv_heads,
        max_position_embeddings=file.positions, rms_norm_eps=file.eps, use_cache=False,
        rope_parameters={"rope_type": "default", "rope_theta": file.theta},
        attn_implementation="sdpa", dtype=torch.float32)
    weights = {name: torch.from_numpy(data) for name, data in file.tensors()}
    # Built without storage, so that the weights are in memory once; what is no weight (the rotary
    # frequencies) has to be computed and so is made on the CPU.
    with torch.device("meta"):
        model = LlamaModel(config)
    model.rotary_emb = type(model.rotary_emb)(config=config)
    model.load_state_dict(weights, strict=True, assign=True)
    return model.eval(), file


def batches(ids, budget):
    """Indices in order of length, cut where the padded size would pass the budget."""
    order = sorted(range(len(ids)), key=lambda index: len(ids[index]))
    batch = []
    for index in order:
        if batch and (len(batch) + 1) * len(ids[index]) > budget:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


class Recorder:
    """Keeps the rows of the last real tokens that pass through the hooked modules."""

    def __init__(self, model, layers_with_output):
        self.last = None
        self.rows = {}
        for number, layer in enumerate(model.layers):
            layer.self_attn.o_proj.register_forward_hook(self._projection(number))
            if number in layers_with_output and number + 1 < len(model.layers):
                layer.register_forward_hook(self._layer(number))

    def _take(self, hidden):
        return hidden[range(len(self.last)), self.last].numpy().copy()

    def _projection(self, number):
        def hook(_, inputs, output):
            self.rows[number, 1] = self._take(inputs[0])
            self.rows[number, 2] = self._take(output)
        return hook

    def _layer(self, number):
        def hook(_, inputs, output):
            self.rows[number, 3] = self._take(output[0] if isinstance(output, tuple) else output)
        return hook

    def run(self, model, ids):
        import torch

        longest = max(map(len, ids))
        self.last = [len(row) - 1 for row in ids]
        padded = torch.zeros((len(ids), longest), dtype=torch.long)
        for number, row in enumerate(ids):
            padded[number, :len(row)] = torch.tensor(row)
        self.rows = {}
        with torch.inference_mode():
            hidden = model(input_ids=padded).last_hidden_state
        self.rows[len(model.layers) - 1, 3] = self._take(hidden)
        return self.rows


def extract(recorder, model, heads, ids, budget, on_first=None):
    """{(layer, stage): [N, heads, width]}; a document without a token is a row of NaN."""
    import numpy as np

    stages = {}
    present = [index for index, row in enumerate(ids) if row]
    for chosen in batches([ids[index] for index in present], budget):
        rows = recorder.run(model, [ids[present[index]] for index in chosen])
        for key, vectors in rows.items():
            if key not in stages:
                stages[key] = np.full((len(ids), vectors.shape[1]), np.nan, np.float32)
            stages[key][[present[index] for index in chosen]] = vectors
        if on_first:
            on_first()
            on_first = None
    return {key: rows.reshape(len(ids), heads, -1) for key, rows in stages.items()}


def main():
    options = arguments()
    phases = Phases()
    import torch

    torch.set_num_threads(options.threads)
    documents = read_documents(options.documents, options.text_column, options.limit)
    phases.end("import")
    model, file = load(options.model)
    tokenizer = file.tokenizer()
    phases.end("load")
    ids = [encoding.ids for encoding in
           tokenizer.encode_batch([row[options.text_column] for row in documents])]
    phases.end("tokenize")

    layers = [int(layer) for layer in options.layers.split(",") if layer] or [file.layers - 1]
    recorder = Recorder(model, layers if options.cache else [])
    first = []
    stages = extract(recorder, model, file.heads, ids, options.budget,
                     lambda: first.append(seconds_since_start()))
    phases.end("compute")

    tokens = sum(map(len, ids))
    seconds = phases.rounded()
    result = {
        "tool": "transformers", "documents": len(ids), "tokens": tokens, "budget": options.budget,
        "threads": options.threads, "seconds": seconds,
        "tokens_per_second": round(tokens / (seconds["tokenize"] + seconds["compute"]), 2),
        "first_vector_seconds": round(first[0], 3), "output": options.cache or None}
    if options.cache:
        write(options, file, documents, tokenizer, ids, stages, recorder, model, layers)
    print_result(result)


def write(options, file, documents, tokenizer, ids, stages, recorder, model, layers):
    from minimal_cache import write_cache

    def kept(all_stages):
        return {key: rows for key, rows in all_stages.items() if key[0] in layers}

    labels = {name: [row.get(name) for row in documents]
              for name in options.label_columns.split(",") if name}
    topics = {}
    for name, column in labels.items():
        names = sorted({value for value in column if value is not None})
        name_ids = [encoding.ids for encoding in tokenizer.encode_batch(names)]
        topics[name] = names, kept(extract(recorder, model, file.heads, name_ids, options.budget))
    write_cache(
        options.cache,
        {"name": os.path.basename(file.path), "family": "llama", "layers": file.layers,
         "heads": file.heads, "kv_heads": file.kv_heads, "head_dim": file.head_dim,
         "model_dim": file.model_dim, "vocabulary": tokenizer.get_vocab_size(),
         "sha256": file.sha256(), "pooling": "last", "eos": "config"},
        {"id": [str(row.get("id", number)) for number, row in enumerate(documents)],
         "text": [row[options.text_column] for row in documents],
         "tokens": [len(row) for row in ids], "labels": labels, "stages": kept(stages)},
        topics)


if __name__ == "__main__":
    main()
