// SPDX-License-Identifier: GPL-3.0-or-later
// How long the window is kept from its work by a map of millions of points, offscreen: one JSON line
// for each thing a hand does. bench_canvas [--points N] [--threads N] [--stacks MS]
#include "model/base/parallel.h"
#include "model/base/random.h"
#include "tests/bench/pause_meter.h"
#include "tests/ui/window_test.h"
#include "ui/canvas/scatter/minimap.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "viz/scatter/point_coloring.h"

#include <QWheelEvent>

#include <cmath>
#include <functional>

using namespace headscope;
using headscope::bench::PauseMeter;

namespace
{

constexpr std::int64_t kHeads = 32;

std::shared_ptr<const HeadMap> cloudMap(std::int64_t points)
{
    const CounterRandom random(5);
    auto ids = std::make_shared<PointIds>();
    auto map = std::make_shared<HeadMap>();
    map->xy = MatrixF(points, 2);
    for (std::int64_t i = 0; i < points; ++i)
    {
        const auto head = static_cast<std::int32_t>(i % kHeads);
        ids->document.push_back(static_cast<std::int32_t>(i / kHeads));
        ids->head.push_back(head);
        const auto at = static_cast<std::uint64_t>(2 * i);
        map->xy(i, 0) = static_cast<float>(8 * (head % 6) + random.normal(at));
        map->xy(i, 1) = static_cast<float>(8 * (head / 6) + random.normal(at + 1));
    }
    map->points = std::move(ids);
    return map;
}

LabelColumn topics(std::int64_t documents)
{
    LabelColumn column;
    column.name = "topic";
    for (int i = 0; i < 25; ++i)
        column.categories.push_back(fmt::format("topic {}", i));
    for (std::int64_t i = 0; i < documents; ++i)
        column.codes.push_back(static_cast<std::int32_t>(i % 25));
    return column;
}

void send(ui::ScatterWidget& canvas, QEvent::Type type, QPointF place, Qt::MouseButtons held)
{
    QMouseEvent event(type, place, canvas.mapToGlobal(place), type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton,
                      held, Qt::NoModifier);
    QApplication::sendEvent(&canvas, &event);
}

} // namespace

int main(int argc, char** argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    test::prepareApplication(application);
    const QStringList words = QApplication::arguments();
    const auto number = [&words](const QString& name, std::int64_t otherwise) {
        const qsizetype at = words.indexOf(name);
        return at >= 0 && at + 1 < words.size() ? words[at + 1].toLongLong() : otherwise;
    };
    const std::int64_t points = number(QStringLiteral("--points"), 1'000'000);
    const int threads = static_cast<int>(number(QStringLiteral("--threads"), availableCores()));
    const auto map = cloudMap(points);
    const LabelColumn column = topics(points / kHeads + 1);

    ui::ScatterWidget canvas;
    canvas.resize(1600, 1000);
    canvas.setThreads(threads);
    bool byTopic = false;
    canvas.setColoringSource([&byTopic, &column](const std::shared_ptr<const HeadMap>& of,
                                                 viz::InkTheme theme) -> ui::ScatterWidget::ColoringTask {
        if (byTopic)
            return [of, &column, theme] { return viz::colorByLabel(*of->points, column, theme); };
        return [of] { return viz::colorByHead(*of->points, viz::HeadPalette(8, 4), QStringLiteral("head")); };
    });
    std::vector<std::int64_t> picked;
    bool choosing = false;
    QObject::connect(&canvas, &ui::ScatterWidget::documentsPicked, &canvas, [&](const auto& documents) {
        picked = documents;
        choosing = false;
        canvas.setChosen(documents);
    });
    std::int64_t pointsPicked = 0;
    QObject::connect(&canvas, &ui::ScatterWidget::pointsPicked, &canvas, [&](const PointSet& caught) {
        pointsPicked = caught.count();
        choosing = false;
        canvas.setChosen(caught.documents(), std::make_shared<const PointSet>(caught));
    });
    canvas.show();
    if (!QTest::qWaitForWindowExposed(&canvas))
        return 1;
    PauseMeter meter(static_cast<int>(number(QStringLiteral("--stacks"), 0)));
    const auto measure = [&](const char* name, const std::function<void()>& act) {
        QElapsedTimer clock;
        clock.start();
        meter.start();
        act();
        const bool done =
            bench::runLoop(120'000, [&] { return !choosing && !canvas.moving() && !canvas.catchingUp(); });
        bench::runLoop(50);
        meter.print(
            name, static_cast<double>(clock.elapsed()) / 1000,
            fmt::format(", \"points\": {}, \"threads\": {}{}", points, threads, done ? "" : ", \"done\": false"));
    };
    measure("canvas_open", [&] {
        canvas.setMap(map);
        canvas.recolor();
    });
    measure("canvas_recolor", [&] {
        byTopic = true;
        canvas.recolor();
    });
    const auto lasso = [&] {
        choosing = true;
        canvas.setTool(ui::ScatterWidget::Tool::Lasso);
        const QPointF centre(800, 500);
        send(canvas, QEvent::MouseButtonPress, centre + QPointF(300, 0), Qt::LeftButton);
        for (int step = 1; step <= 60; ++step)
        {
            const double angle = 2 * 3.14159265358979 * step / 60;
            send(canvas, QEvent::MouseMove, centre + 300 * QPointF(std::cos(angle), std::sin(angle)), Qt::LeftButton);
            bench::runLoop(2);
        }
        send(canvas, QEvent::MouseButtonRelease, centre + QPointF(300, 0), Qt::NoButton);
    };
    measure("canvas_lasso", lasso);
    canvas.tools()->setPicked(ui::ScatterWidget::Picks::Points);
    measure("canvas_lasso_points", lasso);
    measure("canvas_clear", [&] { canvas.setChosen({}); });
    measure("canvas_zoom", [&] {
        canvas.setTool(ui::ScatterWidget::Tool::Pan);
        for (int step = 0; step < 10; ++step)
        {
            QWheelEvent event(QPointF(700, 400), canvas.mapToGlobal(QPointF(700, 400)), {}, QPoint(0, 120),
                              Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
            QApplication::sendEvent(&canvas, &event);
            bench::runLoop(16);
        }
    });
    measure("canvas_hover", [&] {
        for (int step = 0; step < 100; ++step)
        {
            send(canvas, QEvent::MouseMove, QPointF(300 + 8 * step, 300 + 3 * step), Qt::NoButton);
            bench::runLoop(5);
        }
    });
    measure("canvas_steps", [&] {
        for (int step = 0; step < 40; ++step)
        {
            QTest::keyClick(&canvas, step % 2 == 0 ? Qt::Key_Right : Qt::Key_Down);
            bench::runLoop(5);
        }
    });
    fmt::print(stderr, "{} documents picked, {} points, overview {}\n", picked.size(), pointsPicked,
               canvas.minimap()->isVisible() ? "shown" : "hidden");
    return 0;
}
