// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/map/map_output.h"

#include "ui/canvas/scatter/scatter_overlays.h"
#include "ui/words/wording.h"
#include "viz/export/map_figures.h"

#include <filesystem>
#include <limits>
#include <utility>

namespace headscope::desktop
{

void saveCanvas(const Study& study, SaveJob& job, ui::ScatterWidget& canvas, const QString& path)
{
    ui::MapSnapshot shot = canvas.shot();
    shot.regions = canvas.regionLabels();
    viz::MapFigure figure;
    figure.window = canvas.dataInView(); // without what lies under the cards
    figure.numThreads = shot.threads;
    figure.mode = shot.style.mode;
    figure.pooling = study.cache()->reader->info().header.pooling;
    figure.legend = shot.legend;
    figure.faded = shot.faded;
    figure.regions = shot.regions;
    figure.regionsView = shot.view;
    job.start(path, [shot = std::move(shot), model = study.cache()->overview->model, figure,
                     coloring = canvas.coloringFor(viz::InkTheme::Light),
                     target = std::filesystem::path(ui::toStdString(path)), options = figureOptions(study)]() mutable {
        figure.coloring = coloring();
        figure.states = shot.states;
        figure.above = [&shot](QPainter& painter, const viz::ScatterData& data, const viz::ViewTransform& view,
                               double radiusPx) {
            shot.rings.paint(painter, data, view, radiusPx, std::numeric_limits<std::int64_t>::max());
            viz::ScatterData marks = data;
            marks.marked = shot.marked;
            marks.focus = shot.focus;
            if (shot.joined)
                ui::paintJoined(painter, marks, viz::InkTheme::Light, view);
            viz::paintMarks(painter, marks, {}, view, radiusPx);
        };
        return viz::exportMap(*shot.map, model, figure, target, options);
    });
}

} // namespace headscope::desktop
