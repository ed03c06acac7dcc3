#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stage 3 of the last token through llama.cpp at its fastest faithful setting on a CPU.

Weights re-quantised to Q8_0 (made once, beside the caller's cache), one document a call, flash
attention on. It has no hooks: a rival in speed alone. Prints one JSON object.
"""

import argparse
import os

import numpy as np

from measure import Phases, print_result, read_documents, seconds_since_start

CACHE = os.path.join(os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")), "headscope")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("documents", help="JSONL")
    parser.add_argument("--model",
                        default=f"{CACHE}/models/SmolLM2-135M-Instruct.Q4_1.gguf", help="GGUF")
    parser.add_argument("--q8", default=f"{CACHE}/peers-q8_0.gguf", help="made when not there")
    parser.add_argument("--text-column", default="text")
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("-o", "--output", default="", help=".npy, [N, Dm]")
    return parser.parse_args()


def requantise(source, target):
    """The same metadata and the dequantised tensors as Q8_0; vectors stay float32."""
    import gguf

    reader = gguf.GGUFReader(source)
    part = target + ".part"
    writer = gguf.GGUFWriter(part, reader.fields["general.architecture"].contents())
    for key, field in reader.fields.items():
        if key.startswith("GGUF.") or key in ("general.architecture", "general.file_type"):
            continue
        kind, *inner = field.types
        writer.add_key_value(key, field.contents(), kind, sub_type=inner[-1] if inner else None)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q8_0)
    q8 = gguf.GGMLQuantizationType.Q8_0
    for tensor in reader.tensors:
        data = np.asarray(gguf.quants.dequantize(tensor.data, tensor.tensor_type), np.float32)
        if data.ndim == 2:
            writer.add_tensor(tensor.name, gguf.quants.quantize(data, q8), raw_dtype=q8)
        else:
            writer.add_tensor(tensor.name, data)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    os.replace(part, target)


class Embedder:
    """One sequence at a time through llama_decode; the last token is pooled."""

    def __init__(self, path, threads, longest):
        import llama_cpp

        self.api = llama_cpp
        llama_cpp.llama_backend_init()
        self._quiet = llama_cpp.llama_log_callback(lambda *_: None)
        llama_cpp.llama_log_set(self._quiet, None)
        self.model = llama_cpp.llama_model_load_from_file(
            path.encode(), llama_cpp.llama_model_default_params())
        if not self.model:
            raise SystemExit(f"{path}: expected a model llama.cpp can load, it refused it")
        settings = llama_cpp.llama_context_default_params()
        settings.n_ctx = settings.n_batch = settings.n_ubatch = max(512, longest)
        settings.n_seq_max = 1
        settings.n_threads = settings.n_threads_batch = threads
        settings.embeddings = True
        settings.pooling_type = llama_cpp.LLAMA_POOLING_TYPE_LAST
        settings.flash_attn_type = llama_cpp.LLAMA_FLASH_ATTN_TYPE_ENABLED
        self.context = llama_cpp.llama_init_from_model(self.model, settings)
        self.width = llama_cpp.llama_model_n_embd(self.model)
        self.batch = llama_cpp.llama_batch_init(settings.n_batch, 0, 1)

    def embed(self, ids):
        batch = self.batch
        batch.n_tokens = len(ids)
        for position, token in enumerate(ids):
            batch.token[position] = token
            batch.pos[position] = position
            batch.n_seq_id[position] = 1
            batch.seq_id[position][0] = 0
            batch.logits[position] = position + 1 == len(ids)
        self.api.llama_memory_clear(self.api.llama_get_memory(self.context), True)
        if self.api.llama_decode(self.context, batch) != 0:
            raise SystemExit(f"llama_decode failed on a document of {len(ids)} tokens")
        vector = self.api.llama_get_embeddings_seq(self.context, 0)
        return np.ctypeslib.as_array(vector, (self.width,)).copy()


def main():
    options = arguments()
    from gguf_model import GgufModel

    if not os.path.exists(options.q8):
        requantise(options.model, options.q8)
    documents = read_documents(options.documents, options.text_column, options.limit)
    tokenizer = GgufModel(options.model).tokenizer()
    phases = Phases()
    ids = [encoding.ids for encoding in
           tokenizer.encode_batch([row[options.text_column] for row in documents])]
    phases.end("tokenize")
    embedder = Embedder(options.q8, options.threads, max(map(len, ids)))
    phases.end("load")
    vectors = np.full((len(ids), embedder.width), np.nan, np.float32)
    first = 0.0
    for number, row in enumerate(ids):
        if row:
            vectors[number] = embedder.embed(row)
            first = first or seconds_since_start()
    phases.end("compute")

    if options.output:
        np.save(options.output, vectors)
    tokens = sum(map(len, ids))
    seconds = phases.rounded()
    print_result({
        "tool": "llama.cpp Q8_0", "documents": len(ids), "tokens": tokens,
        "threads": options.threads, "seconds": seconds,
        "tokens_per_second": round(tokens / (seconds["tokenize"] + seconds["compute"]), 2),
        "first_vector_seconds": round(first, 3), "output": options.output or None})


if __name__ == "__main__":
    main()
