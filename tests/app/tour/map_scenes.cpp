// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/tour/scenes.h"

#include "app/views/grid/map_grid.h"
#include "ui/canvas/legend/legend_widget.h"
#include "ui/jobs/job_strip.h"
#include "ui/panels/data/data_panel.h"
#include "ui/panels/data/head_picker.h"

#include <QLineEdit>
#include <QSlider>

#include <cmath>

namespace headscope::tour
{

namespace
{

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
    t.click(QStringLiteral("toolBox"));
    const QPoint middle = t.densestPlace().toPoint();
    t.dragHolding({middle + QPoint(-150, -100), middle + QPoint(0, 20), middle + QPoint(150, 100)});
    t.shoot(QStringLiteral("map-box-zoom-in-progress"));
    t.letGo(middle + QPoint(150, 100));
    QTest::qWait(600);
    t.click(QStringLiteral("toolPan"));
    t.scatter().fit();
    QTest::qWait(600);
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
    t.settle();
    t.shoot(QStringLiteral("map-lasso-listed-as-documents"));
    t.click(QStringLiteral("pickPoints"));
    t.dragHolding(loop);
    t.letGo(loop.back());
    t.settle();
    t.shoot(QStringLiteral("map-lasso-listed-as-points"));
    t.click(QStringLiteral("pickDocuments"));
    t.trigger(QStringLiteral("actionChooseNone"));
    t.sidePanel(QStringLiteral("Document"));
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
    t.trigger(QStringLiteral("actionJoinDots"));
    t.leave();
    t.shoot(QStringLiteral("map-joined-dots"));
    t.trigger(QStringLiteral("actionJoinDots"));
    QTest::mouseMove(&t.scatter(), point);
    QContextMenuEvent asked(QContextMenuEvent::Mouse, point, t.scatter().mapToGlobal(point));
    QApplication::sendEvent(&t.scatter(), &asked);
    t.shoot(QStringLiteral("map-point-menu"), 500);
    if (QWidget* menu = QApplication::activePopupWidget())
        menu->close();
    else
        t.notThere(QStringLiteral("pointMenu"));
    t.leave();
}

void legend(Tour& t)
{
    auto* card = t.find<ui::LegendWidget>(QStringLiteral("legend"));
    if (card == nullptr)
        return;
    const auto clickEntry = [card](const viz::LegendHit& hit, Qt::KeyboardModifiers keys) {
        if (const auto box = card->layoutOfLegend().boxOf(hit))
            // The name of a group stands at its left; its heads lie in the middle.
            QTest::mouseClick(card, Qt::LeftButton, keys,
                              QPoint(static_cast<int>(box->left()) + 6, static_cast<int>(box->center().y())));
    };
    t.pick(QStringLiteral("colorBox"), 0);
    clickEntry({viz::LegendHit::Kind::Group, 1}, {});
    t.shoot(QStringLiteral("map-legend-group-alone"));
    clickEntry({viz::LegendHit::Kind::Group, 1}, {});
    clickEntry({viz::LegendHit::Kind::Head, 0}, Qt::ControlModifier);
    t.shoot(QStringLiteral("map-legend-head-hidden"));
    clickEntry({viz::LegendHit::Kind::Head, 0}, Qt::ControlModifier);
    const auto clickEye = [card] {
        if (const auto eye = card->layoutOfLegend().eyeOf({viz::LegendHit::Kind::Group, 0}))
            QTest::mouseClick(card, Qt::LeftButton, {}, eye->center().toPoint());
    };
    clickEye();
    t.shoot(QStringLiteral("map-legend-group-hidden"));
    clickEye();
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

void grid(Tour& t)
{
    if (!t.view(QStringLiteral("Grid")))
        return;
    t.trigger(QStringLiteral("actionRunGrid"));
    t.shoot(QStringLiteral("grid-running"), 700);
    t.settle(900'000);
    t.shoot(QStringLiteral("grid"), 1000);
    auto* canvas = t.find<ui::MapGrid>(QStringLiteral("mapGrid"));
    if (canvas == nullptr || canvas->contents().cells.size() < 7)
        return t.notThere(QStringLiteral("a grid of cells"));
    const QPoint cell = canvas->gridLayout().plot(6).center().toPoint();
    for (int i = -20; i <= 20; i += 2) // whatever lies under this way lights up
        QTest::mouseMove(canvas, cell + QPoint(i, i / 2));
    t.shoot(QStringLiteral("grid-hover"), 600);
    QTest::mouseClick(canvas, Qt::LeftButton, {}, cell);
    t.shoot(QStringLiteral("grid-cell-growing"), 60);
    t.shoot(QStringLiteral("grid-cell-grown"), 900);
    t.click(QStringLiteral("gridBack"));
    auto* what = t.find<QComboBox>(QStringLiteral("gridWhat"));
    for (int i = 0; what != nullptr && i < what->count(); ++i)
        if (what->itemText(i).contains(QStringLiteral("layers")))
        {
            t.pick(QStringLiteral("gridWhat"), i);
            t.trigger(QStringLiteral("actionRunGrid"));
            t.settle(900'000);
            t.shoot(QStringLiteral("grid-layers"), 1000);
            break;
        }
    t.pick(QStringLiteral("gridWhat"), 0);
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

void liveRun(Tour& t)
{
    t.view(QStringLiteral("Map"));
    const bool panel = t.sidePanel(QStringLiteral("Map run"));
    const int before = t.settings().number(ui::settingNamed("map/iterations"));
    t.settings().setNumber(ui::settingNamed("map/iterations"), 20'000); // lasts longer than the shots
    if (!t.trigger(QStringLiteral("actionMap")))
        return;
    if (!QTest::qWaitFor([&t] { return t.workbench().mapRun().active() && t.scatter().map() != nullptr; }, 60'000))
        return t.notThere(QStringLiteral("a running map"));
    // Past the early exaggeration, when islands have formed.
    constexpr std::int64_t kFormed = 400;
    const auto begun = [&t] { return t.scatter().map()->iteration < kFormed; }; // not the map that was there
    const auto formed = [&t] { return t.scatter().map()->iteration >= kFormed; };
    if (!QTest::qWaitFor(begun, 120'000) || !QTest::qWaitFor(formed, 120'000))
        t.notThere(QStringLiteral("a map of %1 iterations").arg(kFormed));
    t.shoot(QStringLiteral("map-run-live"), 1000);
    t.workbench().mapRun().pause();
    t.shoot(QStringLiteral("map-run-paused"), 600);
    t.window().jobStrip().setPanelShown(true);
    t.shoot(QStringLiteral("job-panel-running"), 500);
    t.window().jobStrip().setPanelShown(false);
    if (panel)
        if (auto* scrubber = t.find<QSlider>(QStringLiteral("runHistory")))
        {
            scrubber->setValue((scrubber->minimum() + scrubber->maximum()) / 4);
            t.shoot(QStringLiteral("map-run-history"), 600);
        }
    t.workbench().mapRun().stop();
    t.settle();
    t.settings().setNumber(ui::settingNamed("map/iterations"), before);
    t.shoot(QStringLiteral("map-run-stopped"));
}

} // namespace

std::vector<Scene> mapScenes()
{
    return {
        {"map", map},
        {"map-colours", mapColours},
        {"map-modes", mapModes},
        {"map-zoomed", mapZoomed},
        {"selecting", selecting},
        {"hover-inspector", hoverAndInspector},
        {"legend", legend},
        {"region-labels", regionLabels},
        {"grid", grid},
        {"compare", compare},
        {"live-run", liveRun},
    };
}

} // namespace headscope::tour
