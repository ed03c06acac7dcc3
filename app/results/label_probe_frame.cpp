// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/label_probe_frame.h"

#include "app/frames/frame_json.h"
#include "model/analysis/statistics/intervals.h"
#include "model/analysis/statistics/split_scores.h"
#include "model/data/frame/frame_text.h"
#include "model/data/frame/method_names.h"
#include "model/data/frame/text_table.h"
#include "model/data/stage.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace headscope
{
namespace
{

using S = Shown;
using enum Facet;

// clang-format off
constexpr ColumnInfo kLabelProbeColumns[] = {
    {"head", "Head", "", "Index of the head or segment (from 1); all: the concatenated vectors of all heads or "
     "segments", "", S::Stage},
    {"accuracy", "Accuracy", "",
     "Proportion of held-out documents whose label a linear probe predicts correctly, mean over the splits; chance is "
     "the larger of 1 / labels and the accuracy of always predicting the commonest label",
     "A label that can be predicted from a vector need not be used by the model", S::Share},
    {"balanced_accuracy", "Balanced accuracy", "", "Recall of each label, mean over the labels and over the splits", "",
     S::Share},
    {"converged", "Converged", "", "Whether the training converged in all splits", "", S::Flag},
    {"splits", "Splits", "", "Number of splits into training and test documents", "", S::Count},
    {"split_sd", "Deviation", "", "Standard deviation of the accuracy over the splits, not the standard error of its "
                                  "mean",
     "Splits share documents, so the deviation does not measure the sampling error", S::Fixed},
    {"split_accuracies", "Accuracies", "", "Accuracy of each split", "", S::Tree},
    {"train", "Training documents", "", "Number of training documents of each split", "", S::Count},
    {"test", "Test documents", "", "Number of test documents of each split", "", S::Count},
    {"tested_in_any", "Tested in any split", "", "Number of documents that are tested in at least one split", "",
     S::Count},
    {"majority", "Commonest label", "",
     "Accuracy of always predicting the commonest label of the training documents", "", S::Share},
    {"first_split_accuracy", "First split", "", "Accuracy of the first split only", "", S::Share},
    {"first_split_balanced_accuracy", "First split, balanced", "", "Balanced accuracy of the first split only", "",
     S::Share},
};
constexpr Slot kJson[] = {{"head"}, {"accuracy"}, {"accuracy", Ends, "ci95"},
    {"accuracy", IntervalMethod, "ci95_method"}, {"balanced_accuracy"}, {"accuracy", P, "p"}, {"accuracy", Q, "q"},
    {"converged"}, {"splits", Value, "splits.n"}, {"split_sd", Value, "splits.sd"},
    {"split_accuracies", Value, "splits.accuracies"}, {"first_split_accuracy", Value, "first_split.accuracy"},
    {"first_split_accuracy", Ends, "first_split.ci95"},
    {"first_split_accuracy", IntervalMethod, "first_split.ci95_method"},
    {"first_split_balanced_accuracy", Value, "first_split.balanced_accuracy"},
    {"first_split_accuracy", P, "first_split.p"}, kRest};
constexpr Slot kFile[] = {{"head"}, {"accuracy"}, {"accuracy", Low, "ci95 low"}, {"accuracy", High, "ci95 high"},
    {"balanced_accuracy"}, {"accuracy", Chance, "chance"}, {"accuracy", P, "p"}, {"accuracy", Q, "q"}, {"splits"},
    {"train"}, {"test"}, {"tested_in_any"}, {"split_sd"}, {"majority"}, {"first_split_accuracy"},
    {"first_split_accuracy", Low, "first split ci95 low"}, {"first_split_accuracy", High, "first split ci95 high"},
    {"first_split_balanced_accuracy"}, {"first_split_accuracy", P, "first split p"}, kRest};
constexpr Slot kText[] = {{"head"}, {"accuracy"}, {"accuracy", Ends, "95% interval"}, {"split_sd", Value, "sd"},
    {"balanced_accuracy"}, {"accuracy", P, "p"}, {"accuracy", Q, "q"}};
constexpr Slots kTexts[] = {kText};
// clang-format on

} // namespace

constinit const FrameInfo kLabelProbeFrame = {.key = "label_probe",
                                              .columns = kLabelProbeColumns,
                                              .shape = JsonShape::Flat,
                                              .json = kJson,
                                              .file = kFile,
                                              .paper = Slots(kFile).first(12),
                                              .texts = kTexts};

Frame labelProbeFrame(const LabelProbeResult& result)
{
    using L = LabelScore;
    std::vector<L> rows = result.heads;
    rows.push_back(result.full);
    const auto of = [&rows](auto projection) { return columnValues(rows, projection); };
    const auto all = [&of](auto number) { return of([number](const L&) { return number; }); };
    const std::vector<LabelSplitScore> firsts = of(&L::first);
    Frame frame(kLabelProbeFrame);
    frame.add("head", of([](const L& each) { return each.head >= 0 ? std::to_string(each.head + 1) : "all"; }))
        .named(std::string(unitName(result.stage)));
    frame.add("accuracy", of(&L::accuracy))
        .interval(of(&L::ci95), of([](const L& each) { return splitIntervalMethod(std::ssize(each.splits)); }))
        .set(Chance, result.chance())
        .set(P, of(&L::p))
        .set(Q, of(&L::q));
    frame.add("balanced_accuracy", of(&L::balancedAccuracy));
    frame.add("converged", of(&L::converged));
    frame.add("splits", all(result.splits));
    frame.add("split_sd", of(&L::splitSd));
    frame.add("split_accuracies", of([](const L& each) { return listNode(each.splits); }));
    frame.add("train", all(result.trainDocuments));
    frame.add("test", all(result.testDocuments));
    frame.add("tested_in_any", all(result.testedDocuments));
    frame.add("majority", all(result.majority));
    frame.add("first_split_accuracy", columnValues(firsts, &LabelSplitScore::accuracy))
        .interval(columnValues(firsts, &LabelSplitScore::ci95), kWilson)
        .set(P, columnValues(firsts, &LabelSplitScore::p));
    frame.add("first_split_balanced_accuracy", columnValues(firsts, &LabelSplitScore::balancedAccuracy));
    return frame;
}

Json labelProbeJson(const LabelProbeResult& result)
{
    Json heads = frameJson(labelProbeFrame(result));
    Json full = heads.back();
    heads.erase(result.heads.size());
    full.erase("head");
    full.erase("q");
    Json json;
    addMembers(json, {{"layer", result.layer},
                      {"stage", stageNode(stageName(result.stage))},
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
                      {"smallest_p", result.smallestP()},
                      {"null", result.splits > 1 ? "1,999 permutations of the labels among the test documents of each "
                                                   "split; p: twice the median over the splits"
                                                 : "1,999 permutations of the labels among the test documents"}});
    json["heads"] = std::move(heads);
    json["full"] = std::move(full);
    json["seconds"] = result.seconds;
    return json;
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
        return "Accuracy and balanced accuracy are from this split. 95% interval: Wilson's over its test documents; "
               "the interval does not cover the\nchoice of the split. p: 1,999 permutations of the labels among the "
               "test documents; (1 + permutations for which the same\nprobe is correct at least as often) / 2,000";
    return fmt::format(
        "Accuracy and balanced accuracy: means over {0} splits of the documents (seeds as\nabove); sd: standard "
        "deviation of their accuracies. 95% interval of the mean accuracy: corrected resampled t (Nadeau and Bengio "
        "2003: the splits share documents,\nso the variance is sd^2 (1 / {0} + {1} / {2})), never narrower than "
        "Wilson's over the {3} documents tested in any split.\np: for each split, 1,999 permutations of the labels "
        "among its test documents; (1 + permutations for which the same probe\nis correct at least as often) / 2,000. "
        "For all splits together: twice the median (Meinshausen, Meier and Buehlmann 2009)",
        result.splits, result.testDocuments, result.trainDocuments, withCommas(result.testedDocuments));
}

/// How many heads have the smallest p that there can be, which does not rank them; empty where fewer than two have.
std::string floorWords(const LabelProbeResult& result, std::string_view unit)
{
    constexpr double kRounding = 1e-9;
    const auto atFloor = std::ranges::count_if(
        result.heads, [&result](const LabelScore& head) { return head.p <= result.smallestP() + kRounding; });
    return atFloor < 2
               ? std::string()
               : fmt::format("The p value of {} {}s is the smallest possible, {:.4f}, so p and q cannot rank them.\n",
                             atFloor, unit, result.smallestP());
}

} // namespace

