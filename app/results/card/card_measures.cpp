// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/card/card_measures.h"

#include "model/analysis/geometry/vector_geometry.h"
#include "model/analysis/heads/head_set_measures.h"
#include "model/analysis/heads/redundancy.h"
#include "model/analysis/heads/removal_differences.h"
#include "model/analysis/statistics/intervals.h"
#include "model/analysis/statistics/running_moments.h"
#include "model/data/matrix_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope
{

void addLengths(HeadCard& card, const CardLayer& of)
{
    const ConstMatrixView rows = of.vectors->head(card.head);
    const std::vector<std::int64_t> documents = finiteRows(rows);
    card.leftOut = card.documents - std::ssize(documents);
    RunningMoments norms;
    for (const std::int64_t document : documents)
    {
        double square = 0;
        for (const float value : rows.row(document))
            square += static_cast<double>(value) * static_cast<double>(value);
        norms.add(std::sqrt(square));
    }
    if (documents.empty())
        return;
    card.meanNorm = norms.mean;
    card.meanNormCi95 = norms.ci95();
    const Anisotropy cosines = anisotropy(takeRows(rows, documents).view(), {});
    card.meanCosine = cosines.value;
    card.meanCosineCi95 = cosines.ci95;
}

Status addIntervals(std::vector<CardSimilarHead>& heads, const HeadVectors& own, HeadIndex head,
                    std::span<const std::shared_ptr<const HeadVectors>> layers, int numThreads, JobContext& job)
{
    // The head and these as the heads of one layer.
    const std::int64_t documents = own.documents();
    const std::int64_t dims = own.dims();
    const std::int64_t units = 1 + std::ssize(heads);
    std::vector<float> values(static_cast<std::size_t>(documents * units * dims));
    for (std::int64_t unit = 0; unit < units; ++unit)
    {
        const auto at = static_cast<std::size_t>(std::max<std::int64_t>(unit, 1) - 1);
        const HeadVectors& from = unit == 0 ? own : *layers[at];
        const HeadIndex which = unit == 0 ? head : heads[at].head;
        for (std::int64_t document = 0; document < documents; ++document)
            std::ranges::copy(from.vector(DocumentIndex(document), which),
                              values.begin() + (document * units + unit) * dims);
    }
    const HeadVectors together(own.stage(), own.layer(), documents, units, dims, std::move(values));
    auto intervals = ckaIntervals(together, numThreads, job);
    if (intervals)
        for (std::size_t i = 0; i < heads.size(); ++i)
            heads[i].ci95 = {(*intervals)[i].low, std::min(1.0, (*intervals)[i].high)};
    else if (intervals.error().code == ErrorCode::Cancelled)
        return std::move(intervals).error();
    return {};
}

Status addCut(HeadCard& card, const CardLayer& of, std::uint64_t seed, int numThreads, JobContext& job)
{
    const auto gap = [&card](std::string why) { card.gaps.push_back({CardPart::Importance, std::move(why), {}}); };
    if (!of.topics)
    {
        gap("The cache-only drop needs labelled topics. " + of.noTopics);
        return {};
    }
    if (of.vectors->heads() < 2)
    {
        gap("The layer has one head: without it there is nothing to measure.");
        return {};
    }
    HEADSCOPE_TRY(const HeadMatch match, HeadMatch::create(*of.topics->documents, *of.topics->topics.vectors,
                                                           of.topics->labels.codes, 1, numThreads, job));
    if (match.isCertain() || match.labelled() == 0)
    {
        gap("The cache-only drop has nothing to measure, because all labelled documents have the same label.");
        return {};
    }
    std::vector<bool> kept(static_cast<std::size_t>(match.heads()), true);
    HEADSCOPE_TRY(const auto all, match.flipped(kept, std::vector<std::vector<std::int64_t>>(1), numThreads, job));
    kept[card.head.index()] = false;
    HEADSCOPE_TRY(const PairedDifference difference, maskDifference(match, kept, seed, numThreads, job));
    const auto labelled = static_cast<double>(match.labelled());
    card.cut = CardCut{.all = all.front().value,
                       .allCi95 = wilsonInterval(all.front().value * labelled, labelled),
                       .lost = -difference.difference,
                       .ci95 = {-difference.ci95.high, -difference.ci95.low},
                       .p = difference.p,
                       .documents = match.labelled(),
                       .changed = difference.changed};
    return {};
}

void addProbeOf(HeadCard& card, const CardLayer& of)
{
    if (!of.probe)
    {
        card.gaps.push_back({CardPart::Probe, of.noProbe, {}});
        return;
    }
    const auto& scores = of.probe->perHead;
    const auto score =
        std::ranges::find_if(scores, [&](const HeadScore& each) { return each.head == card.head.value(); });
    if (score == scores.end())
    {
        card.gaps.push_back({CardPart::Probe, "No vector of the head was tested.", {}});
        return;
    }
    CardProbe probe;
    probe.recall = score->recall;
    probe.recallCi95 = score->recallCi95;
    probe.testDocuments = numTestDocuments(*of.probe);
    probe.heads = of.probe->classes;
    for (std::int64_t other = 0; other < of.probe->confusion.cols(); ++other)
        if (const std::int64_t count = of.probe->confusion(card.head.value(), other);
            other != card.head.value() && count > probe.mistaken)
        {
            probe.mistaken = count;
            probe.mistakenFor = HeadIndex(other);
        }
    card.probe = probe;
}

} // namespace headscope
