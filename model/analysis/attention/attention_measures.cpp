// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/attention/attention_measures.h"

#include "model/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <span>
#include <utility>

namespace headscope
{
namespace
{

constexpr double kSmoothing =
    1e-4; ///< share of a row that is spread over all keys: an entropy without it has no slope at 0

double plogp(double p)
{
    return p > 0 ? -p * std::log(p) : 0.0;
}

double sumOver(std::span<const float> row, TokenRange range)
{
    const auto part = row.subspan(static_cast<std::size_t>(range.begin), static_cast<std::size_t>(range.size()));
    return std::accumulate(part.begin(), part.end(), 0.0);
}

double at(std::span<const float> row, std::int64_t key)
{
    return static_cast<double>(row[static_cast<std::size_t>(key)]);
}

/// For every token the last one before it with the same id.
std::vector<std::int64_t> earlierPlaces(const std::vector<std::int32_t>& ids)
{
    std::vector<std::int64_t> before;
    std::map<std::int32_t, std::int64_t> last;
    for (std::int64_t t = 0; t < std::ssize(ids); ++t)
    {
        const auto [place, isNew] = last.try_emplace(ids[static_cast<std::size_t>(t)], t);
        before.push_back(isNew ? -1 : std::exchange(place->second, t));
    }
    return before;
}

} // namespace

TokenRange AttentionText::visible(std::int64_t token) const
{
    const std::int64_t before = causal ? window - 1 : window / 2;
    const std::int64_t end = causal ? token + 1 : window > 0 ? std::min(tokens, token + window / 2 + 1) : tokens;
    return {window > 0 ? std::max<std::int64_t>(0, token - before) : 0, end};
}

double AttentionText::evenSpanMass() const
{
    if (!query || !span)
        return HeadAttention::kNone;
    double sum = 0;
    for (std::int64_t token = query->begin; token < query->end; ++token)
    {
        const TokenRange seen = visible(token);
        const std::int64_t both = std::min(seen.end, span->end) - std::max(seen.begin, span->begin);
        sum += static_cast<double>(std::max<std::int64_t>(0, both)) / static_cast<double>(seen.size());
    }
    return sum / static_cast<double>(query->size());
}

std::vector<AttentionMeasure> attentionMeasures(const AttentionText& text)
{
    std::vector<AttentionMeasure> measures = {
        {"entropy", &HeadAttention::entropy},        {"entropy_causal", &HeadAttention::entropyCausal},
        {"entropy_raw", &HeadAttention::entropyRaw}, {"entropy_causal_raw", &HeadAttention::entropyCausalRaw},
        {"first_token", &HeadAttention::firstToken}, {"previous_token", &HeadAttention::previousToken},
        {"self_token", &HeadAttention::selfToken},   {"confidence", &HeadAttention::confidence},
        {"largest", &HeadAttention::largest}};
    if (text.span)
        measures.push_back({"span_mass", &HeadAttention::spanMass});
    if (!text.ids.empty())
    {
        measures.push_back({"induction", &HeadAttention::induction});
        measures.push_back({"duplicate_token", &HeadAttention::duplicateToken});
    }
    return measures;
}

void AttentionStatistics::Sum::add(double value)
{
    if (std::isnan(value)) // not measured of this row
        return;
    total += value;
    ++count;
}

double AttentionStatistics::Sum::mean() const
{
    return count == 0 ? HeadAttention::kNone : total / static_cast<double>(count);
}

AttentionStatistics::AttentionStatistics(AttentionText text, std::int64_t heads, int numThreads)
    : m_text(std::move(text)), m_numThreads(numThreads), m_before(earlierPlaces(m_text.ids)),
      m_sums(static_cast<std::size_t>(heads))
{}

/// The measures of one row, as those of a text of one token.
HeadAttention AttentionStatistics::measureRow(std::int64_t token, std::span<const float> row) const
{
    const TokenRange seen = m_text.visible(token);
    const auto weights = row.subspan(static_cast<std::size_t>(seen.begin), static_cast<std::size_t>(seen.size()));
    const double even = kSmoothing / static_cast<double>(m_text.tokens);
    HeadAttention found;
    found.entropy = static_cast<double>(m_text.tokens - seen.size()) * plogp(even); // keys that it may not see
    found.entropyRaw = 0;
    for (const float weight : weights)
    {
        found.entropy += plogp((1 - kSmoothing) * static_cast<double>(weight) + even);
        found.entropyRaw += plogp(static_cast<double>(weight));
    }
    if (seen.size() > 1)
    {
        found.entropyCausal = found.entropy / std::log(static_cast<double>(seen.size()));
        found.entropyCausalRaw = found.entropyRaw / std::log(static_cast<double>(seen.size()));
    }
    found.confidence = static_cast<double>(*std::ranges::max_element(weights));
    if (token > 0)
    {
        found.largest = found.confidence;
        found.firstToken = at(row, 0);
        found.previousToken = at(row, token - 1);
        found.selfToken = at(row, token);
    }
    if (m_text.query && m_text.span && token >= m_text.query->begin && token < m_text.query->end)
        found.spanMass = sumOver(row, *m_text.span);
    if (!m_before.empty())
        measureRepeats(token, row, found);
    return found;
}

void AttentionStatistics::measureRepeats(std::int64_t token, std::span<const float> row, HeadAttention& found) const
{
    const auto before = [this](std::int64_t of) { return m_before[static_cast<std::size_t>(of)]; };
    for (std::int64_t place = before(token); place >= 0; place = before(place))
    {
        found.duplicateToken = (std::isnan(found.duplicateToken) ? 0.0 : found.duplicateToken) + at(row, place);
        if (place + 1 < token) // the token behind it is this one itself otherwise
            found.induction = (std::isnan(found.induction) ? 0.0 : found.induction) + at(row, place + 1);
    }
}

void AttentionStatistics::add(HeadIndex head, TokenIndex first, ConstMatrixView rows)
{
    constexpr std::int64_t kBlock = 8;
    constexpr std::int64_t kWorthThreads = 1 << 16; // weights: a millisecond of logarithms
    const int numThreads = rows.rows() * rows.cols() < kWorthThreads ? 1 : m_numThreads;
    std::vector<HeadAttention> found(static_cast<std::size_t>(rows.rows()));
    parallelFor(numThreads, rows.rows(), kBlock, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
            found[static_cast<std::size_t>(i)] = measureRow(first.value() + i, rows.row(i));
    });
    Sums& sums = m_sums[head.index()];
    for (const HeadAttention& row : found)
    {
        sums.entropy.add(row.entropy);
        sums.entropyCausal.add(row.entropyCausal);
        sums.entropyRaw.add(row.entropyRaw);
        sums.entropyCausalRaw.add(row.entropyCausalRaw);
        sums.first.add(row.firstToken);
        sums.previous.add(row.previousToken);
        sums.self.add(row.selfToken);
        sums.confidence.add(row.confidence);
        sums.span.add(row.spanMass);
        sums.induction.add(row.induction);
        sums.duplicate.add(row.duplicateToken);
        sums.largest = std::fmax(sums.largest, row.largest); // of a number and none the number
    }
}

HeadAttention AttentionStatistics::of(HeadIndex head) const
{
    const Sums& sums = m_sums[head.index()];
    return {.entropy = sums.entropy.mean(),
            .entropyCausal = sums.entropyCausal.mean(),
            .entropyRaw = sums.entropyRaw.mean(),
            .entropyCausalRaw = sums.entropyCausalRaw.mean(),
            .firstToken = sums.first.mean(),
            .previousToken = sums.previous.mean(),
            .selfToken = sums.self.mean(),
            .confidence = sums.confidence.mean(),
            .largest = sums.largest,
            .spanMass = sums.span.mean(),
            .induction = sums.induction.mean(),
            .duplicateToken = sums.duplicate.mean()};
}

} // namespace headscope
