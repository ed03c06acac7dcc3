// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scatter/scatter_widget.h"

#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"
#include "ui/canvas/legend/legend_widget.h"
#include "ui/canvas/scatter/minimap.h"

#include <QScrollBar>
#include <QSignalSpy>
#include <QToolButton>
#include <QWheelEvent>

#include <algorithm>
#include <set>

using namespace headscope;
using headscope::ui::ScatterWidget;

namespace
{

void wheel(ScatterWidget& widget, QPointF place, int units)
{
    QWheelEvent event(place, widget.mapToGlobal(place), {}, QPoint(0, units), Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &event);
}

/// Moves the pointer without the window system, which keeps its own idea of where it was.
void moveTo(ScatterWidget& widget, QPoint place)
{
    QMouseEvent event(QEvent::MouseMove, place, widget.mapToGlobal(place), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(&widget, &event);
}

double distance(QPointF a, QPointF b)
{
    return std::hypot(a.x() - b.x(), a.y() - b.y());
}

} // namespace

class TestScatterWidget : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ScatterWidget> m_widget;

    [[nodiscard]] QPointF placeOf(std::int64_t point) const
    {
        const MatrixF& xy = m_widget->map()->xy;
        return m_widget->view().screenFromData(QPointF(xy(point, 0), xy(point, 1)));
    }

    void drag(QPoint from, QPoint to, Qt::MouseButton button = Qt::LeftButton, Qt::KeyboardModifiers keys = {})
    {
        QTest::mousePress(m_widget.get(), button, keys, from);
        QMouseEvent half(QEvent::MouseMove, (from + to) / 2, m_widget->mapToGlobal((from + to) / 2), Qt::NoButton,
                         button, keys);
        QApplication::sendEvent(m_widget.get(), &half);
        QMouseEvent whole(QEvent::MouseMove, to, m_widget->mapToGlobal(to), Qt::NoButton, button, keys);
        QApplication::sendEvent(m_widget.get(), &whole);
        QTest::mouseRelease(m_widget.get(), button, keys, to);
    }

private Q_SLOTS:
    void init()
    {
        m_widget = std::make_unique<ScatterWidget>();
        m_widget->resize(800, 600);
        const auto map = test::sampleMap();
        m_widget->setMap(map);
        m_widget->setColoring(viz::colorByHead(*map->points, viz::HeadPalette(8, 4), QStringLiteral("head")));
        m_widget->setShownHeads(allIndices(32));
        m_widget->show(); // with all of it: nothing that is not yet seen is animated
        QVERIFY(test::exposed(m_widget.get()));
        WAIT_FOR(m_widget->paintCount() > 0);
        WAIT_FOR(!m_widget->moving());
    }

    void cleanup() { m_widget.reset(); }

    void showsAllPointsInTheirColours()
    {
        QCOMPARE(m_widget->pointCount(), 1280);
        QCOMPARE(m_widget->points().shownCount(), 1280);
        m_widget->setLegendShown(false); // it may lie over some
        const QImage picture = m_widget->grab().toImage();
        // Every head's cluster lies in view and has coloured pixels around its points.
        const viz::HeadPalette palette(8, 4);
        for (std::int64_t head = 0; head < 32; ++head)
        {
            const QPointF place = placeOf(head);
            QVERIFY(m_widget->rect().contains(place.toPoint()));
            const QColor found = picture.pixelColor((place * picture.devicePixelRatio()).toPoint());
            QVERIFY2(found.saturation() > 20, qPrintable(QString::number(head)));
        }
    }

    /// Shades of density say how many, not which head: so does the legend.
    void theLegendFollowsTheMode()
    {
        m_widget->setMode(viz::ScatterMode::Density);
        QCOMPARE(m_widget->legend()->layoutOfLegend().legend().title, QStringLiteral("Density"));
        m_widget->setMode(viz::ScatterMode::MeanColor);
        QVERIFY(m_widget->legend()->layoutOfLegend().boxOf({viz::LegendHit::Kind::Head, 3}));
    }

    void wheelZoomsAtThePointer()
    {
        const QPointF place(250, 180);
        const QPointF before = m_widget->view().dataFromScreen(place);
        const double scale = m_widget->view().scale();
        wheel(*m_widget, place, 120);
        QVERIFY(m_widget->view().scale() > 1.15 * scale);
        QVERIFY(distance(m_widget->view().dataFromScreen(place), before) * m_widget->view().scale() < 0.01);
        wheel(*m_widget, place, -120);
        QVERIFY(std::abs(m_widget->view().scale() / scale - 1) < 1e-9);
    }

    void aBurstOfTheWheelIsOneStep()
    {
        const double scale = m_widget->view().scale();
        for (int i = 0; i < 5; ++i)
            wheel(*m_widget, {400, 300}, 120);
        QVERIFY(!m_widget->canGoBack());
        WAIT_FOR(m_widget->canGoBack());
        m_widget->back();
        WAIT_FOR(std::abs(m_widget->view().scale() / scale - 1) < 1e-6);
        QVERIFY(!m_widget->canGoBack());
        QVERIFY(m_widget->canGoForward());
        m_widget->forward();
        WAIT_FOR(m_widget->view().scale() > 2 * scale);
    }

    void dragPans()
    {
        const QPointF data = m_widget->view().dataFromScreen(QPointF(400, 300));
        drag({400, 300}, {460, 340});
        QVERIFY(distance(m_widget->view().screenFromData(data), {460, 340}) < 0.01);
        drag({400, 300}, {380, 300}, Qt::MiddleButton);
        QVERIFY(distance(m_widget->view().screenFromData(data), {440, 340}) < 0.01);
        QVERIFY(m_widget->canGoBack());
    }

