// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/documents/document_filter.h"

#include "model/data/documents/document_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope
{
namespace
{

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

Error notThere(std::string message)
{
    return {ErrorCode::InvalidArgument, std::move(message), {}, {}};
}

/// Which documents stay; conditions take them away one after another.
using Kept = std::vector<char>;

template <class F>
void keepIf(Kept& kept, F holds)
{
    for (std::size_t document = 0; document < kept.size(); ++document)
        if (kept[document] != 0 && !holds(document))
            kept[document] = 0;
}

Status apply(const FilterTable& table, const LabelCondition& condition, Kept& kept)
{
    const LabelColumn* column = table.documents->label(condition.column);
    if (column == nullptr)
        return notThere(fmt::format("there is no label column \"{}\"", condition.column));
    const auto wanted = [&condition](std::string_view name) {
        return std::ranges::find(condition.values, name) != condition.values.end();
    };
    std::vector<char> isWanted;
    isWanted.reserve(column->categories.size());
    for (const std::string& category : column->categories)
        isWanted.push_back(wanted(category) ? 1 : 0);
    const bool withoutLabel = wanted({});
    keepIf(kept, [&](std::size_t document) {
        const std::int32_t code = column->codes[document];
        const bool is = code < 0 ? withoutLabel : isWanted[static_cast<std::size_t>(code)] != 0;
        return is != condition.negated;
    });
    return {};
}

Status apply(const FilterTable& table, const NumberCondition& condition, Kept& kept)
{
    HEADSCOPE_TRY(const std::vector<double> numbers, filterNumbers(table, condition));
    keepIf(kept, [&](std::size_t document) {
        // Numbers are float32 where they come from: so are the limits, or 0.3 would not be up to 0.3.
        const auto number = static_cast<float>(numbers[document]);
        return std::isfinite(number) && number >= static_cast<float>(condition.least) &&
               number <= static_cast<float>(condition.most);
    });
    return {};
}

Status checkStrengths(const FilterTable& table)
{
    if (table.strengths == nullptr || table.strengths->rows() != table.documents->count())
        return notThere("the norms of the heads are not known yet: the vectors have not been read");
    return {};
}

Status checkHead(const FilterTable& table, std::int64_t head)
{
    if (head < 0 || head >= table.strengths->cols())
        return notThere(fmt::format("expected a head from 1 to {}, found {}", table.strengths->cols(), head + 1));
    return {};
}

Status apply(const FilterTable& table, const StrongestCondition& condition, Kept& kept)
{
    HEADSCOPE_CHECK(checkStrengths(table));
    for (const std::int64_t head : condition.heads)
        HEADSCOPE_CHECK(checkHead(table, head));
    const std::vector<std::int64_t> strongest = strongestHeads(*table.strengths);
    keepIf(kept, [&](std::size_t document) {
        return std::ranges::find(condition.heads, strongest[document]) != condition.heads.end();
    });
    return {};
}

Status apply(const FilterTable& table, const GroupCondition& condition, Kept& kept)
{
    const auto group = std::ranges::find(table.groups, condition.group, &DocumentGroup::name);
    if (group == table.groups.end())
        return notThere(fmt::format("there is no set \"{}\"", condition.group));
    keepIf(kept, [&](std::size_t document) {
        return std::ranges::binary_search(group->documents, static_cast<std::int64_t>(document)) != condition.negated;
    });
    return {};
}

double meanOf(std::span<const float> row, std::span<const std::int64_t> heads)
{
    double sum = 0;
    std::int64_t count = 0;
    const auto add = [&](float value) {
        if (!std::isfinite(value))
            return;
        sum += static_cast<double>(value);
        ++count;
    };
    if (heads.empty())
        std::ranges::for_each(row, add);
    else
        for (const std::int64_t head : heads)
            add(row[static_cast<std::size_t>(head)]);
    return count > 0 ? sum / static_cast<double>(count) : kNone;
}

Result<std::vector<double>> columnNumbers(const DocumentSet& documents, const std::string& name)
{
    if (const auto column = documentNumbers(documents, name))
        return std::vector<double>(column->values.begin(), column->values.end());
    return notThere(fmt::format("there is no column of numbers \"{}\"", name));
}

} // namespace

std::vector<std::int64_t> strongestHeads(const MatrixF& strengths)
{
    std::vector<std::int64_t> strongest(static_cast<std::size_t>(strengths.rows()), -1);
    for (std::int64_t document = 0; document < strengths.rows(); ++document)
    {
        float most = -std::numeric_limits<float>::infinity();
        for (std::int64_t head = 0; head < strengths.cols(); ++head)
        {
            const float strength = strengths(document, head);
            if (!std::isfinite(strength) || strength <= most)
                continue;
            most = strength;
            strongest[static_cast<std::size_t>(document)] = head;
        }
    }
    return strongest;
}

Result<std::vector<double>> filterNumbers(const FilterTable& table, const NumberCondition& condition)
{
    const auto count = static_cast<std::size_t>(table.documents->count());
    if (condition.source == NumberSource::Column)
        return columnNumbers(*table.documents, condition.column);
    if (condition.source == NumberSource::Tokens)
    {
        const auto& tokens = table.documents->tokens;
        if (tokens.size() != count)
            return notThere("this cache does not contain the lengths of its documents");
        return std::vector<double>(tokens.begin(), tokens.end());
    }
    HEADSCOPE_CHECK(checkStrengths(table));
    const bool mean = condition.source == NumberSource::MeanStrength;
    if (mean)
    {
        for (const std::int64_t head : table.heads)
            HEADSCOPE_CHECK(checkHead(table, head));
    }
    else
    {
        HEADSCOPE_CHECK(checkHead(table, condition.head));
    }
    std::vector<double> numbers(count);
    for (std::size_t document = 0; document < count; ++document)
    {
        const auto row = table.strengths->row(static_cast<std::int64_t>(document));
        numbers[document] =
            mean ? meanOf(row, table.heads) : static_cast<double>(row[static_cast<std::size_t>(condition.head)]);
    }
    return numbers;
}

Result<std::vector<std::int64_t>> matchingDocuments(const FilterTable& table,
                                                    std::span<const FilterCondition> conditions)
{
    Kept kept(static_cast<std::size_t>(table.documents->count()), 1);
    for (const FilterCondition& condition : conditions)
        HEADSCOPE_CHECK(std::visit([&](const auto& each) { return apply(table, each, kept); }, condition));
    std::vector<std::int64_t> documents;
    for (std::size_t document = 0; document < kept.size(); ++document)
        if (kept[document] != 0)
            documents.push_back(static_cast<std::int64_t>(document));
    return documents;
}

} // namespace headscope
