// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/figures/figure_choices.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace headscope
{
class Fields;
}

namespace headscope::commands
{

/// `headscope circuits`, as typed.
struct CircuitsCommand
{
    static constexpr std::string_view kVerb = "circuits";

    std::string result; ///< what the engine wrote
    std::string output;
    std::string show = "auto"; ///< which picture; auto: the first of the file's kind
    std::optional<std::int64_t> layer;
    std::string layers;       ///< of a matrix: "3,7"; empty: those of the highest score
    std::string kind = "all"; ///< of composition: "q", "k", "v"; of a matrix that of the highest score for all
    std::int64_t top = 30;
    std::string token; ///< of decoded weights: the token that is read; empty: the first
    bool raw = false;  ///< shares as they are, not centred
    bool plainCsv = false;
    FigureChoices figure;

    void declare(Fields& table);

    friend bool operator==(const CircuitsCommand&, const CircuitsCommand&) = default;
};

/// Two layers of a text "3,7", the earlier first; nothing for a text that is none.
[[nodiscard]] std::optional<std::pair<std::int64_t, std::int64_t>> layerPair(const std::string& text);
/// What is wrong with such a text; "": nothing.
[[nodiscard]] std::string layerPairFault(const std::string& text);

} // namespace headscope::commands