    void boxZoom_data()
    {
        QTest::addColumn<bool>("byTool");
        QTest::newRow("tool") << true;
        QTest::newRow("shift") << false;
    }
    void boxZoom()
    {
        QFETCH(bool, byTool);
        if (byTool)
            QTest::mouseClick(m_widget->findChild<QWidget*>(QStringLiteral("toolBox")), Qt::LeftButton);
        QCOMPARE(m_widget->tool(), byTool ? ScatterWidget::Tool::BoxZoom : ScatterWidget::Tool::Pan);
        const QPointF centre = m_widget->view().dataFromScreen(QPointF(300, 250));
        const double scale = m_widget->view().scale();
        drag({200, 150}, {400, 350}, Qt::LeftButton, byTool ? Qt::NoModifier : Qt::ShiftModifier);
        WAIT_FOR(m_widget->view().scale() > 2 * scale);
        WAIT_FOR(distance(m_widget->view().screenFromData(centre), {400, 300}) < 1);
    }

    void gesturesPickDocuments_data()
    {
        QTest::addColumn<Qt::Key>("tool");
        QTest::addColumn<Qt::KeyboardModifiers>("keys");
        QTest::addColumn<SetOperation>("operation");
        QTest::newRow("rectangle") << Qt::Key_R << Qt::KeyboardModifiers() << SetOperation::Replace;
        QTest::newRow("rectangle adds") << Qt::Key_R << Qt::KeyboardModifiers(Qt::ShiftModifier) << SetOperation::Add;
        QTest::newRow("brush removes") << Qt::Key_B << Qt::KeyboardModifiers(Qt::ControlModifier)
                                       << SetOperation::Remove;
        QTest::newRow("rectangle intersects")
            << Qt::Key_R << Qt::KeyboardModifiers(Qt::AltModifier) << SetOperation::Intersect;
    }
    /// What lies under the gesture, by the plain definition, is what is picked.
    void gesturesPickDocuments()
    {
        QFETCH(Qt::Key, tool);
        QFETCH(Qt::KeyboardModifiers, keys);
        QFETCH(SetOperation, operation);
        QTest::keyClick(m_widget.get(), tool);
        QSignalSpy picked(m_widget.get(), &ScatterWidget::documentsPicked);
        const QPoint from = placeOf(3).toPoint() - QPoint(30, 30);
        const QPoint to = from + QPoint(60, 60);
        drag(from, to, Qt::LeftButton, keys);
        QCOMPARE(picked.count(), 1);
        QCOMPARE(picked.at(0).at(1).value<SetOperation>(), operation);
        std::set<std::int64_t> expected;
        const double radius = m_widget->gesture().brushRadius();
        for (std::int64_t point = 0; point < m_widget->pointCount(); ++point)
        {
            const QPointF place = placeOf(point);
            bool inside = QRectF(from, to).contains(place);
            if (tool == Qt::Key_B)
            {
                const double along = std::clamp((place.x() - from.x() + place.y() - from.y()) / 120.0, 0.0, 1.0);
                inside = distance(place, from + along * QPointF(60, 60)) <= radius - 1;
            }
            if (inside)
                expected.insert(m_widget->map()->points->document[static_cast<std::size_t>(point)]);
        }
        QVERIFY(!expected.empty());
        const auto found = picked.at(0).at(0).value<std::vector<std::int64_t>>();
        QVERIFY(std::is_sorted(found.begin(), found.end()));
        QVERIFY(std::includes(found.begin(), found.end(), expected.begin(), expected.end()));
        if (tool == Qt::Key_R)
            QCOMPARE(found.size(), expected.size());
    }

