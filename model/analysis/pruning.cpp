// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/pruning.h"

#include "model/base/parallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope
{
namespace
{

double product(std::span<const float> a, std::span<const float> b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += double{a[i]} * b[i];
    return sum;
}

bool isFinite(std::span<const float> values)
{
    return std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
}

/// Units as heads, and what their removal saves.
class Units
{
public:
    Units(const HeadMatch& match, const ModelInfo& model, PruningUnit unit)
        : m_model(model), m_heads(match.heads()), m_size(unit == PruningUnit::Heads ? 1 : model.groupSize())
    {}

    [[nodiscard]] std::int64_t count() const { return m_heads / m_size; }

    /// Heads of the units whose flag is set.
    [[nodiscard]] std::vector<std::int64_t> headsOf(const std::vector<bool>& units) const
    {
        std::vector<std::int64_t> heads;
        for (std::int64_t head = 0; head < m_heads; ++head)
            if (units[static_cast<std::size_t>(head / m_size)])
                heads.push_back(head);
        return heads;
    }

    /// A query head costs its rows of q_proj and columns of o_proj; keys, values and their cache go
    /// only when no head of the group is left.
    void writeSavings(const std::vector<bool>& kept, PruningStep& step) const
    {
        const std::int64_t perHead = 2 * m_model.headDim * m_model.modelDim;
        std::vector<std::int64_t> left(static_cast<std::size_t>(std::max<std::int64_t>(m_model.kvHeads, 1)));
        std::int64_t removedHeads = 0;
        for (std::int64_t head = 0; head < m_heads; ++head)
        {
            if (kept[static_cast<std::size_t>(head / m_size)])
                ++left[m_model.groupOf(HeadIndex(head)).index()];
            else
                ++removedHeads;
        }
        const auto emptyGroups = std::count(left.begin(), left.end(), 0);
        step.parametersSaved = (removedHeads + emptyGroups) * perHead;
        step.kvBytesSaved = emptyGroups * 2 * m_model.headDim * 2;
    }

private:
    const ModelInfo& m_model;
    std::int64_t m_heads;
    std::int64_t m_size;
};

PruningStep makeStep(const HeadMatch& match, const Units& units, const std::vector<bool>& kept, std::int64_t unit,
                     std::int64_t hits)
{
    PruningStep step;
    step.unit = unit;
    step.hits = hits;
    step.value = match.labelled() > 0 ? static_cast<double>(hits) / static_cast<double>(match.labelled())
                                      : std::numeric_limits<double>::quiet_NaN();
    units.writeSavings(kept, step);
    return step;
}

/// The measure of every unit with its flag flipped against `kept`.
std::vector<PruningStep> flipEach(const HeadMatch& match, const Units& units, const std::vector<bool>& kept,
                                  std::int64_t k)
{
    std::vector<PruningStep> steps;
    for (std::int64_t unit = 0; unit < units.count(); ++unit)
    {
        auto flipped = kept;
        flipped[static_cast<std::size_t>(unit)] = !flipped[static_cast<std::size_t>(unit)];
        steps.push_back(makeStep(match, units, flipped, unit, match.hits(units.headsOf(flipped), k)));
    }
    return steps;
}

/// Flips, one after another, the unit in state `from` that leaves the most hits, `count` times.
Result<std::vector<PruningStep>> greedy(const HeadMatch& match, const Units& units, bool from, std::int64_t count,
                                        std::int64_t k, JobContext& job)
{
    std::vector<bool> kept(static_cast<std::size_t>(units.count()), from);
    std::vector<PruningStep> steps = {makeStep(match, units, kept, -1, match.hits(units.headsOf(kept), k))};
    for (std::int64_t step = 0; step < count; ++step)
    {
        HEADSCOPE_CHECK(job.checkStop());
        job.report("trying heads", static_cast<std::uint64_t>(step), static_cast<std::uint64_t>(count), "steps");
        const auto tried = flipEach(match, units, kept, k);
        const PruningStep* best = nullptr;
        for (const PruningStep& candidate : tried)
            if (kept[static_cast<std::size_t>(candidate.unit)] == from &&
                (best == nullptr || candidate.hits > best->hits))
                best = &candidate;
        kept[static_cast<std::size_t>(best->unit)] = !from;
        steps.push_back(*best);
    }
    return steps;
}

} // namespace

Result<HeadMatch> HeadMatch::create(const HeadVectors& documents, const HeadVectors& topics,
                                    std::span<const std::int32_t> labels, int numThreads, JobContext& job)
{
    if (documents.heads() != topics.heads() || documents.dims() != topics.dims())
        return Error{ErrorCode::ShapeMismatch,
                     fmt::format("expected topic vectors of {} heads x {}, found {} x {}", documents.heads(),
                                 documents.dims(), topics.heads(), topics.dims()),
                     {},
                     "topics"};
    HeadMatch match;
    match.m_heads = documents.heads();
    match.m_topics = topics.documents();
    std::vector<std::int64_t> rows;
    for (std::int64_t document = 0; document < documents.documents(); ++document)
    {
        const std::int32_t label = labels[static_cast<std::size_t>(document)];
        if (label < 0 || !isFinite(documents.full(document)))
            continue;
        rows.push_back(document);
        match.m_label.push_back(label);
    }
    const auto n = static_cast<std::int64_t>(rows.size());
    const std::int64_t numTopics = match.m_topics;
    match.m_products.resize(static_cast<std::size_t>(match.m_heads * n * numTopics));
    match.m_documentSquares.resize(static_cast<std::size_t>(match.m_heads * n));
    match.m_topicSquares.resize(static_cast<std::size_t>(match.m_heads * numTopics));
    parallelFor(numThreads, match.m_heads, 1, [&](std::int64_t head, std::int64_t) {
        for (std::int64_t topic = 0; topic < numTopics; ++topic)
        {
            const auto vector = topics.vector(topic, head);
            match.m_topicSquares[static_cast<std::size_t>(head * numTopics + topic)] = product(vector, vector);
        }
        for (std::int64_t i = 0; i < n && !job.stopRequested(); ++i)
        {
            const auto vector = documents.vector(rows[static_cast<std::size_t>(i)], head);
            match.m_documentSquares[static_cast<std::size_t>(head * n + i)] = product(vector, vector);
            for (std::int64_t topic = 0; topic < numTopics; ++topic)
                match.m_products[static_cast<std::size_t>((head * n + i) * numTopics + topic)] =
                    product(vector, topics.vector(topic, head));
        }
    });
    HEADSCOPE_CHECK(job.checkStop());
    return match;
}

std::int64_t HeadMatch::hits(std::span<const std::int64_t> heads, std::int64_t k) const
{
    const auto n = static_cast<std::size_t>(labelled());
    const auto numTopics = static_cast<std::size_t>(m_topics);
    std::vector<double> topicSquares(numTopics);
    for (const std::int64_t head : heads)
        for (std::size_t topic = 0; topic < numTopics; ++topic)
            topicSquares[topic] += m_topicSquares[static_cast<std::size_t>(head) * numTopics + topic];

    std::int64_t count = 0;
    std::vector<double> cosines(numTopics);
    for (std::size_t i = 0; i < n; ++i)
    {
        std::fill(cosines.begin(), cosines.end(), 0.0);
        double squares = 0;
        for (const std::int64_t head : heads)
        {
            const std::size_t row = static_cast<std::size_t>(head) * n + i;
            squares += m_documentSquares[row];
            for (std::size_t topic = 0; topic < numTopics; ++topic)
                cosines[topic] += m_products[row * numTopics + topic];
        }
        for (std::size_t topic = 0; topic < numTopics; ++topic)
        {
            const double lengths = std::sqrt(squares) * std::sqrt(topicSquares[topic]);
            cosines[topic] = lengths > 0 ? cosines[topic] / lengths : 0.0;
        }
        const auto own = static_cast<std::size_t>(m_label[i]);
        std::int64_t before = 0;
        for (std::size_t topic = 0; topic < numTopics; ++topic)
            before += cosines[topic] > cosines[own] || (cosines[topic] == cosines[own] && topic < own) ? 1 : 0;
        count += before < k ? 1 : 0;
    }
    return count;
}

std::vector<PruningStep> withoutEach(const HeadMatch& match, const ModelInfo& model, PruningUnit unit, std::int64_t k)
{
    const Units units(match, model, unit);
    return flipEach(match, units, std::vector<bool>(static_cast<std::size_t>(units.count()), true), k);
}

std::vector<PruningStep> eachAlone(const HeadMatch& match, const ModelInfo& model, PruningUnit unit, std::int64_t k)
{
    const Units units(match, model, unit);
    return flipEach(match, units, std::vector<bool>(static_cast<std::size_t>(units.count()), false), k);
}

Result<std::vector<PruningStep>> backwardElimination(const HeadMatch& match, const ModelInfo& model, PruningUnit unit,
                                                     std::int64_t k, JobContext& job)
{
    const Units units(match, model, unit);
    return greedy(match, units, true, units.count() - 1, k, job);
}

Result<std::vector<PruningStep>> forwardSelection(const HeadMatch& match, const ModelInfo& model, PruningUnit unit,
                                                  std::int64_t k, JobContext& job)
{
    const Units units(match, model, unit);
    return greedy(match, units, false, units.count(), k, job);
}

} // namespace headscope
