// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heatmap/heatmap_stack.h"

#include "tests/ui/window_test.h"

using namespace headscope;
using ui::HeatmapPlace;
using ui::HeatmapStack;

/// Two stages of the same 24 documents in four topics, 32 heads each.
class TestHeatmapStack : public QObject
{
    Q_OBJECT

private:
    HeatmapStack m_stack;

private Q_SLOTS:
    void init()
    {
        m_stack = {};
        HeatmapStack::Panels panels;
        for (const Stage stage : {Stage::HeadOutput, Stage::OutputSegment})
        {
            auto panel = std::make_shared<HeatmapPanel>();
            panel->heatmap = test::sampleHeatmap(stage);
            panels.push_back(std::move(panel));
        }
        m_stack.setPanels(std::move(panels), test::sampleModel());
        m_stack.layOut({900, 700}, viz::InkTheme::Light);
    }

    void columnsStandUnderEachOther()
    {
        QCOMPARE(m_stack.layouts().size(), 2U);
        for (const std::int64_t column : {0, 7, 23})
        {
            const QRectF above = m_stack.layout(0).cellRect({0, column});
            const QRectF below = m_stack.layout(1).cellRect({0, column});
            QCOMPARE(above.left(), below.left());
            QVERIFY(below.top() > m_stack.layout(0).box().bottom());
        }
    }

    /// Three stages in a window of 1100 x 700 are strips; their cells are still seen.
    void stripsKeepAHeight()
    {
        HeatmapStack::Panels panels = m_stack.panels();
        panels.push_back(panels.front());
        m_stack.setPanels(std::move(panels), test::sampleModel());
        m_stack.layOut({553, 295}, viz::InkTheme::Light);
        for (const viz::HeatmapLayout& layout : m_stack.layouts())
            QVERIFY2(layout.plot().height() >= 24, qPrintable(QString::number(layout.plot().height())));
    }

    void everyCellIsFound()
    {
        for (const HeatmapPlace& place : {HeatmapPlace{0, {0, 0}}, HeatmapPlace{0, {32, 23}}, HeatmapPlace{1, {5, 11}}})
        {
            const QPointF centre = m_stack.layout(place.heatmap).cellRect(place.cell).center();
            QVERIFY(m_stack.placeAt(centre) == place);
            QCOMPARE(m_stack.panelAt(centre.y()), place.heatmap);
        }
        QVERIFY(!m_stack.placeAt({1, 1}));
        QCOMPARE(m_stack.panelAt(10'000), 1U);
    }

    /// From the last row of one stage to the first of the next, and back.
    void crosshairGoesThroughTheStages()
    {
        const HeatmapPlace last = m_stack.moved({0, {0, 3}}, 0, 32);
        QCOMPARE(last, (HeatmapPlace{0, {32, 3}}));
        const HeatmapPlace next = m_stack.moved(last, 1, 1);
        QCOMPARE(next, (HeatmapPlace{1, {0, 4}}));
        QCOMPARE(m_stack.moved(next, -1, -1), last);
        QCOMPARE(m_stack.moved({0, {0, 0}}, -1, -1), (HeatmapPlace{0, {0, 0}}));
        QCOMPARE(m_stack.moved({1, {32, 23}}, 1, 1), (HeatmapPlace{1, {32, 23}}));
    }

    void partsThatAreShown()
    {
        QVERIFY(!m_stack.setWindow({}));
        QVERIFY(!m_stack.windowOfTopic(4) && !m_stack.windowOfTopic(-1));
        QVERIFY(m_stack.setWindow(*m_stack.windowOfTopic(2)));
        // Gaps between topics take no part in zooming: a bit of the next column is left.
        QCOMPARE(m_stack.layout(1).visibleColumns(), (std::pair<std::int64_t, std::int64_t>(12, 19)));
        // A cell outside of the part is moved into it; one inside needs nothing.
        const HeatmapPlace outside{1, {4, 20}};
        QVERIFY(m_stack.setWindow(*m_stack.windowShowing(outside)));
        QVERIFY(m_stack.layout(1).plot().adjusted(-1, -1, 1, 1).contains(m_stack.layout(1).cellRect(outside.cell)));
        QVERIFY(!m_stack.windowShowing({0, {4, 19}}));
    }

    void bandsAcrossTheColumns()
    {
        const viz::HeatmapLayout& layout = m_stack.layout(0);
        const double from = layout.cellRect({0, 9}).center().x();
        const double to = layout.cellRect({0, 6}).center().x(); // backwards is as good
        const auto window = m_stack.windowOfBand(from, to);
        QVERIFY(window);
        QCOMPARE(window->firstColumn, 6.0);
        QCOMPARE(window->zoom, 24.0 / 4);
        QVERIFY(!m_stack.windowOfBand(from, from + 2));
        QCOMPARE(m_stack.band(-50, 10'000), (std::pair(layout.plot().left(), layout.plot().right())));
    }

    void documentsOfTopicsAndColumns()
    {
        QCOMPARE(m_stack.documentsOf(1), (std::vector<std::int64_t>{1, 5, 9, 13, 17, 21}));
        QVERIFY(m_stack.documentsOf(9).empty());
        QCOMPARE(m_stack.documentAt({0, {0, 7}}), DocumentIndex(5));
        const auto lit = m_stack.lit({5});
        QCOMPARE(lit.size(), 24U);
        QCOMPARE(std::count(lit.begin(), lit.end(), 1), 1);
        QCOMPARE(lit[7], std::uint8_t{1});
        QVERIFY(m_stack.lit({}).empty());
    }

    void otherColumnsAreShownWhole()
    {
        m_stack.setWindow(*m_stack.windowOfTopic(2));
        HeatmapStack::Panels same = m_stack.panels();
        m_stack.setPanels(std::move(same), test::sampleModel());
        QVERIFY(m_stack.window().zoom > 1);
        auto panel = std::make_shared<HeatmapPanel>();
        panel->heatmap = test::sampleHeatmap(Stage::HeadOutput, 5);
        m_stack.setPanels({panel}, test::sampleModel());
        QCOMPARE(m_stack.window(), viz::HeatmapWindow());
        m_stack.setPanels({}, test::sampleModel());
        m_stack.layOut({900, 700}, viz::InkTheme::Light);
        QVERIFY(m_stack.empty() && m_stack.note(1).isEmpty());
    }
};

HEADSCOPE_WINDOW_TEST(TestHeatmapStack)
#include "tst_heatmap_stack.moc"
