// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/maps/measure_noise_floor.h"

#include "model/analysis/maps/aligned_maps.h"
#include "model/analysis/maps/map_difference.h"
#include "model/analysis/maps/procrustes.h"
#include "model/analysis/maps/shuffled_correlation.h"
#include "model/analysis/neighbors/planar_neighbors.h"
#include "model/analysis/tsne/tsne_state.h"
#include "model/base/parallel.h"
#include "model/base/random.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace headscope
{
namespace
{

constexpr std::uint64_t kTwinStream = 0x7477'696e'0000'0000;
constexpr std::int64_t kBlockRows = 256;

Status checkFloorOptions(const NoiseFloorOptions& options)
{
    if (options.twins >= 1 && options.noise > 0 && std::isfinite(options.noise))
        return {};
    return Error{ErrorCode::InvalidArgument,
                 fmt::format("expected at least one noise replicate and noise above 0, found {} and {}", options.twins,
                             options.noise),
                 {},
                 {}};
}

Status checkRepeatable(const HeadMap& map)
{
    if (map.turns.empty() && map.iteration > 0)
        return {};
    return Error{
        ErrorCode::InvalidArgument,
        fmt::format("expected a map that its options can reproduce, found a map that {}: this map has no noise floor",
                    map.turns.empty() ? "has not started" : "was changed while it ran"),
        {},
        {}};
}

/// An agreement of two maps and the share of each point's nearest that is kept.
struct AgreementByPoint
{
    MapAgreement mean;
    std::vector<float> kept; ///< [P]
};

Result<AgreementByPoint> agreementByPoint(ConstMatrixView a, ConstMatrixView b, int numThreads, JobContext& job,
                                          std::int64_t k, std::span<const std::int32_t> classes)
{
    HEADSCOPE_TRY(const MapDifference difference, mapDifference(a, b, numThreads, job, k));
    HEADSCOPE_TRY(const PlanarFit fit, fitMotion(b, a));
    HEADSCOPE_TRY(const double shuffled, shuffledCorrelation(b, a, classes));
    AgreementByPoint agreement{{difference.neighbors, 1 - difference.mean, fit.correlation,
                                keptWithinClasses(difference.neighbors, classes), shuffled},
                               {}};
    for (const float changed : difference.changed)
        agreement.kept.push_back(1 - changed);
    return agreement;
}

/// The heads of the points; empty where the map has none.
std::span<const std::int32_t> classesOf(const HeadMap& map)
{
    if (map.points == nullptr || std::ssize(map.points->head) != map.xy.rows())
        return {};
    return map.points->head;
}

/// The agreements with the twins.
class FloorSums
{
public:
    void add(const AgreementByPoint& agreement)
    {
        m_byPoint.resize(agreement.kept.size(), 0.0F);
        for (std::size_t i = 0; i < agreement.kept.size(); ++i)
            m_byPoint[i] += agreement.kept[i];
        m_twins.push_back(agreement.mean);
    }

    [[nodiscard]] NoiseFloor floor(const NoiseFloorOptions& options) const
    {
        NoiseFloor floor;
        floor.twins = std::ssize(m_twins);
        const auto twins = static_cast<double>(floor.twins);
        const MapAgreement& first = m_twins.front();
        floor.mean = {first.neighbors, 0, 0, first.keptWithin, 0.0};
        for (const MapAgreement& one : m_twins)
        {
            floor.mean.kept += one.kept / twins;
            floor.mean.correlation += one.correlation / twins;
            *floor.mean.shuffledCorrelation += one.shuffledCorrelation.value_or(0) / twins;
        }
        setSpread(floor);
        floor.keptByPoint = m_byPoint;
        for (float& kept : floor.keptByPoint)
            kept /= static_cast<float>(floor.twins);
        floor.noise = options.noise;
        floor.noiseSeed = options.seed;
        return floor;
    }

private:
    void setSpread(NoiseFloor& floor) const
    {
        const auto kept = std::ranges::minmax(m_twins, {}, &MapAgreement::kept);
        floor.leastKept = kept.min.kept;
        floor.mostKept = kept.max.kept;
        const auto correlation = std::ranges::minmax(m_twins, {}, &MapAgreement::correlation);
        floor.leastCorrelation = correlation.min.correlation;
        floor.mostCorrelation = correlation.max.correlation;
        if (floor.twins < 2)
            return;
        double squares = 0;
        for (const MapAgreement& one : m_twins)
            squares += (one.kept - floor.mean.kept) * (one.kept - floor.mean.kept);
        floor.keptSd = std::sqrt(squares / static_cast<double>(floor.twins - 1));
    }

    std::vector<MapAgreement> m_twins;
    std::vector<float> m_byPoint; ///< [P] sums
};

/// The vectors of one member for the documents of the set, as rows of their own.
MatrixF rowsOf(const AlignedMember& member, const std::vector<std::int32_t>& documents)
{
    const HeadVectors& vectors = *member.vectors;
    MatrixF rows(std::ssize(documents), member.head < 0 ? vectors.heads() * vectors.dims() : vectors.dims());
    for (std::size_t i = 0; i < documents.size(); ++i)
    {
        const DocumentIndex document(documents[i]);
        const auto from = member.head < 0 ? vectors.full(document) : vectors.vector(document, HeadIndex(member.head));
        std::ranges::copy(from, rows.row(static_cast<std::int64_t>(i)).begin());
    }
    return rows;
}

/// Share of the neighbours of `a` that are among those of `b`; both [P, k].
/// @param byPoint  [P] the neighbours that each point keeps are added to
double keptShare(const Matrix<std::int32_t>& a, const Matrix<std::int32_t>& b, std::vector<float>& byPoint)
{
    std::int64_t kept = 0;
    for (std::int64_t i = 0; i < a.rows(); ++i)
    {
        const auto others = b.view().row(i);
        std::int64_t own = 0;
        for (const std::int32_t neighbor : a.view().row(i))
            own += std::find(others.begin(), others.end(), neighbor) != others.end() ? 1 : 0;
        byPoint[static_cast<std::size_t>(i)] += static_cast<float>(own);
        kept += own;
    }
    const std::int64_t slots = a.rows() * a.cols();
    return slots > 0 ? static_cast<double>(kept) / static_cast<double>(slots) : 1.0;
}

/// How much each map agrees with the other maps of heads, on average.
Status compareMembers(HeadMapSet& set, std::int64_t k, int numThreads, JobContext& job)
{
    const auto count = static_cast<std::int64_t>(set.maps.size());
    std::vector<Matrix<std::int32_t>> near;
    for (const MapOfSet& each : set.maps)
    {
        HEADSCOPE_TRY(auto neighbors, planarNeighbors(each.map.xy.view(), k, numThreads, job));
        near.push_back(std::move(neighbors));
    }
    job.report("comparing the maps", 0, 1);
    parallelForBlocks(numThreads, count, 1, [&](const Block& block, int) {
        const auto own = static_cast<std::size_t>(block.begin);
        MapAgreement sum;
        std::vector<float> byPoint(static_cast<std::size_t>(near[own].rows()), 0.0F);
        std::int64_t others = 0;
        double permuted = 0;
        for (std::size_t m = 0; m < set.maps.size() && !job.stopRequested(); ++m)
        {
            if (m == own || set.maps[m].map.points->head.empty())
                continue;
            // The maps of a set have the same shape, which is all that fitMotion asks for.
            const auto fit = fitMotion(set.maps[m].map.xy.view(), set.maps[own].map.xy.view());
            sum.correlation += fit ? fit->correlation : 0;
            const auto shuffled = shuffledCorrelation(set.maps[m].map.xy.view(), set.maps[own].map.xy.view(), {});
            permuted += shuffled ? *shuffled : 0;
            sum.kept += keptShare(near[own], near[m], byPoint);
            ++others;
        }
        if (others == 0)
            return;
        sum.neighbors = near[own].cols();
        sum.correlation /= static_cast<double>(others);
        sum.shuffledCorrelation = permuted / static_cast<double>(others);
        sum.kept /= static_cast<double>(others);
        set.maps[own].others = sum;
        const auto slots = static_cast<float>(std::max<std::int64_t>(1, others * near[own].cols()));
        for (float& kept : byPoint)
            kept /= slots;
        set.maps[own].othersByPoint = std::move(byPoint);
    });
    return job.checkStop();
}

} // namespace

void addVectorNoise(MatrixF& rows, double noise, std::uint64_t seed, std::uint64_t twin, int numThreads)
{
    const CounterRandom random(seed, kTwinStream + twin);
    parallelFor(numThreads, rows.rows(), kBlockRows, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
        {
            const auto row = rows.row(i);
            double squares = 0;
            for (const float value : row)
                squares += static_cast<double>(value) * static_cast<double>(value);
            const double sd = noise * std::sqrt(squares / static_cast<double>(std::max<std::size_t>(1, row.size())));
            std::uint64_t at = static_cast<std::uint64_t>(i * rows.cols());
            for (float& value : row)
                value = static_cast<float>(static_cast<double>(value) + sd * random.normal(at++));
        }
    });
}