std::string labelProbeText(const LabelProbeResult& result)
{
    const std::string unit(unitName(result.stage));
    return fmt::format(
        "layer {}, stage {} ({}s): \"{}\" predicted from one vector of a document by a linear probe\n{} labels, {} "
        "training documents, {} test documents; split by documents, {}, C = {}\nChance: {:.4f}, the larger of always "
        "predicting the most common label of the training documents, {:.4f} (balanced accuracy {:.4f}),\nand guessing "
        "among {} labels, {:.4f}.\n\n{}\nall: the concatenated vectors of the {}s.\n{};\nq: p after Benjamini-Hochberg "
        "over the {}s. Balanced accuracy: recall of each label, mean over the labels.\n{}A label that a text contains "
        "can often be predicted from any vector of the text. A {} that predicts a label need not be specialised in "
        "this label.\nDifferences between two {}s are not tested.\n",
        result.layer, stageName(result.stage), unit, result.label, result.classes, withCommas(result.trainDocuments),
        withCommas(result.testDocuments), seedsOf(result), result.options.c, result.chance(), result.majority,
        result.balancedMajority, result.classes, result.guessing(), frameText(labelProbeFrame(result)), unit,
        splitsWords(result), unit, floorWords(result, unit), unit, unit);
}

std::vector<std::string> labelProbeNotices(const LabelProbeResult& result)
{
    std::vector<std::string> notices;
    const std::int64_t documents = result.trainDocuments + result.testDocuments;
    if (2 * result.classes > documents)
        notices.push_back(fmt::format(
            "{} labels for {} documents: \"{}\" looks like an id; most labels have too few documents for training and "
            "test",
            withCommas(result.classes), withCommas(documents), result.label));
    if (result.untrained > 0)
        notices.push_back(fmt::format(
            "{} test documents of {} have a label that no training document has; such a label is never predicted",
            withCommas(result.untrained), result.splits > 1 ? "the first split" : "the split"));
    if (result.leftOut > 0)
        notices.push_back(fmt::format("excluded {} documents with NaN or infinity", withCommas(result.leftOut)));
    const auto open = std::ranges::count(result.heads, false, &LabelScore::converged) + (result.full.converged ? 0 : 1);
    if (open > 0)
        notices.push_back(fmt::format("{} of {} probes stopped before they converged", open, result.heads.size() + 1));
    return notices;
}

} // namespace headscope
