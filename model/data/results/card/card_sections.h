// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/card/card_text.h"

/// The sections of a card, each without what is missing.
namespace headscope::card_words
{

[[nodiscard]] CardSection place(const HeadCard& card);
[[nodiscard]] CardSection directions(const HeadCard& card);
[[nodiscard]] CardSection topics(const HeadCard& card);
[[nodiscard]] CardSection similar(const HeadCard& card);
[[nodiscard]] CardSection probe(const HeadCard& card);

// What the weights and runs of the model say.
[[nodiscard]] CardSection writes(const HeadCard& card);
[[nodiscard]] CardSection reads(const HeadCard& card);
[[nodiscard]] CardSection importance(const HeadCard& card);
[[nodiscard]] CardSection partners(const HeadCard& card);

} // namespace headscope::card_words
