// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/random.h"
#include "tests/support/test_program.h"
#include "viz/scatter/point_states.h"

#include <QTest>

#include <algorithm>
#include <set>
#include <vector>

using namespace headscope;
using namespace headscope::viz;

namespace
{

constexpr std::int64_t kHeads = 4;

/// Points of `documents` documents, each with kHeads heads: point p is of document p / kHeads, head p % kHeads.
std::shared_ptr<const PointIds> pointsOf(std::int64_t documents)
{
    auto ids = std::make_shared<PointIds>();
    for (std::int64_t point = 0; point < documents * kHeads; ++point)
    {
        ids->document.push_back(static_cast<std::int32_t>(point / kHeads));
        ids->head.push_back(static_cast<std::int32_t>(point % kHeads));
    }
    return ids;
}

/// The points in this state.
std::set<std::int64_t> those(const PointStates& points, PointState state)
{
    std::set<std::int64_t> found;
    for (std::int64_t point = 0; point < points.count(); ++point)
        if (points.stateOf(point) == state)
            found.insert(point);
    return found;
}

using Points = std::set<std::int64_t>;
using List = std::vector<std::int64_t>;

} // namespace

class TestPointStates : public QObject
{
    Q_OBJECT

private:
    PointStates m_points;

private Q_SLOTS:
    void init()
    {
        m_points = PointStates();
        m_points.setPoints(pointsOf(3)); // 0-3, 4-7, 8-11
    }

    void allAreShownUntilSomebodyAsks()
    {
        QCOMPARE(m_points.count(), 12);
        QCOMPARE(m_points.shownCount(), 12);
        QCOMPARE(m_points.chosenCount(), 0);
        QCOMPARE(those(m_points, PointState::Shown).size(), std::size_t{12});
        QCOMPARE(m_points.headsShown(), (List{0, 1, 2, 3}));
        QVERIFY(!m_points.shownHeads() && !m_points.noHeadShown() && !m_points.someAreLit());
        QVERIFY(m_points.marked().empty() && !m_points.focus());
        m_points.setPoints(nullptr);
        QCOMPARE(m_points.count(), 0);
        QVERIFY(m_points.states().empty() && m_points.headsShown().empty());
    }

    /// A view without a map hears of choices, too.
    void withoutPointsNothingIsChosen()
    {
        m_points.setPoints(nullptr);
        m_points.setChosen({0, 2}, nullptr);
        m_points.setLitHeads({1});
        m_points.setPrimary(DocumentIndex(1), HeadIndex(1));
        QVERIFY(m_points.states().empty());
        QCOMPARE(m_points.chosenCount(), 0);
        m_points.setPoints(pointsOf(3)); // to which they apply
        QCOMPARE(m_points.chosenCount(), 8);
        QCOMPARE(those(m_points, PointState::Shown), (Points{1, 9}));
    }

    void headsAndDocumentsAreHidden()
    {
        m_points.setShownHeads({1, 3, 7}, {});
        QCOMPARE(those(m_points, PointState::Shown), (Points{1, 3, 5, 7, 9, 11}));
        QCOMPARE(those(m_points, PointState::Hidden), (Points{0, 2, 4, 6, 8, 10}));
        QCOMPARE(m_points.headsShown(), (List{1, 3})); // the map has no head 7
        QVERIFY(m_points.setShownDocuments({1, 9}, {}));
        QVERIFY(!m_points.setShownDocuments({1, 9}, {}));
        QCOMPARE(those(m_points, PointState::Shown), (Points{5, 7}));
        QCOMPARE(m_points.shownCount(), 2);
        QVERIFY(m_points.setShownDocuments({}, {}));
        QCOMPARE(m_points.shownCount(), 6);
        m_points.setShownHeads({}, {});
        QVERIFY(m_points.noHeadShown());
        QCOMPARE(m_points.shownCount(), 0);
    }

    void coloursHideAndDim()
    {
        const std::vector<std::uint16_t> index{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2};
        const std::vector<PointState> states{PointState::Shown, PointState::Dimmed, PointState::Hidden};
        m_points.setColors({index, states});
        QCOMPARE(those(m_points, PointState::Dimmed), (Points{1, 4, 7, 10}));
        QCOMPARE(those(m_points, PointState::Hidden), (Points{2, 5, 8, 11}));
        QCOMPARE(m_points.shownCount(), 8); // pale ones are there
        // A hidden head is hidden whatever its colour.
        m_points.setShownHeads({1}, {index, states});
        QCOMPARE(those(m_points, PointState::Hidden), (Points{0, 2, 3, 4, 5, 6, 7, 8, 10, 11}));
        QCOMPARE(those(m_points, PointState::Dimmed), (Points{1}));
        QCOMPARE(those(m_points, PointState::Shown), (Points{9}));
        // Colours of other points say nothing of these.
        const std::vector<std::uint16_t> few{2, 2};
        m_points.setColors({few, states});
        QCOMPARE(those(m_points, PointState::Shown), (Points{1, 5, 9}));
    }