    void lassoPicksWhatItSurrounds()
    {
        QTest::mouseClick(m_widget->findChild<QWidget*>(QStringLiteral("toolLasso")), Qt::LeftButton);
        QCOMPARE(m_widget->tool(), ScatterWidget::Tool::Lasso);
        QSignalSpy picked(m_widget.get(), &ScatterWidget::documentsPicked);
        const QPoint centre = placeOf(40).toPoint();
        QTest::mousePress(m_widget.get(), Qt::LeftButton, {}, centre + QPoint(6, 0));
        for (const QPoint& corner : {QPoint(0, 6), QPoint(-6, 0), QPoint(0, -6)})
        {
            QMouseEvent move(QEvent::MouseMove, centre + corner, m_widget->mapToGlobal(centre + corner), Qt::NoButton,
                             Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(m_widget.get(), &move);
        }
        QTest::mouseRelease(m_widget.get(), Qt::LeftButton, {}, centre + QPoint(0, -6));
        QCOMPARE(picked.count(), 1);
        const auto found = picked.at(0).at(0).value<std::vector<std::int64_t>>();
        QVERIFY(std::ranges::binary_search(found, m_widget->map()->points->document[40]));
        QVERIFY(found.size() < 40u);
    }

    void hiddenHeadsAreNotPickedAndEscapeDropsTheGesture()
    {
        m_widget->setShownHeads({0});
        QTest::keyClick(m_widget.get(), Qt::Key_R);
        QSignalSpy picked(m_widget.get(), &ScatterWidget::documentsPicked);
        test::passMs(200);
        const QPoint hidden = placeOf(16).toPoint(); // a cluster of head 16 alone
        drag(hidden - QPoint(8, 8), hidden + QPoint(8, 8));
        QCOMPARE(picked.count(), 1);
        QVERIFY(picked.at(0).at(0).value<std::vector<std::int64_t>>().empty());
        QTest::mousePress(m_widget.get(), Qt::LeftButton, {}, {100, 100});
        QMouseEvent move(QEvent::MouseMove, QPointF(300, 300), m_widget->mapToGlobal(QPointF(300, 300)), Qt::NoButton,
                         Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_widget.get(), &move);
        QTest::keyClick(m_widget.get(), Qt::Key_Escape);
        QVERIFY(!m_widget->gesture().active());
        QTest::mouseRelease(m_widget.get(), Qt::LeftButton, {}, {300, 300});
        QCOMPARE(picked.count(), 1);
    }

    void otherDocumentsTurnPaleAndTheChosenCanFillTheView()
    {
        m_widget->setChosen({2, 5});
        QCOMPARE(m_widget->points().chosenCount(), 64);
        QCOMPARE(m_widget->points().shownCount(), 1280);
        const auto& documents = m_widget->map()->points->document;
        for (std::size_t point = 0; point < documents.size(); ++point)
            QCOMPARE(m_widget->points().states()[point],
                     documents[point] == 2 || documents[point] == 5 ? viz::PointState::Shown : viz::PointState::Dimmed);
        m_widget->setShownHeads({4});
        QCOMPARE(m_widget->points().chosenCount(), 2);
        const double scale = m_widget->view().scale();
        QTest::keyClick(m_widget.get(), Qt::Key_F);
        WAIT_FOR(m_widget->view().scale() > scale);
        m_widget->setChosen({});
        QCOMPARE(m_widget->points().chosenCount(), 0);
        QVERIFY(std::ranges::count(m_widget->points().states(), viz::PointState::Dimmed) == 0);
    }

    void brushSizeFollowsTheWheel()
    {
        QTest::keyClick(m_widget.get(), Qt::Key_B);
        const double before = m_widget->gesture().brushRadius();
        const double scale = m_widget->view().scale();
        wheel(*m_widget, {400, 300}, 240);
        QVERIFY(m_widget->gesture().brushRadius() > before);
        QCOMPARE(m_widget->view().scale(), scale);
        wheel(*m_widget, {400, 300}, 120'000);
        QCOMPARE(m_widget->gesture().brushRadius(), ui::SelectionGesture::kLargestBrushPx);
    }

    void doubleClickFits()
    {
        const auto fitted = m_widget->view();
        wheel(*m_widget, {100, 100}, 480);
        QVERIFY(!(m_widget->view() == fitted));
        QTest::mouseDClick(m_widget.get(), Qt::LeftButton, {}, {400, 300});
        WAIT_FOR(std::abs(m_widget->view().scale() - fitted.scale()) < 1e-6);
    }

    void keysMoveAndZoom()
    {
        const auto fitted = m_widget->view();
        m_widget->setFocus();
        QTest::keyClick(m_widget.get(), Qt::Key_Plus);
        QVERIFY(m_widget->view().scale() > fitted.scale());
        QTest::keyClick(m_widget.get(), Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY(m_widget->view().centre().x() < fitted.centre().x());
        QTest::keyClick(m_widget.get(), Qt::Key_Home);
        WAIT_FOR(std::abs(m_widget->view().scale() - fitted.scale()) < 1e-6);
    }

    void hoverShowsACard()
    {
        m_widget->setCardSource([](std::int64_t point) {
            ui::HoverContent content;
            content.title = QStringLiteral("Head %1").arg(point % 32 + 1);
            content.text = QStringLiteral("Some words of the document");
            return content;
        });
        QSignalSpy hovered(m_widget.get(), &ScatterWidget::documentHovered);
        moveTo(*m_widget, placeOf(5).toPoint());
        WAIT_FOR(m_widget->hoverCard()->isVisible());
        QVERIFY(m_widget->hoveredPoint().has_value());
        QCOMPARE(m_widget->hoverCard()->content().title, QStringLiteral("Head 6"));
        QVERIFY(m_widget->rect().contains(m_widget->hoverCard()->geometry()));
        QCOMPARE(hovered.count(), 1);
        moveTo(*m_widget, {400, 300});
        WAIT_FOR(!m_widget->hoverCard()->isVisible());
        QCOMPARE(hovered.count(), 2);
    }

    void clickChoosesADocument()
    {
        QSignalSpy clicked(m_widget.get(), &ScatterWidget::documentClicked);
        QSignalSpy background(m_widget.get(), &ScatterWidget::backgroundClicked);
        const std::int64_t point = 39 * 32 + 8;
        QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, placeOf(point).toPoint());
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked.at(0).at(1).value<HeadIndex>(), HeadIndex(8));
        m_widget->setPrimary(clicked.at(0).at(0).value<DocumentIndex>(), HeadIndex(8));
        QCOMPARE(m_widget->points().marked().size(), 32u);
        QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, {400, 300});
        QCOMPARE(background.count(), 1);
    }

    void headsThatAreNotChosenAreHidden()
    {
        m_widget->setPrimary(DocumentIndex(3), HeadIndex(1));
        QCOMPARE(m_widget->points().marked().size(), 32u);
        m_widget->setShownHeads({0, 1});
        QCOMPARE(m_widget->points().shownCount(), 80);
        QCOMPARE(m_widget->points().marked().size(), 2u); // no mark stands where no dot does
        m_widget->setPrimary(DocumentIndex(4), HeadIndex(7));
        QCOMPARE(m_widget->points().marked().size(), 2u);
        m_widget->setPrimary(std::nullopt, std::nullopt);
        test::passMs(200);
        QSignalSpy clicked(m_widget.get(), &ScatterWidget::documentClicked);
        QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, placeOf(16).toPoint());
        QCOMPARE(clicked.count(), 0);
        m_widget->setShownHeads({});
        QCOMPARE(m_widget->points().shownCount(), 0);
        QVERIFY(!m_widget->grab().isNull());
    }

private:
    void clickLegend(const viz::LegendHit& hit, Qt::KeyboardModifiers keys = {})
    {
        const auto box = m_widget->legend()->layoutOfLegend().boxOf(hit);
        QVERIFY(box.has_value());
        QTest::mouseClick(m_widget->legend(), Qt::LeftButton, keys, box->center().toPoint());
    }

    void colorByTopic()
    {
        const auto documents = test::sampleDocuments();
        m_widget->setColoringSource([documents, this](const std::shared_ptr<const HeadMap>& map, viz::InkTheme theme) {
            const auto order = m_widget->orderOf(viz::legendTitle(documents->labels.front()));
            return [documents, map, theme, order] {
                return viz::colorByLabel(*map->points, documents->labels.front(), theme, order);
            };
        });
        m_widget->recolor();
    }

    [[nodiscard]] std::ptrdiff_t countOf(viz::PointState state) const
    {
        return std::ranges::count(m_widget->points().states(), state);
    }

