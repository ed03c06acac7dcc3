// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/frame/frame.h"
#include "model/data/results/card/head_card.h"

#include <span>

namespace headscope
{

/// Cards in one line each: what an index of a booklet is sorted by.
extern const FrameInfo kCardsFrame;

[[nodiscard]] Frame cardsFrame(std::span<const HeadCard> cards);

/// All that a card says, as `card --json` has it.
[[nodiscard]] Members cardMembers(const HeadCard& card);

} // namespace headscope
