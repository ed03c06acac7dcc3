// SPDX-License-Identifier: GPL-3.0-or-later
// From what is known of each layer to measures of all heads.
#include "app/views/atlas/measure_heads.h"
#include "model/analysis/statistics/intervals.h"
#include "model/analysis/statistics/permutations.h"
#include "model/data/frame/method_names.h"
#include "model/data/key_sharing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <iterator>
#include <utility>

namespace headscope::desktop
{
namespace
{

constexpr double kOf95 = 1.959963984540054;

class Collector
{
public:
    Collector(const ModelInfo& model, Stage stage, const Origin& origin)
        : m_model(model), m_stage(stage), m_origin(origin)
    {}

    /// A measure to be filled; those that stay without a value are dropped.
    HeadMeasure& add(std::string_view key, std::int64_t count, std::int64_t allCount)
    {
        HeadMeasure& measure = m_measures.emplace_back(measureOf(key, m_stage, m_model.layers, m_model.heads));
        measure.count = count;
        measure.allCount = allCount;
        measure.source = fmt::format("stage {} of this cache", stageName(m_stage));
        measure.origin = m_origin;
        return measure;
    }
    void addIntervals(HeadMeasure& measure, std::string_view method) const
    {
        measure.low = measure.high = noValues(m_model.layers, m_model.heads);
        measure.intervalMethod = method;
    }
    void addTest(HeadMeasure& measure, std::string_view method) const
    {
        measure.p = noValues(m_model.layers, m_model.heads);
        measure.nullMethod = method;
    }
    std::vector<HeadMeasure> take()
    {
        std::erase_if(m_measures, [](const HeadMeasure& each) { return each.known() == 0; });
        for (HeadMeasure& measure : m_measures)
            if (!measure.p.empty())
                measure.q = qOf(measure.p);
        return {std::make_move_iterator(m_measures.begin()), std::make_move_iterator(m_measures.end())};
    }

private:
    const ModelInfo& m_model;
    Stage m_stage;
    const Origin& m_origin;
    std::deque<HeadMeasure> m_measures; ///< references to them stay
};

void putInterval(HeadMeasure& measure, std::int64_t layer, std::int64_t head, const Interval& interval)
{
    measure.low(layer, head) = interval.low;
    measure.high(layer, head) = interval.high;
}

/// Lengths, directions and scores.
void addVectors(Collector& all, const AtlasLayers& layers)
{
    const HeadReport& first = *layers.front()->report;
    const auto column = [&](std::string_view key, double HeadStatistics::*value) -> HeadMeasure& {
        HeadMeasure& measure = all.add(key, first.documents, first.allDocuments);
        for (const auto& each : layers)
            for (const HeadStatistics& head : each->report->statistics)
                measure.value(each->layer.value(), head.head) = head.*value;
        return measure;
    };
    HeadMeasure& strength = column("mean_norm", &HeadStatistics::meanNorm);
    all.addIntervals(strength, "normal approximation over documents");
    for (const auto& each : layers)
        for (const HeadStatistics& head : each->report->statistics)
            if (head.documents >= 10)
            {
                const auto n = static_cast<double>(head.documents);
                const double error = kOf95 * head.sdNorm / std::sqrt(n - 1); // sdNorm is that of the population
                putInterval(strength, each->layer.value(), head.head, {head.meanNorm - error, head.meanNorm + error});
            }
    column("sd_norm", &HeadStatistics::sdNorm);
    column("spread", &HeadStatistics::spread);
    column("score", &HeadStatistics::score);
}

/// Mean of a likeness over the other heads that `counts` takes; NaN where none has a value.
template <class Counts>
double meanOver(const MatrixD& likeness, std::int64_t head, Counts counts)
{
    double sum = 0;
    std::int64_t count = 0;
    for (std::int64_t other = 0; other < likeness.cols(); ++other)
        if (other != head && counts(other) && std::isfinite(likeness(head, other)))
        {
            sum += likeness(head, other);
            ++count;
        }
    return count > 0 ? sum / static_cast<double>(count) : std::numeric_limits<double>::quiet_NaN();
}

void addLikeness(Collector& all, const AtlasLayers& layers, const ModelInfo& model, Stage stage)
{
    const bool grouped = hasKvGroups(model, stage);
    const auto column = [&](std::string_view key, MatrixD HeadRedundancy::*of, auto counts) -> HeadMeasure& {
        HeadMeasure& measure = all.add(key, 0, 0);
        for (const auto& each : layers)
            if (each->report->redundancy)
            {
                const HeadRedundancy& redundancy = *each->report->redundancy;
                measure.count = std::max(measure.count, redundancy.documents);
                for (std::int64_t head = 0; head < (redundancy.*of).rows(); ++head)
                    measure.value(each->layer.value(), head) =
                        meanOver(redundancy.*of, head, [&](std::int64_t other) { return counts(head, other); });
            }
        return measure;
    };
    const auto other = [](std::int64_t, std::int64_t) { return true; };
    const auto sameGroup = [&](std::int64_t head, std::int64_t to) {
        return grouped && model.groupOf(HeadIndex(head)) == model.groupOf(HeadIndex(to));
    };
    const auto otherGroup = [&](std::int64_t head, std::int64_t to) { return grouped && !sameGroup(head, to); };
    column("cka_layer", &HeadRedundancy::cka, other);
    column("cka_group", &HeadRedundancy::cka, sameGroup);
    column("cka_others", &HeadRedundancy::cka, otherGroup);
    column("mean_cosine", &HeadRedundancy::meanCosine, other);
    HeadMeasure& overlap = column("overlap", &HeadRedundancy::neighborOverlap, other);
    for (const auto& each : layers)
        if (each->report->redundancy)
            overlap.chance = each->report->redundancy->neighborChance();
}

void addTested(Collector& all, const AtlasLayers& layers, std::string_view key,
               TestedNumbers HeadTopicStatistics::*numbers, std::string_view intervals)
{
    const HeadReport& first = *layers.front()->report;
    HeadMeasure& measure =
        all.add(key, first.answers ? first.answers->documents : 0, first.answers ? first.allDocuments : 0);
    all.addIntervals(measure, intervals);
    all.addTest(measure, kLabelsPermuted);
    for (const auto& each : layers)
    {
        if (!each->report->answers)
            continue;
        const TestedNumbers& of = *each->report->answers.*numbers;
        for (std::size_t head = 0; head < of.value.size(); ++head)
        {
            const auto h = static_cast<std::int64_t>(head);
            measure.value(each->layer.value(), h) = of.value[head];
            if (head < of.ci95.size())
                putInterval(measure, each->layer.value(), h, of.ci95[head]);
            if (head < of.null.size())
                measure.p(each->layer.value(), h) = of.null[head].p;
        }
        if (key == "match")
            measure.chance = each->report->answers->matchChance;
    }
}

HeadMeasure& addPlain(Collector& all, const AtlasLayers& layers, std::string_view key,
                      std::vector<double> HeadTopicStatistics::*numbers)
{
    const HeadReport& first = *layers.front()->report;
    HeadMeasure& measure =
        all.add(key, first.answers ? first.answers->documents : 0, first.answers ? first.allDocuments : 0);
    for (const auto& each : layers)
        if (each->report->answers)
        {
            const std::vector<double>& of = *each->report->answers.*numbers;
            for (std::size_t head = 0; head < of.size(); ++head)
                measure.value(each->layer.value(), static_cast<std::int64_t>(head)) = of[head];
        }
    return measure;
}

void addFollows(Collector& all, const AtlasLayers& layers)
{
    HeadMeasure& follows = addPlain(all, layers, "follows", &HeadTopicStatistics::followsFull);
    all.addIntervals(follows, kJackknife);
    for (const auto& each : layers)
        if (each->report->answers)
            for (std::size_t head = 0; head < each->report->answers->followsCi95.size(); ++head)
                putInterval(follows, each->layer.value(), static_cast<std::int64_t>(head),
                            each->report->answers->followsCi95[head]);
}

void addPurity(Collector& all, const AtlasLayers& layers)
{
    const HeadReport& first = *layers.front()->report;
    HeadMeasure& measure = all.add("purity", layers.front()->purityDocuments, first.allDocuments);
    all.addIntervals(measure, kJackknife);
    all.addTest(measure, kLabelsPermuted);
    for (const auto& each : layers)
        for (std::size_t head = 0; head < each->purity.size(); ++head)
        {
            const auto h = static_cast<std::int64_t>(head);
            measure.value(each->layer.value(), h) = each->purity[head];
            putInterval(measure, each->layer.value(), h, each->purityCi95[head]);
            measure.p(each->layer.value(), h) = each->purityP[head];
            measure.chance = each->purityChance;
        }
}

void addLeftOut(Collector& all, const AtlasLayers& layers)
{
    const HeadReport& first = *layers.front()->report;
    HeadMeasure& measure =
        all.add("left_out", first.answers ? first.answers->documents : 0, first.answers ? first.allDocuments : 0);
    all.addIntervals(measure, kBootstrap);
    all.addTest(measure, "random sign flips of the documents' differences");
    for (const auto& each : layers)
        for (std::size_t head = 0; head < each->leftOut.size(); ++head)
        {
            const auto h = static_cast<std::int64_t>(head);
            measure.value(each->layer.value(), h) = each->leftOut[head].difference;
            putInterval(measure, each->layer.value(), h, each->leftOut[head].ci95);
            measure.p(each->layer.value(), h) = each->leftOut[head].p;
        }
}

} // namespace

MatrixD qOf(const MatrixD& p)
{
    return {p.rows(), p.cols(), benjaminiHochberg(p.values())};
}

std::vector<HeadMeasure> measuresOf(const AtlasLayers& layers, const ModelInfo& model, Stage stage,
                                    const Origin& origin)
{
    if (layers.empty())
        return {};
    Collector all(model, stage, origin);
    addVectors(all, layers);
    addLikeness(all, layers, model, stage);
    addTested(all, layers, "match", &HeadTopicStatistics::match, kWilson);
    addPurity(all, layers);
    addTested(all, layers, "selectivity", &HeadTopicStatistics::selectivity, kJackknife);
    addPlain(all, layers, "similarity", &HeadTopicStatistics::meanSimilarity);
    addFollows(all, layers);
    addPlain(all, layers, "evenness", &HeadTopicStatistics::evenness);
    addLeftOut(all, layers);
    return all.take();
}

} // namespace headscope::desktop
