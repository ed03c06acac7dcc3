// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/circuits/circuit_result.h"

#include <QString>

namespace headscope::viz
{

/// "+0.0123", "−0.0005": with its sign, which a sum is read by; "0" where nothing is left.
[[nodiscard]] QString signedNumber(double value, int decimals);
/// "Layer 27, head 3": heads from 1.
[[nodiscard]] QString headText(std::int64_t layer, std::int64_t head);
/// "token", "head 3", "MLP", "output bias", "norm bias (attention)".
[[nodiscard]] QString partText(const VectorPart& part);
/// A document in a sentence: the beginning of its text, with its id; its id where the text is not known.
[[nodiscard]] QString documentText(const std::string& id, const std::string& text);
/// A token with its blanks visible, and what has no glyph by its code.
[[nodiscard]] QString spelledToken(const std::string& token);

} // namespace headscope::viz
