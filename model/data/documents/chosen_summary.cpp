// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/documents/chosen_summary.h"

#include "model/data/documents/document_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope
{
namespace
{

constexpr std::int64_t kBlock = 1 << 20; ///< points between two looks at the stop
constexpr std::size_t kMaxNumbers = 12;  ///< a column of more different numbers is counted in ranges
constexpr int kRanges = 8;

std::vector<char> flagsOfHeads(const std::vector<std::int64_t>& heads)
{
    std::vector<char> flags;
    for (const std::int64_t head : heads)
    {
        flags.resize(std::max(flags.size(), static_cast<std::size_t>(head) + 1), 0);
        flags[static_cast<std::size_t>(head)] = 1;
    }
    return flags;
}

bool has(const std::vector<char>& flags, std::int64_t index)
{
    return index >= 0 && index < std::ssize(flags) && flags[static_cast<std::size_t>(index)] != 0;
}

/// The points of a choice of documents, and how many points there are of each head.
struct Points
{
    PointSet chosen;
    std::vector<std::int64_t> all;
};

Result<Points> pointsOf(const ChosenQuestion& question, JobContext& job)
{
    Points points;
    const std::vector<char> heads = flagsOfHeads(question.heads);
    points.all.assign(heads.size(), 0);
    if (question.map == nullptr)
    {
        for (const std::int64_t head : question.heads)
            points.all[static_cast<std::size_t>(head)] = question.documents->count();
        points.chosen = question.points ? *question.points : PointSet(question.chosen, question.heads);
        return points;
    }
    const std::vector<char> documents = flagsOf(question.chosen);
    std::vector<std::int64_t> caught;
    for (std::int64_t point = 0; point < question.map->count(); ++point)
    {
        if (point % kBlock == 0)
            HEADSCOPE_CHECK(job.checkStop());
        const auto at = static_cast<std::size_t>(point);
        if (!has(heads, question.map->head[at]))
            continue;
        ++points.all[static_cast<std::size_t>(question.map->head[at])];
        if (question.points == nullptr && has(documents, question.map->document[at]))
            caught.push_back(point);
    }
    points.chosen = question.points ? *question.points : PointSet::of(*question.map, caught);
    return points;
}

ChosenChart headChart(const Points& points)
{
    ChosenChart chart;
    chart.kind = ChosenChart::Kind::Heads;
    const std::vector<std::int64_t> counts = points.chosen.countsByHead();
    for (std::size_t head = 0; head < std::max(points.all.size(), counts.size()); ++head)
    {
        ChosenBar bar;
        bar.code = static_cast<std::int32_t>(head);
        bar.chosen = head < counts.size() ? counts[head] : 0;
        // Points of a head that was hidden since are chosen all the same.
        bar.all = std::max(head < points.all.size() ? points.all[head] : 0, bar.chosen);
        if (bar.all > 0)
            chart.bars.push_back(bar);
    }
    return chart;
}

ChosenChart groupChart(const ChosenChart& heads, std::int64_t groupSize)
{
    ChosenChart chart;
    chart.kind = ChosenChart::Kind::Groups;
    for (const ChosenBar& head : heads.bars)
    {
        const auto group = static_cast<std::int32_t>(head.code / groupSize);
        if (chart.bars.empty() || chart.bars.back().code != group)
            chart.bars.push_back({{}, group, 0, 0, 0, 0});
        chart.bars.back().chosen += head.chosen;
        chart.bars.back().all += head.all;
    }
    return chart;
}

ChosenChart labelChart(const LabelColumn& column, const std::vector<std::int64_t>& chosen)
{
    ChosenChart chart;
    chart.kind = ChosenChart::Kind::Labels;
    chart.column = column.name;
    chart.bars.resize(column.categories.size() + 1);
    for (std::size_t code = 0; code < column.categories.size(); ++code)
    {
        chart.bars[code].name = column.categories[code];
        chart.bars[code].code = static_cast<std::int32_t>(code);
    }
    const auto barOf = [&](std::int32_t code) -> ChosenBar& {
        return code < 0 ? chart.bars.back() : chart.bars[static_cast<std::size_t>(code)];
    };
    for (const std::int32_t code : column.codes)
        ++barOf(code).all;
    for (const std::int64_t document : chosen)
        ++barOf(column.codes[static_cast<std::size_t>(document)]).chosen;
    std::erase_if(chart.bars, [](const ChosenBar& bar) { return bar.all == 0; });
    std::ranges::stable_sort(chart.bars, [](const ChosenBar& one, const ChosenBar& other) {
        return one.chosen != other.chosen ? one.chosen > other.chosen : one.all > other.all;
    });
    return chart;
}

/// 1, 2 or 5 times a power of ten, so that about kRanges of them span the numbers.
double rangeStep(double span)
{
    const double rough = span / kRanges;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= rough)
            return factor * power;
    return 10 * power;
}

ChosenChart numberChart(const DocumentNumbers& numbers, const std::vector<std::int64_t>& chosen)
{
    ChosenChart chart;
    chart.kind = ChosenChart::Kind::Numbers;
    chart.column = numbers.name;
    const auto number = [](float value) { return static_cast<double>(value); };
    std::vector<float> sorted;
    std::ranges::copy_if(numbers.values, std::back_inserter(sorted), [](float value) { return std::isfinite(value); });
    std::ranges::sort(sorted);
    if (sorted.empty())
        return chart;
    std::vector<float> different = sorted;
    different.erase(std::unique(different.begin(), different.end()), different.end());
    if (different.size() <= kMaxNumbers)
    {
        for (const float value : different)
            chart.bars.push_back({fmt::format("{}", value), 0, 0, 0, number(value), number(value)});
    }
    else
    {
        const double step = rangeStep(number(sorted.back()) - number(sorted.front()));
        const double first = std::floor(number(sorted.front()) / step);
        const double last = std::floor(number(sorted.back()) / step);
        for (double at = first; at <= last; ++at)
        {
            const double from = number(static_cast<float>(at * step));
            // Both ends belong to a range: the upper one is the largest float below the next.
            const auto next = static_cast<float>((at + 1) * step);
            const double to = number(std::nextafter(next, static_cast<float>(from)));
            chart.bars.push_back({fmt::format("{:g} to {:g}", at * step, (at + 1) * step), 0, 0, 0, from, to});
        }
        chart.bars.back().to = std::max(chart.bars.back().to, number(sorted.back()));
    }
    const auto barOf = [&chart](double value) {
        const auto found = std::ranges::lower_bound(chart.bars, value, {}, &ChosenBar::to);
        return found == chart.bars.end() ? chart.bars.end() - 1 : found;
    };
    for (std::size_t i = 0; i < chart.bars.size(); ++i)
        chart.bars[i].code = static_cast<std::int32_t>(i);
    for (const float value : numbers.values)
        if (std::isfinite(value))
            ++barOf(number(value))->all;
    for (const std::int64_t document : chosen)
        if (const float value = numbers.values[static_cast<std::size_t>(document)]; std::isfinite(value))
            ++barOf(number(value))->chosen;
    std::erase_if(chart.bars, [](const ChosenBar& bar) { return bar.all == 0; });
    return chart;
}

} // namespace

