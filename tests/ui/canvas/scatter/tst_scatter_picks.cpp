// SPDX-License-Identifier: GPL-3.0-or-later
// Points of the map by themselves: caught by a lasso, and stepped on by keys.
#include "app/views/map/map_view.h"
#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"
#include "ui/canvas/legend/legend_widget.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/widgets/widgets.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QSignalSpy>

#include <algorithm>
#include <set>
#include <utility>

using namespace headscope;
using headscope::ui::EmptyState;
using headscope::ui::MapView;
using headscope::ui::ScatterWidget;
using Picks = ScatterWidget::Picks;

namespace
{

using Pairs = std::set<std::pair<std::int64_t, std::int64_t>>;

Pairs pairsOf(const PointSet& set)
{
    Pairs pairs;
    for (std::size_t row = 0; row < set.documents().size(); ++row)
        for (const std::int64_t head : set.headsOf(row))
            pairs.emplace(set.documents()[row], head);
    return pairs;
}

/// What a screen reader reads of a widget. Qt tells of changes only where one listens (QAccessible::isActive()), which
/// no test can have without a desktop's bus; so what it would read is asked for.
QString spoken(QWidget* widget)
{
    QAccessibleInterface* heard = QAccessible::queryAccessibleInterface(widget);
    return heard == nullptr ? QString() : heard->text(QAccessible::Description);
}

} // namespace

class TestScatterPicks : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<MapView> m_view;
    ScatterWidget* m_widget = nullptr;

    QAbstractButton* button(const char* name) { return m_widget->findChild<QAbstractButton*>(QLatin1StringView(name)); }

    [[nodiscard]] QPointF placeOf(std::int64_t point) const
    {
        const MatrixF& xy = m_widget->map()->xy;
        return m_widget->view().screenFromData(QPointF(xy(point, 0), xy(point, 1)));
    }

    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers keys = {})
    {
        QTest::mousePress(m_widget, Qt::LeftButton, keys, from);
        for (const QPoint& place : {(from + to) / 2, to})
        {
            QMouseEvent move(QEvent::MouseMove, place, m_widget->mapToGlobal(place), Qt::NoButton, Qt::LeftButton,
                             keys);
            QApplication::sendEvent(m_widget, &move);
        }
        QTest::mouseRelease(m_widget, Qt::LeftButton, keys, to);
    }

    /// The points in a rectangle of the screen, by the plain definition.
    [[nodiscard]] Pairs inside(const QRectF& box) const
    {
        Pairs pairs;
        for (std::int64_t point = 0; point < m_widget->pointCount(); ++point)
            if (box.contains(placeOf(point)))
                pairs.emplace(m_widget->map()->points->document[static_cast<std::size_t>(point)],
                              m_widget->map()->points->head[static_cast<std::size_t>(point)]);
        return pairs;
    }

    /// Where an arrow key leads, by the plain definition; -1: nowhere.
    [[nodiscard]] std::int64_t toward(std::int64_t from, QPointF direction) const
    {
        std::int64_t best = -1;
        double least = 1e18;
        for (std::int64_t point = 0; point < m_widget->pointCount(); ++point)
        {
            const QPointF way = placeOf(point) - placeOf(from);
            const double along = QPointF::dotProduct(way, direction);
            const double aside = std::abs(way.x() * direction.y() - way.y() * direction.x());
            const double far = std::hypot(way.x(), way.y());
            if (point != from && along >= 1 && aside <= along && far < least - 1e-9)
            {
                least = far;
                best = point;
            }
        }
        return best;
    }

