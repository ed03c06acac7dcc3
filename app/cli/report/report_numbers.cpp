// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report/report_numbers.h"

#include "model/base/text/split_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::cli
{

double numberOf(const Json& json, std::string_view key)
{
    const auto at = json.find(key);
    return at != json.end() && at->is_number() ? at->get<double>() : kNoNumber;
}

const Json& partOf(const Json& json, std::string_view key)
{
    static const Json none;
    const auto at = json.find(key);
    return at == json.end() ? none : *at;
}

std::string shown(double value)
{
    return std::isfinite(value) ? fmt::format("{:.3f}", value) : std::string("-");
}

std::string testText(const Json& json, std::string_view units)
{
    const double p = numberOf(json, "p");
    return std::isfinite(p) ? fmt::format(", p {:.2g} ({} permuted within documents {} times)", p, units,
                                          partOf(json, "permutations").dump())
                            : std::string();
}

std::string majorityWords(const Json& answer, double chance)
{
    const double majority = numberOf(answer, "majority");
    constexpr double kClearly = 0.05;
    if (!(majority > chance + kClearly))
        return {};
    return fmt::format("The labels are of unequal size: always naming the commonest is right for {} of the documents, "
                       "with others beside it for at least as many, which neither chance nor permuted labels say.",
                       shown(majority));
}

double boundOf(const Json& interval, std::size_t at)
{
    return interval.is_array() && interval.size() == 2 && interval[at].is_number() ? interval[at].get<double>()
                                                                                   : kNoNumber;
}

std::int64_t countOf(const Json& of, std::string_view key)
{
    const Json& count = partOf(of, key);
    return count.is_number_integer() ? count.get<std::int64_t>() : 0;
}

namespace
{

constexpr ColumnInfo kAnswerColumns[] = {{"number", "Number", "", "A number of an answer"},
                                         {"count", "Count", "", "A whole number of an answer", "", Shown::Count},
                                         {"text", "Text", "", "A text of an answer", "", Shown::Text}};
constexpr FrameInfo kAnswers = {.key = "answers", .columns = kAnswerColumns};

/// What a path of names and places leads to; null: nothing.
const Json& valueAt(const Json& row, std::string_view path)
{
    const Json* at = &row;
    for (const std::string& name : splitText(path, '.'))
    {
        const auto place = static_cast<std::size_t>(name.front() - '0');
        at = at->is_array() && place < at->size() ? &(*at)[place] : &partOf(*at, name);
    }
    return *at;
}

std::string textOf(const Json& value)
{
    return value.is_null() ? std::string("-") : value.is_string() ? value.get<std::string>() : value.dump();
}

} // namespace

Frame answersFrame(const Json& rows, std::span<const AnswerColumn> columns)
{
    Frame frame(kAnswers);
    for (const AnswerColumn& column : columns)
    {
        const auto of = [&](auto projection) {
            return columnValues(rows, [&](const Json& row) { return projection(valueAt(row, column.path)); });
        };
        const auto any = [&](auto is) {
            return std::ranges::any_of(rows, [&](const Json& row) { return (valueAt(row, column.path).*is)(); });
        };
        Column& added =
            column.isText ? frame.add("text", of(textOf))
            : any(&Json::is_number_integer)
                ? frame.add("count", of([](const Json& value) {
                                return value.is_number_integer() ? value.get<std::int64_t>() : kNoCount;
                            }))
                : frame.add("number",
                            of([](const Json& value) { return value.is_number() ? value.get<double>() : kNoNumber; }));
        added.named(std::string(column.header));
    }
    return frame;
}

void addTable(ReportSection& section, std::string id, std::string caption, const Json& rows,
              std::span<const AnswerColumn> columns)
{
    if (!rows.empty())
        section.tables.push_back({std::move(id), std::move(caption), answersFrame(rows, columns)});
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

std::string withInterval(const Json& value, const Json& interval)
{
    const double number = value.is_number() ? value.get<double>() : kNoNumber;
    const double low = boundOf(interval, 0);
    return std::isfinite(low) ? fmt::format("{} [{:.3f}, {:.3f}]", shown(number), low, boundOf(interval, 1))
                              : shown(number);
}

double lowOf(const Json& interval)
{
    return boundOf(interval, 0);
}

double highOf(const Json& interval)
{
    return boundOf(interval, 1);
}

} // namespace headscope::cli
