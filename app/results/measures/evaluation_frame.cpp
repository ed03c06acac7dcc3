// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/measures/evaluation_frame.h"

#include "model/data/frame/frame_text.h"
#include "model/data/frame/method_names.h"
#include "model/data/frame/place_columns.h"
#include "model/data/frame/text_table.h"
#include "model/data/results/probe_baseline_results.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string_view>
#include <utility>

namespace headscope
{
namespace
{

using S = Shown;
using enum Facet;

/// More rows of a task than this are not printed.
constexpr std::size_t kPrintedUnits = 40;

// clang-format off
constexpr ColumnInfo kEvaluationColumns[] = {
    {"task", "Task", "", "What the vectors are evaluated on: retrieval, similarity, clustering or classification", "",
     S::Text},
    kLayerColumn,
    kStageColumn,
    {"unit", "Vectors", "", "Which vectors are evaluated: full, the layer (all heads concatenated), a KV group (its "
     "heads concatenated), a head or segment, several selected heads (concatenated), the full vector of another "
     "cache, or votes (rankings by the votes of the heads)", "", S::Text},
    {"n", "N", "", "Number of queries, pairs, labelled documents or test documents over which the measures are "
                   "averaged",
     "", S::Count},
    {"ndcg", "nDCG", "",
     "Gain of the first k results (sum of grade / log2(rank + 1)), divided by the gain of the best order of all judged "
     "documents; mean over queries, 0 to 1", "Documents without a judgement count as irrelevant"},
    {"recall", "Recall", "", "Proportion of the relevant documents that are among the first k results, mean over queries"},
    {"mrr", "MRR", "", "1 / rank of the first relevant document among the first k results, 0 without one; mean over "
     "queries"},
    {"map", "MAP", "",
     "Precision at the rank of each relevant document among the first k results, summed and divided by the number of "
     "relevant documents; mean over queries"},
    {"spearman", "Spearman", "", "Rank correlation of the cosines of pairs with the given numbers, -1 to 1; 0 by chance"},
    {"pearson", "Pearson", "", "Correlation of the cosines of pairs with the given numbers, -1 to 1; 0 by chance"},
    {"v_measure", "V-measure", "",
     "Harmonic mean of homogeneity and completeness of k-means clusters (as many clusters as labels), compared with "
     "the labels, 0 to 1",
     "Above 0 by chance, especially with many labels and few documents; the adjusted Rand index is 0 by chance"},
    {"ari", "Adjusted Rand index", "",
     "Agreement of k-means clusters and labels on pairs of documents, at most 1; 0 by chance"},
    {"accuracy", "Accuracy", "",
     "Proportion of held-out documents whose label multinomial logistic regression (C = 1) predicts correctly",
     "From a single split with a fifth of the documents held out", S::Share},
    {"difference", "Difference", "",
     "First measure of the task for these vectors minus the same measure for the full vector, on the same resamples"},
    {"reference", "Reference", "", "Whether the other rows are compared with these vectors", "", S::Flag},
};
// clang-format on

/// The keys of the measures, in their order.
constexpr std::array<std::string_view, kEvaluationMeasures> kMeasures = {
    "ndcg", "recall", "mrr", "map", "spearman", "pearson", "v_measure", "ari", "accuracy"};

constexpr std::array kTasks = {EvaluationTask::Retrieval, EvaluationTask::Similarity, EvaluationTask::Clustering,
                               EvaluationTask::Classification};

std::string_view resampledUnits(EvaluationTask task)
{
    constexpr std::array<std::string_view, kTasks.size()> kNames = {kQueryBootstrap, kPairBootstrap, kBootstrap,
                                                                    kBootstrap};
    return kNames[static_cast<std::size_t>(task)];
}

Frame frameOf(const std::vector<EvaluatedUnit>& units)
{
    using U = EvaluatedUnit;
    const auto of = [&units](auto projection) { return columnValues(units, projection); };
    Frame frame(kEvaluationFrame);
    frame.add("task", of([](const U& unit) { return taskName(unit.task); }));
    frame.add("layer", of([](const U& unit) { return unit.layer.value(); }));
    frame.add("stage", of([](const U& unit) { return stageName(unit.stage); }));
    frame.add("unit", of(&U::unit));
    frame.add("n", of(&U::n));
    const std::vector<std::string> methods =
        of([](const U& unit) { return std::string(unit.n < kMinResampled ? "" : resampledUnits(unit.task)); });
    for (std::size_t measure = 0; measure < kMeasures.size(); ++measure)
        if (std::ranges::any_of(units, [measure](const U& unit) {
                const auto [first, count] = measuresOf(unit.task);
                const auto at = measure - static_cast<std::size_t>(first);
                return measure >= static_cast<std::size_t>(first) && at < static_cast<std::size_t>(count);
            }))
            frame.add(kMeasures[measure], of([measure](const U& unit) { return unit.values[measure]; }))
                .interval(of([measure](const U& unit) { return unit.ci95[measure]; }), methods)
                .set(Chance, of([measure](const U& unit) { return unit.chance[measure]; }));
    frame.add("difference", of(&U::difference))
        .interval(of(&U::differenceCi95), methods)
        .set(P, of(&U::p))
        .set(Q, of(&U::q));
    frame.add("reference", of(&U::isReference));
    return frame;
}

/// The rows of one task, in their order.
std::vector<std::size_t> rowsOfTask(const Frame& frame, EvaluationTask task)
{
    const auto& tasks = std::get<Column::Texts>(frame.find("task")->values);
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < tasks.size(); ++row)
        if (tasks[row] == taskName(task))
            rows.push_back(row);
    return rows;
}

std::vector<Slot> slotsOf(EvaluationTask task)
{
    std::vector<Slot> slots = {{"layer"}, {"stage"}, {"unit"}};
    const auto [first, count] = measuresOf(task);
    for (std::int64_t measure = 0; measure < count; ++measure)
        slots.push_back({kMeasures[static_cast<std::size_t>(first) + static_cast<std::size_t>(measure)],
                         measure == 0 ? Span : Value});
    slots.insert(slots.end(), {{"difference", Span}, {"difference", Q, "q"}});
    return slots;
}

std::string titleOf(EvaluationTask task, std::int64_t n, const EvaluationNotes& notes)
{
    switch (task)
    {
    case EvaluationTask::Retrieval:
        return fmt::format("Retrieval: {} queries, first {} results", n, notes.k);
    case EvaluationTask::Similarity:
        return fmt::format("Similarity: {} pairs", n);
    case EvaluationTask::Clustering:
        return fmt::format("Clustering: {} documents, {} labels", n, notes.labels);
    case EvaluationTask::Classification:
        break;
    }
    return fmt::format("Classification: {} test documents, {} labels; always predicting the commonest: "
                       "{:.4f}",
                       n, notes.labels, notes.majority);
}

/// "Chance (documents in random order): nDCG 0.0312, ..." of the first row, whose chance is that of all.
std::string chanceText(const Frame& shown, EvaluationTask task)
{
    std::vector<std::string> parts;
    const auto [first, measures] = measuresOf(task);
    for (std::int64_t measure = 0; measure < measures; ++measure)
    {
        const Column& column =
            *shown.find(kMeasures[static_cast<std::size_t>(first) + static_cast<std::size_t>(measure)]);
        if (const double chance = column.at(Chance, 0); std::isfinite(chance))
            parts.push_back(fmt::format("{} {:.4f}", column.info->title, chance));
    }
    return parts.empty()
               ? std::string()
               : fmt::format("Chance{}: {}.\n", task == EvaluationTask::Retrieval ? " (documents in random order)" : "",
                             fmt::join(parts, ", "));
}

std::string taskText(const Frame& all, EvaluationTask task, const EvaluationNotes& notes)
{
    std::vector<std::size_t> rows = rowsOfTask(all, task);
    if (rows.empty())
        return {};
    const std::size_t count = rows.size();
    const std::int64_t n = std::get<Column::Wholes>(all.find("n")->values)[rows.front()];
    rows.resize(std::min(rows.size(), kPrintedUnits));
    Frame shown = all;
    shown.take(rows);
    const std::vector<Slot> slots = slotsOf(task);
    const auto [first, measures] = measuresOf(task);
    std::vector<Slot> explained;
    for (std::int64_t measure = 0; measure < measures; ++measure)
        explained.push_back({kMeasures[static_cast<std::size_t>(first) + static_cast<std::size_t>(measure)]});
    return fmt::format(
        "{}\n\n{}{}\n{}{}{}\n\n", titleOf(task, n, notes), frameText(shown, slots),
        count > rows.size() ? fmt::format("... {} more rows: -o FILE.csv or --json\n", count - rows.size()) : "",
        columnWords(kEvaluationFrame, explained), chanceText(shown, task),
        n < kMinResampled ? fmt::format("No interval and no p: N is below {}.", kMinResampled)
                          : fmt::format("Brackets: 95%, {}, {} resamples.", resampledUnits(task), notes.resamples));
}

} // namespace

