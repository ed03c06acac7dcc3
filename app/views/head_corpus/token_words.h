// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/attention/head_corpus.h"
#include "model/data/attention/token_map.h"
#include "ui/canvas/hover_card.h"
#include "viz/tokens/token_text.h"

#include <QString>

#include <cstdint>
#include <span>

namespace headscope::ui
{

/// The document of a token with the weights of a row; empty weights: none is shaded.
[[nodiscard]] viz::ShadedText shadedText(const HeadCorpus& corpus, std::int64_t token, std::span<const float> weights);

/// The same for the tokens around it alone: `acting` counts from the first of these.
/// @param around  tokens before it and behind it
[[nodiscard]] viz::ShadedText nearbyText(const HeadCorpus& corpus, std::int64_t token, std::int64_t around);

/// "activation 3.21 · token 17 of 88 of d12 · most weight 0.62 on “the” (token 3) · 0.31 on the first token".
[[nodiscard]] QString tokenLine(const HeadCorpus& corpus, std::int64_t token);

/// A token in its context, as a card.
[[nodiscard]] HoverContent tokenCard(const HeadCorpus& corpus, std::int64_t token, const QString& what);

/// "Layer 29, head 3".
[[nodiscard]] QString headName(const HeadCorpus& corpus);

/// Which vectors a map shows, how they were brought together, and what it does not say.
[[nodiscard]] QString mapSentence(const TokenMap& map);

/// "5,000 of 412,345 tokens", with the vectors of each.
[[nodiscard]] QString mapBadge(const TokenMap& map);

} // namespace headscope::ui
