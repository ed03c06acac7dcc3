// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/tour/scenes.h"

#include "tests/app/tour/head_scenes.h"
#include "ui/models/head_table_model.h"
#include "ui/plots/confusion_widget.h"
#include "ui/plots/head_mixer.h"
#include "ui/plots/heads_view.h"
#include "ui/plots/heatmap_view.h"
#include "ui/plots/heatmap_widget.h"
#include "ui/plots/retrieval_view.h"

#include <QLineEdit>
#include <QTableView>
#include <QToolButton>

namespace headscope::tour
{

namespace
{

void heatmap(Tour& t)
{
    if (!t.view(QStringLiteral("Heatmap")))
        return;
    t.shoot(QStringLiteral("heatmap"), 800);
    ui::HeatmapWidget* canvas = t.window().heatmapView().heatmap();
    QTest::mouseMove(canvas, QPoint(canvas->width() / 2, 120));
    QTest::mouseMove(canvas, QPoint(canvas->width() / 2 + 3, 122));
    t.shoot(QStringLiteral("heatmap-hover-card"), 600);
    t.pick(QStringLiteral("heatmapStages"), 1);
    t.pick(QStringLiteral("heatmapSort"), 2);
    t.pick(QStringLiteral("heatmapRows"), 4);
    t.shoot(QStringLiteral("heatmap-one-stage-clusters"), 800);
    t.pick(QStringLiteral("heatmapSort"), 0);
    t.pick(QStringLiteral("heatmapRows"), 0);
    t.pick(QStringLiteral("heatmapStages"), 0);
    canvas->zoomToTopic(2);
    t.shoot(QStringLiteral("heatmap-zoomed"), 600);
    canvas->showAll();
    if (t.click(QStringLiteral("heatmapTopicsButton")))
    {
        t.shoot(QStringLiteral("heatmap-topics"), 500);
        t.closePopup();
    }
    t.click(QStringLiteral("modeSimilarity"));
    t.settle();
    t.shoot(QStringLiteral("heatmap-similarity"), 800);
    t.click(QStringLiteral("modeMeans"));
    t.settle();
    t.shoot(QStringLiteral("heatmap-means"), 800);
    t.click(QStringLiteral("modeDocuments"));
}

void probe(Tour& t)
{
    t.view(QStringLiteral("Probe"));
    t.shoot(QStringLiteral("probe-empty"));
    if (t.click(QStringLiteral("probeOptions")))
    {
        t.shoot(QStringLiteral("probe-options"), 500);
        t.closePopup();
    }
    t.click(QStringLiteral("probeControl"));
    t.trigger(QStringLiteral("actionProbe"));
    t.settle();
    t.shoot(QStringLiteral("probe"), 800);
    if (auto* matrix = t.find<ui::ConfusionWidget>(QStringLiteral("confusion")))
    {
        const QPointF cell = matrix->matrix().cellRect({0, 1}).center();
        QTest::mouseMove(matrix, cell.toPoint() + QPoint(2, 2));
        QTest::mouseMove(matrix, cell.toPoint());
        QTest::mouseClick(matrix, Qt::LeftButton, {}, cell.toPoint());
        t.shoot(QStringLiteral("probe-cell-chosen"), 600);
        t.view(QStringLiteral("Map"));
        t.shoot(QStringLiteral("probe-cell-on-the-map"), 600);
        t.trigger(QStringLiteral("actionChooseNone"));
        t.view(QStringLiteral("Probe"));
    }
    auto* layers = t.find<QComboBox>(QStringLiteral("probeLayers"));
    if (layers == nullptr || layers->count() < 2)
        return;
    t.pick(QStringLiteral("probeLayers"), layers->count() - 1);
    t.trigger(QStringLiteral("actionProbe"));
    t.settle(900'000);
    t.click(QStringLiteral("probePage0"));
    t.shoot(QStringLiteral("probe-sweep"), 800);
}

void heads(Tour& t)
{
    if (!t.view(QStringLiteral("Heads")))
        return;
    t.settle();
    t.shoot(QStringLiteral("heads"), 600);
    auto* view = t.find<ui::HeadsView>(QStringLiteral("headsView"));
    if (view == nullptr)
        return;
    const QModelIndex group = view->model()->index(1, 0); // KV2
    view->model()->setData(group, Qt::Unchecked, Qt::CheckStateRole);
    t.click(QStringLiteral("maskProbe"));
    t.settle();
    t.everyChoice(QStringLiteral("headLikeness"), QStringLiteral("heads-group-off"));
    t.click(QStringLiteral("maskUndo"));
    if (auto* field = t.find<QLineEdit>(QStringLiteral("headFilter")))
    {
        QTest::keyClicks(field, QStringLiteral("2-4"));
        t.shoot(QStringLiteral("heads-filtered"), 500);
        field->clear();
    }
}

void retrieval(Tour& t)
{
    t.window().selection().setPrimary(5, 0);
    if (!t.view(QStringLiteral("Retrieval")))
        return;
    auto* view = t.find<ui::RetrievalView>(QStringLiteral("retrievalView"));
    if (view == nullptr)
        return;
    if (!QTest::qWaitFor([view] { return view->comparison() != nullptr; }, 60'000))
        return t.notThere(QStringLiteral("an answer of the retrieval"));
    t.shoot(QStringLiteral("retrieval"), 600);
    QTableView* table = view->table(ui::RankingModel::Side::First);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(table->model()->index(1, 1)).center());
    t.shoot(QStringLiteral("retrieval-result-clicked"), 600);
    view->mixer()->muteButton(0)->click();
    view->mixer()->fader(1)->setValue(view->mixer()->fader(1)->maximum());
    t.shoot(QStringLiteral("retrieval-weights"), 600);
    const QString model = qEnvironmentVariable("HEADSCOPE_DEMO_MODEL");
    auto* field = t.find<QLineEdit>(QStringLiteral("queryText"));
    if (model.isEmpty() || field == nullptr)
        return; // a text needs the model
    QTest::keyClicks(field, QStringLiteral("How do I keep a sourdough starter alive?"));
    t.dialogs().nextPath = model;
    t.click(QStringLiteral("queryAsk"));
    t.settle();
    t.shoot(QStringLiteral("retrieval-text"), 1000);
}

void layers(Tour& t)
{
    if (!t.view(QStringLiteral("Layers")))
        return;
    t.shoot(QStringLiteral("layers-empty"));
    t.settle(900'000);
    t.shoot(QStringLiteral("layers"), 1000);
}

} // namespace

std::vector<Scene> viewScenes()
{
    return {
        {"heatmap", heatmap},          {"probe", probe},   {"heads", heads},
        {"retrieval", retrieval},      {"layers", layers}, {"text-query", textQuery},
        {"chosen-heads", chosenHeads},
    };
}

} // namespace headscope::tour
