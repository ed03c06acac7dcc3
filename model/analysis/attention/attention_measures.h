// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/matrix.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

namespace headscope
{

/// Tokens [begin, end) of a text.
struct TokenRange
{
    std::int64_t begin = 0;
    std::int64_t end = 0;

    [[nodiscard]] std::int64_t size() const { return end - begin; }
    friend bool operator==(const TokenRange&, const TokenRange&) = default;
};

/// The text that attention is measured over.
struct AttentionText
{
    std::int64_t tokens = 0; ///< T
    bool causal = true;      ///< a token sees itself and what comes before it
    /// How many tokens back one sees, itself included; without `causal` half as many to either side; 0 = all.
    std::int64_t window = 0;
    std::vector<std::int32_t> ids; ///< [T], for tokens that come again; empty: these are not measured
    /// Whose rows are read, and which keys: both, or neither.
    std::optional<TokenRange> query;
    std::optional<TokenRange> span;

    /// The keys that a token may see.
    [[nodiscard]] TokenRange visible(std::int64_t token) const;
    /// What the span gets of a query whose attention is spread evenly, mean over the queries; NaN without a span.
    [[nodiscard]] double evenSpanMass() const;
};

/// What is told of one head's attention a[t, s]: means over the tokens t of a text; NaN where no token counts.
struct HeadAttention
{
    static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

    /// H_t = -sum_s a' ln a', a' = 0.9999 a + 0.0001 / T over all T keys; in nats.
    double entropy = kNone;
    /// H_t / ln(number of keys that t may see), over tokens that see two and more; smoothing lets it pass 1 slightly.
    double entropyCausal = kNone;
    double entropyRaw = kNone; ///< the same of a itself
    double entropyCausalRaw = kNone;
    double firstToken = kNone;     ///< a[t, 0], over t >= 1: what goes to the attention sink
    double previousToken = kNone;  ///< a[t, t - 1], over t >= 1
    double selfToken = kNone;      ///< a[t, t], over t >= 1
    double confidence = kNone;     ///< the row's largest weight, over all t
    double largest = kNone;        ///< the largest weight of all, over t >= 1
    double spanMass = kNone;       ///< sum of a[t, s] over the span, over the query's t
    double induction = kNone;      ///< on tokens behind an earlier place of t's id, over t that came before t - 1
    double duplicateToken = kNone; ///< on earlier places of t's id, over t that came before
};

/// A measure by the name that files and JSON have.
struct AttentionMeasure
{
    std::string_view name;
    double HeadAttention::*value;
};

/// The measures of a text: span_mass only with a span, induction and duplicate_token only with ids.
[[nodiscard]] std::vector<AttentionMeasure> attentionMeasures(const AttentionText& text);

/// Measures the attention of a layer's heads from rows that come piece by piece: no more than a piece is held.
/// @threads one at a time; the result does not depend on `numThreads`
/// @source  query-focused mass: Zhang et al. 2025 (QRHead); induction: Olsson et al. 2022
class AttentionStatistics
{
public:
    AttentionStatistics(AttentionText text, std::int64_t heads, int numThreads = 1);

    /// Adds rows of a head, each once, in the order of the tokens.
    /// @param rows  [n, T]
    void add(HeadIndex head, TokenIndex first, ConstMatrixView rows);
    /// What the rows so far say of a head.
    [[nodiscard]] HeadAttention of(HeadIndex head) const;
    [[nodiscard]] const AttentionText& text() const { return m_text; }

private:
    struct Sum
    {
        double total = 0;
        std::int64_t count = 0;

        void add(double value);
        [[nodiscard]] double mean() const;
    };
    struct Sums
    {
        Sum entropy, entropyCausal, entropyRaw, entropyCausalRaw, first, previous, self, confidence, span, induction,
            duplicate;
        double largest = HeadAttention::kNone;
    };
    [[nodiscard]] HeadAttention measureRow(std::int64_t token, std::span<const float> row) const;
    void measureRepeats(std::int64_t token, std::span<const float> row, HeadAttention& found) const;

    AttentionText m_text;
    int m_numThreads;
    std::vector<std::int64_t> m_before; ///< [T] the last earlier token of the same id; -1: none
    std::vector<Sums> m_sums;           ///< [heads]
};

} // namespace headscope
