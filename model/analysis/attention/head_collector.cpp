// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/attention/head_collector.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace headscope
{
namespace
{

constexpr std::uint64_t kStream = 0x68656164; ///< "head": apart from what else the seed draws

/// The length of a vector, summed in double in its order.
float lengthOf(std::span<const float> vector)
{
    double sum = 0;
    for (const float x : vector)
        sum += static_cast<double>(x) * static_cast<double>(x);
    return static_cast<float>(std::sqrt(sum));
}

std::vector<float> copyOf(std::span<const float> row)
{
    return {row.begin(), row.end()};
}

/// The rows of a matrix at these places.
template <class Slots>
MatrixF rowsAt(const MatrixF& all, const Slots& slots)
{
    MatrixF rows(std::ssize(slots), all.cols());
    for (std::size_t i = 0; i < slots.size(); ++i)
        std::ranges::copy(all.row(static_cast<std::int64_t>(slots[i].slot)),
                          rows.row(static_cast<std::int64_t>(i)).begin());
    return rows;
}

} // namespace

std::optional<std::size_t> HeadCollector::Smallest::slotFor(std::uint64_t number, std::int64_t token)
{
    if (heap.size() < most)
    {
        const std::size_t slot = heap.size();
        heap.push_back({number, token, slot});
        std::ranges::push_heap(heap);
        return slot;
    }
    if (most == 0 || std::pair(number, token) > std::pair(heap.front().number, heap.front().token))
        return std::nullopt;
    std::ranges::pop_heap(heap);
    const std::size_t slot = heap.back().slot;
    heap.back() = {number, token, slot};
    std::ranges::push_heap(heap);
    return slot;
}

std::vector<HeadCollector::Drawn> HeadCollector::Smallest::byToken() const
{
    auto sorted = heap;
    std::ranges::sort(sorted, {}, &Drawn::token);
    return sorted;
}

HeadCollector::HeadCollector(HeadCorpus begun, std::vector<HeadExample> drawn, ExampleCounts counts)
    : m_corpus(std::move(begun)), m_counts(counts), m_random(m_corpus.source.seed, kStream)
{
    if (m_corpus.offsets.empty())
        m_corpus.offsets = {0};
    m_sample.most = static_cast<std::size_t>(m_corpus.source.sampleTokens);
    m_drawn.most = m_counts.drawn;
    const std::int64_t dims = m_corpus.source.model.headDim;
    m_q = m_k = m_z = MatrixF(m_corpus.source.sampleTokens, dims);
    for (std::size_t i = 0; i < m_corpus.sampled.size(); ++i)
    {
        const auto slot = m_sample.slotFor(numberOf(m_corpus.sampled[i]), m_corpus.sampled[i]);
        if (!slot)
            continue;
        const auto from = static_cast<std::int64_t>(i);
        const auto to = static_cast<std::int64_t>(*slot);
        std::ranges::copy(std::as_const(m_corpus.q).row(from), m_q.row(to).begin());
        std::ranges::copy(std::as_const(m_corpus.k).row(from), m_k.row(to).begin());
        std::ranges::copy(std::as_const(m_corpus.z).row(from), m_z.row(to).begin());
    }
    for (HeadExample& each : drawn)
        if (const auto slot = m_drawn.slotFor(numberOf(each.token), each.token))
        {
            m_rows.resize(std::max(m_rows.size(), *slot + 1));
            m_rows[*slot] = std::move(each.weights);
        }
    m_corpus.sampled.clear();
    m_corpus.q = m_corpus.k = m_corpus.z = {};
}

Status HeadCollector::add(const HeadDocument& document)
{
    std::vector<float> activations;
    for (std::int64_t t = 0; t < document.z.rows(); ++t)
    {
        activations.push_back(lengthOf(document.z.row(t)));
        if (!std::isfinite(activations.back()))
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected finite outputs of the head, found NaN or infinity at token {}", t),
                         {},
                         "document " + document.id};
    }
    const std::int64_t first = tokens();
    takeTokens(document, activations);
    takeSample(document, first);
    takeTop(document, first, activations);
    return {};
}

