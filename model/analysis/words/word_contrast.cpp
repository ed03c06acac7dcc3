// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/words/word_contrast.h"

#include "model/analysis/statistics/permutations.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

namespace headscope
{
namespace
{

/// Adds the words of some texts.
/// @param documents  [W] counts each text once, too
/// @return how many there are, with repeats
std::int64_t addWords(const WordCounts& counts, std::span<const std::int64_t> texts, std::vector<std::int64_t>& sums,
                      std::vector<std::int64_t>& documents)
{
    std::int64_t words = 0;
    for (const std::int64_t text : texts)
        for (std::int64_t i = counts.starts[static_cast<std::size_t>(text)];
             i < counts.starts[static_cast<std::size_t>(text) + 1]; ++i)
        {
            const auto at = static_cast<std::size_t>(i);
            const auto id = static_cast<std::size_t>(counts.ids[at]);
            sums[id] += counts.times[at];
            ++documents[id];
            words += counts.times[at];
        }
    return words;
}

} // namespace

WordContrast contrastWords(const WordCounts& counts, std::span<const std::int64_t> high,
                           std::span<const std::int64_t> low, double prior)
{
    constexpr double kPriorShare = 0.1; // of the words of both sides
    const std::size_t numWords = counts.words.size();
    std::vector<std::int64_t> ofHigh(numWords);
    std::vector<std::int64_t> ofLow(numWords);
    std::vector<std::int64_t> documents(numWords);
    WordContrast contrast;
    contrast.vocabulary = static_cast<std::int64_t>(numWords);
    contrast.highWords = addWords(counts, high, ofHigh, documents);
    contrast.lowWords = addWords(counts, low, ofLow, documents);
    if (contrast.highWords == 0 || contrast.lowWords == 0)
        return contrast;
    contrast.prior = prior > 0 ? prior : kPriorShare * static_cast<double>(contrast.highWords + contrast.lowWords);
    const auto all = static_cast<double>(std::accumulate(counts.counts.begin(), counts.counts.end(), std::int64_t{0}));
    std::vector<double> p;
    for (std::size_t w = 0; w < numWords; ++w)
    {
        const double own = contrast.prior * static_cast<double>(counts.counts[w]) / all;
        const auto side = [&](std::int64_t count, std::int64_t words) {
            const double with = static_cast<double>(count) + own;
            return std::log(with / (static_cast<double>(words) + contrast.prior - with));
        };
        ContrastWord word{.word = counts.words[w],
                          .highCount = ofHigh[w],
                          .lowCount = ofLow[w],
                          .documents = documents[w]};
        word.delta = side(ofHigh[w], contrast.highWords) - side(ofLow[w], contrast.lowWords);
        word.variance =
            1 / (static_cast<double>(ofHigh[w]) + own) + 1 / (static_cast<double>(ofLow[w]) + own);
        word.z = word.delta / std::sqrt(word.variance);
        p.push_back(std::erfc(std::abs(word.z) / std::numbers::sqrt2));
        contrast.words.push_back(std::move(word));
    }
    const std::vector<double> q = benjaminiHochberg(p);
    for (std::size_t w = 0; w < numWords; ++w)
        contrast.words[w].q = q[w];
    // They stand in the order of their bytes.
    std::ranges::stable_sort(contrast.words, [](const ContrastWord& a, const ContrastWord& b) { return a.z > b.z; });
    return contrast;
}

} // namespace headscope
