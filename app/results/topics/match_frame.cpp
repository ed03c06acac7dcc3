// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/topics/match_frame.h"

#include "model/analysis/statistics/intervals.h"
#include "model/data/frame/place_columns.h"
#include "model/data/head_ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace headscope
{
namespace
{

using S = Shown;
using enum Facet;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// clang-format off
constexpr ColumnInfo kMatchColumns[] = {
    {"row", "Vectors", "", "The full vector, a pooling of heads, or a head or segment", "", S::Text},
    {"head", "Head", "", "Index of the head or segment (from 1)", "", S::Index},
    {"top", "Match", "",
     "Proportion of documents whose label's topic vector is among the k nearest by cosine; chance is k / topics",
     "Optimistically biased for heads that were selected with the same labels", S::Share},
    {"documents", "Documents", "", "Number of measured documents, if not all documents were measured", "",
     S::Count},
};
constexpr ColumnInfo kSummaryColumns[] = {
    kStageColumn,
    {"k", "k", "", "Number of nearest topics among which the label's topic is counted", "", S::Index},
    {"full", "Full vector", "",
     "Proportion of documents whose label's topic is among the k nearest topics, by the full vector; chance is k / "
     "topics", "",
     S::Share},
    {"best", "Best", "", "Index (from 1) of the head or segment that matches most often", "", S::Index},
    {"share", "Its match", "", "The same proportion for this head or segment",
     "Optimistically biased: the head or segment was selected on the same documents", S::Share},
};
constexpr Slot kJson[] = {{"head", Value, {}, 0, true}, {"top", Value, "top{}"}, {"top", Span, "ci95.top{}"},
    {"top", P, "p.top{}"}, {"top", Null, "null_mean.top{}"}, {"top", Q, "q.top{}"}, {"documents", Value, {}, 0, true}};
constexpr Slot kFile[] = {{"row"}, {"top", Value, "top {}"}, {"top", Low, "low {}"}, {"top", High, "high {}"},
    kNextGroup, {"top", P, "p {}"}, {"top", Q, "q {}"}, {"top", Null, "null mean {}"}, kRest};
constexpr Slot kText[] = {{"row"}, {"top", Value, "top {}"}, {"top", Low, "low"}, {"top", High, "high"},
    {"top", Null, "null"}, {"top", P, "p"}, {"top", Q, "q"}, kRest};
// clang-format on
constexpr std::array<Slots, 1> kTexts = {kText};

/// The column of one k.
void addTop(Frame& frame, std::span<const MatchRow> rows, std::size_t k, const MatchResult& result)
{
    const bool sure = result.k[k] >= result.topics;
    const auto hasNull = [](const MatchRow& row) { return !row.null.empty(); };
    const auto hasQ = [](const MatchRow& row) { return !row.q.empty(); };
    Column& top =
        frame.add("top", columnValues(rows, [k](const MatchRow& row) { return row.share(k); }))
            .named(std::to_string(result.k[k]))
            .interval(columnValues(rows, [&](const MatchRow& row) { return sure ? Interval() : row.interval(k); }));
    if (std::ranges::any_of(rows, hasNull))
        top.set(Null, columnValues(rows, [&](const MatchRow& row) { return hasNull(row) ? row.null[k].mean : kNone; }))
            .set(P, columnValues(rows,
                                 [&](const MatchRow& row) { return hasNull(row) && !sure ? row.null[k].p : kNone; }));
    if (std::ranges::any_of(rows, hasQ))
        top.set(Q, columnValues(rows, [&](const MatchRow& row) { return hasQ(row) && !sure ? row.q[k] : kNone; }));
}

} // namespace

constinit const FrameInfo kMatchFrame = {
    .key = "match", .columns = kMatchColumns, .json = kJson, .file = kFile, .texts = kTexts};

constinit const FrameInfo kMatchSummaryFrame = {.key = "match_summary", .columns = kSummaryColumns};

double MatchRow::share(std::size_t k) const
{
    return measured > 0 ? static_cast<double>(hits[k]) / static_cast<double>(measured) : kNone;
}

Interval MatchRow::interval(std::size_t k) const
{
    return chosen ? Interval() : wilsonInterval(static_cast<double>(hits[k]), static_cast<double>(measured));
}

Frame matchFrame(std::span<const MatchRow> rows, const MatchResult& result)
{
    Frame frame(kMatchFrame);
    frame.add("row", columnValues(rows, &MatchRow::name));
    frame.add("head", columnValues(rows, [](const MatchRow& row) {
                  return row.head ? shownNumber(HeadIndex(*row.head)) : kNoCount;
              }));
    for (std::size_t k = 0; k < result.k.size(); ++k)
        addTop(frame, rows, k, result);
    frame.add("documents", columnValues(rows, [&result](const MatchRow& row) {
                  return row.measured != result.documents ? row.measured : kNoCount;
              }));
    return frame;
}

Frame shownMatchFrame(std::span<const MatchRow> rows, const MatchResult& result)
{
    Frame frame = matchFrame(rows, result);
    std::size_t k = 0;
    for (Column& column : frame.columns())
        if (column.info->key == "top" && result.k[k++] >= result.topics)
            column.named(fmt::format("{} (all {} topics)", result.k[k - 1], result.topics)).set(Null, kNone);
    return frame;
}

} // namespace headscope
