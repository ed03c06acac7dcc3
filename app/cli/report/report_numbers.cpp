// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report/report_numbers.h"

#include "app/frames/frame_json.h"
#include "model/base/assert.h"
#include "model/base/text/fixed_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::cli
{
namespace
{

const Json& none()
{
    static const Json none;
    return none;
}

} // namespace

const Json& partIfThere(const Json& json, std::string_view key)
{
    const auto at = json.find(key);
    return at == json.end() ? none() : *at;
}

const Json& partOf(const Json& json, std::string_view key)
{
    HEADSCOPE_EXPECT(json.is_null() || json.contains(key), return none());
    return partIfThere(json, key);
}

double numberIfThere(const Json& json, std::string_view key)
{
    const Json& number = partIfThere(json, key);
    return number.is_number() ? number.get<double>() : kNoNumber;
}

double numberOf(const Json& json, std::string_view key)
{
    const Json& number = partOf(json, key);
    return number.is_number() ? number.get<double>() : kNoNumber;
}

std::int64_t countOf(const Json& json, std::string_view key)
{
    const Json& count = partOf(json, key);
    return count.is_number_integer() ? count.get<std::int64_t>() : 0;
}

std::string textOf(const Json& json, std::string_view key)
{
    const Json& text = partOf(json, key);
    return text.is_string() ? text.get<std::string>() : std::string();
}

std::string shown(double value)
{
    return std::isfinite(value) ? fixedText(value, 3) : std::string("-");
}

std::string testText(const Json& json, std::string_view units)
{
    const double p = numberIfThere(json, "p");
    return std::isfinite(p) ? fmt::format(", p {:.2g} ({} permuted within documents {} times)", p, units,
                                          partOf(json, "permutations").dump())
                            : std::string();
}

std::string majorityWords(const Json& answer, double chance)
{
    const double majority = numberIfThere(answer, "majority");
    constexpr double kClearly = 0.05;
    if (!(majority > chance + kClearly))
        return {};
    return fmt::format("The labels have unequal sizes. Always predicting the most common label is correct for {} of "
                       "the documents. Predicting several labels at once is correct at least as often. Chance and "
                       "permuted labels do not account for this.",
                       shown(majority));
}

Interval intervalOf(const Json& interval)
{
    const auto end = [&interval](std::size_t at) {
        return interval[at].is_number() ? interval[at].get<double>() : kNoNumber;
    };
    return interval.is_array() && interval.size() == 2 ? Interval{end(0), end(1)} : Interval();
}

Frame frameOf(Json rows, const FrameInfo& about)
{
    Json all = Json::object(); // members that any row has: the first one says which are read
    for (const Json& row : rows)
        for (const auto& [name, value] : row.items())
            all.emplace(name, nullptr);
    for (Json& row : rows)
        for (const auto& [name, none] : all.items())
            row.emplace(name, nullptr);
    auto read = frameFrom(rows, about, {});
    return read ? std::move(*read) : Frame(about);
}

Column* columnOf(Frame& frame, std::string_view key)
{
    HEADSCOPE_EXPECT(frame.about().find(key) != nullptr, return nullptr);
    return frame.find(key);
}

std::int64_t tellingRows(const Column* column)
{
    return column == nullptr ? 0
                             : std::ranges::count_if(column->numbers(Facet::Q), [](double q) { return q < kSmallQ; });
}

void addTable(ReportSection& section, std::string id, std::string caption, Frame rows, const FrameInfo& shown,
              std::vector<GreyColumn> grey)
{
    if (rows.rows() == 0)
        return;
    for (const Slot& slot : shown.file)
        HEADSCOPE_EXPECT(rows.about().find(slot.column) != nullptr, return );
    rows.showAs(shown);
    section.tables.push_back({std::move(id), std::move(caption), std::move(rows), std::move(grey)});
}

std::string stageOf(const Json& result)
{
    const Json& stage = partOf(result, "stage");
    return stage.is_string() ? stage.get<std::string>() : stage.dump();
}

std::string stageOf(const ReportItem& item)
{
    const auto at = std::ranges::find(item.words, "--stage");
    return at == item.words.end() ? std::string() : *(at + 1);
}

std::string withInterval(double value, const Interval& interval)
{
    return std::isfinite(interval.low)
               ? fmt::format("{} [{}, {}]", shown(value), shown(interval.low), shown(interval.high))
               : shown(value);
}

} // namespace headscope::cli
