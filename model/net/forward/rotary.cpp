// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/forward/rotary.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace headscope
{
namespace
{

/// 1 / (divisor theta^(2 i / D)), every step rounded to float32 as the reference rounds it.
/// @param divisors  one a pair; empty: 1
std::vector<float> plainFrequencies(double theta, std::int64_t dims, std::span<const double> divisors = {})
{
    std::vector<float> frequencies(static_cast<std::size_t>(dims / 2));
    for (std::size_t i = 0; i < frequencies.size(); ++i)
    {
        const float exponent = static_cast<float>(2 * i) / static_cast<float>(dims);
        const auto power = static_cast<float>(std::pow(theta, static_cast<double>(exponent)));
        frequencies[i] = 1.0F / (divisors.empty() ? power : static_cast<float>(divisors[i]) * power);
    }
    return frequencies;
}

/// Long waves are slowed down by the factor, short ones are kept, those between are blended.
void scaleLlama3(std::vector<float>& frequencies, const RopeConfig& rope)
{
    for (float& frequency : frequencies)
    {
        const double wavelength = 2 * std::numbers::pi / static_cast<double>(frequency);
        const double slow = static_cast<double>(frequency) / rope.factor;
        const double ratio = rope.originalPositions / wavelength;
        const double blend = std::clamp(
            (ratio - rope.lowFrequencyFactor) / (rope.highFrequencyFactor - rope.lowFrequencyFactor), 0.0, 1.0);
        frequency = static_cast<float>((1 - blend) * slow + blend * static_cast<double>(frequency));
    }
}

/// Peng et al. 2023, "YaRN" (arXiv 2309.00071): pairs that turn more than betaFast times within the trained length are
/// kept, those below betaSlow times are slowed down, a linear ramp lies between.
void scaleYarn(std::vector<float>& frequencies, const RopeConfig& rope, std::int64_t headDim)
{
    const auto pairOfTurns = [&](double turns) {
        return static_cast<double>(headDim) * std::log(rope.originalPositions / (turns * 2 * std::numbers::pi)) /
               (2 * std::log(rope.theta));
    };
    double low = pairOfTurns(rope.betaFast);
    double high = pairOfTurns(rope.betaSlow);
    if (rope.truncate)
    {
        low = std::floor(low);
        high = std::ceil(high);
    }
    low = std::max(low, 0.0);
    high = std::min(high, static_cast<double>(headDim - 1));
    if (low == high)
        high += 0.001;
    for (std::size_t i = 0; i < frequencies.size(); ++i)
    {
        const double kept = 1 - std::clamp((static_cast<double>(i) - low) / (high - low), 0.0, 1.0);
        const auto frequency = static_cast<double>(frequencies[i]);
        frequencies[i] = static_cast<float>(frequency / rope.factor * (1 - kept) + frequency * kept);
    }
}

} // namespace

Rotary::Rotary(RopeConfig rope, std::int64_t maxPositions, std::int64_t dims, std::span<const float> factors)
    : m_rope(std::move(rope)), m_maxPositions(static_cast<double>(maxPositions)), m_dims(dims),
      m_factors(factors.begin(), factors.end())
{
    m_frequencies = frequencies(0);
}

bool Rotary::stretches(std::int64_t length) const
{
    const auto tokens = static_cast<double>(length);
    return (m_rope.scaling == RopeScaling::Dynamic && tokens > m_maxPositions) ||
           (m_rope.scaling == RopeScaling::LongRope && tokens > m_rope.originalPositions);
}

std::vector<float> Rotary::frequencies(std::int64_t length) const
{
    // Ding et al. 2024, "LongRoPE" (arXiv 2402.13753): divisors that were searched for, for short and for long texts.
    if (m_rope.scaling == RopeScaling::LongRope)
        return plainFrequencies(m_rope.theta, m_dims, stretches(length) ? m_rope.longFactors : m_rope.shortFactors);
    double theta = m_rope.theta;
    if (stretches(length))
    {
        const double dims = static_cast<double>(m_dims);
        theta *= std::pow(m_rope.factor * static_cast<double>(length) / m_maxPositions - (m_rope.factor - 1),
                          dims / (dims - 2));
    }
    double slower = m_rope.scaling == RopeScaling::Linear ? m_rope.factor : 1;
    if (m_rope.scaling == RopeScaling::Ntk)
    {
        theta *= m_rope.factor;
        slower = std::pow(m_rope.factor, 2 / static_cast<double>(m_dims));
    }
    std::vector<float> result = plainFrequencies(theta, m_dims);
    if (slower != 1)
        for (float& frequency : result)
            frequency /= static_cast<float>(slower);
    if (m_rope.scaling == RopeScaling::Llama3)
        scaleLlama3(result, m_rope);
    if (m_rope.scaling == RopeScaling::Yarn)
        scaleYarn(result, m_rope, m_dims);
    for (std::size_t i = 0; i < std::min(result.size(), m_factors.size()); ++i)
        result[i] /= m_factors[i];
    return result;
}

void Rotary::tables(const Packing& packing, MatrixF& cosines, MatrixF& sines) const
{
    cosines = MatrixF(packing.tokens(), m_dims / 2); // [T, D / 2]
    sines = MatrixF(packing.tokens(), m_dims / 2);   // [T, D / 2]
    for (std::int64_t s = 0; s < packing.documents(); ++s)
    {
        const std::int64_t length = packing.length(s);
        const std::vector<float> own = stretches(length) ? frequencies(length) : std::vector<float>();
        const std::vector<float>& used = stretches(length) ? own : m_frequencies;
        for (std::int64_t position = 0; position < length; ++position)
        {
            const std::int64_t row = packing.offsets[static_cast<std::size_t>(s)] + position;
            for (std::size_t i = 0; i < used.size(); ++i)
            {
                // The angle is a float32 in the reference too; only then the functions are exact.
                const float angle = static_cast<float>(position) * used[i];
                const auto column = static_cast<std::int64_t>(i);
                cosines(row, column) =
                    static_cast<float>(std::cos(static_cast<double>(angle)) * m_rope.attentionFactor);
                sines(row, column) = static_cast<float>(std::sin(static_cast<double>(angle)) * m_rope.attentionFactor);
            }
        }
    }
}

} // namespace headscope
