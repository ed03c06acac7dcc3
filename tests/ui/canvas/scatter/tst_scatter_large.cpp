// SPDX-License-Identifier: GPL-3.0-or-later
// Maps of many points: what workers do, what is shown in part, and the overview.
#include "tests/ui/canvas/scatter/scatter_fixture.h"
#include "ui/canvas/scatter/minimap.h"

using namespace headscope;
using headscope::ui::ScatterWidget;

class TestScatterLarge : public test::ScatterFixture
{
    Q_OBJECT

private Q_SLOTS:
    void init() { show(); }

    void cleanup() { m_widget.reset(); }

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

    /// So that no worker competes with the frames of a zoom; and in an event of its own, not within such a frame.
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
        WAIT_FOR(minimap->drawnPoints() > 0);
        QVERIFY(minimap->drawnPoints() > kMost / 2);
        QVERIFY(minimap->drawnPoints() <= kMost);
        minimap->dropPicture();
        static_cast<void>(minimap->grab());
        QVERIFY(minimap->busy() && m_widget->catchingUp());
        WAIT_FOR(!m_widget->catchingUp());
        // One that is not large is painted whole, with the card around it.
        m_widget->setMostAtOnce(map->xy.rows());
        minimap->dropPicture();
        static_cast<void>(minimap->grab());
        QVERIFY(!minimap->busy());
        QCOMPARE(minimap->drawnPoints(), map->xy.rows());
    }

    /// Of a map that is too large to be sorted by place at once, dots are found as soon as that is done.
    void hoverOfALargeMapIsReadyInAMoment()
    {
        const auto map = test::sampleMap(13'000);
        m_widget->setMap(map);
        m_widget->setColoring(viz::colorByHead(*map->points, viz::HeadPalette(8, 4), QStringLiteral("head")));
        WAIT_FOR((moveTo(*m_widget, placeOf(5).toPoint()), m_widget->hoveredPoint().has_value()));
    }
};

HEADSCOPE_WINDOW_TEST(TestScatterLarge)
#include "tst_scatter_large.moc"
