// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/cache_overview.h"

#include "model/data/documents/document_numbers.h"

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::ui
{
namespace
{

using Kind = ColorChoice::Kind;

constexpr std::array<std::pair<Kind, std::string_view>, 9> kColorKeys = {{{Kind::Head, "head"},
                                                                          {Kind::Strength, "strength"},
                                                                          {Kind::Label, "label"},
                                                                          {Kind::Number, "number"},
                                                                          {Kind::Density, "density"},
                                                                          {Kind::NearestHead, "nearest-head"},
                                                                          {Kind::Kept, "kept"},
                                                                          {Kind::Divergence, "divergence"},
                                                                          {Kind::Set, "set"}}};

} // namespace

std::vector<Stage> CacheOverview::stagesOf(LayerIndex layer) const
{
    const auto found = stages.find(layer);
    return found == stages.end() ? std::vector<Stage>() : found->second;
}

bool CacheOverview::has(LayerIndex layer, Stage stage) const
{
    const auto held = stagesOf(layer);
    return std::find(held.begin(), held.end(), stage) != held.end();
}

std::string ColorChoice::key() const
{
    for (const auto& [which, name] : kColorKeys)
        if (which == kind)
            return column.empty() ? std::string(name) : std::string(name) + ":" + column;
    return {};
}

ColorChoice ColorChoice::fromKey(std::string_view key)
{
    const std::size_t colon = key.find(':');
    for (const auto& [which, name] : kColorKeys)
        if (key.substr(0, colon) == name)
            return {which, colon == std::string_view::npos ? std::string() : std::string(key.substr(colon + 1))};
    return {};
}

bool isGroups(const LabelColumn& column)
{
    constexpr std::size_t kMostNumberLabels = 30;
    return column.categories.size() <= kMostNumberLabels || !labelNumbers(column);
}

} // namespace headscope::ui