    void theChosenStayBright()
    {
        m_points.setChosen({0, 2}, nullptr);
        QCOMPARE(those(m_points, PointState::Dimmed), (Points{4, 5, 6, 7}));
        QCOMPARE(m_points.chosenCount(), 8);
        QCOMPARE(m_points.chosenDocuments(), 2);
        QVERIFY(m_points.isDocumentChosen(DocumentIndex(2)) && !m_points.isDocumentChosen(DocumentIndex(1)) &&
                !m_points.isDocumentChosen(DocumentIndex(77)));
        QVERIFY(m_points.isChosen(8) && !m_points.isChosen(4));
        // Of hidden points none counts as chosen.
        m_points.setShownHeads({3}, {});
        QCOMPARE(m_points.chosenCount(), 2);
        QCOMPARE(m_points.shownCount(), 3);
        m_points.setChosen({}, nullptr);
        QCOMPARE(m_points.chosenCount(), 0);
        QVERIFY(those(m_points, PointState::Dimmed).empty());
    }

    void pointsAreChosenByThemselves()
    {
        const auto set = std::make_shared<const PointSet>(List{0, 2}, List{3});
        m_points.setChosen({0, 2}, set);
        QCOMPARE(those(m_points, PointState::Shown), (Points{3, 11}));
        QCOMPARE(m_points.chosenCount(), 2);
        QCOMPARE(m_points.chosenDocuments(), 2);
        QVERIFY(m_points.isChosen(11) && !m_points.isChosen(10));
        QCOMPARE(m_points.chosenPoints(), set);
    }

    void litHeadsLeaveTheOthersPale()
    {
        QVERIFY(m_points.setLitHeads({1, 2}));
        QVERIFY(!m_points.setLitHeads({2, 1}));
        QVERIFY(m_points.someAreLit() && m_points.isLit(HeadIndex(1)) && !m_points.isLit(HeadIndex(0)) &&
                !m_points.isLit(HeadIndex(99)));
        QCOMPARE(those(m_points, PointState::Shown), (Points{1, 2, 5, 6, 9, 10}));
        m_points.setChosen({1}, nullptr);
        QCOMPARE(those(m_points, PointState::Shown), (Points{5, 6}));
        QCOMPARE(m_points.chosenCount(), 4); // pale or not
        // All that is shown, or nothing of it: it stands out from nothing.
        m_points.setChosen({}, nullptr);
        m_points.setShownHeads({1, 2}, {});
        QVERIFY(!m_points.someAreLit() && m_points.isLit(HeadIndex(0)));
        m_points.setShownHeads({0, 3}, {});
        QVERIFY(!m_points.someAreLit());
        QVERIFY(those(m_points, PointState::Dimmed).empty());
        m_points.setShownHeads({0, 1}, {});
        QCOMPARE(those(m_points, PointState::Dimmed), (Points{0, 4, 8}));
    }

    /// What is pale only because it is not chosen can be picked; what is pale or hidden otherwise cannot.
    void whatCanBePicked()
    {
        m_points.setChosen({0}, nullptr);
        m_points.setLitHeads({1});
        m_points.setShownDocuments({0, 1}, {});
        const PointStateBlock pickable = m_points.pickable();
        for (std::int64_t point = 0; point < m_points.count(); ++point)
        {
            const bool expected = point % kHeads == 1 && point / kHeads < 2;
            QCOMPARE(m_points.isPickable(point), expected);
            QCOMPARE((*pickable)[static_cast<std::size_t>(point)] == PointState::Shown, expected);
        }
    }

    /// A worker may hold the states: another choice makes others. Where nothing is filtered or chosen, none are made.
    void othersHoldTheStatesThatTheyWereGiven()
    {
        const PointStateBlock all = m_points.stateBlock();
        m_points.setShownHeads({0, 1, 2, 3}, {});
        m_points.setColors({});
        QVERIFY(all->empty() && m_points.stateBlock() == all && m_points.pickable() == all);
        m_points.setChosen({1}, nullptr);
        const PointStateBlock chosen = m_points.stateBlock();
        const std::vector<PointState> before = *chosen;
        QVERIFY(chosen != all && std::ssize(*chosen) == m_points.count());
        m_points.setShownHeads({0}, {});
        QVERIFY(m_points.stateBlock() != chosen && *chosen == before);
        m_points.setChosen({}, nullptr);
        QVERIFY(m_points.stateBlock() == m_points.pickable());
        m_points.setShownHeads({0, 1, 2, 3}, {});
        QVERIFY(m_points.states().empty());
    }

