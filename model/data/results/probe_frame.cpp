// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/results/probe_frame.h"

#include "model/data/frame/place_columns.h"
#include "model/data/stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace headscope
{
namespace
{

using S = Shown;
using enum Facet;
using R = ProbeResult;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view kGapIntervals = "bootstrap by document and Student's t over the replicates";
constexpr std::array kKinds = {ProbeBaselineKind::MeansRemoved, ProbeBaselineKind::Gaussian,
                               ProbeBaselineKind::RandomCut, ProbeBaselineKind::ControlTask};

// clang-format off
constexpr ColumnInfo kProbedLayer = {"layer", "Layer", "", kLayerColumn.definition, "", S::Text};
constexpr ColumnInfo kTestEffective = {
    "effective_rows", "Effective sample size", "",
    "Number of independent vectors that would give an interval of the same width", ""};
constexpr ColumnInfo kTestRows = {"test", "Test vectors", "", "Number of test vectors", "", S::Count};
constexpr ColumnInfo kProbeColumns[] = {
    kProbedLayer,
    kStageColumn,
    {"accuracy", "Accuracy", "",
     "Proportion of test vectors whose head, segment or class a linear probe predicts correctly; chance is 1 / classes",
     "Heads and segments differ in mean and scale, so accuracy is often near 1 whatever they represent: compare it "
     "with the baselines", S::Share},
    {"macro_f1", "Macro F1", "", "F1 score, mean over the classes, 0 to 1", ""},
    {"within_group", "Within-group errors", "",
     "At stage 1: proportion of test vectors misclassified as another head of the same KV group",
     "", S::Share},
    {"across_groups", "Across-group errors", "",
     "At stage 1: proportion of test vectors misclassified as a head of another KV group", "", S::Share},
    {"train", "Training vectors", "", "Number of training vectors", "", S::Count},
    kTestRows,
    {"test_documents", "Test documents", "", "Number of documents that the test vectors come from; 0 where vectors "
     "have no documents", "",
     S::Count},
    {"iterations", "Steps", "", "Number of training steps", "", S::Count},
    {"converged", "Converged", "", "1 where the training converged, else 0", "", S::Count},
    kTestEffective,
    {"means_removed", "Means subtracted", "", "Accuracy after each head's mean vector is subtracted",
     "At chance by construction where the split is by documents, since the probe is linear", S::Share},
    {"gaussian", "Gaussian", "",
     "Accuracy on Gaussian noise with the mean and variance of every coordinate of each head",
     "", S::Share},
    {"random_cut", "Random partition", "",
     "Accuracy on a random partition of the dimensions into as many equal segments as there are heads (one partition)",
     "Where it is as high as the probe's accuracy, that accuracy is not evidence that heads are specialised", S::Share},
    {"control_task", "Control task", "",
     "Accuracy on arbitrary labels, fixed for each head and cluster of documents; mean over several replicates", "",
     S::Share},
    {"control_task_gap", "Control-task gap", "",
     "Accuracy minus accuracy on the control task, mean over its replicates", ""},
    {"splits", "Splits", "", "Number of splits into training and test documents", "", S::Count},
    {"split_mean", "Mean of the splits", "", "Accuracy, mean over the splits", "", S::Share},
    {"split_sd", "Deviation of the splits", "",
     "Standard deviation of the accuracy over the splits, not the standard error of its mean",
     "Splits share documents, so it does not measure the sampling error"},
    {"permutations", "Permutations", "", "Number of permutations of the heads within each test document", "", S::Count},
    {"in_group_share", "Errors in group", "",
     "Proportion of the errors that predict another head of the same KV group; chance is (members - 1) / (heads - 1)",
     "How much of this confusion comes only from the shared values is not measured", S::Share},
    {"in_group_rank", "Rank", "",
     "Rank of the true grouping among the groupings that were compared, by errors within groups; 1: no other grouping "
     "has more", "",
     S::Count},
    {"in_group_groupings", "Groupings", "", "Number of groupings that were compared, with groups of the same sizes", "",
     S::Count},
    {"in_group_share_group_means_removed", "Errors in group, means subtracted", "",
     "Proportion of errors in the group, with each group's mean vector subtracted, in the first split",
     "Its null distribution is not known: a value below chance is expected, and the value changes from split to "
     "split", S::Share},
    {"control", "Permuted", "", "Accuracy with labels permuted over all vectors; compared with chance, 1 / classes",
     "A check for leaks between training and test only", S::Share},
};
constexpr Slot kFile[] = {{"layer"}, {"stage"}, {"accuracy"}, {"accuracy", Low, "ci95 low"},
    {"accuracy", High, "ci95 high"}, {"macro_f1", Value, "macro F1"}, {"within_group"}, {"across_groups"}, {"train"},
    {"test"}, {"test_documents"}, {"iterations"}, {"converged"}, {"effective_rows"}, {"accuracy", Chance, "chance"},
    {"means_removed"}, {"means_removed", Low, "means removed ci95 low"},
    {"means_removed", High, "means removed ci95 high"}, {"gaussian"}, {"gaussian", Low, "gaussian ci95 low"},
    {"gaussian", High, "gaussian ci95 high"}, {"random_cut"}, {"random_cut", Low, "random cut ci95 low"},
    {"random_cut", High, "random cut ci95 high"}, {"control_task"}, {"control_task", Low, "control task ci95 low"},
    {"control_task", High, "control task ci95 high"}, {"control_task_gap"},
    {"control_task_gap", Low, "control task gap ci95 low"}, {"control_task_gap", High, "control task gap ci95 high"},
    {"splits"}, {"split_mean"}, {"split_sd"}, {"accuracy", P, "p", 0, true}, {"permutations"},
    {"accuracy", Null, "null mean", 0, true}, {"in_group_share"}, {"in_group_share", Chance, "in group chance"},
    {"in_group_rank"}, {"in_group_groupings"}, {"in_group_share", P, "in group p"},
    {"in_group_share_group_means_removed"}, {"control"}, kRest};

constexpr ColumnInfo kHeadColumns[] = {
    {"head", "Head", "", "Index of the head, segment or class", "", S::Index},
    {"group", "KV group", "", "Index of the KV group (from 1); heads in a group share a KV head", "", S::Index},
    {"precision", "Precision", "", "Of the test vectors predicted as this head, the proportion that come from this "
     "head", "",
     S::Share},
    {"recall", "Recall", "", "Of the test vectors of this head, the proportion predicted as this head", "", S::Share},
    {"f1", "F1", "", "Harmonic mean of precision and recall, 0 to 1", ""},
    {"taken_for", "Most confused with", "",
     "The head that this head's test vectors are most often misclassified as, and the proportion of test vectors for "
     "which this happens",
     "With few test documents, this proportion is based on few vectors", S::Text},
};
constexpr Slot kHeadJson[] = {{"head"}, {"precision"}, {"recall"}, {"recall", Ends}, {"f1"}};
constexpr Slot kHeadTexts[] = {{"head"}, {"group"}, {"precision"}, {"recall"}, {"recall", Ends, "95% interval"},
    {"f1", Value, "F1"}, {"taken_for", Value, "most often misclassified as"}};
constexpr Slots kHeadText[] = {kHeadTexts};

constexpr ColumnInfo kBaselineColumns[] = {
    {"name", "Baseline", "", "Name of the baseline: what replaces the vectors or the labels", "", S::Text},
    {"accuracy", "Accuracy", "",
     "Accuracy of a probe that is trained and tested on the baseline; chance is 1 / classes", "", S::Share},
    kTestEffective,
    kTestRows,
    {"converged", "Converged", "", "Whether the training converged", "", S::Flag},
};
constexpr Slot kBaselineJson[] = {{"name"}, {"accuracy"}, {"accuracy", Span, "ci95"}, kRest};

constexpr ColumnInfo kNumberColumns[] = {
    kProbedLayer,
    kStageColumn,
    {"quantity", "Quantity", "", "Quantity that this row gives", "", S::Text},
    {"head", "Head", "", "Index of the head, segment or class (from 1)", "", S::Text},
    {"predicted", "Predicted", "", "Index of the predicted head, segment or class (from 1)", "", S::Text},
    {"value", "Value", "", "Value of this quantity", ""},
};
// clang-format on

Node pairNode(double first, double second)
{
    return NodeList{first, second};
}

Members groupsResult(const GroupErrors& errors)
{
    return {{"errors", errors.errors},
            {"within", errors.within},
            {"share", errors.share},
            {"ci95", pairNode(errors.ci95.low, errors.ci95.high)},
            {"chance", errors.chance}};
}

Members rankedResult(const GroupErrors& errors)
{
    Members members = groupsResult(errors);
    members.insert(members.end(),
                   {{"rank", errors.rank}, {"groupings", errors.groupings}, {"exact", errors.exact}, {"p", errors.p}});
    return members;
}

Frame baselinesFrame(const std::vector<ProbeBaseline>& baselines)
{
    using B = ProbeBaseline;
    const auto of = [&baselines](auto projection) { return columnValues(baselines, projection); };
    Frame frame(kProbeBaselinesFrame);
    frame.add("name", of([](const B& each) { return baselineName(each.kind); }));
    frame.add("accuracy", of(&B::accuracy)).interval(of([](const B& each) {
        return hasInterval(each.kind) ? each.ci95 : Interval();
    }));
    frame.add("effective_rows", of([](const B& each) { // the control task is a mean over draws: no one has its interval
                  return hasInterval(each.kind) && each.kind != ProbeBaselineKind::ControlTask ? each.effectiveRows
                                                                                               : kNone;
              }));
    frame.add("test", of(&B::testRows));
    frame.add("converged", of(&B::converged));
    return frame;
}

void addBaselines(Members& members, const R& result)
{
    const ProbeBaselines& all = *result.baselines;
    members.insert(members.end(),
                   {{"baselines", baselinesFrame(all.baselines)},
                    {"selectivity", Members{{"value", all.selectivity},
                                            {"ci95", pairNode(all.selectivityCi95.low, all.selectivityCi95.high)},
                                            {"ci95_method", kGapIntervals},
                                            {"draws", all.controlDraws},
                                            {"control_sd", all.controlSd}}},
                    {"splits", Members{{"n", all.splits.accuracies.size()},
                                       {"mean", all.splits.mean},
                                       {"sd", all.splits.sd},
                                       {"accuracies", listNode(all.splits.accuracies)}}},
                    {"null", probedUnits(result) + " permuted within documents, predictions fixed"},
                    {"p", all.null.p},
                    {"permutations", all.null.permutations},
                    {"null_mean", all.null.mean}});
    if (all.groups)
        members.emplace_back("within_group", rankedResult(*all.groups));
    if (all.groupsCentred)
        members.emplace_back("within_group_means_removed", groupsResult(*all.groupsCentred));
}

void addBaselines(Frame& frame, std::span<const R> results)
{
    using B = ProbeBaselines;
    const auto of = [&results](auto projection) {
        return columnValues(results, [&projection](const R& each) {
            static const B kNoBaselines;
            return projection(each.baselines ? *each.baselines : kNoBaselines);
        });
    };
    const auto ofGroups = [&of](auto projection) {
        return of([&projection](const B& each) { return projection(each.groups.value_or(GroupErrors())); });
    };
    frame.find("accuracy")->null(of([](const B& each) { return each.null; }));
    for (const ProbeBaselineKind kind : kKinds)
    {
        const auto found = of([kind](const B& each) {
            const ProbeBaseline* baseline = each.find(kind);
            return baseline != nullptr ? *baseline : ProbeBaseline{kind, kNone, {}, 0, 0, false};
        });
        frame.add(baselineName(kind), columnValues(found, &ProbeBaseline::accuracy))
            .interval(columnValues(
                found, [](const ProbeBaseline& each) { return hasInterval(each.kind) ? each.ci95 : Interval(); }));
    }
    frame.add("control_task_gap", of([](const B& each) { return each.selectivity; }))
        .interval(of([](const B& each) { return each.selectivityCi95; }), kGapIntervals);
    frame.add("splits", of([](const B& each) { return each.splits.accuracies.size(); }));
    frame.add("split_mean", of([](const B& each) { return each.splits.mean; }));
    frame.add("split_sd", of([](const B& each) { return each.splits.sd; }));
    frame.add("permutations", of([](const B& each) { return each.null.permutations; }));
    using G = GroupErrors; // rank and groupings of a probe without errors are no numbers
    frame.add("in_group_share", ofGroups([](const G& each) { return each.share; }))
        .set(Chance, ofGroups([](const G& each) { return each.chance; }))
        .set(P, ofGroups([](const G& each) { return each.p; }));
    frame.add("in_group_rank", ofGroups([](const G& each) { return each.groupings > 0 ? each.rank : kNoCount; }));
    frame.add("in_group_groupings",
              ofGroups([](const G& each) { return each.groupings > 0 ? each.groupings : kNoCount; }));
    frame.add("in_group_share_group_means_removed",
              of([](const B& each) { return each.groupsCentred ? each.groupsCentred->share : kNone; }));
}

/// The layer of a probe, and its stage; nothing where it is of plain matrices.
std::string layerName(const R& result, std::string_view none)
{
    return result.layer ? std::to_string(*result.layer) : std::string(none);
}

std::string_view probedStage(const R& result, std::string_view none)
{
    return result.stage ? stageName(*result.stage) : none;
}

} // namespace

constinit const FrameInfo kProbesFrame = {.key = "probe", .columns = kProbeColumns, .file = kFile};
constinit const FrameInfo kProbedHeadsFrame = {
    .key = "per_head", .columns = kHeadColumns, .shape = JsonShape::Flat, .json = kHeadJson, .texts = kHeadText};
constinit const FrameInfo kProbeBaselinesFrame = {
    .key = "baselines", .columns = kBaselineColumns, .shape = JsonShape::Flat, .json = kBaselineJson};
constinit const FrameInfo kProbeNumbersFrame = {.key = "probe_numbers", .columns = kNumberColumns};

std::string probedUnits(const ProbeResult& result)
{
    return fmt::format("{}s", unitName(result.stage.value_or(Stage::HeadOutput)));
}

Frame probedHeadsFrame(const ProbeResult& result, std::int64_t first)
{
    using H = HeadScore;
    const auto of = [&result](auto projection) { return columnValues(result.perHead, projection); };
    Frame frame(kProbedHeadsFrame);
    frame.add("head", of([first](const H& score) { return score.head + first; }));
    frame.add("precision", of(&H::precision));
    frame.add("recall", of(&H::recall)).interval(of(&H::recallCi95));
    frame.add("f1", of(&H::f1));
    return frame;
}

Members probeResult(const ProbeResult& result)
{
    const auto numberFrom1 = [](std::int64_t head) { return head + 1; };
    NodeList confusion;
    for (std::int64_t row = 0; row < result.confusion.rows(); ++row)
        confusion.push_back(listNode(result.confusion.row(row)));
    Members members = {
        {"stage", stageNode(probedStage(result, ""))},
        {"layer", result.layer ? Node(*result.layer) : Node()},
        {"accuracy", result.accuracy},
        {"ci95", pairNode(result.ci95Low, result.ci95High)},
        {"ci95_method", result.ci95Method},
        {"effective_rows", result.effectiveRows},
        {"test_documents", result.testDocuments.empty() ? Node() : Node(numTestDocuments(result))},
        {"macro_f1", result.macroF1},
        {"objective", result.objective},
        {"gradient", result.gradientNorm},
        {"iterations", result.iterations},
        {"converged", result.converged},
        {"seconds", result.seconds},
        {"steps", listNode(result.steps, [](const FitStep& step) { return pairNode(step.seconds, step.objective); })},
        {"within_group_error", result.withinGroupError},
        {"across_group_error", result.acrossGroupError},
        {"zero_vectors", result.zeroVectors},
        {"left_out", listNode(result.leftOut)},
        {"untrained", listNode(result.untrained, numberFrom1)},
        {"per_head", probedHeadsFrame(result)},
        {"confusion", std::move(confusion)},
        {"chance", result.classes > 0 ? 1 / static_cast<double>(result.classes) : 0}};
    if (result.baselines)
        addBaselines(members, result);
    return members;
}

Frame probesFrame(std::span<const ProbeResult> results, std::span<const std::shared_ptr<const ProbeResult>> controls,
                  bool withBaselines)
{
    const auto of = [&results](auto projection) { return columnValues(results, projection); };
    // Segments belong to no group; matrices are given without a stage.
    const auto ofGroups = [&of](double R::*share) {
        return of(
            [share](const R& each) { return !each.stage || unitName(*each.stage) == "head" ? each.*share : kNone; });
    };
    Frame frame(kProbesFrame);
    frame.add("layer", of([](const R& each) { return layerName(each, "-"); }));
    frame.add("stage", of([](const R& each) { return probedStage(each, "-"); }));
    frame.add("accuracy", of(&R::accuracy))
        .interval(of([](const R& each) {
                      return Interval{each.ci95Low, each.ci95High};
                  }),
                  of(&R::ci95Method))
        .set(Chance,
             of([](const R& each) { return 1 / static_cast<double>(std::max<std::int64_t>(1, each.classes)); }));
    frame.add("macro_f1", of(&R::macroF1));
    frame.add("within_group", ofGroups(&R::withinGroupError));
    frame.add("across_groups", ofGroups(&R::acrossGroupError));
    frame.add("train", of(&R::trainRows));
    frame.add("test", of(&R::testRows));
    frame.add("test_documents", of(numTestDocuments));
    frame.add("iterations", of(&R::iterations));
    frame.add("converged", of(&R::converged));
    frame.add("effective_rows", of(&R::effectiveRows));
    if (withBaselines && std::ranges::any_of(results, [](const R& each) { return each.baselines.has_value(); }))
        addBaselines(frame, results);
    if (controls.size() == results.size() && !results.empty())
        frame.add("control", columnValues(controls, [](const auto& each) { return each ? each->accuracy : kNone; }));
    return frame;
}

Frame probeNumbersFrame(std::span<const ProbeResult> results)
{
    Column::Texts layers, stages, quantities, heads, predictions;
    Column::Reals values;
    for (const ProbeResult& result : results)
    {
        const auto add = [&](const char* quantity, double value, std::string head = {}, std::string predicted = {}) {
            layers.push_back(layerName(result, ""));
            stages.emplace_back(probedStage(result, ""));
            quantities.emplace_back(quantity);
            heads.push_back(std::move(head));
            predictions.push_back(std::move(predicted));
            values.push_back(value);
        };
        add("train rows", static_cast<double>(result.trainRows));
        add("test rows", static_cast<double>(result.testRows));
        if (!result.testDocuments.empty())
            add("test documents", static_cast<double>(numTestDocuments(result)));
        add("accuracy", result.accuracy);
        add("accuracy, 95 % interval from", result.ci95Low);
        add("accuracy, 95 % interval to", result.ci95High);
        add("macro F1", result.macroF1);
        for (const HeadScore& score : result.perHead)
        {
            const std::string head = std::to_string(score.head + 1);
            add("precision", score.precision, head);
            add("recall", score.recall, head);
            add("recall, 95 % interval from", score.recallCi95.low, head);
            add("recall, 95 % interval to", score.recallCi95.high, head);
        }
        for (std::int64_t truth = 0; truth < result.confusion.rows(); ++truth)
            for (std::int64_t predicted = 0; predicted < result.confusion.cols(); ++predicted)
                add("test rows", static_cast<double>(result.confusion(truth, predicted)), std::to_string(truth + 1),
                    std::to_string(predicted + 1));
    }
    Frame frame(kProbeNumbersFrame);
    frame.add("layer", std::move(layers));
    frame.add("stage", std::move(stages));
    frame.add("quantity", std::move(quantities));
    frame.add("head", std::move(heads));
    frame.add("predicted", std::move(predictions));
    frame.add("value", std::move(values));
    return frame;
}

} // namespace headscope
