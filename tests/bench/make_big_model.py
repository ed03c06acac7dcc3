#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a Mistral folder of the shape of a 7B model, with few layers and random weights, so that the
memory of a run can be measured without a download. The tokenizer is that of a golden model.

    make_big_model.py FOLDER [--layers 4] [--shards 2]

A layer takes 436 MB as float16; four layers and the embedding table 2 GB. Needs nothing but Python.
"""
import argparse
import json
import math
import pathlib
import random
import struct
import tarfile

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden/models/mistral_f32.tar.xz"
MODEL_DIM, MLP_DIM, HEADS, KV_HEADS, HEAD_DIM, VOCABULARY = 4096, 14336, 32, 8, 128, 32000
DRAWN = 1 << 18  # numbers that are drawn; tensors repeat them from random places


def layer_shapes(layer):
    prefix = f"model.layers.{layer}."
    return {
        prefix + "input_layernorm.weight": [MODEL_DIM],
        prefix + "post_attention_layernorm.weight": [MODEL_DIM],
        prefix + "self_attn.q_proj.weight": [HEADS * HEAD_DIM, MODEL_DIM],
        prefix + "self_attn.k_proj.weight": [KV_HEADS * HEAD_DIM, MODEL_DIM],
        prefix + "self_attn.v_proj.weight": [KV_HEADS * HEAD_DIM, MODEL_DIM],
        prefix + "self_attn.o_proj.weight": [MODEL_DIM, HEADS * HEAD_DIM],
        prefix + "mlp.gate_proj.weight": [MLP_DIM, MODEL_DIM],
        prefix + "mlp.up_proj.weight": [MLP_DIM, MODEL_DIM],
        prefix + "mlp.down_proj.weight": [MODEL_DIM, MLP_DIM],
    }


def pieces(draw, drawn, shape):
    """Bytes of a tensor: ones for norms, else small numbers around 0 that keep activations tame."""
    left = math.prod(shape)
    if len(shape) == 1:
        yield struct.pack("<e", 1.0) * left
        return
    while left > 0:
        begin = draw.randrange(DRAWN // 2)
        count = min(left, DRAWN - begin)
        yield drawn[2 * begin:2 * (begin + count)]
        left -= count


def write_safetensors(path, shapes, draw, drawn):
    header, offset = {}, 0
    for name, shape in shapes.items():
        end = offset + 2 * math.prod(shape)
        header[name] = {"dtype": "F16", "shape": shape, "data_offsets": [offset, end]}
        offset = end
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for shape in shapes.values():
            file.writelines(pieces(draw, drawn, shape))
    return offset


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--shards", type=int, default=1)
    choices = parser.parse_args()
    choices.folder.mkdir(parents=True)
    with tarfile.open(GOLDEN) as archive:
        for name in ("tokenizer.json", "tokenizer_config.json", "config.json"):
            with archive.extractfile("mistral_f32/" + name) as file:
                (choices.folder / name).write_bytes(file.read())
    config = json.loads((choices.folder / "config.json").read_text())
    config.update(hidden_size=MODEL_DIM, intermediate_size=MLP_DIM, num_attention_heads=HEADS,
                  num_key_value_heads=KV_HEADS, head_dim=HEAD_DIM, num_hidden_layers=choices.layers,
                  vocab_size=VOCABULARY, max_position_embeddings=32768, torch_dtype="float16")
    config.pop("layer_types", None)
    (choices.folder / "config.json").write_text(json.dumps(config, indent=1))

    groups = [{"model.embed_tokens.weight": [VOCABULARY, MODEL_DIM], "model.norm.weight": [MODEL_DIM]}]
    groups += [layer_shapes(layer) for layer in range(choices.layers)]
    shards = [{} for _ in range(choices.shards)]
    for index, group in enumerate(groups):
        shards[index * choices.shards // len(groups)].update(group)
    draw = random.Random(1)
    drawn = struct.pack(f"<{DRAWN}e", *(draw.uniform(-0.02, 0.02) for _ in range(DRAWN)))
    if choices.shards == 1:
        write_safetensors(choices.folder / "model.safetensors", shards[0], draw, drawn)
        return
    names, total = {}, 0
    for index, shard in enumerate(shards):
        file = f"model-{index + 1:05}-of-{choices.shards:05}.safetensors"
        total += write_safetensors(choices.folder / file, shard, draw, drawn)
        names.update(dict.fromkeys(shard, file))
    index = {"metadata": {"total_size": total}, "weight_map": names}
    (choices.folder / "model.safetensors.index.json").write_text(json.dumps(index, indent=1))


if __name__ == "__main__":
    main()
