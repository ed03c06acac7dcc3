// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/map/keep_map.h"

#include "model/analysis/maps/measure_map.h"
#include "model/analysis/maps/neighborhood_quality.h"
#include "model/analysis/neighbors/neighbors.h"
#include "model/data/maps/point_range.h"
#include "model/io/cache/cache_identity.h"
#include "model/io/cache/cache_writer.h"
#include "viz/geometry/view_transform.h"
#include "viz/scatter/point_coloring.h"
#include "viz/scatter/scatter_painter.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace headscope::desktop
{
namespace
{

constexpr std::int64_t kNeighbors = 10;
constexpr std::int64_t kSample = 2'000;

/// The vectors of a map's points, [P, D].
Result<MatrixF> rowsOf(const HeadMap& map, const HeadVectors& vectors)
{
    const PointIds& points = *map.points;
    HEADSCOPE_CHECK(expectPointsOf(points, vectors.documents(), vectors.heads(), map.name));
    MatrixF rows(points.count(), vectors.dims());
    for (std::int64_t i = 0; i < points.count(); ++i)
    {
        std::ranges::copy(vectors.vector(points.documentOf(i), points.headOf(i)), rows.row(i).begin());
    }
    return rows;
}

/// The numbers that a sample gives: neighbourhoods, but neither exact divergence nor ranks.
Result<MapTrust> sampledTrust(ConstMatrixView rows, const HeadMap& map, int numThreads, JobContext& job)
{
    MatrixF unit;
    if (map.options.metric == Metric::Cosine)
    {
        const std::vector<double> scales = unitScales(rows, numThreads);
        unit = MatrixF(rows.rows(), rows.cols());
        for (std::int64_t i = 0; i < rows.rows(); ++i)
        {
            for (std::int64_t k = 0; k < rows.cols(); ++k)
                unit(i, k) = static_cast<float>(static_cast<double>(rows(i, k)) * scales[static_cast<std::size_t>(i)]);
        }
        rows = unit.view();
    }
    HEADSCOPE_TRY(const auto all, neighborhoodQuality(rows, map.xy.view(), std::array{kNeighbors}, kSample,
                                                      map.options.seed, numThreads, job));
    MapTrust trust;
    trust.klExact = std::numeric_limits<double>::quiet_NaN();
    trust.spearman = std::numeric_limits<double>::quiet_NaN();
    trust.knn10 = all.front().kept;
    trust.trustworthiness = all.front().trustworthiness;
    trust.continuity = all.front().continuity;
    trust.sampled = all.front().sampled;
    return trust;
}

/// Whether the points of a map are there in a cache.
bool holds(const CacheReader& cache, const HeadMap& map)
{
    const VectorsInfo* vectors = cache.find(map.layer, map.stage);
    return vectors != nullptr &&
           std::ranges::all_of(map.points->document, [&](std::int32_t each) { return each < vectors->documents; }) &&
           std::ranges::all_of(map.points->head, [&](std::int32_t each) { return each < vectors->heads; });
}

/// The origin of the file that a map may be put into: still the cache that is open, by its contents where it has no
/// checksums, with the points of these maps.
Result<Origin> originOfOpened(CacheReader& cache, std::span<const HeadMap* const> maps, JobContext& job)
{
    const std::filesystem::path& path = cache.path();
    HEADSCOPE_TRY(const auto now, CacheReader::open(path, job));
    HEADSCOPE_TRY(const CacheInfo opened, infoOfContents(cache, job));
    HEADSCOPE_TRY(const CacheInfo there, infoOfContents(*now, job));
    if (there.identity == opened.identity &&
        std::ranges::all_of(maps, [&now](const HeadMap* map) { return holds(*now, *map); }))
        return now->origin();
    return Error{ErrorCode::InvalidArgument,
                 "expected the cache that the map was made from, found another cache in its place",
                 path.string(),
                 {}};
}

} // namespace

Result<HeadMap> withTrust(const HeadMap& map, const HeadVectors& vectors, int numThreads, JobContext& job)
{
    HEADSCOPE_TRY(const MatrixF rows, rowsOf(map, vectors));
    HeadMap measured = map;
    if (map.xy.rows() > kMeasuredWhole)
    {
        HEADSCOPE_TRY(measured.trust, sampledTrust(rows.view(), map, numThreads, job));
        return measured;
    }
    HEADSCOPE_TRY(measured.trust,
                  measureMap(rows.view(), map.xy.view(), MapTrustOptions::of(map.options), numThreads, job));
    return measured;
}

QImage mapThumbnail(const HeadMap& map, const viz::HeadPalette& palette, viz::InkTheme theme, int side)
{
    constexpr double kMargin = 4;
    QImage empty(side, side, QImage::Format_ARGB32_Premultiplied);
    empty.fill(Qt::transparent);
    const auto bounds = viz::dataBounds(map.xy.values());
    if (map.points == nullptr || !bounds)
        return empty;
    const viz::PointColoring coloring = viz::colorByHead(*map.points, palette, {});
    viz::ScatterData data;
    data.xy = map.xy.values();
    data.index = coloring.index;
    data.colors = coloring.colors;
    viz::ScatterStyle style;
    style.theme = theme;
    style.transparent = true;
    viz::ScatterPainter painter;
    const QSizeF size(side, side);
    QImage image = painter.paint(data, style, viz::ViewTransform::fit(*bounds, size, kMargin), 1, 1).image;
    return image.isNull() ? empty : image;
}

Result<std::shared_ptr<CacheReader>> storeMap(CacheReader& cache, HeadMap map, bool replace, JobContext& job)
{
    HEADSCOPE_TRY(map.origin, originOfOpened(cache, std::array{&std::as_const(map)}, job));
    job.report("storing the map", 0, 0);
    HEADSCOPE_CHECK(saveMap(cache.path(), map, replace, job));
    return cache.openAgain();
}

Result<std::shared_ptr<CacheReader>> storeMapSet(CacheReader& cache, HeadMapSet set, bool replace, JobContext& job)
{
    std::vector<const HeadMap*> maps;
    for (const MapOfSet& each : set.maps)
        maps.push_back(&each.map);
    HEADSCOPE_TRY(set.origin, originOfOpened(cache, maps, job));
    job.report("storing the maps", 0, 0);
    HEADSCOPE_CHECK(saveMapSet(cache.path(), set, replace, job));
    return cache.openAgain();
}

} // namespace headscope::desktop
