// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/matrix.h"
#include "viz/color/color_map.h"
#include "viz/color/inks.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace headscope::viz
{

/// From nothing (the background) to all of a row's attention. Colours are of square roots: see attentionPlace.
[[nodiscard]] const ColorMap& attentionMap(InkTheme theme);
/// Where a share of a row, 0..1, is on the map: its square root, so that a tenth is seen next to a whole.
[[nodiscard]] double attentionPlace(double share);
[[nodiscard]] QRgb attentionColor(double share, InkTheme theme);
/// Of cells that a causal model cannot read, because they are not yet written.
[[nodiscard]] QColor unwrittenColor(InkTheme theme);
/// Of the first token's column where it is taken out.
[[nodiscard]] QColor takenOutColor(InkTheme theme);

/// The weights of a head as pictures show them: as they are, or with the first token taken out, each row divided by
/// what is left of it.
/// @threads a value that is never changed; reentrant
class ShownWeights
{
public:
    ShownWeights() = default;
    /// @param rows  [T, T], row = query; not null
    ShownWeights(std::shared_ptr<const MatrixF> rows, bool causal, bool withoutFirst);

    [[nodiscard]] std::int64_t count() const { return m_rows != nullptr ? m_rows->rows() : 0; }
    [[nodiscard]] bool causal() const { return m_causal; }
    [[nodiscard]] bool withoutFirst() const { return m_withoutFirst; }
    [[nodiscard]] bool mayRead(std::int64_t reading, std::int64_t read) const { return !m_causal || read <= reading; }
    /// Share of the row; 0 in a column that is taken out.
    [[nodiscard]] float operator()(std::int64_t reading, std::int64_t read) const
    {
        return m_withoutFirst && read == 0 ? 0.0F
                                           : (*m_rows)(reading, read) * m_factors[static_cast<std::size_t>(reading)];
    }
    /// What the first token gets of the row, whether it is taken out or not.
    [[nodiscard]] float first(std::int64_t reading) const { return (*m_rows)(reading, 0); }
    /// The weight as the model has it.
    [[nodiscard]] float raw(std::int64_t reading, std::int64_t read) const { return (*m_rows)(reading, read); }
    [[nodiscard]] const std::shared_ptr<const MatrixF>& rows() const { return m_rows; }

private:
    std::shared_ptr<const MatrixF> m_rows;
    std::vector<float> m_factors; ///< [T] 1, or 1 / what the first token leaves
    bool m_causal = true;
    bool m_withoutFirst = false;
};

/// What a row is multiplied with where its first token is taken out: 1 over the sum of the others, of which 1 - first
/// would leave float32's rounding where the first has nearly all; 0 where nothing (less than a millionth) is left.
/// @param row  [T] weights; NaN: may not be read
template <class T>
[[nodiscard]] double factorWithoutFirst(std::span<const T> row)
{
    constexpr double kNothing = 1e-6;
    double rest = 0;
    for (std::size_t i = 1; i < row.size(); ++i)
        rest += std::isnan(row[i]) ? 0.0 : static_cast<double>(row[i]);
    return rest > kNothing ? 1 / rest : 0;
}

} // namespace headscope::viz
