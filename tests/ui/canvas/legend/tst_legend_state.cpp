// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"
#include "ui/canvas/legend/legend_state.h"

#include <QTest>

#include <vector>

using namespace headscope;
using headscope::ui::LegendState;
using headscope::viz::LegendHit;
using headscope::viz::PointState;
using Kind = LegendHit::Kind;
using List = std::vector<std::int64_t>;

namespace
{

/// Heads 0-5 in three rows of two: groups 0, 1, 2.
viz::Legend headLegend()
{
    viz::HeadLegend rows;
    for (std::int64_t group = 0; group < 3; ++group)
    {
        viz::HeadLegendRow row;
        row.group = group;
        row.heads = {2 * group, 2 * group + 1};
        rows.rows.push_back(row);
    }
    return {QStringLiteral("Head"), {}, rows};
}

/// Labels 4, 7, 2 and points without one, in colours 0, 1, 2, 3.
viz::PointColoring labelColoring()
{
    viz::PointColoring coloring;
    coloring.colors = {1, 2, 3, 4};
    viz::CategoryLegend labels;
    for (const std::int64_t code : {4, 7, 2, -1})
    {
        viz::CategoryLegendEntry entry;
        entry.code = code;
        entry.colorIndex = static_cast<std::uint16_t>(labels.entries.size());
        labels.entries.push_back(entry);
    }
    coloring.legend = {QStringLiteral("Topic"), {}, labels};
    return coloring;
}

viz::PointStates pointsOfSixHeads()
{
    auto ids = std::make_shared<PointIds>();
    ids->document = {0, 0, 0, 0, 0, 0};
    ids->head = {0, 1, 2, 3, 4, 5};
    viz::PointStates points;
    points.setPoints(ids);
    return points;
}

std::vector<std::int64_t> groupsOf(const viz::Legend& legend)
{
    std::vector<std::int64_t> groups;
    for (const viz::HeadLegendRow& row : std::get<viz::HeadLegend>(legend.content).rows)
        groups.push_back(row.group);
    return groups;
}

} // namespace

class TestLegendState : public QObject
{
    Q_OBJECT

private:
    using States = std::vector<PointState>;
    static constexpr auto kHidden = PointState::Hidden;
    static constexpr auto kDimmed = PointState::Dimmed;
    static constexpr auto kShown = PointState::Shown;

private Q_SLOTS:
    void labelsAreIsolatedAndHidden()
    {
        const viz::PointColoring coloring = labelColoring();
        const viz::PointStates points = pointsOfSixHeads();
        LegendState state;
        QCOMPARE(state.colorStates(coloring), (States{kShown, kShown, kShown, kShown}));
        auto answer = state.isolate(coloring.legend, {Kind::Category, 7});
        QVERIFY(answer.labels && !answer.lightAll && !answer.heads);
        QCOMPARE(state.colorStates(coloring), (States{kDimmed, kShown, kDimmed, kDimmed}));
        QCOMPARE(state.faded(coloring.legend, points),
                 (std::vector<LegendHit>{{Kind::Category, 4}, {Kind::Category, 2}, {Kind::Category, -1}}));
        // Another one alone; the same again: all.
        static_cast<void>(state.isolate(coloring.legend, {Kind::Category, 2}));
        QCOMPARE(state.colorStates(coloring), (States{kDimmed, kDimmed, kShown, kDimmed}));
        static_cast<void>(state.isolate(coloring.legend, {Kind::Category, 2}));
        QCOMPARE(state.colorStates(coloring), (States{kShown, kShown, kShown, kShown}));
        // Hidden, and isolated from being hidden.
        answer = state.toggle(coloring.legend, {Kind::Category, 4}, points);
        QVERIFY(answer.labels);
        QCOMPARE(state.colorStates(coloring), (States{kHidden, kShown, kShown, kShown}));
        static_cast<void>(state.isolate(coloring.legend, {Kind::Category, 4}));
        QCOMPARE(state.colorStates(coloring), (States{kShown, kDimmed, kDimmed, kDimmed}));
        // One that is alone and hidden is alone no more.
        static_cast<void>(state.toggle(coloring.legend, {Kind::Category, 4}, points));
        QCOMPARE(state.colorStates(coloring), (States{kHidden, kShown, kShown, kShown}));
        answer = state.showAll(coloring.legend, points);
        QVERIFY(answer.labels && answer.lightAll && !answer.heads);
        QVERIFY(state.faded(coloring.legend, points).empty());
    }

