// SPDX-License-Identifier: GPL-3.0-or-later
// A tour through the program in a real window, picture by picture, to be looked at by people; run by
// packaging/screenshots.sh. One function a scene: it drives the window by mouse and keys, finds what
// it needs by object name, and says what was not there.
//
//   screen_tour OUT_DIR CACHE [--prefix NAME] [--only SCENE,SCENE] [--look light|dark] [--list]
#include "tests/app/tour.h"
#include "tests/app/tour_heads.h"

#include "ui/jobs/job_panel.h"
#include "ui/jobs/job_strip.h"
#include "ui/models/head_table_model.h"
#include "ui/panels/data_panel.h"
#include "ui/panels/head_picker.h"
#include "ui/panels/layer_strip.h"
#include "ui/panels/stage_cards.h"
#include "ui/plots/head_mixer.h"
#include "ui/plots/heads_view.h"
#include "ui/plots/heatmap_view.h"
#include "ui/plots/heatmap_widget.h"
#include "ui/plots/retrieval_view.h"
#include "ui/theme/theme.h"

#include <QCommandLineParser>
#include <QFileInfo>
#include <QLineEdit>
#include <QPushButton>
#include <QSlider>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>

#include <cmath>
#include <cstdio>

using namespace headscope;
using tour::Tour;

namespace
{

void welcome(Tour& t)
{
    t.window().setWelcomeShown(true);
    t.shoot(QStringLiteral("welcome"));
    t.window().setWelcomeShown(false);
}

void map(Tour& t)
{
    t.view(QStringLiteral("Map"));
    t.scatter().fit();
    t.shoot(QStringLiteral("map"));
}

void mapColours(Tour& t)
{
    t.everyChoice(QStringLiteral("colorBox"), QStringLiteral("map-colour"));
}

void mapModes(Tour& t)
{
    t.everyChoice(QStringLiteral("mapMode"), QStringLiteral("map-mode"));
}

void mapZoomed(Tour& t)
{
    const QPointF place = t.densestPlace();
    t.wheel(place, 8);
    if (t.find(QStringLiteral("minimap")) == nullptr)
        qWarning("zoomed without a minimap");
    t.shoot(QStringLiteral("map-zoomed-with-minimap"));
    t.scatter().fit();
    QTest::qWait(300);
}

void selecting(Tour& t)
{
    const QPoint middle = t.densestPlace().toPoint();
    const auto around = [&middle](int x, int y) { return middle + QPoint(x, y); };
    t.click(QStringLiteral("toolRectangle"));
    t.dragHolding({around(-160, -120), around(-40, -30), around(120, 90)});
    t.shoot(QStringLiteral("map-rectangle-in-progress"));
    t.letGo(around(120, 90));
    t.shoot(QStringLiteral("map-chosen-others-pale"));
    t.trigger(QStringLiteral("actionChooseNone"));
    t.click(QStringLiteral("toolLasso"));
    std::vector<QPoint> loop;
    for (int i = 0; i < 22; ++i)
    {
        const double turn = 0.27 * i;
        loop.push_back(around(static_cast<int>(150 * std::cos(turn)), static_cast<int>(110 * std::sin(turn))));
    }
    t.dragHolding(loop);
    t.shoot(QStringLiteral("map-lasso-in-progress"));
    t.letGo(loop.back());
    t.trigger(QStringLiteral("actionChooseNone"));
    t.click(QStringLiteral("toolBrush"));
    t.dragHolding({around(-120, 0), around(-60, 20), around(0, 10), around(80, -20)});
    t.shoot(QStringLiteral("map-brush-in-progress"));
    t.letGo(around(80, -20));
    t.trigger(QStringLiteral("actionFitChosen"));
    t.shoot(QStringLiteral("map-chosen-fitted"), 600);
    t.trigger(QStringLiteral("actionChooseNone"));
    t.click(QStringLiteral("toolPan"));
    t.scatter().fit();
    QTest::qWait(300);
}

void hoverAndInspector(Tour& t)
{
    const QPoint point = t.pointNear(t.densestPlace());
    QTest::mouseMove(&t.scatter(), point + QPoint(20, 20));
    QTest::mouseMove(&t.scatter(), point);
    t.shoot(QStringLiteral("map-hover-card"), 700);
    QTest::mouseClick(&t.scatter(), Qt::LeftButton, {}, point);
    t.sidePanel(QStringLiteral("Document"));
    t.settle();
    t.shoot(QStringLiteral("inspector"), 800);
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&t.scatter(), &leave);
}

