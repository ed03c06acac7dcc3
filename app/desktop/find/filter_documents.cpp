// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/find/filter_documents.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace headscope::desktop
{
namespace
{

std::optional<std::pair<double, double>> limitsOf(const std::vector<double>& numbers)
{
    std::optional<std::pair<double, double>> limits;
    for (const double number : numbers)
    {
        if (!std::isfinite(number))
            continue;
        if (!limits)
            limits.emplace(number, number);
        limits->first = std::min(limits->first, number);
        limits->second = std::max(limits->second, number);
    }
    return limits;
}

} // namespace

Result<std::shared_ptr<const ui::FilterResult>>
filterDocuments(const FilterTable& table, const std::vector<FilterCondition>& conditions, JobContext& job)
{
    auto result = std::make_shared<ui::FilterResult>();
    result->searched = table.documents->count();
    HEADSCOPE_TRY(result->documents, matchingDocuments(table, conditions));
    for (const FilterCondition& condition : conditions)
    {
        HEADSCOPE_CHECK(job.checkStop());
        const auto* number = std::get_if<NumberCondition>(&condition);
        if (number == nullptr)
        {
            result->limits.emplace_back();
            continue;
        }
        HEADSCOPE_TRY(const std::vector<double> numbers, filterNumbers(table, *number));
        result->limits.push_back(limitsOf(numbers));
    }
    return std::shared_ptr<const ui::FilterResult>(std::move(result));
}

} // namespace headscope::desktop
