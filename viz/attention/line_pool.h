// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/attention/shown_weights.h"

#include <QColor>

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::viz
{

/// Heads whose lines are drawn over each other: one, or those of a KV group in their shades.
struct LineSource
{
    ShownWeights weights;
    QColor color;
};

/// A weight that is a line: this token reads that one.
struct TokenLine
{
    std::int32_t reading = 0;
    std::int32_t read = 0;
    float weight = 0; ///< share of the row, as shown
    std::int32_t source = 0;
};

/// The tokens of which something is seen: [first, last), not whole at its ends.
struct TokenSpan
{
    double first = 0;
    double last = 0;
};

/// What is drawn of what there is.
struct LineChoice
{
    std::vector<TokenLine> lines; ///< weakest first, so that strong ones lie on top
    std::int64_t seen = 0;        ///< lines that begin or end in the part in view
    std::int64_t left = 0;        ///< of them left out, the weakest
};

/// All lines of the heads that are shown, ready to be asked for those in view.
/// @threads a value that is never changed; reentrant
class LinePool
{
public:
    /// Smaller weights are no lines: no row has more than 256.
    static constexpr float kMinWeight = 1.0F / 256;

    LinePool() = default;
    /// @cost O(sources T^2), once
    explicit LinePool(std::vector<LineSource> sources);

    [[nodiscard]] const std::vector<LineSource>& sources() const { return m_sources; }
    [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(m_lines.size()); }
    /// The strongest lines that begin or end in the part in view; ties by token and head.
    /// @cost O(lines)
    [[nodiscard]] LineChoice strongest(TokenSpan view, std::int64_t most) const;
    /// What a token reads, or what reads it: all of its lines, weakest first.
    [[nodiscard]] std::vector<TokenLine> from(std::int64_t reading) const;
    [[nodiscard]] std::vector<TokenLine> to(std::int64_t read) const;

private:
    std::vector<LineSource> m_sources;
    std::vector<TokenLine> m_lines;     ///< by reading token, then as they were found
    std::vector<std::size_t> m_firstOf; ///< [T + 1] of a reading token
};

} // namespace headscope::viz
