// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/map/map_output.h"

#include "ui/canvas/scatter/scatter_overlays.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"
#include "viz/export/map_figures.h"

#include <limits>
#include <memory>
#include <utility>

namespace headscope::desktop
{

namespace
{

/// Of the document whose points have rings; "": none has.
QString marksSentence(const DocumentSet& documents, const ui::MapSnapshot& shot)
{
    if (shot.marked.empty() || shot.map == nullptr || shot.map->points == nullptr)
        return {};
    const auto document =
        static_cast<std::size_t>(shot.map->points->document[static_cast<std::size_t>(shot.marked.front())]);
    if (document >= documents.ids.size())
        return {};
    return QStringLiteral("Enlarged and outlined: document %1.").arg(ui::toQString(documents.ids[document]));
}

} // namespace

viz::Figure canvasFigure(const Study& study, ui::ScatterWidget& canvas)
{
    const auto shot = std::make_shared<const ui::MapSnapshot>(canvas.shot());
    viz::MapFigure figure;
    figure.window = canvas.dataInView(); // without what lies under the cards
    figure.numThreads = shot->threads;
    figure.mode = shot->style.mode;
    figure.pooling = study.cache()->reader->info().header.pooling;
    figure.legend = shot->legend;
    figure.faded = shot->faded;
    figure.regions = canvas.regionLabels();
    figure.regionsView = shot->view;
    figure.states = *shot->states;
    figure.marks = marksSentence(*study.cache()->overview->documents, *shot);
    figure.above = [shot](QPainter& painter, const viz::ScatterData& data, const viz::ViewTransform& view,
                          double radiusPx) {
        shot->rings.paint(painter, data, view, radiusPx, std::numeric_limits<std::int64_t>::max());
        viz::ScatterData marks = data;
        marks.marked = shot->marked;
        marks.focus = shot->focus;
        if (shot->joined)
            ui::paintJoined(painter, marks, viz::InkTheme::Light, view);
        viz::paintMarks(painter, marks, {}, view, radiusPx);
    };
    // Colours of many points take a while: they are made where the figure is.
    return [map = shot->map, model = study.cache()->overview->model, figure = std::move(figure),
            coloring = canvas.coloringFor(ui::Theme::instance().paperTheme())](viz::FigureOptions options) {
        viz::MapFigure colored = figure;
        colored.coloring = coloring();
        return viz::figureOfMap(map, model, std::move(colored))(std::move(options));
    };
}

} // namespace headscope::desktop
