// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/chart/baseline_table.h"

#include "tests/support/test_program.h"
#include "tests/viz/sample_values.h"

#include <QTest>

#include <vector>

using namespace headscope;
using namespace headscope::viz;

class TestBaselineTable : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void baselinesStandNextToTheirIntervals();
    void errorsOfGroupsHaveChanceRankAndSmallestP();
    void whatIsMissingIsADash();
    void nothingOfProbesWithoutBaselinesOrOfMany();
};

namespace
{

ProbeResult probeWithBaselines(Stage stage)
{
    ProbeResult probe = test::sampleProbe(8, 2, stage);
    probe.baselines.emplace();
    probe.baselines->baselines = {{ProbeBaselineKind::MeansRemoved, 0.111, {0.1, 0.12}, 4, 4, true},
                                  {ProbeBaselineKind::Gaussian, 0.784, {0.74, 0.82}, 4, 4, true},
                                  {ProbeBaselineKind::ControlTask, 0.336, {0.28, 0.4}, 4, 4, true}};
    probe.baselines->selectivity = 0.421;
    probe.baselines->selectivityCi95 = {0.363, 0.483};
    return probe;
}

GroupErrors groupErrors()
{
    GroupErrors groups;
    groups.within = 80;
    groups.errors = 83;
    groups.share = 0.964;
    groups.ci95 = {0.821, 0.994};
    groups.chance = 0.25;
    groups.rank = 1;
    groups.groupings = 280;
    groups.exact = true;
    groups.p = 1.0 / 280;
    return groups;
}

/// The cells of the row with this title, joined.
QString rowOf(const PaintedTable& table, const QString& title)
{
    for (const auto& row : table.rows)
        if (row.front() == title)
        {
            QStringList cells;
            for (std::size_t i = 1; i < row.size(); ++i)
                cells << row[i];
            return cells.join(QStringLiteral("; "));
        }
    return {};
}

} // namespace

void TestBaselineTable::baselinesStandNextToTheirIntervals()
{
    std::vector<ProbeResult> results = {probeWithBaselines(Stage::HeadOutput)};
    const PaintedTable table = baselineTable(results);
    QCOMPARE(table.header, (std::vector<QString>{QStringLiteral("Compared with"), QStringLiteral("Stage 1")}));
    QCOMPARE(table.rows.size(), std::size_t{4});
    QCOMPARE(rowOf(table, QStringLiteral("Gaussian noise, same means and variances")),
             QString::fromUtf8("0.784 (0.740\u20130.820)"));
    QCOMPARE(rowOf(table, QStringLiteral("control task")), QString::fromUtf8("0.336 (0.280\u20130.400)"));
    // It has no interval: it is at chance whatever the vectors are.
    QCOMPARE(rowOf(table, QStringLiteral("means subtracted (chance by construction)")), QStringLiteral("0.111"));
    QCOMPARE(rowOf(table, QStringLiteral("control-task gap")), QString::fromUtf8("0.421 (0.363\u20130.483)"));
    results.front().options.split = ProbeSplit::Rows;
    QCOMPARE(rowOf(baselineTable(results), QStringLiteral("means subtracted (near chance)")), QStringLiteral("0.111"));
    results.front().baselines->splits = {{0.7, 0.8}, 0.75, 0.07};
    QCOMPARE(rowOf(baselineTable(results), QStringLiteral("the probe on other test vectors")),
             QStringLiteral("0.750 (sd of 2 splits: 0.070)"));
}

void TestBaselineTable::errorsOfGroupsHaveChanceRankAndSmallestP()
{
    std::vector<ProbeResult> results = {probeWithBaselines(Stage::HeadOutput)};
    results.front().baselines->groups = groupErrors();
    const PaintedTable table = baselineTable(results);
    QCOMPARE(rowOf(table, QStringLiteral("errors within the KV group")),
             QString::fromUtf8("0.964 (0.821\u20130.994) of 83"));
    QCOMPARE(rowOf(table, QStringLiteral("these errors by chance")), QStringLiteral("0.250"));
    QCOMPARE(rowOf(table, QStringLiteral("rank of the grouping")), QStringLiteral("1 of 280"));
    QCOMPARE(rowOf(table, QStringLiteral("p of the grouping")), QStringLiteral("0.0036 (smallest possible: 0.0036)"));
    results.front().baselines->groups->exact = false;
    QCOMPARE(rowOf(baselineTable(results), QStringLiteral("rank of the grouping")),
             QStringLiteral("1 of 280 (sampled)"));
    results.front().baselines->groups->errors = 0;
    QVERIFY(rowOf(baselineTable(results), QStringLiteral("p of the grouping")).isEmpty());
}

void TestBaselineTable::whatIsMissingIsADash()
{
    std::vector<ProbeResult> results = {probeWithBaselines(Stage::HeadOutput),
                                        probeWithBaselines(Stage::OutputSegment)};
    results.front().baselines->groups = groupErrors();
    results.back().baselines->baselines.pop_back();
    const PaintedTable table = baselineTable(results);
    for (const auto& row : table.rows)
        QCOMPARE(row.size(), table.header.size());
    QCOMPARE(rowOf(table, QStringLiteral("control task")), QString::fromUtf8("0.336 (0.280\u20130.400); \u2013"));
    QCOMPARE(rowOf(table, QStringLiteral("rank of the grouping")), QString::fromUtf8("1 of 280; \u2013"));
    results.back().layer = results.front().layer.value_or(0) + 1;
    QVERIFY(baselineTable(results).header.back().startsWith(QStringLiteral("Layer ")));
}

void TestBaselineTable::nothingOfProbesWithoutBaselinesOrOfMany()
{
    QVERIFY(baselineTable({}).rows.empty());
    const std::vector<ProbeResult> plain = {test::sampleProbe(8, 2, Stage::HeadOutput)};
    QVERIFY(baselineTable(plain).rows.empty());
    const std::vector<ProbeResult> many(4, probeWithBaselines(Stage::HeadOutput));
    QVERIFY(baselineTable(many).rows.empty());
}

HEADSCOPE_TEST(TestBaselineTable)
#include "tst_baseline_table.moc"