void legend(Tour& t)
{
    const QRectF area = t.scatter().legendRect();
    if (area.isEmpty())
        return t.notThere(QStringLiteral("legend"));
    const QPoint entry(static_cast<int>(area.left() + 30), static_cast<int>(area.top() + area.height() * 0.4));
    QTest::mouseClick(&t.scatter(), Qt::LeftButton, {}, entry);
    t.shoot(QStringLiteral("map-legend-isolated"));
    QTest::mouseClick(&t.scatter(), Qt::LeftButton, {}, entry);
    t.window().dataPanel().headPicker()->chooseAll();
}

void regionLabels(Tour& t)
{
    auto* action = t.find<QAction>(QStringLiteral("actionRegionNames"));
    if (action == nullptr)
        return;
    const bool before = action->isChecked();
    action->setChecked(true);
    t.settle();
    t.shoot(QStringLiteral("map-region-labels"), 1200);
    action->setChecked(before);
}

void findTexts(Tour& t)
{
    if (!t.sidePanel(QStringLiteral("Find")))
        return;
    t.click(QStringLiteral("findPageText"));
    if (auto* field = t.find<QLineEdit>(QStringLiteral("findText")))
    {
        field->setFocus();
        QTest::keyClicks(field, QStringLiteral("library"));
        QTest::keyClick(field, Qt::Key_Return);
        t.settle();
        t.shoot(QStringLiteral("find-search"), 1000);
        field->clear();
        QTest::keyClick(field, Qt::Key_Return);
    }
    if (t.click(QStringLiteral("findPageFilter")) && t.click(QStringLiteral("filterAdd")))
        t.shoot(QStringLiteral("find-filter"));
}

void sets(Tour& t)
{
    if (!t.sidePanel(QStringLiteral("Find")) || !t.click(QStringLiteral("findPageSets")))
        return;
    for (const int first : {0, 40})
    {
        std::vector<std::int64_t> documents;
        for (std::int64_t i = first; i < first + 30; ++i)
            documents.push_back(i);
        t.window().selection().setDocuments(std::move(documents));
        if (auto* name = t.find<QLineEdit>(QStringLiteral("setName")))
        {
            name->setText(first == 0 ? QStringLiteral("The first thirty") : QStringLiteral("From forty on"));
            t.click(QStringLiteral("setKeep"));
        }
    }
    t.shoot(QStringLiteral("find-sets"));
    t.trigger(QStringLiteral("actionChooseNone"));
}

void heatmap(Tour& t)
{
    if (!t.view(QStringLiteral("Heatmap")))
        return;
    t.shoot(QStringLiteral("heatmap"), 800);
    ui::HeatmapWidget* canvas = t.window().heatmapView().heatmap();
    QTest::mouseMove(canvas, QPoint(canvas->width() / 2, 120));
    QTest::mouseMove(canvas, QPoint(canvas->width() / 2 + 3, 122));
    t.shoot(QStringLiteral("heatmap-hover-card"), 600);
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
    t.trigger(QStringLiteral("actionProbe"));
    t.settle();
    t.shoot(QStringLiteral("probe"), 800);
}

