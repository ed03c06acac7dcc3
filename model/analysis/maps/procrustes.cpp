// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/maps/procrustes.h"

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <utility>

namespace headscope
{
namespace
{

using Point = std::complex<double>;

constexpr int kRounds = 50;
constexpr double kStandsStill = 1e-9;

Point pointOf(ConstMatrixView xy, std::int64_t i)
{
    return {static_cast<double>(xy(i, 0)), static_cast<double>(xy(i, 1))};
}

/// Points of a map as complex numbers around their mean.
struct Centred
{
    std::vector<Point> points;
    Point mean;
    double size = 0; ///< root of the sum of squared distances from the mean
};

Centred centred(ConstMatrixView xy)
{
    Centred map;
    for (std::int64_t i = 0; i < xy.rows(); ++i)
        map.points.push_back(pointOf(xy, i));
    for (const Point& point : map.points)
        map.mean += point;
    map.mean /= static_cast<double>(std::max<std::int64_t>(1, xy.rows()));
    double sum = 0;
    for (Point& point : map.points)
    {
        point -= map.mean;
        sum += std::norm(point);
    }
    map.size = std::sqrt(sum);
    return map;
}

/// The best rotation or reflection of one onto the other: a unit number and whether it is mirrored.
struct Turn
{
    Point unit = 1;
    bool mirrored = false;
    double strength = 0; ///< modulus of the sum that decided

    [[nodiscard]] Point apply(Point point) const { return unit * (mirrored ? std::conj(point) : point); }
};

Turn bestTurn(const std::vector<Point>& from, const std::vector<Point>& onto)
{
    Point rotation = 0;
    Point reflection = 0;
    for (std::size_t i = 0; i < from.size(); ++i)
    {
        rotation += std::conj(from[i]) * onto[i];
        reflection += from[i] * onto[i];
    }
    const bool mirrored = std::abs(reflection) > std::abs(rotation);
    const Point sum = mirrored ? reflection : rotation;
    const double strength = std::abs(sum);
    return {strength > 0 ? sum / strength : Point(1), strength > 0 && mirrored, strength};
}

PlanarFit fitOf(const Turn& turn, const Centred& from, Point ontoMean, double ontoSize, MapScaling scaling)
{
    PlanarFit fit;
    const double c = turn.unit.real();
    const double s = turn.unit.imag();
    fit.motion.rotation = turn.mirrored ? std::array{c, s, s, -c} : std::array{c, -s, s, c};
    fit.motion.mirrored = turn.mirrored;
    const double sizes = from.size * ontoSize;
    fit.correlation = sizes > 0 ? turn.strength / sizes : 0;
    if (scaling == MapScaling::Fitted && from.size > 0)
        fit.motion.scale = turn.strength / (from.size * from.size);
    else if (scaling == MapScaling::Spread && sizes > 0)
        fit.motion.scale = ontoSize / from.size;
    const Point shift = ontoMean - fit.motion.scale * turn.apply(from.mean);
    fit.motion.shift = {shift.real(), shift.imag()};
    return fit;
}

Status checkSameShape(ConstMatrixView from, ConstMatrixView onto)
{
    if (from.cols() == 2 && onto.cols() == 2 && from.rows() == onto.rows() && from.rows() > 0)
        return {};
    return Error{ErrorCode::ShapeMismatch,
                 fmt::format("expected two maps of the same points, found [{}, {}] and [{}, {}]", from.rows(),
                             from.cols(), onto.rows(), onto.cols()),
                 {},
                 {}};
}

} // namespace

std::array<double, 2> PlanarMotion::apply(double x, double y) const
{
    return {scale * (rotation[0] * x + rotation[1] * y) + shift[0],
            scale * (rotation[2] * x + rotation[3] * y) + shift[1]};
}

Result<PlanarFit> fitMotion(ConstMatrixView from, ConstMatrixView onto, MapScaling scaling)
{
    HEADSCOPE_CHECK(checkSameShape(from, onto));
    const Centred a = centred(from);
    const Centred b = centred(onto);
    return fitOf(bestTurn(a.points, b.points), a, b.mean, b.size, scaling);
}

void applyMotion(const PlanarMotion& motion, MatrixView<float> xy)
{
    for (std::int64_t i = 0; i < xy.rows(); ++i)
    {
        const auto moved = motion.apply(static_cast<double>(xy(i, 0)), static_cast<double>(xy(i, 1)));
        xy(i, 0) = static_cast<float>(moved[0]);
        xy(i, 1) = static_cast<float>(moved[1]);
    }
}

Result<std::vector<PlanarFit>> alignMaps(std::span<const MatrixF> maps, ConstMatrixView anchor, JobContext& job)
{
    for (const MatrixF& map : maps)
        HEADSCOPE_CHECK(checkSameShape(map.view(), anchor));
    Centred target = centred(anchor);
    std::vector<PlanarFit> fits(maps.size());
    for (int round = 0; round < kRounds; ++round)
    {
        HEADSCOPE_CHECK(job.checkStop());
        std::vector<Point> mean(target.points.size());
        for (std::size_t m = 0; m < maps.size(); ++m)
        {
            const Centred map = centred(maps[m].view());
            const Turn turn = bestTurn(map.points, target.points);
            fits[m] = fitOf(turn, map, 0, target.size, MapScaling::None);
            if (map.size <= 0)
                continue;
            for (std::size_t i = 0; i < mean.size(); ++i)
                mean[i] += turn.apply(map.points[i]) / map.size;
        }
        double size = 0;
        for (Point& point : mean)
        {
            point /= static_cast<double>(maps.size());
            size += std::norm(point);
        }
        double change = 0;
        for (std::size_t i = 0; i < mean.size(); ++i)
            change += std::norm(mean[i] - target.points[i]);
        target.points = std::move(mean);
        target.size = std::sqrt(size);
        if (change <= kStandsStill * kStandsStill * size)
            break;
    }
    return fits;
}

} // namespace headscope