Result<MapAgreement> mapAgreement(ConstMatrixView a, ConstMatrixView b, int numThreads, JobContext& job, std::int64_t k,
                                  std::span<const std::int32_t> classes)
{
    HEADSCOPE_TRY(const AgreementByPoint agreement, agreementByPoint(a, b, numThreads, job, k, classes));
    return agreement.mean;
}

Result<NoiseFloor> noiseFloor(ConstMatrixView rows, const HeadMap& map, const MatrixF* given,
                              const NoiseFloorOptions& options, int numThreads, JobContext& job)
{
    HEADSCOPE_CHECK(checkFloorOptions(options));
    HEADSCOPE_CHECK(checkRepeatable(map));
    if (rows.rows() != map.xy.rows())
        return Error{
            ErrorCode::ShapeMismatch,
            fmt::format("expected a vector for each of the map's {} points, found {}", map.xy.rows(), rows.rows()),
            {},
            {}};
    FloorSums sums;
    for (std::int64_t twin = 0; twin < options.twins; ++twin)
    {
        MatrixF noisy(rows.rows(), rows.cols());
        for (std::int64_t i = 0; i < rows.rows(); ++i)
            std::ranges::copy(rows.row(i), noisy.row(i).begin());
        addVectorNoise(noisy, options.noise, options.seed, static_cast<std::uint64_t>(twin), numThreads);
        HEADSCOPE_TRY(TsneState state, TsneState::create(noisy.view(), map.options, numThreads, job, given));
        HEADSCOPE_CHECK(state.run(map.iteration, job));
        HEADSCOPE_TRY(const AgreementByPoint one, agreementByPoint(map.xy.view(), state.positions().view(), numThreads,
                                                                   job, options.neighbors, classesOf(map)));
        sums.add(one);
    }
    return sums.floor(options);
}

