// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/grid/map_grid.h"

#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"
#include "tests/viz/sample_set.h"

#include <QSignalSpy>
#include <QWheelEvent>

using namespace headscope;
using headscope::ui::MapGrid;

namespace
{

void wheel(QWidget& widget, QPointF place, int units, Qt::KeyboardModifiers keys = {})
{
    QWheelEvent event(place, widget.mapToGlobal(place), {}, QPoint(0, units), Qt::NoButton, keys, Qt::NoScrollPhase,
                      false);
    QApplication::sendEvent(&widget, &event);
}

void moveTo(QWidget& widget, QPoint place, Qt::MouseButtons buttons = Qt::NoButton)
{
    QMouseEvent event(QEvent::MouseMove, place, widget.mapToGlobal(place), Qt::NoButton, buttons, Qt::NoModifier);
    QApplication::sendEvent(&widget, &event);
}

double distance(QPointF a, QPointF b)
{
    return std::hypot(a.x() - b.x(), a.y() - b.y());
}

} // namespace

class TestMapGrid : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<MapGrid> m_grid;

    /// Where a document lies in a cell.
    [[nodiscard]] QPoint placeOf(std::size_t cell, std::int64_t document) const
    {
        const std::size_t map = m_grid->contents().cells[cell].map;
        const MatrixF& xy = m_grid->set()->maps[map].map.xy;
        const auto point = m_grid->points().pointOf(map, DocumentIndex(document));
        const QPointF place = m_grid->view(cell).screenFromData(QPointF(xy(*point, 0), xy(*point, 1)));
        return (m_grid->gridLayout().plot(cell).topLeft() + place).toPoint();
    }

    void drag(QPoint from, QPoint to)
    {
        QTest::mousePress(m_grid.get(), Qt::LeftButton, {}, from);
        moveTo(*m_grid, (from + to) / 2, Qt::LeftButton);
        moveTo(*m_grid, to, Qt::LeftButton);
        QTest::mouseRelease(m_grid.get(), Qt::LeftButton, {}, to);
    }

    /// A place of a cell's map where no point is near.
    [[nodiscard]] QPoint emptyPlace(std::size_t cell) const
    {
        return m_grid->gridLayout().plot(cell).topLeft().toPoint() + QPoint(2, 2);
    }

