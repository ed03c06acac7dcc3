// SPDX-License-Identifier: GPL-3.0-or-later
// The head tab as a table of its examples, and as a figure.
#include "app/desktop/shell/view_files.h"
#include "app/results/frame_output.h"
#include "app/results/head_examples_frame.h"
#include "app/results/provenance.h"
#include "app/views/head_corpus/head_corpus_controller.h"
#include "app/views/head_corpus/head_corpus_view.h"
#include "app/views/head_corpus/token_canvas.h"
#include "app/views/head_corpus/token_words.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"
#include "viz/chart/activation_chart.h"
#include "viz/color/head_palette.h"
#include "viz/export/part_figures.h"
#include "viz/scatter/scatter_painter.h"

#include <QPainter>
#include <QPixmap>

#include <utility>
#include <vector>

namespace headscope::desktop
{
namespace
{

constexpr double kLeast = 200;    ///< width of a part, in points
constexpr double kHistogram = 90; ///< height

/// All examples, a row each.
Frame examplesOf(const HeadCorpus& corpus)
{
    return headExamplesFrame(
        corpus, [&corpus](std::int64_t token) { return ui::toStdString(ui::tokenCard(corpus, token, {}).text); });
}

viz::FigurePart histogramPart(const HeadCorpusPtr& corpus)
{
    viz::FigurePart part;
    part.title = ui::headName(*corpus);
    part.note = HeadCorpusController::tr("Activation (L2 norm of the head output z, stage 1) for %1 in %2.")
                    .arg(ui::countText(corpus->tokenCount(), HeadCorpusController::tr("token"),
                                       HeadCorpusController::tr("tokens")),
                         ui::countText(corpus->documentCount(), HeadCorpusController::tr("document"),
                                       HeadCorpusController::tr("documents")));
    part.least = kLeast;
    part.height = [](double) { return kHistogram; };
    const QColor color =
        viz::HeadPalette(corpus->source.model, ui::Theme::instance().paperTheme()).color(corpus->source.head);
    const viz::ActivationCounts counts(corpus->activations, decileBounds(corpus->activations));
    part.paint = [counts, color](QPainter& painter, const QRectF& box, double) {
        viz::ActivationChart(counts, box, {viz::InkTheme::Light, 7}, color).paint(painter);
    };
    return part;
}

viz::FigurePart mapPart(const TokenMapPtr& map, const ui::TokenColorChoice& color,
                        const std::shared_ptr<const DocumentSet>& documents)
{
    viz::FigurePart part;
    part.title = map->kind == TokenMapKind::Outputs
                     ? HeadCorpusController::tr("Outputs")
                     : HeadCorpusController::tr("Queries (circles) and keys (triangles)");
    part.note = ui::mapBadge(*map) % QStringLiteral(". ") % ui::mapSentence(*map);
    part.least = kLeast;
    part.height = [](double width) { return width; };
    const viz::PointColoring coloring =
        ui::colorTokens(*map, color, documents.get(), ui::Theme::instance().paperTheme());
    part.paint = [map, coloring](QPainter& painter, const QRectF& box, double dpr) {
        viz::ScatterData data;
        data.xy = map->xy.values();
        data.index = coloring.index;
        data.colors = coloring.colors;
        data.shapes = coloring.shapes;
        viz::ScatterStyle style;
        style.transparent = true;
        const auto bounds = viz::dataBounds(map->xy.values()).value_or(QRectF());
        const auto view = viz::ViewTransform::fit(bounds, box.size(), 4);
        painter.save();
        painter.translate(box.topLeft());
        const viz::ScatterPicture picture = viz::ScatterPainter().paint(data, style, view, dpr, 1);
        painter.drawImage(QRectF({0, 0}, box.size()), picture.image);
        viz::LegendStyle legend;
        legend.textPx = 6.5;
        legend.maxWidth = box.width() / 3;
        legend.card = false;
        const viz::LegendLayout layout(coloring.legend, legend);
        layout.paint(painter, {box.width() - layout.size().width(), 0});
        painter.restore();
    };
    return part;
}

} // namespace

std::optional<ViewOutput> HeadCorpusController::output(const QString& path, const viz::FigureOptions&)
{
    const HeadCorpusPtr corpus = m_view->corpus();
    if (corpus == nullptr)
        return nothing(tr("No head is shown yet."));
    if (const std::filesystem::path target = ui::toStdString(path); isTextTable(target))
        return ViewOutput{{}, [corpus, target] {
                              Provenance provenance;
                              provenance.add("verb", std::string("attention"));
                              provenance.add("corpus",
                                             std::filesystem::path(corpus->source.corpus).filename().string());
                              provenance.add("layer", corpus->source.layer.value());
                              provenance.add("head", shownNumber(corpus->source.head));
                              provenance.add("seed", wholeRecord(corpus->source.seed));
                              return writeFrameFile(target, examplesOf(*corpus), provenance);
                          }};
    std::vector<viz::FigurePart> parts = {histogramPart(corpus)};
    if (const TokenMapPtr& map = m_view->canvas()->map(); map != nullptr)
        parts.push_back(mapPart(map, m_view->canvas()->color(), m_view->canvas()->documents()));
    return ViewOutput{viz::figureOfParts(std::move(parts))};
}

void HeadCorpusController::copy()
{
    if (m_view->corpus() == nullptr)
        return m_study.window().showNotice(tr("No head is shown yet."));
    copyView(m_study.window(), examplesOf(*m_view->corpus()), m_view->grab().toImage());
}

} // namespace headscope::desktop
