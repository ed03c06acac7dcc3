// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/documents/document_set.h"

#include "model/base/text/natural_order.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace headscope
{

std::string_view LabelColumn::category(std::size_t document) const
{
    const std::int32_t code = codes[document];
    return code < 0 ? std::string_view() : std::string_view(categories[static_cast<std::size_t>(code)]);
}

std::vector<std::int64_t> LabelColumn::counts() const
{
    std::vector<std::int64_t> result(categories.size());
    for (const std::int32_t code : codes)
        if (code >= 0)
            ++result[static_cast<std::size_t>(code)];
    return result;
}

std::vector<std::int32_t> LabelColumn::byFrequency() const
{
    const auto frequency = counts();
    std::vector<std::int32_t> order(categories.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&frequency](std::int32_t a, std::int32_t b) {
        return frequency[static_cast<std::size_t>(a)] > frequency[static_cast<std::size_t>(b)];
    });
    return order;
}

const LabelColumn* DocumentSet::label(std::string_view name) const
{
    const auto found =
        std::find_if(labels.begin(), labels.end(), [name](const LabelColumn& column) { return column.name == name; });
    return found == labels.end() ? nullptr : &*found;
}

LabelColumn makeLabelColumn(std::string name, std::span<const std::string> values)
{
    std::set<std::string, NaturalLess> distinct(values.begin(), values.end());
    distinct.erase(std::string());
    LabelColumn column{std::move(name), {}, {distinct.begin(), distinct.end()}};
    column.codes.reserve(values.size());
    for (const std::string& value : values)
    {
        const auto place = std::lower_bound(column.categories.begin(), column.categories.end(), value, NaturalLess());
        column.codes.push_back(value.empty() ? -1 : static_cast<std::int32_t>(place - column.categories.begin()));
    }
    return column;
}

} // namespace headscope
