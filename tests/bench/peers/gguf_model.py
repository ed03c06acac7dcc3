# SPDX-License-Identifier: GPL-3.0-or-later
"""A GGUF file of the llama architecture as float32 tensors under Hugging Face names."""

import hashlib
import re

import gguf
import numpy as np

NAMES = {
    "token_embd.weight": "embed_tokens.weight",
    "output_norm.weight": "norm.weight",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
}


class GgufModel:
    def __init__(self, path):
        self.path = path
        self.reader = gguf.GGUFReader(path)
        architecture = self.value("general.architecture")
        if architecture != "llama":
            raise SystemExit(f"{path}: expected architecture llama, found {architecture}")
        self.layers = self.value("llama.block_count")
        self.model_dim = self.value("llama.embedding_length")
        self.inner_dim = self.value("llama.feed_forward_length")
        self.heads = self.value("llama.attention.head_count")
        self.kv_heads = self.value("llama.attention.head_count_kv")
        self.head_dim = self.model_dim // self.heads
        self.eps = self.value("llama.attention.layer_norm_rms_epsilon")
        self.theta = self.value("llama.rope.freq_base")
        self.positions = self.value("llama.context_length")

    def value(self, key):
        return self.reader.fields[key].contents()

    def tensors(self, wanted=""):
        """Yields (Hugging Face name, float32 array); the rows of q and k are put back in order.

        wanted: a part of the file's names; other tensors are not dequantised.
        """
        for tensor in self.reader.tensors:
            if wanted not in tensor.name:
                continue
            data = gguf.quants.dequantize(tensor.data, tensor.tensor_type)
            data = np.require(data, np.float32, ["C", "W"])
            block = re.fullmatch(r"blk\.(\d+)\.(\w+)\.weight", tensor.name)
            if block is None:
                yield NAMES[tensor.name], data
                continue
            layer, part = block.groups()
            if part == "attn_q":
                data = unpermuted(data, self.heads)
            elif part == "attn_k":
                data = unpermuted(data, self.kv_heads)
            yield f"layers.{layer}.{NAMES[part]}.weight", data

    def tokenizer(self):
        """The GPT-2 pairs of the file behind SmolLM's pre-tokenizer: digits one by one, then bytes."""
        from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers

        kind = self.value("tokenizer.ggml.model"), self.value("tokenizer.ggml.pre")
        if kind != ("gpt2", "smollm"):
            raise SystemExit(f"{self.path}: expected the tokenizer gpt2/smollm, found {kind}")
        tokens = self.value("tokenizer.ggml.tokens")
        merges = [tuple(pair.split(" ")) for pair in self.value("tokenizer.ggml.merges")]
        vocabulary = {token: number for number, token in enumerate(tokens)}
        tokenizer = Tokenizer(models.BPE(vocabulary, merges))
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
            [pre_tokenizers.Digits(individual_digits=True),
             pre_tokenizers.ByteLevel(add_prefix_space=False)])
        control = gguf.TokenType.CONTROL
        kinds = self.value("tokenizer.ggml.token_type")
        tokenizer.add_special_tokens(
            [AddedToken(token, special=True, normalized=False)
             for token, kind in zip(tokens, kinds) if kind == control])
        return tokenizer

    def sha256(self):
        digest = hashlib.sha256()
        with open(self.path, "rb") as file:
            while chunk := file.read(1 << 20):
                digest.update(chunk)
        return digest.hexdigest()


def unpermuted(weight, heads):
    """llama.cpp stores the rotary pairs of q and k interleaved; Hugging Face keeps halves."""
    rows, width = weight.shape
    pairs = weight.reshape(heads, rows // heads // 2, 2, width)
    return np.ascontiguousarray(pairs.swapaxes(1, 2).reshape(rows, width))
