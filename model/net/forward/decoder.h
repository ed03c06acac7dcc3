// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/net/forward/layer.h"

namespace headscope
{

/// One layer of a decoder (Mistral, Llama, Qwen2, Qwen3): x = x + o_proj(attention(norm(x))),
/// x = x + mlp(norm(x)). Pre-norm, rotary positions, grouped heads, gated SiLU.
///
/// In the last needed layer everything but k and v is computed for the picked tokens alone.
/// @source  Llama (arXiv 2302.13971), Mistral (2310.06825), Qwen2 (2407.10671), Qwen3 (2505.09388);
///          details as transformers computes them
void runDecoderLayer(Operations& ops, const LayerRun& run, StepState& state);

} // namespace headscope
