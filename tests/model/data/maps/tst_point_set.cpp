// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/maps/point_set.h"

#include "model/base/random.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <algorithm>
#include <set>
#include <utility>

using namespace headscope;

namespace
{

using Pairs = std::set<std::pair<std::int64_t, std::int64_t>>;

constexpr std::int64_t kHeads = 70; // more than a word of bits holds

/// Every (document, head) of a map, documents outer.
PointIds allIds(std::int64_t documents)
{
    PointIds ids;
    for (std::int64_t document = 0; document < documents; ++document)
        for (std::int64_t head = 0; head < kHeads; ++head)
        {
            ids.document.push_back(static_cast<std::int32_t>(document));
            ids.head.push_back(static_cast<std::int32_t>(head));
        }
    return ids;
}

Pairs pairsOf(const PointSet& set)
{
    Pairs pairs;
    for (std::size_t row = 0; row < set.documents().size(); ++row)
        for (const std::int64_t head : set.headsOf(row))
            pairs.emplace(set.documents()[row], head);
    return pairs;
}

} // namespace

class TestPointSet : public QObject
{
    Q_OBJECT

private:
    /// Some points drawn by chance, as a set and as plain pairs.
    static std::pair<PointSet, Pairs> drawn(std::uint64_t seed, std::uint64_t oneIn, std::int64_t lastHead = kHeads)
    {
        const CounterRandom random(seed);
        const PointIds ids = allIds(12);
        std::vector<std::int64_t> points;
        Pairs pairs;
        for (std::int64_t point = ids.count() - 1; point >= 0; --point)
        {
            const auto at = static_cast<std::size_t>(point);
            if (ids.head[at] >= lastHead || random.below(static_cast<std::uint64_t>(point), oneIn) != 0)
                continue;
            points.push_back(point);
            pairs.emplace(ids.document[at], ids.head[at]);
        }
        return {PointSet::of(ids, points), pairs};
    }

private Q_SLOTS:
    void knowsItsPoints()
    {
        const auto [set, pairs] = drawn(3, 40);
        QVERIFY(!pairs.empty());
        QCOMPARE(pairsOf(set), pairs);
        QCOMPARE(set.count(), std::ssize(pairs));
        QVERIFY(std::is_sorted(set.documents().begin(), set.documents().end()));
        const auto rows = set.rowByDocument();
        std::vector<std::int64_t> byHead(kHeads, 0);
        for (std::int64_t document = 0; document < 13; ++document)
        {
            std::int64_t count = 0;
            for (std::int64_t head = 0; head < kHeads + 70; ++head)
            {
                const bool in = pairs.contains({document, head});
                QCOMPARE(set.contains(DocumentIndex(document), HeadIndex(head)), in);
                count += in ? 1 : 0;
                if (in)
                    ++byHead[static_cast<std::size_t>(head)];
            }
            const bool any = std::ranges::binary_search(set.documents(), document);
            QCOMPARE(any, count > 0);
            if (any)
                QCOMPARE(set.countOf(static_cast<std::size_t>(rows[static_cast<std::size_t>(document)])), count);
        }
        auto counts = set.countsByHead();
        counts.resize(kHeads, 0);
        QCOMPARE(counts, byHead);
        QVERIFY(!set.contains(DocumentIndex(0), HeadIndex(-1)));
    }

    void theEmptySetHasNothing()
    {
        const PointSet none = PointSet::of(allIds(2), {});
        QVERIFY(none.isEmpty());
        QVERIFY(none == PointSet());
        QCOMPARE(none.count(), 0);
        QVERIFY(none.countsByHead().empty());
        QVERIFY(none.rowByDocument().empty());
        QVERIFY(PointSet({1, 2}, {}).isEmpty()); // documents of no head
    }

    void wholeDocuments()
    {
        const PointSet set({2, 5}, {0, 65});
        QCOMPARE(pairsOf(set), (Pairs{{2, 0}, {2, 65}, {5, 0}, {5, 65}}));
    }

    /// Against the definition, also where one side has few heads and the other many.
    void setsCombine()
    {
        for (std::uint64_t seed = 1; seed <= 6; ++seed)
        {
            const auto [one, a] = drawn(seed, 3, seed % 2 == 0 ? 20 : kHeads);
            const auto [other, b] = drawn(seed + 100, 2 + seed % 3, seed % 3 == 0 ? 20 : kHeads);
            Pairs both;
            Pairs left;
            Pairs common;
            std::ranges::set_union(a, b, std::inserter(both, both.end()));
            std::ranges::set_difference(a, b, std::inserter(left, left.end()));
            std::ranges::set_intersection(a, b, std::inserter(common, common.end()));
            QCOMPARE(pairsOf(combinePoints(one, other, SetOperation::Replace)), b);
            QCOMPARE(pairsOf(combinePoints(one, other, SetOperation::Add)), both);
            QCOMPARE(pairsOf(combinePoints(one, other, SetOperation::Remove)), left);
            QCOMPARE(pairsOf(combinePoints(one, other, SetOperation::Intersect)), common);
            QVERIFY(combinePoints(one, one, SetOperation::Remove).isEmpty());
        }
    }

    void equalsWhateverTheWidth()
    {
        const PointSet narrow({1}, {3});
        const PointSet wide = combinePoints(PointSet({1}, {3, 69}), PointSet({1}, {69}), SetOperation::Remove);
        QVERIFY(narrow == wide);
        QVERIFY(wide == narrow);
        QVERIFY(!(narrow == PointSet({1}, {3, 69})));
        QVERIFY(!(narrow == PointSet({2}, {3})));
    }

    void isCutToDocumentsAndHeads()
    {
        const auto [set, pairs] = drawn(8, 5);
        Pairs within;
        Pairs ofHeads;
        for (const auto& [document, head] : pairs)
        {
            if (document == 3 || document == 7)
                within.emplace(document, head);
            if (head == 1 || head == 68)
                ofHeads.emplace(document, head);
        }
        QCOMPARE(pairsOf(set.within({3, 7, 40})), within);
        QVERIFY(set.within({}).isEmpty());
        QCOMPARE(pairsOf(set.withinHeads({68, 1, 300})), ofHeads);
    }

    void choicesAreTheSameByTheirPoints()
    {
        const auto points =
            std::make_shared<const PointSet>(std::vector<std::int64_t>{1}, std::vector<std::int64_t>{3});
        const auto twin = std::make_shared<const PointSet>(*points);
        const auto other = std::make_shared<const PointSet>(std::vector<std::int64_t>{1}, std::vector<std::int64_t>{4});
        QVERIFY(samePoints(nullptr, nullptr));
        QVERIFY(samePoints(points, twin));
        QVERIFY(!samePoints(points, other));
        QVERIFY(!samePoints(points, nullptr));
        Selection selection;
        selection.documents = {1};
        Selection byPoints = selection;
        byPoints.points = points;
        QVERIFY(!(selection == byPoints));
        selection.points = twin;
        QVERIFY(selection == byPoints);
    }
};

HEADSCOPE_TEST_GUILESS(TestPointSet)
#include "tst_point_set.moc"
