// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/tour/scenes.h"

#include "app/views/atlas/atlas_canvas.h"
#include "app/views/atlas/atlas_view.h"
#include "app/views/attention/attention_view.h"
#include "app/views/circuits/circuits_view.h"
#include "app/views/head_corpus/example_list.h"
#include "app/views/head_corpus/head_corpus_view.h"
#include "app/views/heads/heads_view.h"
#include "app/views/heatmap/heatmap_view.h"
#include "app/views/heatmap/heatmap_widget.h"
#include "app/views/probe/confusion_picture.h"
#include "app/views/retrieval/head_mixer.h"
#include "app/views/retrieval/retrieval_view.h"
#include "tests/ui/view_of.h"
#include "ui/canvas/picture_widget.h"
#include "ui/models/head_table_model.h"
#include "ui/panels/data/data_panel.h"
#include "ui/panels/data/head_picker.h"

#include <QLineEdit>
#include <QPushButton>
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
    ui::HeatmapWidget* canvas = test::viewOf<ui::HeatmapView>(t.window()).heatmap();
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
    if (auto* matrix = t.find<ui::PictureWidget>(QStringLiteral("confusion")))
    {
        const auto& picture = static_cast<ui::PictureOf<ui::ConfusionPicture>*>(matrix)->picture();
        const QPointF cell = picture.matrix().cellRect({0, 1}).center();
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
    t.window().selection().setPrimary(DocumentIndex(5), HeadIndex(0));
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
}

