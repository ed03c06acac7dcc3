// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/documents/label_merge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace headscope
{

std::string MergedLabels::unknownNotice(std::size_t names, std::string_view columnName) const
{
    std::vector<std::string> quoted;
    for (const std::string& name : unknown)
        quoted.push_back(fmt::format("\"{}\"", name));
    return fmt::format("{} of {} names are not values of \"{}\": {}", unknown.size(), names, columnName,
                       fmt::join(quoted, ", "));
}

MergedLabels mergeLabels(const LabelColumn& labels, const std::map<std::string, std::string>& names)
{
    MergedLabels merged;
    merged.column.name = labels.name;
    for (const auto& [from, to] : names)
        if (std::ranges::find(labels.categories, from) == labels.categories.end())
            merged.unknown.push_back(from);
    std::vector<std::string>& categories = merged.column.categories;
    std::vector<std::int32_t> newCode(labels.categories.size(), -1);
    for (std::size_t c = 0; c < labels.categories.size(); ++c)
    {
        const auto renamed = names.find(labels.categories[c]);
        const std::string& name = renamed == names.end() ? labels.categories[c] : renamed->second;
        if (name.empty())
            continue;
        const auto at = static_cast<std::size_t>(std::ranges::find(categories, name) - categories.begin());
        newCode[c] = static_cast<std::int32_t>(at);
        if (at == categories.size())
        {
            categories.push_back(name);
            merged.topicRows.push_back(static_cast<std::int64_t>(c));
        }
        else if (labels.categories[c] == name)
            merged.topicRows[at] = static_cast<std::int64_t>(c);
    }
    for (const std::int32_t code : labels.codes)
        merged.column.codes.push_back(code < 0 ? -1 : newCode[static_cast<std::size_t>(code)]);
    return merged;
}

} // namespace headscope