Status measureHeadFloors(std::span<const AlignedMember> members, HeadMapSet& set, const NoiseFloorOptions& options,
                         int numThreads, JobContext& job)
{
    HEADSCOPE_CHECK(checkFloorOptions(options));
    if (members.size() != set.maps.size())
        return Error{ErrorCode::ShapeMismatch,
                     fmt::format("expected the members of {} maps, found {}", set.maps.size(), members.size()),
                     {},
                     {}};
    if (set.maps.empty())
        return {};
    for (const MapOfSet& each : set.maps)
        HEADSCOPE_CHECK(checkRepeatable(each.map));
    const HeadMap& first = set.maps.front().map;
    TsneOptions tsne = first.options;
    if (!tsne.autoStop)
        tsne.iterations = first.iteration;
    std::vector<FloorSums> sums(set.maps.size());
    for (std::int64_t twin = 0; twin < options.twins; ++twin)
    {
        std::vector<MatrixF> noisy;
        std::vector<AlignedSet> sets;
        for (std::size_t m = 0; m < members.size(); ++m)
        {
            HEADSCOPE_CHECK(job.checkStop());
            noisy.push_back(rowsOf(members[m], first.points->document));
            addVectorNoise(noisy.back(), options.noise, options.seed,
                           static_cast<std::uint64_t>(twin) * members.size() + m, numThreads);
        }
        for (std::size_t m = 0; m < members.size(); ++m)
            sets.push_back({noisy[m].view(), members[m].head >= 0});
        HEADSCOPE_TRY(const AlignedMaps made, alignedMaps(sets, tsne, numThreads, job, &set.start));
        JobContext silent(job.stopToken());
        for (std::size_t m = 0; m < members.size(); ++m)
        {
            HEADSCOPE_TRY(const AgreementByPoint one,
                          agreementByPoint(set.maps[m].map.xy.view(), made.maps[m].xy.view(), numThreads, silent,
                                           options.neighbors, {}));
            sums[m].add(one);
        }
    }
    HEADSCOPE_CHECK(compareMembers(set, options.neighbors, numThreads, job));
    for (std::size_t m = 0; m < members.size(); ++m)
        set.maps[m].map.floor = sums[m].floor(options);
    return {};
}

} // namespace headscope