void layers(Tour& t)
{
    if (!t.view(QStringLiteral("Layers")))
        return;
    t.shoot(QStringLiteral("layers-empty"));
    if (auto* measure = t.find<QPushButton>(QStringLiteral("layersMeasure"));
        measure != nullptr && measure->isVisible())
        QTest::mouseClick(measure, Qt::LeftButton);
    t.settle(900'000);
    t.shoot(QStringLiteral("layers"), 1000);
}

/// A head over the documents of the cache, which takes a model.
void headCorpus(Tour& t)
{
    const QString model = qEnvironmentVariable("HEADSCOPE_DEMO_MODEL");
    auto* view = t.find<ui::HeadCorpusView>(QStringLiteral("headCorpusView"));
    if (view == nullptr || !t.view(QStringLiteral("Head")))
        return;
    t.shoot(QStringLiteral("head-empty"));
    if (model.isEmpty())
        return;
    t.dialogs().nextPath = model;
    t.click(QStringLiteral("headCorpusRun"));
    t.shoot(QStringLiteral("head-watching"), 1500);
    if (!QTest::qWaitFor([view] { return view->corpus() != nullptr; }, 600'000))
        return t.notThere(QStringLiteral("a head over the documents"));
    t.settle(900'000);
    t.shoot(QStringLiteral("head"), 1000);
    view->examples()->setCurrentIndex(view->examples()->model()->index(2, 0));
    t.shoot(QStringLiteral("head-example"), 500);
    t.click(QStringLiteral("examplesDeciles"));
    t.pick(QStringLiteral("tokenColors"), 3);
    t.shoot(QStringLiteral("head-deciles"), 500);
    t.click(QStringLiteral("mapOutputs"));
    t.settle(900'000);
    t.shoot(QStringLiteral("head-outputs"), 1000);
}

/// Every head of the model: dots, what is chosen and marked in them, the grid, the table, and attention by the model.
void atlas(Tour& t)
{
    if (!t.view(QStringLiteral("Atlas")))
        return;
    auto* view = t.find<ui::AtlasView>(QStringLiteral("atlasView"));
    if (view == nullptr)
        return;
    t.settle(900'000);
    t.shoot(QStringLiteral("atlas"), 800);
    const auto& dots = view->canvas()->picture().scatter();
    if (!dots.dots().dots.empty())
    {
        QTest::mouseMove(view->canvas(), dots.placeOf(dots.dots().dots.size() / 2).toPoint());
        t.shoot(QStringLiteral("atlas-card"), 400);
        QTest::mouseClick(view->canvas(), Qt::LeftButton, {}, dots.placeOf(dots.dots().dots.size() / 2).toPoint());
        t.settle();
        t.shoot(QStringLiteral("atlas-chosen"), 600);
    }
    view->bar()->setWanted({"spread", "match", "mean_norm", "layer"});
    t.shoot(QStringLiteral("atlas-measures"), 600);
    t.click(QStringLiteral("atlasGrid"));
    t.shoot(QStringLiteral("atlas-grid"), 600);
    t.click(QStringLiteral("atlasTable"));
    t.shoot(QStringLiteral("atlas-table"), 600);
    t.click(QStringLiteral("atlasDots"));
    const QString model = qEnvironmentVariable("HEADSCOPE_DEMO_MODEL");
    if (model.isEmpty())
        return;
    t.dialogs().nextPath = model;
    view->bar()->offer(MeasureKind::Attention)->trigger();
    t.shoot(QStringLiteral("atlas-attention-runs"), 3000);
    if (!QTest::qWaitFor([view] { return view->measures() != nullptr && view->measures()->find("pattern") != nullptr; },
                         300'000))
        return t.notThere(QStringLiteral("attention statistics in the atlas"));
    view->bar()->setWanted({"layer", "first_token", "", "pattern"});
    t.shoot(QStringLiteral("atlas-attention"), 600);
    view->bar()->setWanted({"previous_token", "induction", "", "layer"});
    t.shoot(QStringLiteral("atlas-induction"), 600);
    t.click(QStringLiteral("atlasGrid"));
    t.click(QStringLiteral("atlasOrder"));
    view->bar()->setWanted({"previous_token", "induction", "", "pattern"});
    t.shoot(QStringLiteral("atlas-patterns"), 600);
}

/// The pages of circuits, where the model is here.
void circuits(Tour& t)
{
    const QString model = qEnvironmentVariable("HEADSCOPE_DEMO_MODEL");
    if (!t.view(QStringLiteral("Circuits")))
        return;
    auto* view = t.find<ui::CircuitsView>(QStringLiteral("circuitsView"));
    if (view == nullptr)
        return;
    t.shoot(QStringLiteral("circuits-empty"), 600);
    if (model.isEmpty())
        return;
    t.dialogs().nextPath = model;
    Q_EMIT view->emptyActionRequested();
    for (const ui::CircuitPage page : ui::kCircuitPages)
    {
        view->setPage(page);
        if (view->result(page) == nullptr)
            Q_EMIT view->emptyActionRequested();
        if (!QTest::qWaitFor([view, page] { return view->result(page) != nullptr; }, 300'000))
            return t.notThere(QStringLiteral("a page of circuits"));
        t.shoot(QStringLiteral("circuits-%1").arg(static_cast<int>(page)), 600);
    }
}

/// A run that came with the program; then a sentence and a document, where the model is here.
void attention(Tour& t)
{
    if (!t.view(QStringLiteral("Attention")))
        return;
    auto& view = test::viewOf<ui::AttentionView>(t.window());
    if (!QTest::qWaitFor([&view] { return view.run() != nullptr; }, 10'000))
        return t.notThere(QStringLiteral("a stored run"));
    t.shoot(QStringLiteral("attention-stored"), 800);
    const QString model = qEnvironmentVariable("HEADSCOPE_DEMO_MODEL");
    if (model.isEmpty())
        return;
    t.dialogs().nextPath = model;
    view.setText(QStringLiteral("When the river rose, the farmer moved her sheep to the hill they knew."));
    Q_EMIT view.modelRequested();
    const auto isLive = [&view] { return view.run() != nullptr && view.run()->maker == AttentionMaker::Model; };
    if (!QTest::qWaitFor(isLive, 120'000))
        return t.notThere(QStringLiteral("the attention of a text"));
    t.settle();
    t.shoot(QStringLiteral("attention"), 800);
    view.setCell(TokenIndex(9), TokenIndex(6));
    t.settle();
    t.shoot(QStringLiteral("attention-cell"), 800);
    t.window().selection().setPrimary(DocumentIndex(5), HeadIndex(0));
    t.trigger(QStringLiteral("actionAttentionOfDocument"));
    if (!QTest::qWaitFor([&view] { return view.run() != nullptr && view.run()->document.has_value(); }, 120'000))
        return t.notThere(QStringLiteral("the attention of a document"));
    t.settle();
    t.shoot(QStringLiteral("attention-document"), 800);
}

/// A text asks: first which model it needs is said, then the model is chosen and the answer comes.
void textQuery(Tour& t)
{
    const QString model = qEnvironmentVariable("HEADSCOPE_DEMO_MODEL");
    auto* view = t.find<ui::RetrievalView>(QStringLiteral("retrievalView"));
    if (model.isEmpty() || view == nullptr || !t.view(QStringLiteral("Retrieval")))
        return;
    auto* field = t.find<QLineEdit>(QStringLiteral("queryText"));
    QTest::mouseClick(field, Qt::LeftButton);
    QTest::keyClicks(field, QStringLiteral("How do planets move around the sun?"));
    t.shoot(QStringLiteral("text-query-needs-model"), 600);
    t.dialogs().nextPath = model;
    // Once chosen the model is known, and the text is asked at once.
    auto* choose = t.find<QWidget>(QStringLiteral("queryModel"));
    t.click(choose != nullptr && choose->isVisible() ? QStringLiteral("queryModel") : QStringLiteral("queryAsk"));
    t.shoot(QStringLiteral("text-query-embedding"), 500);
    if (!QTest::qWaitFor([view] { return view->comparison() != nullptr && !view->comparison()->document; }, 120'000))
        return t.notThere(QStringLiteral("the answer to a text"));
    t.shoot(QStringLiteral("text-query"), 800);
}

/// What is picked at the left is what every view shows.
void chosenHeads(Tour& t)
{
    ui::HeadPicker* picker = t.window().dataPanel().headPicker();
    picker->setHeads({0, 4, 5});
    for (const char* name : {"Heatmap", "Heads", "Retrieval", "Layers", "Probe"})
    {
        t.view(QString::fromLatin1(name));
        t.settle();
        t.shoot(QStringLiteral("chosen-%1").arg(QString::fromLatin1(name).toLower()), 900);
    }
    t.view(QStringLiteral("Heads"));
    picker->chooseNone();
    t.shoot(QStringLiteral("chosen-none"), 500);
    picker->setHeads({4});
    t.shoot(QStringLiteral("chosen-one-heads"), 500);
    t.view(QStringLiteral("Heatmap"));
    t.shoot(QStringLiteral("chosen-one-heatmap"), 500);
    picker->chooseAll();
}

} // namespace

std::vector<Scene> viewScenes()
{
    return {
        {"heatmap", heatmap},
        {"probe", probe},
        {"heads", heads},
        {"retrieval", retrieval},
        {"text-query", textQuery},
        {"layers", layers},
        {"attention", attention},
        {"atlas", atlas},
        {"head", headCorpus},
        {"circuits", circuits},
        {"chosen-heads", chosenHeads},
    };
}

} // namespace headscope::tour
