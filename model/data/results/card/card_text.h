// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/card/head_card.h"

#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

/// A part of a card in words.
struct CardSection
{
    CardPart part = CardPart::Place;
    std::string title;
    std::vector<std::string> sentences; ///< what is known
    std::vector<std::string> notes;     ///< what the numbers are
    std::vector<std::string> missing;   ///< what is not, and how to get it
};

/// "Head 4 of layer 12": the title of a card.
[[nodiscard]] std::string cardTitle(const HeadCard& card);
/// "layer12-head04": the name of a card's file; numbers as wide as those of the model's last head.
[[nodiscard]] std::string cardFileName(const HeadCard& card);

/// All parts of a card in the order that people read them, each in sentences.
[[nodiscard]] std::vector<CardSection> cardSections(const HeadCard& card);

/// A word list of one end: "galaxy 4.2, orbit 3.1", z behind each; "none" where there is none.
[[nodiscard]] std::string contrastWordsText(const std::vector<ContrastWord>& words);
/// The commonest label of an end: "12 of 19 documents have the label Sports"; "" without labels.
[[nodiscard]] std::string cardEndText(const CardEnd& end, std::int64_t documents);
/// What a direction says, as a sentence: "Direction 1 explains 23.1% of the variance (95% 20.0% to 26.1%)."
[[nodiscard]] std::string directionText(const CardDirection& direction, std::size_t number);

/// The sections as plain text, as `headscope card` prints them.
[[nodiscard]] std::string cardText(const HeadCard& card);

} // namespace headscope
