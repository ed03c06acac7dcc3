// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/results/card/card_words.h"

#include "model/base/text/fixed_text.h"
#include "model/data/frame/text_table.h"
#include "model/data/results/measures/few_documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope::card_words
{

std::string percent(double share)
{
    return fixedText(100 * share, 1) + "%";
}

std::string counted(std::int64_t count, std::string_view one)
{
    return fmt::format("{} {}{}", withCommas(count), one, count == 1 ? "" : "s");
}

std::string interval(const Interval& ci95, int decimals)
{
    return std::isfinite(ci95.low) && std::isfinite(ci95.high)
               ? fmt::format(" (95% {} to {})", fixedText(ci95.low, decimals), fixedText(ci95.high, decimals))
               : std::string();
}

std::string percentInterval(const Interval& ci95)
{
    return std::isfinite(ci95.low) && std::isfinite(ci95.high)
               ? fmt::format(" (95% {} to {})", percent(std::max(0.0, ci95.low)), percent(std::min(1.0, ci95.high)))
               : std::string();
}

std::string chanceText(std::string_view name, double value)
{
    return value < 0.001 ? fmt::format("{} < 0.001", name) : fmt::format("{} = {}", name, fixedText(value, 3));
}

std::string headText(HeadIndex head, LayerIndex layer)
{
    return fmt::format("head {} of layer {}", head.value() + 1, layer.value());
}

std::string listText(const std::vector<std::string>& items)
{
    std::string text;
    for (std::size_t i = 0; i < items.size(); ++i)
        text += (i == 0 ? "" : i + 1 == items.size() ? " and " : ", ") + items[i];
    return text;
}

void addCaution(std::string_view what, std::int64_t documents, std::vector<std::string>& notes)
{
    if (documents < kFewestDocuments)
        notes.push_back(fmt::format("Caution: {} from {} only, too few to generalise; intervals of fewer than {} "
                                    "documents are too narrow.",
                                    what, counted(documents, "document"), kFewestDocuments));
}

} // namespace headscope::card_words
