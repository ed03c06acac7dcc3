// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/label_probe_table.h"

#include "app/results/text_table.h"
#include "model/data/stage.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace headscope::results
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
    json["ci95_method"] = "Wilson";
    json["balanced_accuracy"] = score.balancedAccuracy;
    json["p"] = score.p;
    if (score.head >= 0)
        json["q"] = score.q;
    json["converged"] = score.converged;
    if (!score.splits.empty())
        json["splits"] = {
            {"n", score.splits.size()}, {"mean", score.splitMean}, {"sd", score.splitSd}, {"accuracies", score.splits}};
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
            {"left_out", result.leftOut},
            {"majority", result.majority},
            {"balanced_majority", result.balancedMajority},
            {"null", "1,999 shuffles of the labels among the test documents"},
            {"heads", heads},
            {"full", scoreJson(result.full)},
            {"seconds", result.seconds}};
}

ResultTable labelProbeTable(const LabelProbeResult& result)
{
    ResultTable table({std::string(unitName(result.stage)), "accuracy", "ci95 low", "ci95 high", "balanced accuracy",
                       "majority", "p", "q", "splits", "split mean", "split sd"});
    for (const LabelScore& score : rowsOf(result))
        table.add({rowName(score), score.accuracy, score.ci95.low, score.ci95.high, score.balancedAccuracy,
                   result.majority, score.p, score.q, std::max<std::int64_t>(1, std::ssize(score.splits)),
                   score.splitMean, score.splitSd});
    return table;
}

std::string labelProbeText(const LabelProbeResult& result)
{
    const std::string unit(unitName(result.stage));
    TextTable table({unit, "mean of splits", "sd", "first split", "95 % interval", "balanced accuracy", "p", "q"});
    for (const LabelScore& score : rowsOf(result))
        table.add({rowName(score), score.splits.empty() ? "-" : fmt::format("{:.4f}", score.splitMean),
                   score.splits.empty() ? "-" : fmt::format("{:.4f}", score.splitSd),
                   fmt::format("{:.4f}", score.accuracy),
                   fmt::format("{:.4f} to {:.4f}", score.ci95.low, score.ci95.high),
                   fmt::format("{:.4f}", score.balancedAccuracy), fmt::format("{:.4f}", score.p),
                   score.head >= 0 ? fmt::format("{:.4f}", score.q) : "-"});
    return fmt::format(
        "layer {}, stage {} ({}s): \"{}\" told from one vector of a document by a linear probe\n"
        "{} labels, {} documents to train, {} to test; split by documents, seed {}, C = {}\n"
        "Always naming the commonest label of the training documents: accuracy {:.4f}, balanced accuracy "
        "{:.4f}; guessing among {} labels: {:.4f}.\n\n{}\n"
        "all: the vectors of the {}s one after another. 95 % interval: Wilson's over the test documents, of this one "
        "split.\nBalanced accuracy: mean over the labels of the share of their documents that is told. p: (1 + those "
        "of "
        "1,999 shuffles of the\nlabels among the test documents of which at least as many are told by the same probe) "
        "/ 2,000; "
        "q: p by Benjamini-Hochberg\nover the {}s. A label that a text carries is told from almost any "
        "vector of it: a {} that tells it need not be about it.\nAll but mean and sd is of the first split alone; "
        "{}.\n",
        result.layer, stageName(result.stage), unit, result.label, result.classes, withCommas(result.trainDocuments),
        withCommas(result.testDocuments), result.options.seed, result.options.c, result.majority,
        result.balancedMajority, result.classes, result.classes > 0 ? 1.0 / static_cast<double>(result.classes) : 0.0,
        table.text(), unit, unit, unit,
        result.full.splits.empty()
            ? std::string("no other was made")
            : fmt::format("mean and sd are of the accuracies over {} splits of the documents, "
                          "the first and those of the next seeds. No difference between two heads is tested here: "
                          "the splits share documents, so that their sd gives no interval",
                          result.full.splits.size()));
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
        notices.push_back(fmt::format("{} test documents have a label that no training document has: never told",
                                      withCommas(result.untrained)));
    if (result.leftOut > 0)
        notices.push_back(fmt::format("{} documents with NaN or infinity were left out", withCommas(result.leftOut)));
    const auto rows = rowsOf(result);
    const auto open = std::count_if(rows.begin(), rows.end(), [](const LabelScore& each) { return !each.converged; });
    if (open > 0)
        notices.push_back(fmt::format("{} of {} probes stopped before they had converged", open, rows.size()));
    return notices;
}

} // namespace headscope::results
