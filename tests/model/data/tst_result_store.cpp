// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/result_store.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;

namespace
{

KeptSet set(const std::string& name, std::vector<std::int64_t> documents)
{
    KeptSet made{name, 0x0072B2, false, std::move(documents), {}};
    for (const std::int64_t document : made.documents)
        made.ids.push_back("doc-" + std::to_string(document));
    return made;
}

std::shared_ptr<const HeadMap> map(const std::string& name, float at)
{
    auto made = std::make_shared<HeadMap>();
    made->name = name;
    made->points = std::make_shared<const PointIds>(PointIds{{0, 1}, {0, 0}});
    made->xy = MatrixF(2, 2, {at, 0, 1, 1});
    return made;
}

KeptProbe probe(std::int64_t layer, double accuracy, double c = 1)
{
    auto result = std::make_shared<ProbeResult>();
    result->layer = layer;
    result->stage = Stage::HeadOutput;
    result->accuracy = accuracy;
    result->options.c = c;
    return {{0, 1, 2}, result, nullptr};
}

std::vector<std::string> names(const ResultStore& work)
{
    std::vector<std::string> all;
    for (const KeptSet& each : work.sets)
        all.push_back(each.name);
    for (const auto& each : work.maps)
        all.push_back(each->name);
    return all;
}

using Names = std::vector<std::string>;

} // namespace

/// Two windows on one cache: what each of them made is in the file whoever writes last.
class TestKeptWork : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatTheOtherMadeStays()
    {
        ResultStore ours;
        ours.sets = {set("A", {1, 2})};
        ours.maps = {map("run 1", 0)};
        ResultStore theirs;
        theirs.sets = {set("B", {3})};
        theirs.maps = {map("run 2", 5)};
        QCOMPARE(names(mergedWork(ours, {}, theirs)), (Names{"A", "B", "run 1", "run 2"}));
    }

    void whatWeRemovedGoes()
    {
        ResultStore before;
        before.sets = {set("A", {1}), set("B", {2})};
        ResultStore ours;
        ours.sets = {set("A", {1})};
        QCOMPARE(names(mergedWork(ours, digestsOf(before), before)), (Names{"A"}));
    }

    void whatWeRemovedStaysWhereTheyChangedIt()
    {
        ResultStore before;
        before.sets = {set("A", {1}), set("B", {2})};
        ResultStore ours;
        ours.sets = {set("A", {1})};
        ResultStore theirs = before;
        theirs.sets[1] = set("B", {2, 3, 4});
        const ResultStore merged = mergedWork(ours, digestsOf(before), theirs);
        QCOMPARE(names(merged), (Names{"A", "B"}));
        QCOMPARE(merged.sets[1].documents.size(), 3u);
    }

    void whatTheyAloneChangedIsTaken()
    {
        ResultStore before;
        before.sets = {set("A", {1})};
        ResultStore theirs;
        theirs.sets = {set("A", {1, 2})};
        const ResultStore merged = mergedWork(before, digestsOf(before), theirs);
        QCOMPARE(names(merged), (Names{"A"}));
        QCOMPARE(merged.sets[0].documents.size(), 2u);
    }

    void whatBothChangedStaysTwice()
    {
        ResultStore before;
        before.sets = {set("A", {1})};
        before.maps = {map("run 1", 0)};
        ResultStore ours;
        ours.sets = {set("A", {1, 2})};
        ours.maps = {map("run 1", 1)};
        ResultStore theirs;
        theirs.sets = {set("A", {1, 3})};
        theirs.maps = {map("run 1", 2)};
        const ResultStore merged = mergedWork(ours, digestsOf(before), theirs);
        QCOMPARE(names(merged), (Names{"A", "A (2)", "run 1", "run 1 (2)"}));
        QCOMPARE(merged.sets[0].documents, (std::vector<std::int64_t>{1, 2}));
        QCOMPARE(merged.sets[1].documents, (std::vector<std::int64_t>{1, 3}));
        QCOMPARE(merged.maps[1]->xy(0, 0), 2.0F);
        // Once: the next round finds it there.
        const ResultStore again = mergedWork(ours, digestsOf(ours), merged);
        QCOMPARE(names(again), names(merged));
    }

    void sameIsNotDoubled()
    {
        ResultStore ours;
        ours.sets = {set("A", {1})};
        ours.maps = {map("run 1", 0)};
        ours.probes = {probe(3, 0.9)};
        const ResultStore merged = mergedWork(ours, {}, ours);
        QCOMPARE(names(merged), (Names{"A", "run 1"}));
        QCOMPARE(merged.probes.size(), 1u);
    }

    void probesOfOtherLayersAndOptionsStay()
    {
        ResultStore ours;
        ours.probes = {probe(3, 0.9)};
        ResultStore theirs;
        theirs.probes = {probe(3, 0.8), probe(7, 0.7), probe(3, 0.6, 10)};
        const ResultStore merged = mergedWork(ours, {}, theirs);
        QCOMPARE(merged.probes.size(), 3u); // of the same options ours
        QCOMPARE(merged.probes[0].result->accuracy, 0.9);
        QCOMPARE(merged.probes[1].result->accuracy, 0.7);
        QCOMPARE(merged.probes[2].result->accuracy, 0.6);
    }

    /// A figure is its file: saved by both, ours counts; gone from ours, it goes.
    void figuresAreOneForEachFile()
    {
        ResultStore known;
        known.figures = {{"a.pdf", "1"}, {"b.pdf", "1"}};
        ResultStore ours;
        ours.figures = {{"a.pdf", "2"}, {"c.pdf", "1"}};
        ResultStore theirs = known;
        theirs.figures.push_back({"c.pdf", "3"});
        theirs.figures.push_back({"d.pdf", "3"});
        const ResultStore merged = mergedWork(ours, digestsOf(known), theirs);
        QCOMPARE(merged.figures, (std::vector<KeptFigure>{{"a.pdf", "2"}, {"c.pdf", "1"}, {"d.pdf", "3"}}));
        QVERIFY(!merged.isEmpty());
    }
};

HEADSCOPE_TEST_GUILESS(TestKeptWork)
#include "tst_result_store.moc"
