// SPDX-License-Identifier: GPL-3.0-or-later
// The legend on the map: what its entries do, their order, and the room that it takes.
#include "tests/ui/canvas/scatter/scatter_fixture.h"

#include <QScrollBar>
#include <QSignalSpy>
#include <QToolButton>

#include <algorithm>

using namespace headscope;
using headscope::ui::ScatterWidget;

class TestScatterLegend : public test::ScatterFixture
{
    Q_OBJECT

private Q_SLOTS:
    void init() { show(); }

    void cleanup() { m_widget.reset(); }

    /// Shades of density say how many, not which head: so does the legend.
    void theLegendFollowsTheMode()
    {
        m_widget->setMode(viz::ScatterMode::Density);
        QCOMPARE(m_widget->legend()->layoutOfLegend().legend().title, QStringLiteral("Density"));
        m_widget->setMode(viz::ScatterMode::MeanColor);
        QVERIFY(m_widget->legend()->layoutOfLegend().boxOf({viz::LegendHit::Kind::Head, 3}));
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
        const QRgb last = m_widget->coloring().colors[4]; // a label keeps its colour, wherever it stands
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
        QCOMPARE(std::get<viz::CategoryLegend>(m_widget->coloring().legend.content).entries[0].color, last);
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
};

HEADSCOPE_WINDOW_TEST(TestScatterLegend)
#include "tst_scatter_legend.moc"
