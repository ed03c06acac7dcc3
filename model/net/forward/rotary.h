// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"
#include "model/net/config/model_config.h"
#include "model/net/forward/operations.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// Angles of the rotary position embedding for one model.
///
/// Frequencies are float32 and made as the reference makes them, because at position 4095 a last
/// bit of a frequency turns a head vector by 2e-4 rad.
class Rotary
{
public:
    /// @param maxPositions  of the model
    /// @param dims          numbers of a head that are rotated, D <= Dh, even
    /// @param factors       [D / 2] of rope_freqs.weight, by which frequencies are divided, or empty
    Rotary(RopeConfig rope, std::int64_t maxPositions, std::int64_t dims, std::span<const float> factors);

    /// Angles per position of pair i, [D / 2], for a text of this length: it matters for dynamic scaling and longrope,
    /// under which every text has frequencies of its own.
    [[nodiscard]] std::vector<float> frequencies(std::int64_t length) const;

    /// Cosines and sines of all rows of a packing, positions counted from 0 in every document:
    /// [T, D / 2] each.
    /// @cost  one sine and one cosine per value, in double precision; once a step, not a layer
    void tables(const Packing& packing, MatrixF& cosines, MatrixF& sines) const;

private:
    /// Whether a text is so long that its frequencies are not those of short ones.
    [[nodiscard]] bool stretches(std::int64_t length) const;

    RopeConfig m_rope;
    double m_maxPositions;
    std::int64_t m_dims;
    std::vector<float> m_factors;
    std::vector<float> m_frequencies; ///< of short texts
};

} // namespace headscope