private Q_SLOTS:
    void init()
    {
        m_grid = std::make_unique<MapGrid>();
        m_grid->resize(900, 420);
        m_grid->setPalette(viz::HeadPalette(3, 2));
        m_grid->setSet(test::sampleSet());
        m_grid->show();
        QVERIFY(test::exposed(m_grid.get()));
        WAIT_FOR(m_grid->paintCount() > 0);
    }

    void cleanup() { m_grid.reset(); }

    void paintsEveryCell()
    {
        const QImage picture = m_grid->grab().toImage();
        const viz::HeadPalette palette(3, 2);
        for (std::size_t cell = 0; cell < m_grid->contents().cells.size(); ++cell)
        {
            const QPoint place = placeOf(cell, 0);
            QVERIFY(m_grid->gridLayout().plot(cell).contains(place));
            const QColor found = picture.pixelColor(place);
            QVERIFY2(found.lightness() < 240, qPrintable(QString::number(cell)));
            if (const auto& edge = m_grid->contents().cells[cell].edge)
            {
                const QPointF left = m_grid->gridLayout().cell(cell).topLeft() + QPointF(1, 40);
                QCOMPARE(picture.pixelColor(left.toPoint()).rgb(), edge->rgb());
            }
        }
        if (qEnvironmentVariableIsSet("HEADSCOPE_TEST_PICTURES"))
            picture.save(qEnvironmentVariable("HEADSCOPE_TEST_PICTURES") + QStringLiteral("/map_grid.png"));
    }

    void wheelZoomsAllCellsAtThePointer()
    {
        const QPoint place = placeOf(2, 3);
        const double scale = m_grid->view(0).scale();
        wheel(*m_grid, place, 240);
        QVERIFY(m_grid->view(0).scale() > 1.3 * scale);
        const double zoom = m_grid->view(2).scale() / m_grid->fittedView(2).scale();
        for (std::size_t cell = 0; cell < m_grid->contents().cells.size(); ++cell)
            QVERIFY(std::abs(m_grid->view(cell).scale() / m_grid->fittedView(cell).scale() / zoom - 1) < 1e-9);
        QVERIFY(distance(placeOf(2, 3), place) <= 1.5);
        QVERIFY(m_grid->moved());
    }

    void aloneWhenNotLinked()
    {
        m_grid->setLinked(false);
        const auto other = m_grid->view(1);
        wheel(*m_grid, placeOf(2, 3), 240);
        QCOMPARE(m_grid->view(1), other);
        QVERIFY(m_grid->view(2).scale() > 1.3 * other.scale());
        m_grid->setCurrentCell(2);
        m_grid->setLinked(true); // the current cell leads
        QVERIFY(std::abs(m_grid->view(1).scale() / m_grid->fittedView(1).scale() -
                         m_grid->view(2).scale() / m_grid->fittedView(2).scale()) < 1e-9);
    }

    /// The cell under the pointer, else the one that keys have reached; the full vector is of no head.
    void knowsTheHeadOfACell()
    {
        const auto headOf = [this](std::size_t cell) {
            const viz::GridCell& own = m_grid->contents().cells[cell];
            return own.edge ? std::optional(m_grid->set()->maps[own.map].map.points->head.front()) : std::nullopt;
        };
        std::size_t heads = 0;
        for (std::size_t cell = 0; cell < m_grid->contents().cells.size(); ++cell)
        {
            const auto found = m_grid->headOf(cell);
            const bool isOfHead =
                headOf(cell) && m_grid->set()->maps[m_grid->contents().cells[cell].map].map.stage == Stage::HeadOutput;
            QCOMPARE(found.has_value(), isOfHead);
            QVERIFY(!found || found->head.value() == *headOf(cell));
            heads += found ? 1 : 0;
        }
        QVERIFY(heads > 1);
        m_grid->setCurrentCell(1);
        QVERIFY(m_grid->headMeant() == m_grid->headOf(1));
        moveTo(*m_grid, emptyPlace(2));
        QVERIFY(m_grid->headMeant() == m_grid->headOf(2));
    }

    void dragPansAllCells()
    {
        const QPoint before = placeOf(5, 7);
        const QPoint from = emptyPlace(1);
        drag(from, from + QPoint(20, 14));
        QVERIFY(distance(placeOf(5, 7), before + QPoint(20, 14)) <= 1.5);
    }

    void fitComesBack()
    {
        const auto fitted = m_grid->view(0);
        wheel(*m_grid, placeOf(2, 3), 480);
        QTest::keyClick(m_grid.get(), Qt::Key_Home);
        WAIT_FOR(std::abs(m_grid->view(0).scale() / fitted.scale() - 1) < 1e-9);
        QVERIFY(!m_grid->moved());
    }

    void shiftWheelIsThePages()
    {
        const auto before = m_grid->view(0);
        wheel(*m_grid, placeOf(2, 3), 240, Qt::ShiftModifier);
        QCOMPARE(m_grid->view(0), before);
    }

    void hoverLightsTheDocumentInEveryCell()
    {
        QSignalSpy hovered(m_grid.get(), &MapGrid::documentHovered);
        m_grid->setCardSource([](const HeadMap& map, std::int64_t point) {
            ui::HoverContent content;
            content.title = QString::fromStdString(map.name);
            content.text = QString::number(point);
            return content;
        });
        const QImage before = m_grid->grab().toImage();
        moveTo(*m_grid, placeOf(4, 11));
        QCOMPARE(m_grid->hoveredDocument(), std::optional<DocumentIndex>(11));
        QCOMPARE(hovered.count(), 1);
        QCOMPARE(hovered.front().front().value<std::optional<DocumentIndex>>(), std::optional<DocumentIndex>(11));
        QVERIFY(m_grid->hoverCard()->isVisible());
        QCOMPARE(m_grid->hoverCard()->content().text, QStringLiteral("11"));
        m_grid->hoverCard()->hide();
        const QImage after = m_grid->grab().toImage();
        for (std::size_t cell = 0; cell < m_grid->contents().cells.size(); ++cell)
        {
            const QRect around(placeOf(cell, 11) - QPoint(5, 5), QSize(11, 11));
            QVERIFY2(before.copy(around) != after.copy(around), qPrintable(QString::number(cell)));
        }
        moveTo(*m_grid, emptyPlace(4));
        QCOMPARE(m_grid->hoveredDocument(), std::nullopt);
    }

    void clickOnAPointChoosesItsDocument()
    {
        QSignalSpy clicked(m_grid.get(), &MapGrid::documentClicked);
        QSignalSpy opened(m_grid.get(), &MapGrid::cellOpened);
        QTest::mouseClick(m_grid.get(), Qt::LeftButton, Qt::ShiftModifier, placeOf(3, 20));
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(opened.count(), 0);
        QCOMPARE(clicked.front()[0].value<DocumentIndex>(), DocumentIndex(20));
        QCOMPARE(m_grid->currentCell(), std::optional<std::size_t>(3));
        const auto head = clicked.front()[1].value<std::optional<HeadIndex>>();
        QCOMPARE(head, std::optional<HeadIndex>(
                           m_grid->set()->maps[m_grid->contents().cells[3].map].map.points->head.front()));
        // The full vector is of no head.
        const std::size_t full = *m_grid->contents().find(1, 0);
        QTest::mouseClick(m_grid.get(), Qt::LeftButton, {}, placeOf(full, 20));
        QCOMPARE(clicked.back()[1].value<std::optional<HeadIndex>>(), std::nullopt);
    }

    void opensCells_data()
    {
        QTest::addColumn<int>("how");
        QTest::newRow("click beside the points") << 0;
        QTest::newRow("click on the caption") << 1;
        QTest::newRow("click on a point") << 2;
        QTest::newRow("return") << 3;
    }
    void opensCells()
    {
        QFETCH(int, how);
        QSignalSpy opened(m_grid.get(), &MapGrid::cellOpened);
        if (how == 0)
            QTest::mouseClick(m_grid.get(), Qt::LeftButton, {}, emptyPlace(4));
        else if (how == 1)
            QTest::mouseClick(m_grid.get(), Qt::LeftButton, {},
                              m_grid->gridLayout().cell(4).topLeft().toPoint() + QPoint(20, 6));
        else if (how == 2)
            QTest::mouseClick(m_grid.get(), Qt::LeftButton, {}, placeOf(4, 8));
        else
        {
            m_grid->setCurrentCell(4);
            QTest::keyClick(m_grid.get(), Qt::Key_Return);
        }
        QCOMPARE(opened.count(), 1);
        QCOMPARE(opened.front().front().toULongLong(), 4ULL);
    }

    void arrowKeysWalk()
    {
        m_grid->setFocus();
        QCOMPARE(m_grid->currentCell(), std::optional<std::size_t>(0)); // head 1 of stage 1
        QTest::keyClick(m_grid.get(), Qt::Key_Right);
        QCOMPARE(m_grid->currentCell(), m_grid->contents().find(0, 2));
        QTest::keyClick(m_grid.get(), Qt::Key_Down);
        QCOMPARE(m_grid->currentCell(), m_grid->contents().find(1, 2));
        QTest::keyClick(m_grid.get(), Qt::Key_Left);
        QTest::keyClick(m_grid.get(), Qt::Key_Left);
        QCOMPARE(m_grid->currentCell(), m_grid->contents().find(1, 0));
        QVERIFY(m_grid->accessibleDescription().contains(QStringLiteral("Full vector")));
        QTest::keyClick(m_grid.get(), Qt::Key_Left);
        QCOMPARE(m_grid->currentCell(), m_grid->contents().find(1, 0));
    }

    void chosenAndIsolatedDocumentsStandOut()
    {
        viz::PointColoring coloring;
        coloring.colors = {qRgb(200, 0, 0), qRgb(0, 0, 200)};
        for (int i = 0; i < 80; ++i)
            coloring.index.push_back(static_cast<std::uint16_t>(i % 2));
        m_grid->setColoring(coloring);
        m_grid->setChosen({1, 2});
        const auto states = m_grid->points().data(0).states;
        QCOMPARE(states[0], viz::PointState::Dimmed);
        QCOMPARE(states[1], viz::PointState::Shown);
        m_grid->setChosen({});
        m_grid->setIsolated(1);
        QCOMPARE(m_grid->points().data(0).states[0], viz::PointState::Dimmed);
        QCOMPARE(m_grid->points().data(0).states[1], viz::PointState::Shown);
        m_grid->setIsolated(std::nullopt);
        QVERIFY(m_grid->points().data(0).states.empty());
    }

    void aRunKeepsViewsAndFollowsUntilMoved()
    {
        auto grown = test::sampleSet();
        for (MapOfSet& each : grown->maps)
            for (float& value : each.map.xy.values())
                value *= 2;
        const double before = m_grid->view(0).scale();
        m_grid->setCurrentCell(3);
        m_grid->setSet(grown);
        QVERIFY(std::abs(m_grid->view(0).scale() / before - 0.5) < 0.01); // followed
        QCOMPARE(m_grid->currentCell(), std::optional<std::size_t>(3));
        wheel(*m_grid, placeOf(2, 3), 120);
        const auto moved = m_grid->view(0);
        m_grid->setSet(test::sampleSet());
        QCOMPARE(m_grid->view(0), moved);
    }

    void paintsNothingWhileNothingChanges()
    {
        test::passMs(250);
        const auto before = m_grid->paintCount();
        test::passMs(300);
        QCOMPARE(m_grid->paintCount(), before);
    }

    void nothingToShow()
    {
        m_grid->setSet(nullptr);
        QVERIFY(!m_grid->grab().isNull());
        QTest::mouseClick(m_grid.get(), Qt::LeftButton, {}, QPoint(200, 200));
        QTest::keyClick(m_grid.get(), Qt::Key_Return);
        QCOMPARE(m_grid->accessibleDescription(), QStringLiteral("empty"));
    }
};

HEADSCOPE_WINDOW_TEST(TestMapGrid)
#include "tst_map_grid.moc"
