// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/probe_text.h"

#include "app/results/baseline_text.h"
#include "model/base/fields/fields.h"
#include "model/data/frame/frame_text.h"
#include "model/data/frame/text_table.h"
#include "model/data/key_sharing.h"
#include "model/data/results/probe_frame.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

namespace headscope
{
namespace
{

std::string layerText(const ProbeResult& result)
{
    return result.layer ? std::to_string(*result.layer) : "-";
}

std::string stageText(const ProbeResult& result)
{
    return result.stage ? fmt::format("{} ({}s)", stageName(*result.stage), unitName(*result.stage)) : "-";
}

std::string shareWithInterval(const ProbeResult& result)
{
    return fmt::format("{:.4f} ({:.4f} to {:.4f})", result.accuracy, result.ci95Low, result.ci95High);
}

/// Whether the classes of a probe fall into KV groups: segments, and classes of plain matrices, do not.
bool hasGroups(const ProbeResult& result, const ModelInfo& model)
{
    return result.stage && hasKvGroups(model, *result.stage);
}

bool anyGroups(const std::vector<ProbeResult>& results, const ModelInfo& model)
{
    return std::any_of(results.begin(), results.end(),
                       [&model](const ProbeResult& result) { return hasGroups(result, model); });
}

/// The share of errors that stay inside a KV group, as people read it.
std::string groupShare(double share, const ProbeResult& result, const ModelInfo& model)
{
    return hasGroups(result, model) ? fmt::format("{:.4f}", share) : "-";
}

/// "3 and 5 (12.0%)": the two that are most often taken for each other.
std::string mostConfused(const ProbeResult& result)
{
    const auto pair = mostConfusedPair(result);
    if (!pair)
        return "-";
    const std::int64_t first = result.stage ? 1 : 0; // classes of plain matrices keep their numbers
    return fmt::format("{} and {} ({:.1f}%)", pair->first + first, pair->second + first, 100 * pair->share);
}

/// Accuracy by layer and stage.
std::string sweepText(const std::vector<ProbeResult>& results)
{
    std::map<std::int64_t, std::map<Stage, std::string>> cells;
    std::set<Stage> stages;
    for (const ProbeResult& result : results)
    {
        cells[result.layer.value_or(-1)][result.stage.value_or(Stage::HeadOutput)] = shareWithInterval(result);
        stages.insert(result.stage.value_or(Stage::HeadOutput));
    }
    std::vector<std::string> header = {"layer"};
    for (const Stage stage : stages)
        header.push_back(fmt::format("stage {} ({}s)", stageName(stage), unitName(stage)));
    TextTable table(header);
    for (auto& [layer, row] : cells)
    {
        std::vector<std::string> line = {std::to_string(layer)};
        for (const Stage stage : stages)
            line.push_back(row.contains(stage) ? row[stage] : "-");
        table.add(std::move(line));
    }
    return table.text();
}

std::string resultsText(const std::vector<ProbeResult>& results, const ModelInfo& model)
{
    const bool groups = anyGroups(results, model);
    std::vector<std::string> header = {"layer", "stage", "accuracy", "95% interval", "effective rows", "macro F1"};
    if (groups)
        header.insert(header.end(), {"errors within group", "errors across groups"});
    header.insert(header.end(), {"most confused", "iterations", "seconds"});
    TextTable table(std::move(header));
    for (const ProbeResult& result : results)
    {
        std::vector<std::string> line = {layerText(result),
                                         stageText(result),
                                         fmt::format("{:.4f}", result.accuracy),
                                         fmt::format("{:.4f} to {:.4f}", result.ci95Low, result.ci95High),
                                         fmt::format("{:.1f}", result.effectiveRows),
                                         fmt::format("{:.4f}", result.macroF1)};
        if (groups)
            line.insert(line.end(), {groupShare(result.withinGroupError, result, model),
                                     groupShare(result.acrossGroupError, result, model)});
        line.insert(line.end(),
                    {mostConfused(result), std::to_string(result.iterations), fmt::format("{:.2f}", result.seconds)});
        table.add(std::move(line));
    }
    return table.text();
}

/// The head that a head is most often taken for, with the share of its vectors.
std::string takenFor(const ProbeResult& result, std::int64_t k)
{
    std::int64_t total = 0;
    std::int64_t most = -1;
    for (std::int64_t l = 0; l < result.classes; ++l)
    {
        total += result.confusion(k, l);
        if (l != k && result.confusion(k, l) > 0 && (most < 0 || result.confusion(k, l) > result.confusion(k, most)))
            most = l;
    }
    if (most < 0)
        return "-";
    return fmt::format("{} ({:.1f}%)", result.perHead[static_cast<std::size_t>(most)].head + 1,
                       100.0 * static_cast<double>(result.confusion(k, most)) / static_cast<double>(total));
}

/// Precision, recall and F1 of each head of one result.
std::string headsText(const ProbeResult& result, const ModelInfo& model)
{
    // Classes of plain matrices keep their numbers, heads count from 1.
    Frame frame = probedHeadsFrame(result, result.stage ? 1 : 0);
    frame.columns().front().named(result.stage ? std::string(unitName(*result.stage)) : "class");
    if (hasGroups(result, model))
        frame.add("group", columnValues(result.perHead, [&model](const HeadScore& score) {
                      return 1 + score.head / model.groupSize();
                  }));
    Column::Texts others;
    for (std::int64_t k = 0; k < result.classes; ++k)
        others.push_back(takenFor(result, k));
    frame.add("taken_for", std::move(others));
    return frameText(frame);
}

/// How the intervals are made.
std::string intervalText(const ProbeResult& first)
{
    if (first.testDocuments.empty())
        return "\n95% interval: Wilson's, over the test vectors.";
    if (first.options.split == ProbeSplit::Rows)
        return "\n95% interval: Wilson's, over the effective sample size: test vectors of one document are not "
               "independent. Other vectors of\nthese documents are in the training data, so the interval does not hold "
               "for new documents.";
    if (first.options.control)
        return "\n95% interval: Wilson's, over the effective sample size, by document. The labels were permuted among "
               "all vectors, so the\nvectors of a document share nothing that could predict a label.";
    return fmt::format("\n95% interval: Wilson's, over the effective sample size: the {} test vectors of one document "
                       "are not independent. With few\nerrors, the interval extends at least as far towards chance as "
                       "the interval for one correct vector per document.",
                       first.classes);
}

/// What the telling of segments does not mean; "" where there are none.
std::string segmentsText(const std::vector<ProbeResult>& results)
{
    const bool any = std::any_of(results.begin(), results.end(), [](const ProbeResult& each) {
        return each.stage && unitName(*each.stage) == "segment";
    });
    return any ? "\nSegments: the probe predicts which segment a vector is. No segment is the output of one head; an "
                 "accuracy of 1.0000 shows\nthat the coordinates of the segments have different offsets."
               : "";
}

/// How the intervals of the recalls are made.
std::string recallText(const ProbeResult& first)
{
    if (first.testDocuments.empty())
        return "\n95% interval of the recall: Wilson's over the test vectors of the class.\n";
    if (first.options.control)
        return "\n95% interval of the recall: Wilson's over the test vectors that have the label after permutation.\n";
    return first.options.split == ProbeSplit::Rows
               ? "\n95% interval of the recall: Wilson's over the test vectors of the head, each from a different "
                 "document.\n"
               : "\n95% interval of the recall: Wilson's over the documents; each has one vector of every head.\n";
}

bool severalLayers(const std::vector<ProbeResult>& results)
{
    return std::any_of(results.begin(), results.end(),
                       [&](const ProbeResult& result) { return result.layer != results.front().layer; });
}

} // namespace

void addProbeOptions(Provenance& provenance, ProbeOptions options, bool drawsTests)
{
    Fields rows;
    fields(rows, options);
    provenance.add(rows, {"c", "split"});
    if (drawsTests)
        provenance.add(rows, {"test"});
    if (options.trainRows > 0)
        provenance.add(rows, {"train"});
    provenance.add(rows, {"seed"});
    if (options.control)
        provenance.add("control", std::string("labels permuted"));
}

std::string probeText(const std::vector<ProbeResult>& results, const ModelInfo& model)
{
    const ProbeResult& first = results.front();
    std::string text = fmt::format(
        "{} classes, {} training vectors, {} test vectors{}; split by {}, seed {}, C = {}\n", first.classes,
        withCommas(first.trainRows), withCommas(first.testRows),
        first.testDocuments.empty() ? std::string()
                                    : fmt::format(" of {} documents", withCommas(numTestDocuments(first))),
        first.options.split == ProbeSplit::Documents ? "documents" : "rows", first.options.seed, first.options.c);
    const double chance = 1 / static_cast<double>(first.classes);
    text += first.options.control
                ? fmt::format("Labels permuted among all vectors: a leak check, not a control task. An interval above "
                              "chance, {:.4f}, would\nindicate that test vectors leaked into training; the check does "
                              "not detect vectors of one document in both parts.\n\n",
                              chance)
                : fmt::format("Chance is {:.4f}.\n\n", chance);
    text += severalLayers(results) ? sweepText(results) : resultsText(results, model);
    text += intervalText(first);
    if (!severalLayers(results) && anyGroups(results, model))
        text += fmt::format(
            "\nThe {} heads of a KV group share keys and values. Errors within group: proportion of the test vectors "
            "misclassified as another head of the same group; errors across groups: proportion misclassified as a head "
            "of another group{}.",
            model.groupSize(), results.size() > 1 ? " (segments have no groups)" : "");
    if (!severalLayers(results))
        text += "\nMost confused: the pair with the most errors between its two classes, and these errors as a "
                "proportion of the test vectors.";
    if (!first.options.control) // a shuffled label is of no slice
        text += segmentsText(results);
    text += '\n';
    if (results.size() == 1)
        text += '\n' + headsText(first, model) + recallText(first);
    text += baselinesText(results);
    return text;
}

std::vector<std::string> probeNotices(const std::vector<ProbeResult>& results)
{
    std::vector<std::string> notices;
    const ProbeResult& first = results.front();
    if (first.layer && first.options.split == ProbeSplit::Rows)
        notices.push_back("split by rows: vectors of one document appear in both training and test, so accuracy may be "
                          "lower for new documents");
    for (const ProbeResult& result : results)
    {
        const std::string where =
            result.layer && results.size() > 1
                ? fmt::format("layer {} stage {}: ", *result.layer, result.stage ? stageName(*result.stage) : "-")
                : std::string();
        if (!result.converged)
            notices.push_back(
                fmt::format("{}the probe stopped after {} iterations before it converged", where, result.iterations));
        const std::string unit = result.stage ? std::string(unitName(*result.stage)) : "class";
        std::vector<std::string> heads;
        for (std::size_t h = 0; h < result.leftOut.size() && h < result.perHead.size(); ++h)
        {
            if (result.leftOut[h] > 0)
                heads.push_back(fmt::format("{} of {} {}", result.leftOut[h], unit,
                                            result.perHead[h].head + (result.stage ? 1 : 0)));
        }
        if (!heads.empty())
            notices.push_back(
                fmt::format("{}excluded vectors with NaN or infinity: {}", where, fmt::join(heads, ", ")));
        if (!result.noBaselines.empty())
            notices.push_back(fmt::format("{}no baselines: {}", where, result.noBaselines));
        if (result.zeroVectors > 0)
            notices.push_back(fmt::format("{}{} vectors are zero; they are included, but no probe can distinguish them",
                                          where, withCommas(result.zeroVectors)));
        if (!result.untrained.empty())
        {
            std::vector<std::int64_t> shown;
            for (const std::int64_t head : result.untrained)
                shown.push_back(result.stage ? head + 1 : head);
            notices.push_back(
                fmt::format("{}no training vector of {} {}: never predicted", where, unit, fmt::join(shown, ", ")));
        }
    }
    return notices;
}

} // namespace headscope
