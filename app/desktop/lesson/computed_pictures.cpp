// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of lessons that are computed when they are shown: groups of heads, and maps of simulated clouds.
#include "app/desktop/lesson/lesson_pictures.h"
#include "app/desktop/lesson/lesson_values.h"
#include "model/analysis/lesson/cloud_points.h"
#include "model/analysis/lesson/group_view.h"
#include "ui/words/translate.h"
#include "ui/words/wording.h"
#include "viz/attention/token_names.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::desktop
{
namespace
{

using ui::tr;

constexpr double kMillionth = 1e-6;

/// "heads 4, 5 and 6".
QString headsText(const std::vector<std::int64_t>& heads)
{
    if (heads.size() == 1)
        return tr("head %1").arg(heads.front() + 1);
    return tr("heads %1 to %2").arg(heads.front() + 1).arg(heads.back() + 1);
}

std::vector<QString> shownTokens(const AttentionRun& run, std::int64_t count)
{
    std::vector<QString> tokens;
    for (std::int64_t i = 0; i < count; ++i)
        tokens.push_back(ui::toQString(run.tokens[static_cast<std::size_t>(i)]));
    return tokens;
}

std::vector<QPointF> pointsOf(const MatrixD& places)
{
    std::vector<QPointF> points;
    for (std::int64_t i = 0; i < places.rows(); ++i)
        points.emplace_back(places(i, 0), places(i, 1));
    return points;
}

QString groupHeading(const AttentionRun& run, const GroupView& view, const GroupPlace& place)
{
    const QString token = viz::shownToken(ui::toQString(run.tokens[static_cast<std::size_t>(place.token)]));
    return tr("Layer %1, %2, at “%3”").arg(place.layer->value()).arg(headsText(view.heads), token);
}

viz::LessonPicture scoresPicture(const AttentionRun& run, const GroupView& view, const GroupPlace& place)
{
    viz::LessonPicture picture;
    picture.heading = groupHeading(run, view, place);
    viz::GroupScores scores{run.model,
                            view.heads,
                            ui::toQString(run.tokens[static_cast<std::size_t>(place.token)]),
                            shownTokens(run, view.keys),
                            view.scores,
                            view.weights};
    picture.content = std::move(scores);
    picture.note = tr("Score: q·k / √%1. Weight: softmax of the scores of a head; the weights of a head sum to 1.")
                       .arg(run.vectors.front()->q.cols() / std::max<std::int64_t>(1, run.model.heads));
    if (view.keys == 1)
        picture.note += tr(" With only one key token, each head puts all its weight on this token.");
    if (std::ssize(view.heads) > viz::kMaxScoreHeads)
        picture.note += tr(" Shown: the first %1 of %2 heads.").arg(viz::kMaxScoreHeads).arg(view.heads.size());
    return picture;
}

viz::LessonPicture hullPicture(const AttentionRun& run, const GroupView& view, const GroupPlace& place)
{
    viz::LessonPicture picture;
    picture.heading = groupHeading(run, view, place);
    picture.content = viz::HullPlane{
        run.model, pointsOf(view.values), shownTokens(run, view.keys), pointsOf(view.outputs), view.heads, view.share};
    if (view.keys == 1)
    {
        picture.note = tr("There is only one value vector. Every output equals it, for any query.");
        return picture;
    }
    picture.note = tr("Points: the %1 value vectors on their first two principal components (%2% of the variance). "
                      "Discs: outputs of the heads. Each output equals the weighted mean of the values; the difference "
                      "is %3 of the output’s length.")
                       .arg(view.keys)
                       .arg(100 * view.share, 0, 'f', 0)
                       .arg(view.deviation < kMillionth ? tr("less than a millionth")
                                                        : tr("at most %1").arg(view.deviation, 0, 'f', 6));
    return picture;
}

/// "1.3 times as wide".
QString timesText(double times)
{
    return QString::number(times, 'f', times < 10 ? 1 : 0);
}

QString sizesText(const CloudMeasures& measures)
{
    return tr("Cloud 2 is %1 times as wide as cloud 1.")
        .arg(timesText(measures.radius[1] / std::max(1e-9, measures.radius[0])));
}

QString distancesText(const CloudMeasures& measures)
{
    return tr("Cloud 3 is %1 times as far from cloud 1 as cloud 2 is.")
        .arg(timesText(measures.distance(0, 2) / std::max(1e-9, measures.distance(0, 1))));
}

QString nearestText(const CloudMeasures& measures)
{
    std::int64_t nearest = 1;
    std::int64_t farthest = 1;
    for (std::int64_t cloud = 2; cloud < measures.distance.rows(); ++cloud)
    {
        nearest = measures.distance(0, cloud) < measures.distance(0, nearest) ? cloud : nearest;
        farthest = measures.distance(0, cloud) > measures.distance(0, farthest) ? cloud : farthest;
    }
    return tr("Nearest to cloud 1: cloud %1. Farthest: cloud %2, %3 times as far.")
        .arg(nearest + 1)
        .arg(farthest + 1)
        .arg(timesText(measures.distance(0, farthest) / std::max(1e-9, measures.distance(0, nearest))));
}

QString cloudText(const std::string& name, const CloudMeasures& measures)
{
    if (name == "sizes")
        return sizesText(measures);
    if (name == "distances")
        return distancesText(measures);
    return nearestText(measures);
}

/// Whether clouds lie in one piece each: nearly every dot is nearest to the middle of its own.
bool areWhole(const MatrixF& map, const std::vector<std::int32_t>& clouds)
{
    constexpr double kNearlyAll = 0.95;
    const std::int64_t count = std::int64_t{*std::ranges::max_element(clouds)} + 1;
    MatrixD middles(count, 2);
    std::vector<double> dots(static_cast<std::size_t>(count), 0.0);
    for (std::int64_t i = 0; i < map.rows(); ++i)
    {
        const std::int64_t cloud = clouds[static_cast<std::size_t>(i)];
        dots[static_cast<std::size_t>(cloud)] += 1;
        for (const int axis : {0, 1})
            middles(cloud, axis) += map(i, axis);
    }
    for (std::int64_t cloud = 0; cloud < count; ++cloud)
        for (const int axis : {0, 1})
            middles(cloud, axis) /= std::max(1.0, dots[static_cast<std::size_t>(cloud)]);
    std::int64_t own = 0;
    for (std::int64_t i = 0; i < map.rows(); ++i)
    {
        const auto away = [&](std::int64_t cloud) {
            return std::hypot(map(i, 0) - middles(cloud, 0), map(i, 1) - middles(cloud, 1));
        };
        const std::int64_t mine = clouds[static_cast<std::size_t>(i)];
        bool isOwn = true;
        for (std::int64_t cloud = 0; cloud < count; ++cloud)
            isOwn = isOwn && away(mine) <= away(cloud);
        own += isOwn ? 1 : 0;
    }
    return static_cast<double>(own) >= kNearlyAll * static_cast<double>(map.rows());
}

Status addCloudMap(viz::CloudMaps& maps, const CloudPoints& points, const CloudValues& values, std::uint64_t seed,
                   int threads, JobContext& job)
{
    const bool random = values.name == "seeds";
    const double perplexity = values.perplexities[static_cast<std::size_t>(values.perplexity)];
    HEADSCOPE_TRY(MatrixF map, mapClouds(points, perplexity, random, seed, threads, job));
    const QString title = random ? tr("t-SNE, seed %1").arg(seed) : tr("t-SNE, perplexity %1").arg(perplexity);
    const bool whole = values.name == "noise" || areWhole(map, points.clouds);
    QString words = tr("The clouds are in pieces. Their widths and distances have no meaning here.");
    if (values.name == "noise")
        words = tr("The same points. The data have no groups: any that you see come from t-SNE.");
    else if (whole)
        words = cloudText(values.name, measureClouds(map, points.clouds));
    maps.panels.push_back({title, words, std::move(map), whole});
    return {};
}

} // namespace

Result<viz::LessonPicture> makeGroupPicture(const LessonPictureRequest& request, JobContext& job)
{
    const AttentionRunPtr& run = request.source.run;
    if (run == nullptr || run->vectors.empty())
        return why(noRunText());
    const GroupPlace place = groupPlace(request);
    HEADSCOPE_TRY(const GroupView view, groupView(*run, *run->vectors.front(), place.group, place.token, job));
    viz::LessonPicture picture = request.spec.kind == LessonPictureKind::Hull ? hullPicture(*run, view, place)
                                                                              : scoresPicture(*run, view, place);
    picture.note += u' ' % lessonRunNote(request.source);
    return picture;
}

Result<viz::LessonPicture> makeCloudPicture(const LessonPictureRequest& request, JobContext& job)
{
    const CloudValues values = cloudValues(request);
    const bool seeds = values.name == "seeds";
    const CloudPoints points = cloudPoints(values.name, seeds ? 1 : values.seed);
    viz::CloudMaps maps{points.clouds, {}};
    if (seeds)
    {
        for (const std::uint64_t seed : {values.seed, values.seed + 1})
            HEADSCOPE_CHECK(addCloudMap(maps, points, values, seed, request.source.threads, job));
    }
    else
    {
        const QString words = values.name == "noise"
                                  ? tr("Two of 50 coordinates. There are no groups.")
                                  : cloudText(values.name, measureClouds(points.rows, points.clouds));
        maps.panels.push_back({tr("The data"), words, points.rows});
        HEADSCOPE_CHECK(addCloudMap(maps, points, values, values.seed, request.source.threads, job));
    }
    viz::LessonPicture picture;
    picture.heading = seeds ? tr("The same points, mapped twice from random initializations")
                            : tr("Simulated points, and their t-SNE map");
    picture.content = std::move(maps);
    picture.note = tr("%1 points sampled from normal distributions with seed %2, mapped by Headscope.")
                       .arg(points.rows.rows())
                       .arg(seeds ? 1 : values.seed);
    if (seeds)
        picture.note += tr(" In the data, all clouds are about equally far from each other.");
    return picture;
}

} // namespace headscope::desktop