void grid(Tour& t)
{
    if (!t.view(QStringLiteral("Grid")))
        return;
    t.trigger(QStringLiteral("actionRunGrid"));
    t.shoot(QStringLiteral("grid-running"), 5000);
    t.settle(900'000);
    t.shoot(QStringLiteral("grid"), 1000);
    auto* canvas = t.find<QWidget>(QStringLiteral("mapGrid"));
    if (canvas == nullptr)
        return;
    const QPoint cell(canvas->width() / 4, canvas->height() / 5);
    for (int i = -20; i <= 20; i += 2) // whatever lies under this way lights up
        QTest::mouseMove(canvas, cell + QPoint(i, i / 2));
    t.shoot(QStringLiteral("grid-hover"), 600);
    QTest::mouseClick(canvas, Qt::LeftButton, {}, cell);
    t.shoot(QStringLiteral("grid-cell-growing"), 60);
    t.shoot(QStringLiteral("grid-cell-grown"), 900);
}

void compare(Tour& t)
{
    if (!t.view(QStringLiteral("Compare")))
        return;
    t.click(QStringLiteral("compareMorph"));
    t.shoot(QStringLiteral("compare"), 1000);
    if (auto* slider = t.find<QSlider>(QStringLiteral("compareSlider")))
    {
        slider->setValue((slider->minimum() + slider->maximum()) / 2);
        t.shoot(QStringLiteral("compare-morph"));
    }
    t.everyChoice(QStringLiteral("compareLines"), QStringLiteral("compare"));
    t.everyChoice(QStringLiteral("compareColor"), QStringLiteral("compare-colour"));
    t.click(QStringLiteral("compareSide"));
    t.shoot(QStringLiteral("compare-side-by-side"), 600);
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

void liveRun(Tour& t)
{
    t.view(QStringLiteral("Map"));
    const bool panel = t.sidePanel(QStringLiteral("Map run"));
    const int before = t.settings().number(ui::SettingKey::Iterations);
    t.settings().setNumber(ui::SettingKey::Iterations, 2000);
    if (!t.trigger(QStringLiteral("actionMap")))
        return;
    if (!QTest::qWaitFor([&t] { return t.workbench().mapRun().active() && t.scatter().map() != nullptr; }, 60'000))
        return t.notThere(QStringLiteral("a running map"));
    t.shoot(QStringLiteral("map-run-live"), 6000);
    t.workbench().mapRun().pause();
    t.shoot(QStringLiteral("map-run-paused"), 600);
    if (panel)
        if (auto* scrubber = t.find<QSlider>(QStringLiteral("runHistory")))
        {
            scrubber->setValue((scrubber->minimum() + scrubber->maximum()) / 4);
            t.shoot(QStringLiteral("map-run-history"), 600);
        }
    t.workbench().mapRun().stop();
    t.settle();
    t.settings().setNumber(ui::SettingKey::Iterations, before);
    t.shoot(QStringLiteral("map-run-stopped"));
}

void dataPanel(Tour& t)
{
    t.view(QStringLiteral("Map"));
    ui::HeadPicker* picker = t.window().dataPanel().headPicker();
    QTest::mouseClick(picker, Qt::LeftButton, {}, picker->labelRect(0).center());
    t.shoot(QStringLiteral("data-panel-one-kv-group"));
    picker->chooseAll();
    // Labels for most of the documents, and for some that the cache has not.
    const QTemporaryDir folder;
    QFile table(folder.filePath(QStringLiteral("labels.csv")));
    if (!table.open(QIODevice::WriteOnly) || t.window().overview() == nullptr)
        return;
    table.write("id,language,year\nnot-in-the-cache,en,2020\n");
    const auto& ids = t.window().overview()->documents->ids;
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (i % 5 != 0)
            table.write(QByteArray::fromStdString(ids[i]) + (i % 3 == 0 ? ",de,2019\n" : ",en,2021\n"));
    table.close();
    t.dialogs().nextPath = table.fileName();
    t.dialog(QStringLiteral("actionJoinLabels"), QStringLiteral("join-labels"));
}

void jobPanel(Tour& t)
{
    ui::JobStrip& strip = t.window().jobStrip();
    strip.setPanelShown(true);
    if (strip.jobs().rowCount() > 0)
        strip.panel().choose(strip.jobs().job(strip.jobs().index(0, 0)).id);
    t.shoot(QStringLiteral("job-panel"));
    strip.panel().showWholeLog();
    t.shoot(QStringLiteral("job-panel-log"));
    strip.setPanelShown(false);
}

void dialogs(Tour& t)
{
    t.view(QStringLiteral("Map"));
    t.dialog(QStringLiteral("actionSettings"), QStringLiteral("settings"));
    t.dialog(QStringLiteral("actionShortcuts"), QStringLiteral("shortcuts"));
    t.dialog(QStringLiteral("actionKeys"), QStringLiteral("keys"));
    t.dialog(QStringLiteral("actionExtract"), QStringLiteral("extract"));
    if (t.trigger(QStringLiteral("actionCommands")))
    {
        if (auto* field = t.find<QLineEdit>(QStringLiteral("commandField")))
            QTest::keyClicks(field, QStringLiteral("ch"));
        t.shoot(QStringLiteral("command-palette"));
        t.closeDialogs();
    }
}

struct Scene
{
    const char* name;
    void (*play)(Tour&);
};

constexpr Scene kScenes[] = {
    {"map", map},
    {"map-colours", mapColours},
    {"map-modes", mapModes},
    {"map-zoomed", mapZoomed},
    {"selecting", selecting},
    {"hover-inspector", hoverAndInspector},
    {"legend", legend},
    {"region-labels", regionLabels},
    {"find", findTexts},
    {"sets", sets},
    {"grid", grid},
    {"compare", compare},
    {"heatmap", heatmap},
    {"probe", probe},
    {"heads", heads},
    {"retrieval", retrieval},
    {"text-query", tour::textQuery},
    {"layers", layers},
    {"chosen-heads", tour::chosenHeads},
    {"live-run", liveRun},
    {"data-panel", dataPanel},
    {"job-panel", jobPanel},
    {"dialogs", dialogs},
    {"welcome", welcome},
};

int fail(const QString& sentence)
{
    qCritical("screen_tour: %s", qPrintable(sentence));
    return 2;
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    QCommandLineParser parser;
    const QCommandLineOption prefix(QStringLiteral("prefix"), QString(), QStringLiteral("NAME"));
    const QCommandLineOption only(QStringLiteral("only"), QString(), QStringLiteral("SCENES"));
    const QCommandLineOption look(QStringLiteral("look"), QString(), QStringLiteral("light|dark"),
                                  QStringLiteral("light"));
    const QCommandLineOption list(QStringLiteral("list"));
    parser.addOptions({prefix, only, look, list});
    parser.process(application);
    if (parser.isSet(list))
    {
        for (const Scene& scene : kScenes)
            std::printf("%s\n", scene.name);
        return 0;
    }
    const QStringList places = parser.positionalArguments();
    if (places.size() != 2)
        return fail(QStringLiteral("expected OUT_DIR and CACHE"));
    if (!QDir().mkpath(places.at(0)))
        return fail(places.at(0) + QStringLiteral(": could not be made"));

    ui::Theme::instance().setScheme(ui::Theme::Scheme::Light);
    ui::Theme::instance().apply(application);
    Tour t(places.at(0), parser.value(prefix));
    t.settings().addRecentFile(QStringLiteral("/media/disk/that-is-gone.h5"));
    t.settings().addRecentFile(QFileInfo(places.at(1)).absoluteFilePath());
    t.window().setDemos({{QStringLiteral("SmolLM2-135M"), places.at(1),
                          QStringLiteral("192 texts, 9 heads in 3 KV groups, a model of language")}});
    t.settings().setText(ui::SettingKey::ColorScheme, parser.value(look));
    if (!QTest::qWaitForWindowActive(&t.window()))
        return fail(QStringLiteral("the window never became active"));
    const QStringList wanted = parser.value(only).split(u',', Qt::SkipEmptyParts);
    if (wanted.isEmpty() || wanted.contains(QStringLiteral("start")))
        t.shoot(QStringLiteral("start-nothing-open"));
    if (!t.open(places.at(1)) || !t.settle())
        return fail(places.at(1) + QStringLiteral(": could not be opened"));
    for (const Scene& scene : kScenes)
        if (wanted.isEmpty() || wanted.contains(QString::fromLatin1(scene.name)))
        {
            std::printf("%s\n", scene.name);
            std::fflush(stdout);
            scene.play(t);
        }
    std::printf("%d pictures in %s\n", t.shots(), qPrintable(places.at(0)));
    for (const QString& what : t.missing())
        std::printf("NOT THERE: %s\n", qPrintable(what));
    return t.missing().isEmpty() ? 0 : 1;
}