private Q_SLOTS:
    void init()
    {
        m_view = std::make_unique<MapView>();
        m_view->resize(800, 640);
        m_widget = m_view->scatter();
        const auto map = test::sampleMap();
        m_view->setMap(map);
        m_widget->setColoring(viz::colorByHead(*map->points, viz::HeadPalette(8, 4), QStringLiteral("head")));
        m_widget->setShownHeads(allIndices(32));
        m_widget->setLegendShown(false);
        m_view->show();
        QVERIFY(test::exposed(m_view.get()));
        WAIT_FOR(m_widget->paintCount() > 0 && !m_widget->moving());
        m_widget->setFocus();
    }

    void cleanup() { m_view.reset(); }

    /// Before, a gesture over pale dots of heads that are not lit chose them, and said that all their points were lit.
    void whatIsNotLitIsNotPickedAndTheMapSaysSo()
    {
        QSignalSpy documents(m_widget, &ScatterWidget::documentsPicked);
        QVERIFY(m_widget->badgeText().isEmpty());
        m_widget->setLitHeads({1});
        QCOMPARE(m_widget->litText(), QStringLiteral("only head 2 is highlighted"));
        QVERIFY(m_widget->badgeText().contains(QStringLiteral("Only head 2 is highlighted")));
        QVERIFY(m_view->shownText().contains(QStringLiteral("only head 2 is highlighted")));
        QTest::keyClick(m_widget, Qt::Key_R);
        const auto around = [this](std::int64_t point) {
            const QPoint place = placeOf(point).toPoint();
            drag(place - QPoint(8, 8), place + QPoint(8, 8));
        };
        around(17); // head 18, far from head 2
        QCOMPARE(documents.count(), 1);
        QVERIFY(documents.at(0).at(0).value<std::vector<std::int64_t>>().empty());
        around(1);
        QVERIFY(!documents.at(1).at(0).value<std::vector<std::int64_t>>().empty());
        m_widget->setChosen({0, 1});
        QVERIFY2(m_view->shownText().contains(QStringLiteral("only head 2 is highlighted")) &&
                     !m_view->shownText().contains(QStringLiteral("all their points")),
                 qPrintable(m_view->shownText()));
        m_widget->setLitHeads({0, 1, 2, 8});
        QCOMPARE(m_widget->litText(), QStringLiteral("only heads 1-3,9 are highlighted"));
        // Heads that are not shown stand out from nothing.
        m_widget->setShownHeads({4, 5});
        QVERIFY(m_widget->litText().isEmpty());
        QVERIFY(m_view->shownText().contains(QStringLiteral("their visible points highlighted")));
    }

    /// Before, the eye of the lit group took its heads away, and nothing in the map let go of the others.
    void theEyeAndTheMenuLetGoOfLitHeads()
    {
        m_widget->setLegendShown(true);
        m_widget->setLitHeads({1});
        QSignalSpy cleared(m_widget, &ScatterWidget::litCleared);
        QSignalSpy heads(m_widget, &ScatterWidget::headsClicked);
        Q_EMIT m_widget->legend()->toggleRequested({viz::LegendHit::Kind::Group, 0});
        QCOMPARE(cleared.count(), 1);
        QCOMPARE(heads.count(), 0);
        Q_EMIT m_widget->legend()->showAllRequested();
        QCOMPARE(cleared.count(), 2);
        m_widget->setLitHeads({});
        Q_EMIT m_widget->legend()->toggleRequested({viz::LegendHit::Kind::Group, 0});
        QCOMPARE(heads.count(), 1); // as ever
    }

    /// Before, a map without a chosen head was an empty white sheet.
    void withoutAHeadTheMapSaysSo()
    {
        auto* scatterPage = static_cast<QWidget*>(m_widget);
        m_widget->setShownHeads({});
        QVERIFY(!scatterPage->isVisible());
        const auto states = m_view->findChildren<EmptyState*>();
        const auto shown = std::ranges::find_if(states, [](const EmptyState* state) { return state->isVisible(); });
        QVERIFY(shown != states.end());
        QCOMPARE((*shown)->title(), QStringLiteral("No head selected"));
        auto segments = std::make_shared<HeadMap>(*test::sampleMap());
        segments->stage = Stage::OutputSegment;
        m_view->setMap(segments);
        QCOMPARE((*shown)->title(), QStringLiteral("No segment selected"));
        QSignalSpy all(m_view.get(), &MapView::allHeadsRequested);
        Q_EMIT(*shown)->actionRequested();
        QCOMPARE(all.count(), 1);
        m_widget->setShownHeads({3});
        QVERIFY(scatterPage->isVisible());
    }

    /// Before, a lasso took documents only: which head's points it had caught was lost.
    void pointsAreCaughtByThemselves()
    {
        QSignalSpy documents(m_widget, &ScatterWidget::documentsPicked);
        QSignalSpy points(m_widget, &ScatterWidget::pointsPicked);
        const QPoint corner = placeOf(3).toPoint() - QPoint(30, 30);
        const QRect box(corner, QSize(61, 61));
        const Pairs expected = inside(QRectF(corner, QSizeF(60, 60)));
        QVERIFY(expected.size() > 3);
        QTest::keyClick(m_widget, Qt::Key_R);
        drag(box.topLeft(), box.topLeft() + QPoint(60, 60));
        QCOMPARE(documents.count(), 1); // as ever, unless points are asked for
        QCOMPARE(points.count(), 0);
        QTest::keyClick(m_widget, Qt::Key_P);
        QCOMPARE(m_widget->tools()->picked(), Picks::Points);
        drag(box.topLeft(), box.topLeft() + QPoint(60, 60), Qt::ShiftModifier);
        QCOMPARE(documents.count(), 1);
        QCOMPARE(points.count(), 1);
        QCOMPARE(pairsOf(points.at(0).at(0).value<PointSet>()), expected);
        QCOMPARE(points.at(0).at(1).value<SetOperation>(), SetOperation::Add);
        QCOMPARE(points.at(0).at(2).value<std::vector<std::int64_t>>(), allIndices(32));
        // A point that is hidden is not caught, and its head is not of those shown.
        m_widget->setShownHeads({3});
        test::passMs(200);
        m_widget->fit();
        drag({2, 2}, {m_widget->width() - 3, m_widget->height() - 3});
        QCOMPARE(points.count(), 2);
        const auto caught = points.at(1).at(0).value<PointSet>();
        QVERIFY(!caught.isEmpty());
        for (const auto& [document, head] : pairsOf(caught))
            QCOMPARE(head, 3);
        QCOMPARE(points.at(1).at(2).value<std::vector<std::int64_t>>(), std::vector<std::int64_t>{3});
    }

    /// The line says of which dots of chosen documents it speaks.
    void theLineKnowsOfHiddenDots()
    {
        m_widget->setChosen({2, 5});
        QVERIFY2(m_view->shownText().contains(QStringLiteral("all their points highlighted")),
                 qPrintable(m_view->shownText()));
        m_widget->setShownHeads({0, 1, 2});
        QVERIFY2(m_view->shownText().contains(QStringLiteral("their visible points highlighted")),
                 qPrintable(m_view->shownText()));
    }

    /// A worker finds the same in a large map.
    void aLargeMapIsNoOther()
    {
        QSignalSpy points(m_widget, &ScatterWidget::pointsPicked);
        QTest::keyClick(m_widget, Qt::Key_R);
        m_widget->tools()->setPicked(Picks::Points);
        const QPoint corner = placeOf(3).toPoint() - QPoint(30, 30);
        drag(corner, corner + QPoint(60, 60));
        m_widget->setMostAtOnce(100);
        drag(corner, corner + QPoint(60, 60));
        WAIT_COMPARE(points.count(), 2);
        QVERIFY(points.at(0).at(0).value<PointSet>() == points.at(1).at(0).value<PointSet>());
    }

    void theSwitchStandsBesideTheTools()
    {
        auto* documents = button("pickDocuments");
        auto* points = button("pickPoints");
        QVERIFY(documents != nullptr && points != nullptr);
        QVERIFY(!points->isVisible()); // nothing is chosen by moving the map
        QTest::keyClick(m_widget, Qt::Key_L);
        QVERIFY(points->isVisible() && documents->isChecked() && !points->isChecked());
        QTest::mouseClick(points, Qt::LeftButton);
        QCOMPARE(m_widget->tools()->picked(), Picks::Points);
        QVERIFY(points->isChecked() && !documents->isChecked());
        QTest::mouseClick(points, Qt::LeftButton); // it is no toggle
        QVERIFY(points->isChecked());
        QTest::mouseClick(documents, Qt::LeftButton);
        QCOMPARE(m_widget->tools()->picked(), Picks::Documents);
        // Where each document has one dot there is nothing to choose between.
        m_widget->tools()->setPicked(Picks::Points);
        m_widget->tools()->setPointsOffered(false);
        QVERIFY(!points->isVisible());
        QCOMPARE(m_widget->tools()->picked(), Picks::Documents);
        QTest::keyClick(m_widget, Qt::Key_P);
        QCOMPARE(m_widget->tools()->picked(), Picks::Documents);
        m_widget->tools()->setPointsOffered(true);
        m_widget->setToolsShown(false);
        QVERIFY(!points->isVisible());
        m_widget->setToolsShown(true);
        QVERIFY(points->isVisible());
        QTest::keyClick(m_widget, Qt::Key_V);
        QVERIFY(!points->isVisible());
    }

    void onlyCaughtPointsStayBright()
    {
        const auto set =
            std::make_shared<const PointSet>(std::vector<std::int64_t>{2, 5}, std::vector<std::int64_t>{7});
        m_widget->setChosen({2, 5}, set);
        QCOMPARE(m_widget->points().chosenCount(), 2);
        const PointIds& ids = *m_widget->map()->points;
        for (std::size_t point = 0; point < ids.document.size(); ++point)
            QCOMPARE(m_widget->points().states()[point], set->contains(ids.documentOf(point), ids.headOf(point))
                                                             ? viz::PointState::Shown
                                                             : viz::PointState::Dimmed);
        QVERIFY2(m_view->shownText().contains(QStringLiteral("2\u00A0points of 2\u00A0documents selected")),
                 qPrintable(m_view->shownText()));
        QVERIFY(m_widget->accessibleDescription().contains(QStringLiteral("2\u00A0points selected")));
        m_widget->setChosen({2, 5});
        QCOMPARE(m_widget->points().chosenCount(), 64);
        m_widget->setChosen({});
        QVERIFY(std::ranges::count(m_widget->points().states(), viz::PointState::Dimmed) == 0);
    }

    void arrowsLeadToTheNearestPoint_data()
    {
        QTest::addColumn<Qt::Key>("key");
        QTest::addColumn<QPointF>("direction");
        QTest::newRow("right") << Qt::Key_Right << QPointF(1, 0);
        QTest::newRow("left") << Qt::Key_Left << QPointF(-1, 0);
        QTest::newRow("up") << Qt::Key_Up << QPointF(0, -1);
        QTest::newRow("down") << Qt::Key_Down << QPointF(0, 1);
    }
    /// Before, arrows only moved the map: without a mouse no point could be reached.
    void arrowsLeadToTheNearestPoint()
    {
        QFETCH(Qt::Key, key);
        QFETCH(QPointF, direction);
        const auto before = m_widget->view();
        QSignalSpy hovered(m_widget, &ScatterWidget::documentHovered);
        QTest::keyClick(m_widget, key);
        QVERIFY(m_widget->hoveredPoint().has_value()); // the one nearest to the middle
        for (int step = 0; step < 12; ++step)
        {
            const std::int64_t from = *m_widget->hoveredPoint();
            const std::int64_t expected = toward(from, direction);
            QTest::keyClick(m_widget, key);
            QCOMPARE(*m_widget->hoveredPoint(), expected < 0 ? from : expected);
        }
        QVERIFY(hovered.count() >= 2);
        QCOMPARE(hovered.last().at(0).value<std::optional<DocumentIndex>>(),
                 std::optional(m_widget->map()->points->documentOf(*m_widget->hoveredPoint())));
        QVERIFY(m_widget->view() == before); // all of it was in view
    }

    void keysChooseAndForget()
    {
        QSignalSpy clicked(m_widget, &ScatterWidget::documentClicked);
        QSignalSpy documents(m_widget, &ScatterWidget::documentsPicked);
        QSignalSpy points(m_widget, &ScatterWidget::pointsPicked);
        QSignalSpy cleared(m_widget, &ScatterWidget::choiceCleared);
        QTest::keyClick(m_widget, Qt::Key_Return); // there is no point yet
        QTest::keyClick(m_widget, Qt::Key_Space);
        QCOMPARE(clicked.count() + documents.count(), 0);
        QTest::keyClick(m_widget, Qt::Key_Down);
        const auto at = static_cast<std::size_t>(m_widget->hoveredPoint().value());
        const std::int64_t document = m_widget->map()->points->document[at];
        const std::int64_t head = m_widget->map()->points->head[at];
        QTest::keyClick(m_widget, Qt::Key_Return);
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked.at(0).at(0).value<DocumentIndex>(), DocumentIndex(document));
        QCOMPARE(clicked.at(0).at(1).value<HeadIndex>(), HeadIndex(head));
        QTest::keyClick(m_widget, Qt::Key_Space);
        QCOMPARE(documents.at(0).at(0).value<std::vector<std::int64_t>>(), std::vector<std::int64_t>{document});
        QCOMPARE(documents.at(0).at(1).value<SetOperation>(), SetOperation::Add);
        m_widget->setChosen({document});
        QTest::keyClick(m_widget, Qt::Key_Space); // a second time takes it out
        QCOMPARE(documents.at(1).at(1).value<SetOperation>(), SetOperation::Remove);
        // What is pale is reached: to be chosen too.
        QTest::keyClick(m_widget, Qt::Key_Left);
        QVERIFY(m_widget->hoveredPoint() != std::optional<std::int64_t>(static_cast<std::int64_t>(at)));
        QTest::keyClick(m_widget, Qt::Key_P);
        m_widget->setChosen({});
        QTest::keyClick(m_widget, Qt::Key_Space);
        QCOMPARE(points.count(), 1);
        QCOMPARE(points.at(0).at(0).value<PointSet>().count(), 1);
        // Escape leaves the point, then the choice.
        QTest::keyClick(m_widget, Qt::Key_Escape);
        QVERIFY(!m_widget->hoveredPoint());
        QCOMPARE(cleared.count(), 0);
        QTest::keyClick(m_widget, Qt::Key_Escape);
        QCOMPARE(cleared.count(), 1);
    }

    void aPointOutOfSightIsBroughtIn()
    {
        m_widget->setView(m_widget->view().zoomedAt(placeOf(0), 6));
        for (int step = 0; step < 30; ++step)
        {
            QTest::keyClick(m_widget, Qt::Key_Up);
            QVERIFY(m_widget->rect().contains(placeOf(m_widget->hoveredPoint().value()).toPoint()));
        }
    }

    void hiddenPointsAreSteppedOver()
    {
        m_widget->setShownHeads({4});
        test::passMs(200);
        for (const Qt::Key key : {Qt::Key_Left, Qt::Key_Up, Qt::Key_Right, Qt::Key_Down})
        {
            QTest::keyClick(m_widget, key);
            QCOMPARE(m_widget->map()->points->head[static_cast<std::size_t>(m_widget->hoveredPoint().value())], 4);
        }
    }

    /// Each step is told to whoever listens, the point first.
    void stepsAreSpoken()
    {
        m_widget->setCardSource([](std::int64_t point) {
            ui::HoverContent content;
            content.title = QStringLiteral("Head %1").arg(point % 32 + 1);
            content.text = QStringLiteral("Words of document %1").arg(point / 32);
            return content;
        });
        const QString whole = spoken(m_widget);
        QVERIFY2(whole.contains(QStringLiteral("shown")), qPrintable(whole));
        QTest::keyClick(m_widget, Qt::Key_Right);
        const std::int64_t point = m_widget->hoveredPoint().value();
        const QString expected = QStringLiteral("Head %1, Words of document %2").arg(point % 32 + 1).arg(point / 32);
        QCOMPARE(m_widget->pointText(), expected);
        QCOMPARE(spoken(m_widget), QString(expected + QStringLiteral(". ") + whole));
        QVERIFY(m_widget->hoverCard()->isVisible());
        m_widget->setChosen({point / 32});
        QVERIFY(m_widget->pointText().endsWith(QStringLiteral("selected")));
        QVERIFY2(spoken(m_widget).startsWith(expected + QStringLiteral(", selected. ")), qPrintable(spoken(m_widget)));
        QFocusEvent away(QEvent::FocusOut);
        QApplication::sendEvent(m_widget, &away);
        QVERIFY(m_widget->pointText().isEmpty());
        QVERIFY2(spoken(m_widget).startsWith(whole), qPrintable(spoken(m_widget)));
        QVERIFY(!m_widget->hoverCard()->isVisible());
    }
};

HEADSCOPE_WINDOW_TEST(TestScatterPicks)
#include "tst_scatter_picks.moc"
