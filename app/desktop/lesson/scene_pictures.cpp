// SPDX-License-Identifier: GPL-3.0-or-later
// On paper: the view that a step is about, drawn from the maps that the open cache has stored.
#include "app/colorings/colorings.h"
#include "app/desktop/lesson/lesson_pictures.h"
#include "model/analysis/maps/map_difference.h"
#include "ui/state/color_choice.h"
#include "ui/words/translate.h"
#include "ui/words/wording.h"
#include "viz/color/color_map.h"
#include "viz/color/color_scale.h"
#include "viz/export/comparison_figure.h"
#include "viz/export/map_figures.h"
#include "viz/geometry/view_transform.h"
#include "viz/grid/grid_contents.h"

#include <memory>
#include <utility>
#include <vector>

namespace headscope::desktop
{
namespace
{

using ui::tr;

constexpr viz::InkTheme kPaper = viz::InkTheme::Light;

Stage stageOf(const LessonScene& scene)
{
    const int stage = scene.stage.value_or(1);
    return stage == 1 ? Stage::HeadOutput : stage == 2 ? Stage::ProjectedSegment : Stage::OutputSegment;
}

/// The stored maps, those of the scene's stage first.
Result<std::vector<std::shared_ptr<const HeadMap>>> storedMaps(CacheReader& reader, Stage stage, JobContext& job)
{
    std::vector<std::shared_ptr<const HeadMap>> maps;
    for (const std::string& name : reader.info().maps)
    {
        HEADSCOPE_TRY(HeadMap map, reader.map(name, job));
        if (map.points != nullptr)
            maps.insert(map.stage == stage ? maps.begin() : maps.end(),
                        std::make_shared<const HeadMap>(std::move(map)));
    }
    return maps;
}

/// Colours as the scene names them; what they are computed from is computed here.
Result<viz::PointColoring> coloringOf(const LessonScene& scene, const HeadMap& map, const LessonSource& source,
                                      JobContext& job)
{
    const ui::ColorChoice choice = ui::ColorChoice::fromKey(scene.color);
    const colorings::Coloring* coloring = colorings::find(choice.coloring);
    colorings::ColoringInput input;
    input.points = map.points;
    input.stage = map.stage;
    input.documents = source.documents;
    input.column = choice.column;
    input.palette = viz::HeadPalette(source.reader->info().header.model, kPaper);
    input.theme = kPaper;
    if (coloring != nullptr && coloring->finder)
    {
        HEADSCOPE_TRY(const auto vectors, source.reader->load(map.layer, map.stage, {}, job));
        HEADSCOPE_TRY(colorings::Found found, coloring->finder->find(map, vectors.get(), source.threads, job));
        input.found = std::make_shared<const colorings::Found>(std::move(found));
    }
    if (coloring != nullptr)
        if (const colorings::Task task = coloring->make(input))
            return task();
    return colorings::byHead(input)();
}

Result<viz::LessonPicture> mapPicture(const LessonScene& scene, const std::shared_ptr<const HeadMap>& map,
                                      const LessonSource& source, JobContext& job)
{
    const ModelInfo& model = source.reader->info().header.model;
    viz::MapFigure figure;
    HEADSCOPE_TRY(figure.coloring, coloringOf(scene, *map, source, job));
    figure.numThreads = source.threads;
    viz::LessonPicture picture;
    picture.heading = tr("Map of stage %1, layer %2").arg(scene.stage.value_or(1)).arg(map->layer.value());
    picture.note = viz::mapCaption(*map, model) + viz::figureSentences(figure);
    picture.content = viz::ViewPicture{viz::figureOfMap(map, model, std::move(figure)), {}};
    return picture;
}

Result<viz::LessonPicture> pairPicture(const std::vector<std::shared_ptr<const HeadMap>>& maps,
                                       const LessonSource& source, JobContext& job)
{
    // Rather segments with segments than with heads, as the window pairs them.
    const auto isOfHeads = [](const HeadMap& map) { return map.stage == Stage::HeadOutput; };
    std::shared_ptr<const HeadMap> other;
    for (const bool alike : {true, false})
        for (const auto& each : maps)
            if (other == nullptr && each != maps.front() && pointsKey(*each) == pointsKey(*maps.front()) &&
                (isOfHeads(*each) == isOfHeads(*maps.front())) == alike)
                other = each;
    if (other == nullptr)
        return why(tr("The open cache has no two stored maps of the same points."));
    HEADSCOPE_TRY(const MapPair pair, pairMaps(maps.front(), other, source.threads, job));
    const auto aligned = [&pair](const HeadMap& map, const MatrixF& xy) {
        HeadMap shown = map;
        shown.points = pair.points;
        shown.xy = xy;
        return std::make_shared<const HeadMap>(std::move(shown));
    };
    // The figure says itself where there are no points.
    const QRectF window = viz::dataBounds(pair.xyA.values())
                              .value_or(QRectF())
                              .united(viz::dataBounds(pair.xyB.values()).value_or(QRectF()));
    viz::ComparisonFigure figure;
    figure.panels.push_back({aligned(*pair.a, pair.xyA), tr("A: %1").arg(viz::mapTitle(*pair.a)), window});
    figure.panels.push_back({aligned(*pair.b, pair.xyB), tr("B: %1").arg(viz::mapTitle(*pair.b)), window});
    figure.coloring = viz::colorByNumber(pair.difference.changed, viz::ColorScale(viz::sequentialMap(kPaper), {0, 1}),
                                         tr("Neighbours changed"), kPaper);
    figure.numThreads = source.threads;
    viz::LessonPicture picture;
    picture.heading = tr("Two maps of the same points");
    picture.note = tr("Of the %1 nearest neighbours of a point, %2% changed on average.")
                       .arg(pair.difference.neighbors)
                       .arg(100 * pair.difference.mean, 0, 'f', 0);
    picture.content =
        viz::ViewPicture{viz::figureOfComparison(std::move(figure), source.reader->info().header.model), {}};
    return picture;
}

} // namespace

Result<viz::LessonPicture> makeScenePicture(const LessonScene& scene, const LessonSource& source, JobContext& job)
{
    if (source.reader == nullptr)
        return why(tr("This step is about a view of the window. Open a cache to have it drawn here."));
    HEADSCOPE_TRY(const auto maps, storedMaps(*source.reader, stageOf(scene), job));
    if (maps.empty() || (scene.tab != "map" && scene.tab != "compare"))
        return why(tr("This step is about a view of the window. The open cache has no stored map to draw here."));
    return scene.tab == "map" ? mapPicture(scene, maps.front(), source, job) : pairPicture(maps, source, job);
}

} // namespace headscope::desktop