constinit const FrameInfo kEvaluationFrame = {.key = "evaluation", .columns = kEvaluationColumns};

Result<Frame> evaluationFrame(std::span<const EvaluatedUnit> units, const std::string& column)
{
    std::vector<EvaluatedUnit> ordered(units.begin(), units.end());
    const auto main = [](const EvaluatedUnit& unit) {
        const double value = unit.value(measuresOf(unit.task).first);
        return std::isfinite(value) ? value : -std::numeric_limits<double>::infinity();
    };
    std::ranges::stable_sort(ordered, [&main](const EvaluatedUnit& a, const EvaluatedUnit& b) {
        return std::pair(static_cast<int>(a.task), -main(a)) < std::pair(static_cast<int>(b.task), -main(b));
    });
    Frame frame = frameOf(ordered);
    if (column.empty())
        return frame;
    HEADSCOPE_CHECK(sortFrame(frame, column));
    std::vector<std::size_t> order;
    for (const EvaluationTask task : kTasks)
        for (const std::size_t row : rowsOfTask(frame, task))
            order.push_back(row);
    frame.take(order);
    return frame;
}

std::string evaluationText(const Frame& all, const EvaluationNotes& notes)
{
    std::string text;
    for (const EvaluationTask task : kTasks)
        text += taskText(all, task, notes);
    if (notes.leftOut > 0)
        text +=
            fmt::format("{} of {} documents are measured: the others have no direction (a full vector of zeros, NaN "
                        "or infinity).\n",
                        withCommas(notes.documents - notes.leftOut), withCommas(notes.documents));
    if (std::ranges::any_of(std::get<Column::Wholes>(all.find("reference")->values),
                            [](std::int64_t flag) { return flag != 0; }))
        text += fmt::format("Full vector: {}.\nDifference: first measure minus the same measure for the full vector, "
                            "on the same resamples.\nq: Benjamini-Hochberg over the rows of the task. With q above "
                            "0.05, these data do not distinguish the vectors from the full vector.\n",
                            notes.full);
    return text;
}

} // namespace headscope
