// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/documents/column_order.h"

#include <array>
#include <charconv>
#include <utility>

namespace headscope
{
namespace
{

constexpr std::array kNames = {std::pair<ColumnOrder::By, std::string_view>{ColumnOrder::By::Full, "full"},
                               std::pair<ColumnOrder::By, std::string_view>{ColumnOrder::By::Clusters, "cluster"},
                               std::pair<ColumnOrder::By, std::string_view>{ColumnOrder::By::Index, "none"}};

} // namespace

std::string ColumnOrder::name() const
{
    for (const auto& [which, known] : kNames)
        if (which == by)
            return std::string(known);
    return std::to_string(shownNumber(head));
}

std::optional<ColumnOrder> ColumnOrder::fromName(std::string_view name)
{
    for (const auto& [which, known] : kNames)
        if (known == name)
            return ColumnOrder{which, {}};
    std::int64_t number = 0;
    const auto [end, code] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (code != std::errc() || end != name.data() + name.size() || number < 1)
        return std::nullopt;
    return byHead(HeadIndex(number - 1));
}

} // namespace headscope
