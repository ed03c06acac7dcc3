// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/lesson/cloud_points.h"

#include "model/analysis/tsne/tsne_state.h"
#include "model/base/random.h"

#include <algorithm>
#include <cmath>

namespace headscope
{
namespace
{

/// One cloud: its width, and where its middle is.
struct Cloud
{
    std::int64_t points = 0;
    double width = 1;
    std::vector<double> middle; ///< first coordinates; the others are 0
};

CloudPoints drawClouds(const std::vector<Cloud>& clouds, std::int64_t dims, std::uint64_t seed)
{
    CloudPoints all;
    std::int64_t count = 0;
    for (const Cloud& cloud : clouds)
        count += cloud.points;
    all.rows = MatrixF(count, dims);
    const CounterRandom random(seed, 20);
    std::int64_t row = 0;
    for (std::size_t cloud = 0; cloud < clouds.size(); ++cloud)
        for (std::int64_t i = 0; i < clouds[cloud].points; ++i, ++row)
        {
            all.clouds.push_back(static_cast<std::int32_t>(cloud));
            for (std::int64_t d = 0; d < dims; ++d)
            {
                const auto at = static_cast<std::size_t>(d);
                const double middle = at < clouds[cloud].middle.size() ? clouds[cloud].middle[at] : 0;
                all.rows(row, d) = static_cast<float>(
                    middle + clouds[cloud].width * random.normal(static_cast<std::uint64_t>(row * dims + d)));
            }
        }
    return all;
}

} // namespace

CloudPoints cloudPoints(std::string_view name, std::uint64_t seed)
{
    if (name == "sizes")
        return drawClouds({{75, 1, {0, 0}}, {75, 10, {50, 0}}}, 2, seed);
    if (name == "distances")
        return drawClouds({{50, 1, {0, 0}}, {50, 1, {10, 0}}, {50, 1, {50, 0}}}, 2, seed);
    if (name == "noise")
        return drawClouds({{150, 1, {}}}, 50, seed);
    if (name == "seeds")
    {
        std::vector<Cloud> clouds;
        for (std::size_t i = 0; i < 5; ++i)
        {
            Cloud cloud{40, 1, std::vector<double>(5, 0.0)};
            cloud.middle[i] = 8;
            clouds.push_back(cloud);
        }
        return drawClouds(clouds, 20, seed);
    }
    return {};
}

CloudMeasures measureClouds(const MatrixF& rows, const std::vector<std::int32_t>& clouds)
{
    std::int64_t count = 0;
    for (const std::int32_t cloud : clouds)
        count = std::max<std::int64_t>(count, cloud + 1);
    MatrixD means(count, rows.cols());
    std::vector<double> points(static_cast<std::size_t>(count), 0.0);
    for (std::int64_t i = 0; i < rows.rows(); ++i)
    {
        const std::int32_t cloud = clouds[static_cast<std::size_t>(i)];
        points[static_cast<std::size_t>(cloud)] += 1;
        for (std::int64_t d = 0; d < rows.cols(); ++d)
            means(cloud, d) += rows(i, d);
    }
    for (std::int64_t cloud = 0; cloud < count; ++cloud)
        for (std::int64_t d = 0; d < rows.cols(); ++d)
            means(cloud, d) /= std::max(1.0, points[static_cast<std::size_t>(cloud)]);
    CloudMeasures measures;
    measures.radius.assign(static_cast<std::size_t>(count), 0.0);
    measures.distance = MatrixD(count, count);
    for (std::int64_t i = 0; i < rows.rows(); ++i)
    {
        const std::int32_t cloud = clouds[static_cast<std::size_t>(i)];
        for (std::int64_t d = 0; d < rows.cols(); ++d)
            measures.radius[static_cast<std::size_t>(cloud)] += std::pow(rows(i, d) - means(cloud, d), 2);
    }
    for (std::int64_t a = 0; a < count; ++a)
    {
        auto& radius = measures.radius[static_cast<std::size_t>(a)];
        radius = std::sqrt(radius / std::max(1.0, points[static_cast<std::size_t>(a)]));
        for (std::int64_t b = 0; b < count; ++b)
        {
            double sum = 0;
            for (std::int64_t d = 0; d < rows.cols(); ++d)
                sum += std::pow(means(a, d) - means(b, d), 2);
            measures.distance(a, b) = std::sqrt(sum);
        }
    }
    return measures;
}

Result<MatrixF> mapClouds(const CloudPoints& points, double perplexity, bool randomStart, std::uint64_t seed,
                          int numThreads, JobContext& job)
{
    TsneOptions options;
    options.perplexities = {perplexity};
    options.start = randomStart ? TsneStart::Random : TsneStart::Pca;
    options.seed = seed;
    HEADSCOPE_TRY(TsneState state, TsneState::create(points.rows.view(), options, numThreads, job));
    HEADSCOPE_CHECK(state.run(options.iterations, job));
    return state.positions();
}

} // namespace headscope
