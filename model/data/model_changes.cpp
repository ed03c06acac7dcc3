// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/model_changes.h"

#include "model/base/text/plural.h"
#include "model/base/text/split_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace headscope
{
namespace
{

/// "heads 3, 7 of layer 5" of "5:3,7".
std::string headsText(std::string_view heads)
{
    const std::size_t colon = std::min(heads.find(':'), heads.size());
    const std::string_view numbers = heads.substr(std::min(colon + 1, heads.size()));
    const bool several = numbers.find_first_of(",-") != std::string_view::npos;
    return fmt::format("{} {} of layer {}", several ? "heads" : "head", fmt::join(splitText(numbers, ','), ", "),
                       heads.substr(0, colon));
}

/// "mean over 90 documents": how many there are, without what tells two references apart.
std::string valueText(const ModelChanges& changes)
{
    const std::string_view of = std::string_view(changes.reference).substr(0, changes.reference.find(','));
    if (changes.ablation != "mean" || of.empty())
        return changes.ablation;
    return fmt::format("mean over {}", of == "1 documents" ? "1 document" : of);
}

} // namespace

std::string ModelChanges::words(std::int64_t kvHeads) const
{
    std::vector<std::string> parts;
    if (!ablated.empty())
    {
        std::vector<std::string> layers;
        for (const auto& heads : splitText(ablated, ';'))
            layers.push_back(headsText(heads));
        parts.push_back(fmt::format("{} ablated ({})", fmt::join(layers, " and "), valueText(*this)));
    }
    if (regroupedFrom != 0)
        parts.push_back(fmt::format("{} KV group{} changed to {}", regroupedFrom, plural(regroupedFrom), kvHeads));
    return fmt::format("{}", fmt::join(parts, "; "));
}

} // namespace headscope