    void marksFollowThePrimaryDocument()
    {
        QVERIFY(m_points.setPrimary(DocumentIndex(1), HeadIndex(2)));
        QVERIFY(!m_points.setPrimary(DocumentIndex(1), HeadIndex(2)));
        QCOMPARE(m_points.marked(), (List{4, 5, 6, 7}));
        QCOMPARE(m_points.focus(), std::optional<std::int64_t>(6));
        // No mark stands where no dot does.
        m_points.setShownHeads({0, 1}, {});
        QCOMPARE(m_points.marked(), (List{4, 5}));
        QVERIFY(!m_points.focus());
        m_points.setShownDocuments({0}, {});
        QVERIFY(m_points.marked().empty());
        m_points.setShownDocuments({}, {});
        QCOMPARE(m_points.marked(), (List{4, 5}));
        QVERIFY(m_points.setPrimary(std::nullopt, std::nullopt));
        QVERIFY(m_points.marked().empty());
    }

    void thePointerMarksToo()
    {
        m_points.setPrimary(DocumentIndex(1), HeadIndex(2));
        QVERIFY(m_points.setHoveredDocument(DocumentIndex(2))); // under the pointer of another view
        QCOMPARE(m_points.marked(), (List{8, 9, 10, 11}));
        QVERIFY(!m_points.focus());
        QVERIFY(m_points.setHoveredPoint(0)); // under our own: the primary document is marked again
        QCOMPARE(m_points.marked(), (List{4, 5, 6, 7}));
        QCOMPARE(m_points.focus(), std::optional<std::int64_t>(0));
        QVERIFY(!m_points.setHoveredPoint(0));
        QVERIFY(!m_points.setHoveredDocument(DocumentIndex(2))); // that is our own point's, told back
        QCOMPARE(m_points.marked(), (List{4, 5, 6, 7}));
        QVERIFY(m_points.setHoveredPoint(std::nullopt));
        QCOMPARE(m_points.focus(), std::optional<std::int64_t>(6));
    }

    /// Points in no order of their documents are found by a search.
    void marksDoNotNeedAnOrder()
    {
        auto ids = std::make_shared<PointIds>();
        ids->document = {2, 0, 2, 1};
        ids->head = {0, 0, 1, 0};
        m_points.setPoints(ids);
        m_points.setPrimary(DocumentIndex(2), HeadIndex(1));
        QCOMPARE(m_points.marked(), (List{0, 2}));
        QCOMPARE(m_points.focus(), std::optional<std::int64_t>(2));
    }

    /// What was asked for is applied to other points; what was under the pointer is gone, and colours are not known
    /// yet.
    void otherPointsAreShownInTheSameWay()
    {
        const std::vector<std::uint16_t> index(12, 0);
        const std::vector<PointState> states{PointState::Hidden};
        m_points.setColors({index, states});
        QCOMPARE(m_points.shownCount(), 0);
        m_points.setShownHeads({0, 1}, {index, states});
        m_points.setChosen({4}, nullptr);
        m_points.setPrimary(DocumentIndex(4), HeadIndex(1));
        m_points.setHoveredPoint(3);
        m_points.setPoints(pointsOf(5));
        QCOMPARE(m_points.shownCount(), 10);
        QCOMPARE(those(m_points, PointState::Shown), (Points{16, 17}));
        QCOMPARE(m_points.chosenCount(), 2);
        QVERIFY(!m_points.hoveredPoint());
        QCOMPARE(m_points.marked(), (List{16, 17}));
        QCOMPARE(m_points.focus(), std::optional<std::int64_t>(17));
    }

