// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/net/forward/layer.h"

namespace headscope
{

/// One layer of a BERT encoder: x = norm(x + dense(attention(x))), x = norm(x + mlp(x)). Post-norm,
/// every token sees all tokens of its document, biases everywhere, GELU in its erf form.
/// @source  Devlin et al. 2019 (arXiv 1810.04805); details as transformers computes them
void runEncoderLayer(Operations& ops, const LayerRun& run, StepState& state);

} // namespace headscope
