// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/maps/shuffled_correlation.h"

#include "model/analysis/maps/procrustes.h"
#include "model/base/random.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace headscope
{
namespace
{

constexpr std::uint64_t kSeed = 1;
constexpr std::uint64_t kShuffleStream = 0x7368'7566'0000'0000;

/// The points of each class, ascending.
std::vector<std::vector<std::int64_t>> pointsByClass(std::int64_t points, std::span<const std::int32_t> classes)
{
    std::map<std::int32_t, std::vector<std::int64_t>> byClass;
    for (std::int64_t i = 0; i < points; ++i)
        byClass[classes.empty() ? 0 : classes[static_cast<std::size_t>(i)]].push_back(i);
    std::vector<std::vector<std::int64_t>> groups;
    for (auto& [number, members] : byClass)
        groups.push_back(std::move(members));
    return groups;
}

} // namespace

Result<double> shuffledCorrelation(ConstMatrixView from, ConstMatrixView onto, std::span<const std::int32_t> classes)
{
    if (!classes.empty() && static_cast<std::int64_t>(classes.size()) != from.rows())
        return Error{ErrorCode::ShapeMismatch,
                     fmt::format("expected a class for each of {} points, found {}", from.rows(), classes.size()),
                     {},
                     {}};
    const auto groups = pointsByClass(from.rows(), classes);
    MatrixF shuffled(from.rows(), from.cols());
    double sum = 0;
    for (int round = 0; round < kCorrelationShuffles; ++round)
    {
        for (std::size_t g = 0; g < groups.size(); ++g)
        {
            const auto& members = groups[g];
            const CounterRandom random(kSeed, kShuffleStream + static_cast<std::uint64_t>(round) * groups.size() + g);
            const auto order = permutation(std::ssize(members), random);
            for (std::size_t i = 0; i < members.size(); ++i)
                std::ranges::copy(from.row(members[static_cast<std::size_t>(order[i])]),
                                  shuffled.row(members[i]).begin());
        }
        HEADSCOPE_TRY(const PlanarFit fit, fitMotion(shuffled.view(), onto));
        sum += fit.correlation / kCorrelationShuffles;
    }
    return sum;
}

} // namespace headscope