private Q_SLOTS:
    /// What would hold the window for too long is left to workers, and comes to the same.
    void aLargeMapIsLeftToWorkers()
    {
        std::vector<std::vector<std::int64_t>> picked;
        connect(m_widget.get(), &ScatterWidget::documentsPicked, m_widget.get(),
                [&picked](const std::vector<std::int64_t>& documents) { picked.push_back(documents); });
        m_widget->setTool(ScatterWidget::Tool::Rectangle);
        drag({150, 100}, {420, 380});
        QCOMPARE(picked.size(), 1u);

        m_widget->setMostAtOnce(200);
        drag({150, 100}, {420, 380});
        QCOMPARE(picked.size(), 1u);
        QVERIFY(m_widget->catchingUp());
        WAIT_COMPARE(picked.size(), 2u);
        QCOMPARE(picked[1], picked[0]);
        // The newest gesture wins.
        drag({150, 100}, {420, 380});
        drag({1, 1}, {3, 8});
        WAIT_FOR(!m_widget->catchingUp());
        QCOMPARE(picked.size(), 3u);
        QVERIFY(picked[2].empty());

        // So do the newest colours.
        const auto before = m_widget->coloring().index;
        int asked = 0;
        m_widget->setColoringSource([&asked](const std::shared_ptr<const HeadMap>& map, viz::InkTheme) {
            const std::uint16_t index = ++asked == 1 ? 0 : 1;
            return [map, index] {
                viz::PointColoring coloring;
                coloring.index.assign(static_cast<std::size_t>(map->points->count()), index);
                coloring.colors = {qRgb(200, 0, 0), qRgb(0, 0, 200)};
                return coloring;
            };
        });
        m_widget->recolor();
        m_widget->recolor();
        QCOMPARE(m_widget->coloring().index, before); // not yet
        WAIT_FOR(m_widget->coloring().index != before);
        QCOMPARE(m_widget->coloring().index.front(), std::uint16_t{1});
    }

    /// A part is shown at once, the whole picture follows, and is that of a map which is painted at once.
    void theWholePictureOfALargeMapFollows()
    {
        const auto map = test::sampleMap(2000); // 64,000 points
        const auto colors = viz::colorByHead(*map->points, viz::HeadPalette(8, 4), QStringLiteral("head"));
        m_widget->setMap(map);
        m_widget->setColoring(colors);
        WAIT_FOR(!m_widget->moving());
        const QImage wanted = m_widget->grab().toImage();
        QVERIFY(!m_widget->picture().isPartial());
        m_widget->setMostAtOnce(30'000);
        m_widget->setMap(test::sampleMap(4)); // forgets what frames took
        m_widget->setMap(map);
        m_widget->setColoring(colors);
        WAIT_FOR(!m_widget->moving());
        WAIT_FOR(!m_widget->picture().isPartial() && !m_widget->catchingUp());
        QCOMPARE(m_widget->badgeText(), QString());
        QCOMPARE(m_widget->grab().toImage(), wanted);
    }

    /// The frames of a run are painted by a worker where they are quick; at rest the newest of them stands there.
    void theFramesOfARunArePaintedElsewhere_data()
    {
        QTest::addColumn<double>("budget");
        QTest::addColumn<bool>("quick");
        QTest::newRow("quick") << 1e6 << true;
        QTest::newRow("slow") << -1.0 << false;
    }
    void theFramesOfARunArePaintedElsewhere()
    {
        QFETCH(double, budget);
        QFETCH(bool, quick);
        m_widget->picture().setRunBudget(budget);
        auto map = test::sampleMap(2000);
        m_widget->setMap(map);
        m_widget->setColoring(viz::colorByHead(*map->points, viz::HeadPalette(8, 4), QStringLiteral("head")));
        WAIT_FOR(!m_widget->moving());
        static_cast<void>(m_widget->grab());
        bool elsewhere = false;
        for (int frame = 0; frame < 6; ++frame)
        {
            auto next = std::make_shared<HeadMap>(*map);
            for (float& value : next->xy.values())
                value *= 1.0F + 0.1F * static_cast<float>(frame);
            m_widget->setMap(next);
            m_widget->repaint();
            elsewhere = elsewhere || m_widget->catchingUp();
            test::passMs(20);
        }
        QCOMPARE(elsewhere, quick);
        WAIT_FOR(!m_widget->moving() && !m_widget->catchingUp());
        const QImage shown = m_widget->grab().toImage();
        m_widget->picture().drop();
        QCOMPARE(m_widget->grab().toImage(), shown);
    }

    /// KV groups are put in another order by dragging and by keys, on the screen and in a figure.
    void groupsOfHeadsAreReordered()
    {
        using Kind = viz::LegendHit::Kind;
        const auto groups = [](const viz::Legend& legend) {
            std::vector<std::int64_t> order;
            for (const auto& row : std::get<viz::HeadLegend>(legend.content).rows)
                order.push_back(row.group);
            return order;
        };
        ui::LegendWidget* legend = m_widget->legend();
        const auto place = [legend](std::int64_t group) {
            const QRectF box = *legend->layoutOfLegend().boxOf({Kind::Group, group});
            return QPoint(static_cast<int>(box.left()) + 6, static_cast<int>(box.center().y()));
        };
        const QPoint from = place(0);
        const QPoint to = place(2) + QPoint(0, 4);
        QTest::mousePress(legend, Qt::LeftButton, {}, from);
        for (const QPoint at : {(from + to) / 2, to})
        {
            QMouseEvent move(QEvent::MouseMove, at, legend->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
            QApplication::sendEvent(legend, &move);
        }
        QTest::mouseRelease(legend, Qt::LeftButton, {}, to);
        QCOMPARE(groups(m_widget->coloring().legend), (std::vector<std::int64_t>{1, 2, 0, 3, 4, 5, 6, 7}));
        QCOMPARE(groups(m_widget->coloringFor(viz::InkTheme::Light)().legend), groups(m_widget->coloring().legend));
        QCOMPARE(groups(legend->layoutOfLegend().legend()), groups(m_widget->coloring().legend));
        // The colours stay those of the heads.
        m_widget->setColoring(
            viz::colorByHead(*m_widget->map()->points, viz::HeadPalette(8, 4), QStringLiteral("head")));
        QCOMPARE(groups(m_widget->coloring().legend).front(), 1);
        legend->setFocus();
        QTest::keyClick(legend, Qt::Key_Home);
        QTest::keyClick(legend, Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(groups(m_widget->coloring().legend), (std::vector<std::int64_t>{2, 1, 0, 3, 4, 5, 6, 7}));
        Q_EMIT legend->orderResetRequested();
        QCOMPARE(groups(m_widget->coloring().legend), (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7}));
    }

    /// The eye of an entry hides and shows it; crossed out it can be told from an open one.
    void eyesHideAndShow()
    {
        using Kind = viz::LegendHit::Kind;
        colorByTopic();
        ui::LegendWidget* legend = m_widget->legend();
        const auto& entries = std::get<viz::CategoryLegend>(m_widget->coloring().legend.content).entries;
        const viz::LegendHit first{Kind::Category, entries.front().code};
        const auto eye = legend->layoutOfLegend().eyeOf(first);
        QVERIFY(eye.has_value());
        QVERIFY(QRectF(legend->rect()).contains(*eye));
        QCOMPARE(legend->layoutOfLegend().eyeAt(eye->center()), std::optional(first));
        const QImage open = legend->grab(eye->toAlignedRect()).toImage();
        QTest::mouseClick(legend, Qt::LeftButton, {}, eye->center().toPoint());
        QCOMPARE(countOf(viz::PointState::Hidden), // the legend counts documents
                 entries.front().count * std::ssize(m_widget->points().headsShown()));
        QVERIFY(legend->grab(eye->toAlignedRect()).toImage() != open);
        QTest::mouseClick(legend, Qt::LeftButton, {}, eye->center().toPoint());
        QCOMPARE(countOf(viz::PointState::Hidden), 0);
        QTest::mouseMove(legend, QPoint(1, 1));
        QCOMPARE(legend->grab(eye->toAlignedRect()).toImage(), open);
    }

    void legendClicksAskForHeads()
    {
        using Kind = viz::LegendHit::Kind;
        QSignalSpy asked(m_widget.get(), &ScatterWidget::headsClicked);
        QVERIFY(m_widget->rect().contains(m_widget->legendRect().toRect()));
        clickLegend({Kind::Head, 5});
        QCOMPARE(asked.at(0).at(0).value<std::vector<std::int64_t>>(), (std::vector<std::int64_t>{5}));
        clickLegend({Kind::Head, 5}, Qt::ControlModifier); // hides it
        auto heads = asked.at(1).at(0).value<std::vector<std::int64_t>>();
        QCOMPARE(heads.size(), 31u);
        QVERIFY(!std::ranges::binary_search(heads, 5));
        m_widget->setShownHeads(heads);
        QVERIFY(std::ranges::find(m_widget->legend()->faded(), viz::LegendHit{Kind::Head, 5}) !=
                m_widget->legend()->faded().end());
        clickLegend({Kind::Head, 5}, Qt::ControlModifier); // and shows it again
        QCOMPARE(asked.at(2).at(0).value<std::vector<std::int64_t>>().size(), 32u);
        m_widget->setLegendShown(false);
        QVERIFY(m_widget->legendRect().isEmpty());
    }

    void labelsAreIsolatedAndHiddenByTheLegend()
    {
        using Kind = viz::LegendHit::Kind;
        colorByTopic();
        QCOMPARE(countOf(viz::PointState::Dimmed), 0);
        clickLegend({Kind::Category, 2});
        QCOMPARE(countOf(viz::PointState::Dimmed), 960);
        clickLegend({Kind::Category, 2});
        QCOMPARE(countOf(viz::PointState::Dimmed), 0);
        clickLegend({Kind::Category, 1}, Qt::ControlModifier);
        QCOMPARE(countOf(viz::PointState::Hidden), 320);
        QCOMPARE(m_widget->points().shownCount(), 960);
        QCOMPARE(m_widget->legend()->faded(), (std::vector<viz::LegendHit>{{Kind::Category, 1}}));
        // Another order of the legend keeps what is hidden; another column forgets it.
        m_widget->recolor();
        QCOMPARE(m_widget->points().shownCount(), 960);
        m_widget->setColoring(
            viz::colorByHead(*m_widget->map()->points, viz::HeadPalette(8, 4), QStringLiteral("head")));
        QCOMPARE(m_widget->points().shownCount(), 1280);
    }

    void labelsAreReorderedByDragging()
    {
        using Kind = viz::LegendHit::Kind;
        colorByTopic();
        QSignalSpy changed(m_widget.get(), &ScatterWidget::orderChanged);
        const auto entries = [this] {
            std::vector<std::int64_t> codes;
            for (const auto& entry : std::get<viz::CategoryLegend>(m_widget->coloring().legend.content).entries)
                codes.push_back(entry.code);
            return codes;
        };
        QCOMPARE(entries(), (std::vector<std::int64_t>{0, 1, 2, 3}));
        const QRgb first = m_widget->coloring().colors[1];
        ui::LegendWidget* legend = m_widget->legend();
        const QPoint from = legend->layoutOfLegend().boxOf({Kind::Category, 3})->center().toPoint();
        const QPoint to = legend->layoutOfLegend().boxOf({Kind::Category, 0})->topLeft().toPoint() + QPoint(20, 1);
        QTest::mousePress(legend, Qt::LeftButton, {}, from);
        for (const QPoint& place : {(from + to) / 2, to})
        {
            QMouseEvent move(QEvent::MouseMove, place, legend->mapToGlobal(place), Qt::NoButton, Qt::LeftButton,
                             Qt::NoModifier);
            QApplication::sendEvent(legend, &move);
        }
        QTest::mouseRelease(legend, Qt::LeftButton, {}, to);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(entries(), (std::vector<std::int64_t>{3, 0, 1, 2}));
        QCOMPARE(std::get<viz::CategoryLegend>(m_widget->coloring().legend.content).entries[0].color, first);
        QCOMPARE(m_widget->orderOf(QStringLiteral("Topic")), (std::vector<std::int32_t>{3, 0, 1, 2}));
        // Down by keys: the entry goes past one other.
        legend->setFocus();
        QTest::keyClick(legend, Qt::Key_Home);
        QTest::keyClick(legend, Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(entries(), (std::vector<std::int64_t>{0, 3, 1, 2}));
        QCOMPARE(legend->current(), (viz::LegendHit{Kind::Category, 3}));
        QTest::keyClick(legend, Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(entries(), (std::vector<std::int64_t>{3, 0, 1, 2}));
        Q_EMIT legend->orderResetRequested();
        QCOMPARE(entries(), (std::vector<std::int64_t>{0, 1, 2, 3}));
    }

    void aPartIsShownWhileMovingIfAFrameTakesTooLong()
    {
        const auto map = test::sampleMap(2000); // 64,000 points
        m_widget->setMap(map);
        m_widget->setColoring(viz::colorByHead(*map->points, viz::HeadPalette(8, 4), QStringLiteral("head")));
        WAIT_FOR(!m_widget->moving());
        m_widget->picture().setFrameBudget(1e6); // in time: never a part
        wheel(*m_widget, {400, 300}, 240);
        m_widget->repaint();
        QVERIFY(m_widget->moving());
        QVERIFY(m_widget->badgeText().isEmpty());
        m_widget->picture().setFrameBudget(1e-6);
        wheel(*m_widget, {400, 300}, -240);
        m_widget->repaint();
        QVERIFY(m_widget->badgeText().contains(QStringLiteral("64,000\u00a0points drawn while moving")));
        QVERIFY(m_widget->picture().drawnPoints() < 64'000);
        QVERIFY(m_widget->picture().drawnPoints() >= ui::MapPicture::kLeastPoints);
        // At rest all of them, by itself.
        WAIT_FOR(!m_widget->moving());
        WAIT_FOR(!m_widget->picture().isNull() && !m_widget->picture().isPartial());
        QVERIFY(m_widget->badgeText().isEmpty());
        const QImage whole = m_widget->grab().toImage();
        m_widget->picture().setFrameBudget(ui::MapPicture::kFrameBudgetMs);
        m_widget->picture().dropPoints();
        QVERIFY(m_widget->grab().toImage() == whole);
    }

    void theMinimapComesWithTheZoomAndMovesTheView()
    {
        ui::Minimap* minimap = m_widget->minimap();
        WAIT_FOR(!m_widget->moving());
        QVERIFY(!minimap->isVisible());
        wheel(*m_widget, {400, 300}, 960);
        WAIT_FOR(minimap->isVisible());
        QVERIFY(m_widget->rect().contains(minimap->geometry()));
        // A click brings its place to the middle.
        const QPointF place = minimap->transform().screenFromData(QPointF(8, 0));
        QTest::mouseClick(minimap, Qt::LeftButton, {}, place.toPoint());
        QVERIFY(distance(m_widget->view().centre(), {8, 0}) < 0.4);
        QVERIFY(m_widget->canGoBack());
        // The frame is dragged as it was grabbed.
        const QPointF before = m_widget->view().centre();
        const QPoint grip = minimap->frame().center().toPoint() + QPoint(2, 1);
        QTest::mousePress(minimap, Qt::LeftButton, {}, grip);
        QMouseEvent move(QEvent::MouseMove, grip + QPoint(-20, 10), minimap->mapToGlobal(grip + QPoint(-20, 10)),
                         Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(minimap, &move);
        QTest::mouseRelease(minimap, Qt::LeftButton, {}, grip + QPoint(-20, 10));
        const double scale = minimap->transform().scale();
        QVERIFY(distance(m_widget->view().centre(), before + QPointF(-20 / scale, -10 / scale)) < 0.2);
        // Keys, too.
        const double x = m_widget->view().centre().x();
        QTest::keyClick(minimap, Qt::Key_Right);
        QVERIFY(m_widget->view().centre().x() > x);
        m_widget->fit();
        WAIT_FOR(!minimap->isVisible());
        wheel(*m_widget, {400, 300}, 960);
        m_widget->setMinimapShown(false);
        test::passMs(200);
        QVERIFY(!minimap->isVisible());
    }

    /// So that no worker competes with the frames of a zoom: the picture is there as soon as it is painted.
    void theOverviewOfALargeMapIsPaintedFromAPart()
    {
        constexpr std::int64_t kMost = 20'000;
        const auto map = test::sampleMap(2000);
        m_widget->setMostAtOnce(kMost);
        m_widget->setMap(map);
        m_widget->setColoring(viz::colorByHead(*map->points, viz::HeadPalette(8, 4), QStringLiteral("head")));
        WAIT_FOR(!m_widget->moving() && !m_widget->catchingUp());
        wheel(*m_widget, {400, 300}, 960);
        ui::Minimap* minimap = m_widget->minimap();
        WAIT_FOR(minimap->isVisible());
        static_cast<void>(minimap->grab());
        QVERIFY(minimap->drawnPoints() > kMost / 2);
        QVERIFY(minimap->drawnPoints() <= kMost);
        m_widget->setMostAtOnce(map->xy.rows());
        minimap->dropPicture();
        static_cast<void>(minimap->grab());
        QCOMPARE(minimap->drawnPoints(), map->xy.rows());
    }

    void litHeadsLeaveTheOthersPale()
    {
        m_widget->setLitHeads({3, 7});
        QCOMPARE(countOf(viz::PointState::Shown), 80);
        QCOMPARE(countOf(viz::PointState::Dimmed), 1200);
        m_widget->setChosen({2});
        QCOMPARE(countOf(viz::PointState::Shown), 2);
        m_widget->setLitHeads({});
        QCOMPARE(countOf(viz::PointState::Shown), 32);
    }

    void joinedDotsAreJoined()
    {
        m_widget->setPrimary(DocumentIndex(5), HeadIndex(3));
        const QImage before = m_widget->grab().toImage();
        m_widget->setJoined(true);
        const QImage joined = m_widget->grab().toImage();
        // Halfway between the focus and another dot of the document there is a line now.
        const QPoint middle = ((placeOf(5 * 32 + 3) + placeOf(5 * 32 + 19)) / 2 * joined.devicePixelRatio()).toPoint();
        int changed = 0;
        for (int y = -3; y <= 3; ++y)
            for (int x = -3; x <= 3; ++x)
                changed += before.pixel(middle + QPoint(x, y)) != joined.pixel(middle + QPoint(x, y)) ? 1 : 0;
        QVERIFY(changed >= 5);
    }

    void namesOfRegionsAreShown()
    {
        std::vector<viz::Region> regions;
        for (int i = 0; i < 4; ++i)
            regions.push_back({QStringLiteral("Region %1").arg(i), QPointF(6 * i - 9, 0), 3.0, 100.0 - i});
        m_widget->setRegions(regions);
        QVERIFY(m_widget->regionLabels().empty());
        m_widget->setRegionsShown(true);
        QVERIFY(!m_widget->regionLabels().empty());
        for (const viz::RegionLabel& label : m_widget->regionLabels())
            QVERIFY(!label.box.intersects(m_widget->legendRect()));
    }

    void picturesOfAnyScaleShowTheSame_data()
    {
        QTest::addColumn<double>("scale");
        for (const double scale : {1.0, 2.0, 3.5})
            QTest::addRow("%g", scale) << scale;
    }
    void picturesOfAnyScaleShowTheSame()
    {
        QFETCH(double, scale);
        m_widget->setPrimary(DocumentIndex(5), HeadIndex(3));
        WAIT_FOR(!m_widget->moving());
        const QImage picture = m_widget->shot().render(scale);
        QCOMPARE(picture.size(), (QSizeF(m_widget->size()) * scale).toSize());
        QCOMPARE(picture.devicePixelRatio(), scale);
        m_widget->setToolsShown(false);
        const QImage screen = m_widget->grab().toImage().convertToFormat(QImage::Format_RGB32);
        const QImage small = picture.scaled(screen.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
                                 .convertToFormat(QImage::Format_RGB32);
        double difference = 0;
        for (int y = 0; y < screen.height(); ++y)
            for (int x = 0; x < screen.width(); ++x)
                difference += std::abs(qGray(screen.pixel(x, y)) - qGray(small.pixel(x, y)));
        QVERIFY2(difference / (screen.width() * screen.height()) < 1.5, qPrintable(QString::number(difference)));
        if (const QByteArray folder = qgetenv("HEADSCOPE_PICTURES"); !folder.isEmpty())
            picture.save(QString::fromLocal8Bit(folder) + QStringLiteral("/canvas-%1.png").arg(scale));
    }

    void hitsAreMarkedOnTheCard()
    {
        m_widget->setCardSource([](std::int64_t) {
            ui::HoverContent content;
            content.title = QStringLiteral("Head 6");
            content.text = QStringLiteral("Some words of the document");
            content.hits = {{5, 10}};
            return content;
        });
        m_widget->setValueSource([](std::int64_t point) { return QStringLiteral("value %1").arg(point); });
        moveTo(*m_widget, placeOf(5).toPoint());
        WAIT_FOR(m_widget->hoverCard()->isVisible());
        QCOMPARE(m_widget->hoverCard()->markedText(), QStringList{QStringLiteral("words")});
        QVERIFY(m_widget->hoverCard()->content().value.startsWith(QStringLiteral("value ")));
    }

    void aThousandLabels()
    {
        const auto map = test::sampleMap(2000);
        m_widget->setMap(map);
        LabelColumn column{"topic", {}, {}};
        for (std::int32_t i = 0; i < 1000; ++i)
            column.categories.push_back("Label number " + std::to_string(i));
        for (std::int32_t i = 0; i < 2000; ++i)
            column.codes.push_back(i < 1000 ? i : (i * i) % 1000);
        m_widget->setColoring(viz::colorByLabel(*map->points, column, viz::InkTheme::Light));
        ui::LegendWidget* legend = m_widget->legend();
        QVERIFY(m_widget->rect().contains(legend->geometry()));
        const auto hits = legend->layoutOfLegend().hits();
        QCOMPARE(hits.size(), std::size_t{1000}); // all of them: the legend scrolls
        QVERIFY(legend->scrollBar()->isVisible());
        const std::int64_t code = hits[3].index;
        const auto points = std::ranges::count_if(map->points->document, [&](std::int32_t document) {
            return column.codes[static_cast<std::size_t>(document)] == code;
        });
        // Colours repeat; the label alone is isolated all the same.
        clickLegend(hits[3]);
        QCOMPARE(countOf(viz::PointState::Shown), points);
        if (const QByteArray folder = qgetenv("HEADSCOPE_PICTURES"); !folder.isEmpty())
            m_widget->grab().save(QString::fromLocal8Bit(folder) + QStringLiteral("/thousand.png"));
    }

    /// Twenty-five labels and the tools float over the canvas: whatever its size, no point that fit() shows
    /// lies under them; folded away, the legend gives its room back.
    void fitLeavesTheLegendItsRoom_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("480x420") << QSize(480, 420);
        QTest::newRow("540x560") << QSize(540, 560);
        QTest::newRow("800x600") << QSize(800, 600);
        QTest::newRow("1300x700") << QSize(1300, 700);
    }
    void fitLeavesTheLegendItsRoom()
    {
        QFETCH(QSize, size);
        const auto map = test::sampleMap(100);
        m_widget->setMap(map);
        LabelColumn column{"topic", {}, {}};
        for (std::int32_t i = 0; i < 25; ++i)
            column.categories.push_back("A label of some length " + std::to_string(i));
        for (std::int32_t i = 0; i < 100; ++i)
            column.codes.push_back(i % 25);
        m_widget->setColoring(viz::colorByLabel(*map->points, column, viz::InkTheme::Light));
        const auto covered = [&] {
            std::int64_t count = 0;
            const QWidget* tools = m_widget->findChild<QWidget*>(QStringLiteral("mapTools"));
            for (std::int64_t point = 0; point < m_widget->pointCount(); ++point)
                count += m_widget->legendRect().contains(placeOf(point)) ||
                                 QRectF(tools->geometry()).contains(placeOf(point)) ||
                                 !QRectF(m_widget->rect()).contains(placeOf(point))
                             ? 1
                             : 0;
            return count;
        };
        m_widget->resize(size); // a map that is followed is fitted to its new room
        test::passMs(250);
        QCOMPARE(covered(), 0);
        const double beside = m_widget->view().scale();
        QVERIFY(beside * 20 > 0.3 * std::min(size.width(), size.height())); // and it is still to be seen
        m_widget->setView(viz::ViewTransform({3, 3}, 40, QSizeF(size)));
        m_widget->fit();
        WAIT_COMPARE(covered(), 0);
        m_widget->fitChosen();
        test::passMs(250);
        QCOMPARE(covered(), 0);
        // What is saved is the part beside them.
        m_widget->fit();
        test::passMs(250);
        const QRectF saved = m_widget->dataInView();
        QVERIFY(saved.width() < m_widget->view().visibleData().width());
        for (std::int64_t point = 0; point < m_widget->pointCount(); ++point)
            QVERIFY(saved.contains(QPointF(map->xy(point, 0), map->xy(point, 1))));
        QTest::mouseClick(m_widget->legend()->foldButton(), Qt::LeftButton);
        QVERIFY(m_widget->legend()->isFolded());
        QVERIFY(m_widget->legendRect().height() < 60);
        test::passMs(250);
        QCOMPARE(covered(), 0);
        QVERIFY(m_widget->view().scale() >= beside);
        QTest::mouseClick(m_widget->legend()->foldButton(), Qt::LeftButton);
        test::passMs(250);
        QCOMPARE(covered(), 0);
    }

    /// Of a map that is too large to be sorted by place at once, dots are found as soon as that is done.
    void hoverOfALargeMapIsReadyInAMoment()
    {
        const auto map = test::sampleMap(13'000);
        m_widget->setMap(map);
        m_widget->setColoring(viz::colorByHead(*map->points, viz::HeadPalette(8, 4), QStringLiteral("head")));
        WAIT_FOR((moveTo(*m_widget, placeOf(5).toPoint()), m_widget->hoveredPoint().has_value()));
    }

    void paintsNothingWhileIdle_data()
    {
        QTest::addColumn<bool>("everything");
        QTest::newRow("plain") << false;
        QTest::newRow("with overview, names and lines") << true;
    }
    void paintsNothingWhileIdle()
    {
        QFETCH(bool, everything);
        if (everything)
        {
            colorByTopic();
            m_widget->setRegions({{QStringLiteral("Here"), QPointF(10, 0), 3.0, 9.0}});
            m_widget->setRegionsShown(true);
            m_widget->setJoined(true);
            m_widget->setPrimary(DocumentIndex(5), HeadIndex(3));
            wheel(*m_widget, {700, 300}, 480);
        }
        test::passMs(700);
        QCOMPARE(m_widget->minimap()->isVisible(), everything);
        const auto before = m_widget->paintCount();
        const auto beforeOverview = m_widget->minimap()->paintCount();
        test::passMs(1000);
        QCOMPARE(m_widget->paintCount(), before);
        QCOMPARE(m_widget->minimap()->paintCount(), beforeOverview);
    }

    void liveMapKeepsTheUsersView()
    {
        auto moved = std::make_shared<HeadMap>(*m_widget->map());
        for (float& value : moved->xy.values())
            value *= 3;
        m_widget->setMap(moved);
        const QRectF shown = m_widget->view().visibleData();
        QVERIFY(shown.width() > 55); // followed the growth
        wheel(*m_widget, {400, 300}, 240);
        const auto chosen = m_widget->view();
        auto grown = std::make_shared<HeadMap>(*moved);
        for (float& value : grown->xy.values())
            value *= 2;
        m_widget->setMap(grown);
        QCOMPARE(m_widget->view(), chosen);
    }

    void oddMaps_data()
    {
        QTest::addColumn<int>("points");
        QTest::addColumn<int>("kind");
        QTest::newRow("none") << 0 << 0;
        QTest::newRow("one") << 1 << 0;
        QTest::newRow("two") << 2 << 0;
        QTest::newRow("all at one place") << 50 << 1;
        QTest::newRow("not numbers") << 50 << 2;
    }
    void oddMaps()
    {
        QFETCH(int, points);
        QFETCH(int, kind);
        auto map = std::make_shared<HeadMap>();
        auto ids = std::make_shared<PointIds>();
        std::vector<float> xy;
        for (int i = 0; i < points; ++i)
        {
            ids->document.push_back(i);
            ids->head.push_back(0);
            xy.push_back(kind == 2 && i % 2 == 0 ? std::nanf("") : kind == 1 ? 3.0F : float(i));
            xy.push_back(kind == 1 ? 4.0F : float(i));
        }
        map->points = ids;
        map->xy = MatrixF(points, 2, xy);
        m_widget->setMap(map);
        m_widget->setColoring(viz::colorByHead(*ids, viz::HeadPalette(8, 4), QStringLiteral("head")));
        QVERIFY(!m_widget->grab().isNull());
        moveTo(*m_widget, {400, 300});
        QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, {400, 300});
        wheel(*m_widget, {400, 300}, 1200);
        m_widget->fit();
        test::passMs(200);
        QVERIFY(!m_widget->grab().isNull());
        m_widget->setMap(nullptr);
        QVERIFY(!m_widget->grab().isNull());
    }
};

HEADSCOPE_WINDOW_TEST(TestScatterWidget)
#include "tst_scatter_widget.moc"
