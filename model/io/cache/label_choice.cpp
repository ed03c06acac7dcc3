// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/cache/label_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace headscope
{

Result<std::string> chooseLabelName(std::span<const std::string> names, const std::string& name,
                                    const std::string& file, std::string_view what)
{
    if (name.empty() && names.size() == 1)
        return names.front();
    if (std::ranges::find(names, name) != names.end())
        return name;
    if (names.empty())
        return Error{ErrorCode::InvalidArgument, fmt::format("expected {} with labels, found none", what), file,
                     "--label"};
    return Error{ErrorCode::InvalidArgument,
                 name.empty() ? fmt::format("expected --label with one of {}", fmt::join(names, ", "))
                              : fmt::format("expected one of {}, found \"{}\"", fmt::join(names, ", "), name),
                 file, "--label"};
}

Result<const LabelColumn*> chooseLabelColumn(const CacheInfo& info, const DocumentSet& documents,
                                             const std::string& name, const std::string& file)
{
    const std::vector<std::string> numbers = numberColumnsOf(info, documents);
    std::vector<std::string> names;
    for (const LabelColumn& each : documents.labels)
        if (each.name == name || std::ranges::find(numbers, each.name) == numbers.end())
            names.push_back(each.name);
    if (names.empty())
        names = numbers;
    HEADSCOPE_TRY(const std::string chosen, chooseLabelName(names, name, file, "a cache"));
    return documents.label(chosen);
}

} // namespace headscope