Result<ChosenSummary> summarizeChoice(const ChosenQuestion& question, JobContext& job)
{
    ChosenSummary summary;
    summary.documents = question.documents;
    summary.chosen = question.chosen;
    summary.byPoints = question.points != nullptr;
    summary.groupSize = question.groupSize;
    if (question.chosen.empty())
        return summary;
    HEADSCOPE_TRY(Points points, pointsOf(question, job));
    summary.charts.push_back(headChart(points));
    if (question.groupSize > 1)
        summary.charts.push_back(groupChart(summary.charts.front(), question.groupSize));
    summary.points = std::move(points.chosen);
    for (const std::string& name : documentNumberNames(*question.documents))
    {
        HEADSCOPE_CHECK(job.checkStop());
        // Labels that are a handful of numbers (stars, years of a decade) are better counted each.
        const LabelColumn* column = question.documents->label(name);
        if (column != nullptr && column->categories.size() <= kMaxNumbers)
            continue;
        if (const auto numbers = documentNumbers(*question.documents, name))
            summary.charts.push_back(numberChart(*numbers, question.chosen));
    }
    const auto counted = [&summary](const LabelColumn& column) {
        return std::ranges::any_of(summary.charts, [&](const ChosenChart& chart) {
            return chart.kind == ChosenChart::Kind::Numbers && chart.column == column.name;
        });
    };
    auto labels = std::ranges::find(summary.charts, ChosenChart::Kind::Numbers, &ChosenChart::kind);
    auto place = labels - summary.charts.begin();
    for (const LabelColumn& column : question.documents->labels)
    {
        HEADSCOPE_CHECK(job.checkStop());
        if (!counted(column))
            summary.charts.insert(summary.charts.begin() + place++, labelChart(column, question.chosen));
    }
    for (ChosenChart& chart : summary.charts)
    {
        for (const ChosenBar& bar : chart.bars)
        {
            chart.chosen += bar.chosen;
            chart.all += bar.all;
        }
    }
    std::erase_if(summary.charts, [](const ChosenChart& chart) { return chart.bars.empty(); });
    return summary;
}

std::vector<std::int64_t> documentsOfBar(const ChosenSummary& summary, const ChosenChart& chart, const ChosenBar& bar)
{
    std::vector<std::int64_t> documents;
    if (chart.kind == ChosenChart::Kind::Labels)
    {
        if (const LabelColumn* column = summary.documents->label(chart.column))
            std::ranges::copy_if(summary.chosen, std::back_inserter(documents), [&](std::int64_t document) {
                return column->codes[static_cast<std::size_t>(document)] == bar.code;
            });
    }
    else if (chart.kind == ChosenChart::Kind::Numbers)
    {
        if (const auto numbers = documentNumbers(*summary.documents, chart.column))
            std::ranges::copy_if(summary.chosen, std::back_inserter(documents), [&](std::int64_t document) {
                const auto value = static_cast<double>(numbers->values[static_cast<std::size_t>(document)]);
                return value >= bar.from && value <= bar.to;
            });
    }
    return documents;
}

std::vector<std::int64_t> headsOfBar(const ChosenSummary& summary, const ChosenChart& chart, const ChosenBar& bar)
{
    if (chart.kind == ChosenChart::Kind::Heads)
        return {bar.code};
    std::vector<std::int64_t> heads;
    if (chart.kind == ChosenChart::Kind::Groups)
        for (std::int64_t member = 0; member < summary.groupSize; ++member)
            heads.push_back(bar.code * summary.groupSize + member);
    return heads;
}

} // namespace headscope