    /// Passes over all points come to what each point by itself is, whatever the order of the points.
    void statesAreThoseOfEachPoint_data()
    {
        QTest::addColumn<bool>("inOrder");
        QTest::addColumn<bool>("filtered");
        QTest::addColumn<bool>("individually");
        QTest::addColumn<std::int64_t>("numHeads"); // one word of bits, and three
        for (const std::int64_t numHeads : {32, 130})
            for (int row = 0; row < 8; ++row)
                QTest::addRow("%d of %d heads", row, static_cast<int>(numHeads))
                    << (row % 2 == 0) << (row / 2 % 2 == 0) << (row / 4 == 0) << numHeads;
    }
    void statesAreThoseOfEachPoint()
    {
        QFETCH(bool, inOrder);
        QFETCH(bool, filtered);
        QFETCH(bool, individually);
        QFETCH(std::int64_t, numHeads);
        constexpr std::int64_t kPoints = 20'000;
        const CounterRandom random(3);
        auto ids = std::make_shared<PointIds>();
        std::vector<std::int64_t> some;
        for (std::int64_t point = 0; point < kPoints; ++point)
        {
            const auto at = static_cast<std::uint64_t>(3 * point);
            ids->document.push_back(static_cast<std::int32_t>(inOrder ? point / 50 : random.below(at, 400)));
            ids->head.push_back(static_cast<std::int32_t>(random.below(at + 1, static_cast<std::uint64_t>(numHeads))));
            if (ids->document.back() % 3 != 0 && random.below(at + 2, 4) == 0)
                some.push_back(point);
        }
        const auto set = std::make_shared<const PointSet>(PointSet::of(*ids, some));
        m_points.setThreads(2);
        m_points.setPoints(ids);
        std::vector<std::int64_t> heads;
        for (std::int64_t head = 0; head < numHeads; ++head)
            if (!filtered || head % 5 != 0)
                heads.push_back(head);
        m_points.setShownHeads(heads, {});
        m_points.setLitHeads({1, 3, 64, 70, 128, 129});
        m_points.setChosen(set->documents(), individually ? set : nullptr);
        std::int64_t chosen = 0;
        for (std::int64_t point = 0; point < kPoints; ++point)
        {
            const HeadIndex head = ids->headOf(point);
            const bool hidden = filtered && head.value() % 5 == 0;
            const bool bright = m_points.isLit(head) && m_points.isChosen(point);
            QCOMPARE(m_points.stateOf(point), hidden   ? PointState::Hidden
                                              : bright ? PointState::Shown
                                                       : PointState::Dimmed);
            QCOMPARE(m_points.isPickable(point), !hidden && m_points.isLit(head));
            chosen += !hidden && m_points.isChosen(point) ? 1 : 0;
        }
        QVERIFY(chosen > 0);
        QCOMPARE(m_points.chosenCount(), chosen);
        // Points of a document are found with and without an order.
        m_points.setPrimary(DocumentIndex(7), {});
        for (const std::int64_t point : m_points.marked())
            QCOMPARE(ids->documentOf(point), DocumentIndex(7));
        std::int64_t ofDocument = 0;
        for (std::int64_t point = 0; point < kPoints; ++point)
            ofDocument +=
                ids->documentOf(point) == DocumentIndex(7) && m_points.stateOf(point) != PointState::Hidden ? 1 : 0;
        QCOMPARE(std::ssize(m_points.marked()), ofDocument);
    }

    void anyNumberOfThreadsComesToTheSame()
    {
        constexpr std::int64_t kDocuments = 100'000; // several blocks of points
        std::vector<PointState> states[3];
        for (int threads = 1; threads <= 3; ++threads)
        {
            PointStates points;
            points.setThreads(threads);
            points.setPoints(pointsOf(kDocuments));
            points.setShownHeads({0, 2, 3}, {});
            points.setLitHeads({2, 3});
            points.setChosen({5, 70'000, 99'999}, nullptr);
            QCOMPARE(points.shownCount(), 3 * kDocuments);
            QCOMPARE(points.chosenCount(), 9);
            states[threads - 1].assign(points.states().begin(), points.states().end());
        }
        QCOMPARE(std::ranges::count(states[0], PointState::Shown), 6);
        QVERIFY(states[0] == states[1] && states[0] == states[2]);
    }

    void extents()
    {
        std::vector<float> xy;
        for (int point = 0; point < 12; ++point)
            xy.insert(xy.end(), {static_cast<float>(point), static_cast<float>(-point)});
        m_points.setShownHeads({1, 2}, {});
        m_points.setChosen({1}, nullptr);
        using Which = PointExtent::Which;
        QCOMPARE(m_points.extentOf(xy, Which::All).bounds, std::optional(QRectF(QPointF(0, -11), QPointF(11, 0))));
        QCOMPARE(m_points.extentOf(xy, Which::NotHidden).bounds,
                 std::optional(QRectF(QPointF(1, -10), QPointF(10, -1))));
        QCOMPARE(m_points.extentOf(xy, Which::Shown).bounds, std::optional(QRectF(QPointF(5, -6), QPointF(6, -5))));
    }
};

HEADSCOPE_TEST_GUILESS(TestPointStates)
#include "tst_point_states.moc"
