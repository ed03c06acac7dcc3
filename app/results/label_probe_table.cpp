// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/label_probe_table.h"

#include "model/analysis/statistics/intervals.h"
#include "model/analysis/statistics/split_scores.h"
#include "model/data/frame/text_table.h"
#include "model/data/stage.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace headscope
{
namespace
{

Json scoreJson(const LabelScore& score)
{
    Json json;
    if (score.head >= 0)
        json["head"] = score.head + 1;
    json["accuracy"] = score.accuracy;
    json["ci95"] = {score.ci95.low, score.ci95.high};
    json["ci95_method"] = splitIntervalMethod(std::ssize(score.splits));
    json["balanced_accuracy"] = score.balancedAccuracy;
    json["p"] = score.p;
    if (score.head >= 0)
        json["q"] = score.q;
    json["converged"] = score.converged;
    json["splits"] = {{"n", score.splits.size()}, {"sd", score.splitSd}, {"accuracies", score.splits}};
    json["first_split"] = {{"accuracy", score.first.accuracy},
                           {"ci95", {score.first.ci95.low, score.first.ci95.high}},
                           {"ci95_method", kWilson},
                           {"balanced_accuracy", score.first.balancedAccuracy},
                           {"p", score.first.p}};
    return json;
}

std::string rowName(const LabelScore& score)
{
    return score.head >= 0 ? std::to_string(score.head + 1) : "all";
}

std::vector<LabelScore> rowsOf(const LabelProbeResult& result)
{
    std::vector<LabelScore> rows = result.heads;
    rows.push_back(result.full);
    return rows;
}

} // namespace

Json labelProbeJson(const LabelProbeResult& result)
{
    const std::string stage(stageName(result.stage));
    Json heads = Json::array();
    for (const LabelScore& score : result.heads)
        heads.push_back(scoreJson(score));
    return {{"layer", result.layer},
            {"stage", stage.size() == 1 ? Json(stage[0] - '0') : Json(stage)},
            {"label", result.label},
            {"classes", result.classes},
            {"train", result.trainDocuments},
            {"test", result.testDocuments},
            {"tested", result.testedDocuments},
            {"left_out", result.leftOut},
            {"chance", result.chance()},
            {"guessing", result.guessing()},
            {"majority", result.majority},
            {"balanced_majority", result.balancedMajority},
            {"first_split_majority", result.firstMajority},
            {"null", result.splits > 1 ? "1,999 shuffles of the labels among the test documents of each split; p: "
                                         "twice the median over the splits"
                                       : "1,999 shuffles of the labels among the test documents"},
            {"heads", heads},
            {"full", scoreJson(result.full)},
            {"seconds", result.seconds}};
}

ResultTable labelProbeTable(const LabelProbeResult& result, bool everything)
{
    std::vector<std::string> header = {std::string(unitName(result.stage)),
                                       "accuracy",
                                       "ci95 low",
                                       "ci95 high",
                                       "balanced accuracy",
                                       "chance",
                                       "p",
                                       "q",
                                       "splits",
                                       "train",
                                       "test",
                                       "tested in any"};
    if (everything)
        header.insert(header.end(), {"split sd", "majority", "first split accuracy", "first split ci95 low",
                                     "first split ci95 high", "first split balanced accuracy", "first split p"});
    ResultTable table(header);
    for (const LabelScore& score : rowsOf(result))
    {
        std::vector<ResultTable::Cell> cells = {rowName(score),
                                                score.accuracy,
                                                score.ci95.low,
                                                score.ci95.high,
                                                score.balancedAccuracy,
                                                result.chance(),
                                                score.p,
                                                score.q,
                                                result.splits,
                                                result.trainDocuments,
                                                result.testDocuments,
                                                result.testedDocuments};
        if (everything)
            for (const double value : {score.splitSd, result.majority, score.first.accuracy, score.first.ci95.low,
                                       score.first.ci95.high, score.first.balancedAccuracy, score.first.p})
                cells.emplace_back(value);
        table.add(std::move(cells));
    }
    return table;
}

namespace
{

std::string seedsOf(const LabelProbeResult& result)
{
    const std::uint64_t seed = result.options.seed;
    return result.splits > 1 ? fmt::format("{} times, seeds {} to {}", result.splits, seed,
                                           seed + static_cast<std::uint64_t>(result.splits) - 1)
                             : fmt::format("seed {}", seed);
}

/// Of what the numbers are: of a mean over splits, or of one.
std::string splitsWords(const LabelProbeResult& result)
{
    if (result.splits < 2)
        return "Accuracy and balanced accuracy are of this one split; 95 % interval: Wilson's over its test "
               "documents, which does not\ncover the choice of them. p: (1 + those of 1,999 shuffles of the labels "
               "among the test documents of which at least as\nmany are told by the same probe) / 2,000";
    return fmt::format(
        "Accuracy and balanced accuracy: means over {0} splits of the documents, this one and those of the next "
        "seeds; sd: of the\naccuracies. 95 % interval: of that mean, by the corrected resampled t (Nadeau and Bengio "
        "2003: the splits share documents,\nso that its variance is sd^2 (1 / {0} + {1} / {2})), never narrower than "
        "Wilson's over the {3} documents tested in any split.\np: of each split (1 + those of 1,999 shuffles of the "
        "labels among its test documents of which at least as many are told\nby the same probe) / 2,000, and of the "
        "splits twice the median (Meinshausen, Meier and Buehlmann 2009)",
        result.splits, result.testDocuments, result.trainDocuments, withCommas(result.testedDocuments));
}

} // namespace

std::string labelProbeText(const LabelProbeResult& result)
{
    const std::string unit(unitName(result.stage));
    TextTable table({unit, "accuracy", "95 % interval", "sd", "balanced accuracy", "p", "q"});
    for (const LabelScore& score : rowsOf(result))
        table.add({rowName(score), fmt::format("{:.4f}", score.accuracy),
                   fmt::format("{:.4f} to {:.4f}", score.ci95.low, score.ci95.high),
                   result.splits > 1 ? fmt::format("{:.4f}", score.splitSd) : "-",
                   fmt::format("{:.4f}", score.balancedAccuracy), fmt::format("{:.4f}", score.p),
                   score.head >= 0 ? fmt::format("{:.4f}", score.q) : "-"});
    return fmt::format("layer {}, stage {} ({}s): \"{}\" told from one vector of a document by a linear probe\n"
                       "{} labels, {} documents to train, {} to test; split by documents, {}, C = {}\n"
                       "Chance: {:.4f}, the larger of naming always the commonest label of the training documents, "
                       "{:.4f} (balanced accuracy {:.4f}),\nand guessing among {} labels, {:.4f}.\n\n{}\n"
                       "all: the vectors of the {}s one after another.\n{};\nq: p by Benjamini-Hochberg over the {}s. "
                       "Balanced accuracy: mean over the labels of the share of their documents that is told.\nA "
                       "label that a text carries is often told from any vector of it: a {} that tells it need not "
                       "be about it.\nNo difference between two {}s is tested here.\n",
                       result.layer, stageName(result.stage), unit, result.label, result.classes,
                       withCommas(result.trainDocuments), withCommas(result.testDocuments), seedsOf(result),
                       result.options.c, result.chance(), result.majority, result.balancedMajority, result.classes,
                       result.guessing(), table.text(), unit, splitsWords(result), unit, unit, unit);
}

std::vector<std::string> labelProbeNotices(const LabelProbeResult& result)
{
    std::vector<std::string> notices;
    const std::int64_t documents = result.trainDocuments + result.testDocuments;
    if (2 * result.classes > documents)
        notices.push_back(fmt::format("{} labels for {} documents: \"{}\" looks like an id, of which most are tested "
                                      "without having trained",
                                      withCommas(result.classes), withCommas(documents), result.label));
    if (result.untrained > 0)
        notices.push_back(fmt::format("{} test documents of {} have a label that no training document has: never told",
                                      withCommas(result.untrained),
                                      result.splits > 1 ? "the first split" : "the split"));
    if (result.leftOut > 0)
        notices.push_back(fmt::format("{} documents with NaN or infinity were left out", withCommas(result.leftOut)));
    const auto rows = rowsOf(result);
    const auto open = std::count_if(rows.begin(), rows.end(), [](const LabelScore& each) { return !each.converged; });
    if (open > 0)
        notices.push_back(fmt::format("{} of {} probes stopped before they had converged", open, rows.size()));
    return notices;
}

} // namespace headscope
