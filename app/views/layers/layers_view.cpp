// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/layers/layers_view.h"

#include "app/views/layers/layers_chart.h"
#include "ui/canvas/canvas_summary.h"
#include "ui/state/origin_guard.h"
#include "ui/theme/theme.h"
#include "ui/view/view_pages.h"
#include "ui/widgets/widgets.h"
#include "ui/widgets/wrap_row.h"
#include "ui/words/wording.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace headscope::ui
{

namespace
{

/// Of which documents the shares are, and what they do not show.
QString cautionText(const LayerMeasures& one)
{
    return (one.testDocuments > 0
                ? LayersView::tr(" Measured on the %1 of the probe’s test set.")
                      .arg(countText(one.testDocuments, LayersView::tr("document"), LayersView::tr("documents")))
                : QString()) %
           LayersView::tr(" High accuracy may come from fixed offsets only: random partitions of the dimensions are "
                          "often separable, too (see Probe › Baselines).");
}

} // namespace

QString partingText(std::span<const std::shared_ptr<const LayerMeasures>> measures)
{
    // Of true heads where they are measured; else of the first stage of segments.
    std::optional<Stage> stage;
    for (const auto& each : measures)
        if (std::isfinite(each->accuracy) && (!stage || each->stage < *stage))
            stage = each->stage;
    if (!stage)
        return {};
    const LayerMeasures* best = nullptr;
    const LayerMeasures* worst = nullptr;
    for (const auto& each : measures)
    {
        if (each->stage != *stage || !std::isfinite(each->accuracy))
            continue;
        if (best == nullptr || each->accuracy > best->accuracy)
            best = each.get();
        if (worst == nullptr || each->accuracy < worst->accuracy)
            worst = each.get();
    }
    const auto percent = [](double share) {
        return LayersView::tr("%1%").arg(QLocale().toString(100 * share, 'f', 1));
    };
    const QString what = toQString(stageName(*stage));
    const QString caution = cautionText(*best);
    if (best->layer == worst->layer || best->accuracy == worst->accuracy)
        return LayersView::tr("Stage %2 (%1): probe accuracy is %3 at layer %4.")
                   .arg(unitsText(*stage), what, percent(best->accuracy))
                   .arg(best->layer.value()) %
               caution;
    const auto between = [&percent](const LayerMeasures& one) {
        return std::isfinite(one.accuracyCi95.low)
                   ? LayersView::tr("%1, 95% CI %2 to %3")
                         .arg(percent(one.accuracy), QLocale().toString(100 * one.accuracyCi95.low, 'f', 1),
                              QLocale().toString(100 * one.accuracyCi95.high, 'f', 1))
                   : percent(one.accuracy);
    };
    QStringList alike; // whose interval reaches into that of the largest share
    for (const auto& each : measures)
        if (each->stage == *stage && each.get() != best && std::isfinite(each->accuracy) &&
            each->accuracyCi95.high >= best->accuracyCi95.low)
            alike << QString::number(each->layer.value());
    return LayersView::tr("Stage %2 (%1): probe accuracy is highest at layer %3 (%4) and lowest at layer %5 (%6). The "
                          "difference is not tested, because all layers are measured on the same documents%7.")
               .arg(unitsText(*stage), what, QString::number(best->layer.value()), between(*best),
                    QString::number(worst->layer.value()), between(*worst),
                    alike.isEmpty()
                        ? QString()
                        : LayersView::tr("; layers with an interval that overlaps that of the highest layer: %1")
                              .arg(alike.join(QStringLiteral(", ")))) %
           caution;
}

LayersView::LayersView(QWidget* parent)
    : View(parent), m_form([this](Fields& f) { fields(f, m_options); }, QStringLiteral("layers"), this)
{
    setObjectName(QStringLiteral("layersView"));
    setAccessibleName(tr("Layers"));
    setCanvasSummary(this, [this] { return summary(); });
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_pages = new ViewPages(this);
    auto* page = new QVBoxLayout(m_pages->page());
    page->setContentsMargins(0, 0, 0, 0);
    page->setSpacing(0);
    m_chart = new PictureOf<LayersChart>(m_pages->page());
    page->addWidget(m_chart, 1);
    m_parting = makeMutedLabel({}, m_pages->page());
    m_parting->setObjectName(QStringLiteral("layersParting"));
    m_parting->setWordWrap(true);
    m_parting->setContentsMargins(20, 0, 20, Metrics::kRelated);
    m_parting->hide();
    page->addWidget(m_parting);
    m_lack = new QWidget(m_pages->page());
    auto* lack = new QHBoxLayout(m_lack);
    lack->setContentsMargins(20, Metrics::kRelated, 20, Metrics::kPanel);
    lack->setSpacing(Metrics::kPanel);
    m_lackText = makeMutedLabel({}, m_lack);
    m_lackText->setObjectName(QStringLiteral("layersLack"));
    m_lackText->setWordWrap(true);
    auto* extract = new QPushButton(tr("Extract all layers…"), m_lack);
    extract->setObjectName(QStringLiteral("layersExtract"));
    extract->setToolTip(tr("Open the extraction dialog for this model, with all layers selected"));
    lack->addWidget(m_lackText, 1);
    lack->addWidget(extract);
    page->addWidget(m_lack);
    layout->addWidget(m_pages, 1);
    buildBar();
    layout->addWidget(m_bar);
    m_bar->hide();
    m_lack->hide();
    connect(extract, &QPushButton::clicked, this, &LayersView::extractRequested);
    useEmptyState(m_pages);
    m_form.bindTo(viewState());
    connect(m_chart, &PictureWidget::itemClicked, this,
            [this](std::size_t layer) { Q_EMIT layerChosen(LayerIndex(static_cast<std::int64_t>(layer))); });
}

void LayersView::buildBar()
{
    WrapRow* row = nullptr;
    QFrame* bar = makeViewBar(this, &row);
    m_bar = bar;
    m_measure = new QPushButton(tr("Measure"), bar);
    m_measure->setObjectName(QStringLiteral("layersMeasure"));
    m_measure->setToolTip(tr("Measure every stage of every layer in the cache. Each stage appears when it is done."));
    m_stop = new QPushButton(tr("Stop"), bar);
    m_stop->setObjectName(QStringLiteral("layersStop"));
    m_stop->setToolTip(tr("Stop measuring. Finished layers are kept."));
    QWidget* neighbors = m_form.makeAlone("neighbors", bar);
    neighbors->setFixedWidth(96);
    m_note = new ElidedLabel({}, bar);
    m_note->setObjectName(QStringLiteral("layersNote"));
    m_note->setProperty("role", QStringLiteral("muted"));
    m_note->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    row->addWidget(m_measure);
    row->addWidget(m_stop);
    row->addWidget(neighbors);
    row->addWidget(m_note, 1);
    connect(m_measure, &QPushButton::clicked, this, &LayersView::measureRequested);
    connect(m_stop, &QPushButton::clicked, this, &LayersView::stopRequested);
    connect(&m_form, &FieldForm::edited, this, &LayersView::optionsChanged);
    setRunning(false);
}

void LayersView::setLayers(std::int64_t layers, const std::set<std::int64_t>& held)
{
    m_chart->picture().setLayers(layers, held);
    const bool any = !held.empty();
    m_pages->setFilled(any);
    m_bar->setVisible(any);
    const auto lacking = layers - std::ssize(held);
    m_lack->setVisible(any && lacking > 0);
    if (any && lacking > 0)
        m_lackText->setText(
            (held.size() == 1
                 ? tr("This cache holds only layer %1 of %2. To compare layers, extract the other layers, too.")
                       .arg(*held.begin())
                 : tr("This cache holds %1 of %2. The remaining layers can be extracted.").arg(std::ssize(held)))
                .arg(countText(layers, tr("layer"), tr("layers"))));
}

void LayersView::setMeasures(std::vector<std::shared_ptr<const LayerMeasures>> measures)
{
    std::erase_if(measures, [](const auto& each) {
        return !OriginGuard::instance().admits(each->origin, "the measures of a layer");
    });
    m_chart->picture().setMeasures(std::move(measures));
    m_parting->setText(partingText(m_chart->picture().measures()));
    m_parting->setVisible(!m_parting->text().isEmpty());
    noteCanvasChanged(this);
}

void LayersView::setAnyHead(bool any)
{
    m_pages->setAnyHead(any);
}

void LayersView::setStage(Stage stage)
{
    m_pages->setStage(stage);
}

void LayersView::setCurrent(LayerIndex layer)
{
    m_chart->picture().setCurrent(layer);
}

void LayersView::setWaiting(const QString& title, const QString& text, const QString& action)
{
    m_pages->setFilled(title.isEmpty());
    if (!title.isEmpty())
        setEmpty(title, text, action);
}

void LayersView::setRunning(bool running)
{
    showRunning(*m_measure, *m_stop, running);
}

void LayersView::setNote(const QString& text)
{
    m_note->setFullText(text);
}

QString LayersView::note() const
{
    return m_note->fullText();
}

QString LayersView::summary() const
{
    const auto& measures = m_chart->picture().measures();
    if (measures.empty() || !m_pages->pageShown())
        return tr("No layers measured.");
    const QString parting = partingText(measures);
    return tr("%1.").arg(note()) % (parting.isEmpty() ? QString() : QChar(u' ') % parting);
}

QString LayersView::lackText() const
{
    return m_lack->isHidden() ? QString() : m_lackText->text();
}

} // namespace headscope::ui
