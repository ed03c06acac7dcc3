// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report/report_claims.h"
#include "app/cli/report/report_numbers.h"
#include "model/data/frame/text_table.h"
#include "model/data/results/prune_frame.h"
#include "model/data/results/pruning_results.h"
#include "model/data/results/retrieval_frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace headscope::cli
{

namespace
{

using enum Facet;

// clang-format off
constexpr Slot kAlone[] = {{"unit"}, {"value"}, {"difference", Value, "change"}, {"difference", Low, "low"},
    {"difference", High, "high"}, {"changed"}, {"difference", P, "p"}, {"difference", Q, "q"}};
constexpr Slot kOrder[] = {{"unit"}, {"value"}, {"chosen"}, {"elsewhere"}, {"elsewhere", Low, "low"},
    {"elsewhere", High, "high"}};
constexpr Slot kRetrieval[] = {{"strategy"}, {"share", Value, "same label"}, {"share", Low, "low"},
    {"share", High, "high"}, {"share", Chance, "chance"}, {"queries"}};
// clang-format on
constexpr FrameInfo kAloneTable = {.key = "alone", .columns = {}, .file = kAlone};
constexpr FrameInfo kOrderTable = {.key = "order", .columns = {}, .file = kOrder};
constexpr FrameInfo kRetrievalTable = {.key = "retrieval", .columns = {}, .file = kRetrieval};

/// The steps of an answer; units that were added are none that was removed.
Frame stepsOf(const Json& steps)
{
    Frame frame = frameOf(steps, kPruneFrame);
    frame
        .add("unit", columnValues(steps,
                                  [](const Json& step) {
                                      const Json& removed = partIfThere(step, "removed");
                                      return removed.is_number_integer() ? removed.get<std::int64_t>() : kNoCount;
                                  }))
        .named("removed");
    return frame;
}

/// Each unit alone taken away.
void addSingleRemovals(ReportSection& section, const Json& steps)
{
    addTable(
        section, "pruning-table",
        "One head removed at a time. Value: proportion of documents that match with the vectors of the other heads. "
        "The change of the value has a 95% bootstrap interval over documents, p by sign flips, and q after "
        "Benjamini-Hochberg. Changed: documents that match only with the head or only without it. With fewer than " +
            std::to_string(kMinTested) +
            " changed documents, p cannot fall below 0.05, so the head is not tested. If few documents change, a p "
            "near 1 does not rule out a loss. The model is not run without the head.",
        stepsOf(steps), kAloneTable);
}

/// One unit after another taken away, the order chosen by these documents.
void addOrder(ReportSection& section, const Json& steps)
{
    addTable(
        section, "pruning-table",
        "Heads removed one after another. Value: proportion of documents that match with the vectors of the remaining "
        "heads. The model is not run without the removed heads. Held-out half: mean change over halvings, on documents "
        "that were not used for the selection. Low, high: 2.5 and 97.5% quantiles of the halvings.",
        stepsOf(steps), kOrderTable);
}

/// "; labels permuted among the documents 999 times: 0.120 on average, p 0.001", of all heads.
std::string permutedWords(const Json& answer)
{
    const double p = numberIfThere(answer, "baseline_p");
    return std::isfinite(p) ? fmt::format("; labels permuted among the documents {2} times: {0} on average, p {1:.2g}",
                                          shown(numberOf(answer, "baseline_null_mean")), p,
                                          withCommas(countOf(answer, "baseline_permutations")))
                            : std::string();
}

} // namespace

void sayPruning(ReportSection& section, const Parts& parts, const ReportSubject&)
{
    for (const ReportPart* part : parts)
    {
        const Json& answer = *part->answer;
        const Json& best = partOf(answer, "validated");
        section.claims.push_back(
            fmt::format("{} with all heads: {} ({} {}){}.", textOf(answer, "measure_name"),
                        withInterval(numberOf(answer, "baseline"), intervalOf(partOf(answer, "baseline_ci95"))),
                        partOf(answer, "documents").dump(), textOf(answer, "scored"),
                        std::isfinite(numberOf(answer, "chance"))
                            ? fmt::format(", chance {}{}", shown(numberOf(answer, "chance")), permutedWords(answer))
                            : std::string()));
        if (const std::string majority = majorityWords(answer, numberOf(answer, "chance")); !majority.empty())
            section.claims.push_back(majority +
                                     " Heads that predict this label more often score higher without distinguishing "
                                     "topics.");
        if (best.is_object())
            section.claims.push_back(fmt::format(
                "The number of heads to keep was selected on one half of the documents ({:.1f} on average). Keeping "
                "this number of heads changes the value by {} on the other half ({} {} halvings{}).",
                numberOf(best, "kept"), withInterval(numberOf(best, "elsewhere"), intervalOf(partOf(best, "range95"))),
                std::isfinite(intervalOf(partOf(best, "range95")).low) ? "brackets: 2.5 and 97.5% quantiles of"
                                                                       : "mean over",
                partOf(best, "halvings").dump(),
                std::isfinite(intervalOf(partOf(best, "range95")).low) ? "" : "; too few documents for quantiles"));
        const Json& steps = partOf(answer, "steps");
        (partOf(answer, "order") == Json("single") ? addSingleRemovals : addOrder)(section, steps);
    }
}

void sayRetrieval(ReportSection& section, const Parts& parts, const ReportSubject& subject)
{
    Json rows = Json::array();
    Column::Texts strategies;
    for (const ReportPart* part : parts)
    {
        const Json& same = partIfThere(*part->answer, "same_label");
        const std::string strategy = textOf(*part->answer, "strategy");
        if (!same.is_object() || (subject.isOtherLayer && strategy == "standard"))
            continue;
        rows.push_back(same);
        strategies.push_back(strategy);
    }
    Frame table = frameOf(rows, kSameLabelFrame);
    if (table.rows() == 0)
        return;
    table.add("strategy", std::move(strategies));
    addTable(section, "retrieval",
             "Documents found by votes of heads, and by the cosine of the full vector of the last layer (standard, no "
             "votes). Values: proportion of the labelled documents among 10 results that have the label of the query "
             "document. Every document of the cache is used as a query and excluded from its own results. Low, high: "
             "95% by jackknife over the documents, each left out as query and as result. Differences between "
             "strategies are not tested. All strategies use the same queries, so comparing their intervals is not a "
             "test.",
             std::move(table), kRetrievalTable);
}

void sayCircuits(ReportSection& section, const Parts& parts, const ReportSubject&)
{
    for (const ReportPart* part : parts)
        section.claims.push_back(textOf(*part->answer, "summary"));
}

} // namespace headscope::cli