    void headsAreAskedFor()
    {
        const viz::Legend legend = headLegend();
        viz::PointStates points = pointsOfSixHeads();
        LegendState state;
        auto answer = state.isolate(legend, {Kind::Group, 1});
        QVERIFY(answer.lightAll && !answer.labels);
        QCOMPARE(answer.heads, std::optional(List{2, 3}));
        QCOMPARE(state.isolate(legend, {Kind::Head, 5}).heads, std::optional(List{5}));
        QCOMPARE(state.toggle(legend, {Kind::Head, 5}, points).heads, std::optional(List{0, 1, 2, 3, 4}));
        points.setShownHeads({0, 2}, {});
        QCOMPARE(state.toggle(legend, {Kind::Group, 1}, points).heads, std::optional(List{0})); // 2 was shown
        QCOMPARE(state.toggle(legend, {Kind::Group, 2}, points).heads, std::optional(List{0, 2, 4, 5}));
        points.setShownHeads({2}, {});
        QCOMPARE(state.toggle(legend, {Kind::Head, 2}, points).heads,
                 std::optional(List{0, 1, 2, 3, 4, 5})); // not none
        QCOMPARE(state.showAll(legend, points).heads, std::optional(List{0, 1, 2, 3, 4, 5}));
        points.setShownHeads({0, 1, 2, 3, 4, 5}, {});
        QVERIFY(!state.showAll(legend, points).heads);
    }

    /// Before, the eye of a lit group took its heads away.
    void theEyeLetsGoOfLitHeads()
    {
        viz::PointStates points = pointsOfSixHeads();
        points.setLitHeads({1});
        LegendState state;
        const auto answer = state.toggle(headLegend(), {Kind::Group, 0}, points);
        QVERIFY(answer.lightAll && !answer.heads && !answer.labels);
    }

    void hiddenAndUnlitHeadsAreFaded()
    {
        viz::PointStates points = pointsOfSixHeads();
        const LegendState state;
        QVERIFY(state.faded(headLegend(), points).empty());
        points.setShownHeads({0, 4, 5}, {});
        QCOMPARE(state.faded(headLegend(), points),
                 (std::vector<LegendHit>{{Kind::Head, 1}, {Kind::Head, 2}, {Kind::Head, 3}, {Kind::Group, 1}}));
        points.setLitHeads({4});
        QCOMPARE(state.faded(headLegend(), points), (std::vector<LegendHit>{{Kind::Head, 0},
                                                                            {Kind::Head, 1},
                                                                            {Kind::Group, 0},
                                                                            {Kind::Head, 2},
                                                                            {Kind::Head, 3},
                                                                            {Kind::Group, 1},
                                                                            {Kind::Head, 5}}));
    }

    void rowsMoveAndComeBack()
    {
        viz::Legend legend = headLegend();
        LegendState state;
        QVERIFY(!state.move(legend, 0, 0)); // it stands there
        QVERIFY(!state.move(legend, 0, 1));
        QVERIFY(!state.move(legend, 9, 0)); // there is none
        QVERIFY(state.move(legend, 0, 3));
        QCOMPARE(state.orderOf(legend.title), (std::vector<std::int32_t>{1, 2, 0}));
        state.sortRows(legend);
        QCOMPARE(groupsOf(legend), (List{1, 2, 0}));
        viz::Legend other = headLegend();
        other.title = QStringLiteral("Segment");
        state.sortMovedRows(other);
        QCOMPARE(groupsOf(other), (List{0, 1, 2})); // the order is of the other legend
        // A row that the order does not know comes last.
        state.showAllLabels(); // keeps orders
        auto& rows = std::get<viz::HeadLegend>(legend.content).rows;
        viz::HeadLegendRow added;
        added.group = 3;
        rows.insert(rows.begin(), added);
        state.sortMovedRows(legend);
        QCOMPARE(groupsOf(legend), (List{1, 2, 0, 3}));
        QVERIFY(state.forgetOrder(legend.title) && !state.forgetOrder(legend.title));
        state.sortRows(legend);
        QCOMPARE(groupsOf(legend), (List{0, 1, 2, 3}));
    }

    void labelsMoveByTheirCodes()
    {
        const viz::Legend legend = labelColoring().legend;
        LegendState state;
        QVERIFY(state.move(legend, 2, 0));
        QCOMPARE(state.orderOf(QStringLiteral("Topic")), (std::vector<std::int32_t>{2, 4, 7})); // none for no label
        QVERIFY(!state.move(legend, -1, 0));
        state.forgetOrders();
        QVERIFY(state.orderOf(QStringLiteral("Topic")).empty());
    }
};

HEADSCOPE_TEST_GUILESS(TestLegendState)
#include "tst_legend_state.moc"