void HeadCollector::takeTokens(const HeadDocument& document, std::span<const float> activations)
{
    m_corpus.documents.push_back(document.id);
    m_corpus.ids.insert(m_corpus.ids.end(), document.ids.begin(), document.ids.end());
    m_corpus.activations.insert(m_corpus.activations.end(), activations.begin(), activations.end());
    for (std::int64_t t = 0; t < document.weights.rows(); ++t)
    {
        const auto row = document.weights.row(t);
        const auto largest = std::ranges::max_element(row);
        m_corpus.strongest.push_back(static_cast<std::int32_t>(largest - row.begin()));
        m_corpus.strongestWeights.push_back(*largest);
        m_corpus.firstWeights.push_back(row.front());
    }
    m_corpus.offsets.push_back(m_corpus.tokenCount());
}

void HeadCollector::takeSample(const HeadDocument& document, std::int64_t first)
{
    for (std::int64_t t = 0; t < document.z.rows(); ++t)
    {
        const std::uint64_t number = numberOf(first + t);
        if (const auto slot = m_sample.slotFor(number, first + t))
        {
            const auto to = static_cast<std::int64_t>(*slot);
            std::ranges::copy(document.q.row(t), m_q.row(to).begin());
            std::ranges::copy(document.k.row(t), m_k.row(to).begin());
            std::ranges::copy(document.z.row(t), m_z.row(to).begin());
        }
        if (const auto slot = m_drawn.slotFor(number, first + t))
        {
            m_rows.resize(std::max(m_rows.size(), *slot + 1));
            m_rows[*slot] = copyOf(document.weights.row(t));
        }
    }
}

void HeadCollector::takeTop(const HeadDocument& document, std::int64_t first, std::span<const float> activations)
{
    std::vector<std::int64_t> order(activations.size());
    std::iota(order.begin(), order.end(), std::int64_t{0});
    const auto most = static_cast<std::ptrdiff_t>(std::min(m_counts.topPerDocument, order.size()));
    const auto stronger = [&](std::int64_t a, std::int64_t b) {
        const float left = activations[static_cast<std::size_t>(a)];
        const float right = activations[static_cast<std::size_t>(b)];
        return left != right ? left > right : a < b;
    };
    std::ranges::partial_sort(order, order.begin() + most, stronger);
    order.resize(static_cast<std::size_t>(most));
    auto& top = m_corpus.top;
    for (const std::int64_t t : order)
    {
        // Of equal ones the earlier token, which is there already.
        if (top.size() == m_counts.top &&
            (top.empty() || activations[static_cast<std::size_t>(t)] <= activationOf(top.back())))
            return;
        HeadExample example{first + t, copyOf(document.weights.row(t))};
        const auto place = std::ranges::upper_bound(top, activations[static_cast<std::size_t>(t)], std::greater<>(),
                                                    [this](const HeadExample& each) { return activationOf(each); });
        top.insert(place, std::move(example));
        if (top.size() > m_counts.top)
            top.pop_back();
    }
}

HeadCorpus HeadCollector::gathered() const
{
    HeadCorpus corpus = m_corpus;
    const auto sampled = m_sample.byToken();
    for (const Drawn& each : sampled)
        corpus.sampled.push_back(each.token);
    corpus.q = rowsAt(m_q, sampled);
    corpus.k = rowsAt(m_k, sampled);
    corpus.z = rowsAt(m_z, sampled);
    return corpus;
}

std::vector<HeadExample> HeadCollector::drawn() const
{
    std::vector<HeadExample> examples;
    for (const Drawn& each : m_drawn.byToken())
        examples.push_back({each.token, m_rows[each.slot]});
    return examples;
}

HeadCorpus HeadCollector::finish() const
{
    HeadCorpus corpus = gathered();
    const auto deciles = decilesOf(corpus.activations);
    auto byNumber = m_drawn.heap;
    std::ranges::sort(byNumber);
    for (const Drawn& each : byNumber)
    {
        auto& examples = corpus.deciles[deciles[static_cast<std::size_t>(each.token)]];
        if (examples.size() < m_counts.perDecile)
            examples.push_back({each.token, m_rows[each.slot]});
    }
    return corpus;
}

} // namespace headscope
