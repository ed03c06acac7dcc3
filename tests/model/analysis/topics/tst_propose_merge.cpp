// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/topics/propose_merge.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <limits>

using namespace headscope;

class TestTopicMerge : public QObject
{
    Q_OBJECT

    static TopicSimilarity similarity()
    {
        // film ~ music (0.9), law ~ trade (0.8), music ~ law weakly.
        return {{"film", "law", "music", "trade"},
                MatrixD(4, 4, {1, .1, .9, .2, .1, 1, .3, .8, .9, .3, 1, .1, .2, .8, .1, 1}),
                {}};
    }

private Q_SLOTS:
    void joinsWhatReachesTheThreshold_data()
    {
        QTest::addColumn<double>("threshold");
        QTest::addColumn<QString>("names");
        QTest::newRow("none") << 0.95 << "film|law|music|trade";
        QTest::newRow("one") << 0.85 << "film/music|law|trade";
        QTest::newRow("two") << 0.5 << "film/music|law/trade";
        QTest::newRow("all") << 0.0 << "film/law/music/trade";
        QTest::newRow("exactly") << 0.9 << "film/music|law|trade";
    }

    void joinsWhatReachesTheThreshold()
    {
        QFETCH(double, threshold);
        QFETCH(QString, names);
        const auto merge = proposeMerge(similarity(), threshold);
        QStringList found;
        for (const std::string& name : merge.names)
            found << QString::fromStdString(name);
        QCOMPARE(found.join(QLatin1Char('|')), names);
        QCOMPARE(merge.labelMap.size(), std::size_t{4});
    }

    void theMapNamesEveryTopic()
    {
        const auto merge = proposeMerge(similarity(), 0.85);
        QCOMPARE(merge.labelMap.at("music"), std::string("film/music"));
        QCOMPARE(merge.labelMap.at("law"), std::string("law"));
        QCOMPARE(merge.groups[0], (std::vector<std::int32_t>{0, 2}));
    }

    void thePathHasEveryThreshold()
    {
        const TopicMergePath path = mergePath(similarity());
        QCOMPARE(path.joins.size(), std::size_t{3});
        QCOMPARE(path.joins[0], (TopicJoin{0, 2, 0.9}));
        QCOMPARE(path.joins[1], (TopicJoin{1, 3, 0.8}));
        QCOMPARE(path.order, (std::vector<std::int32_t>{0, 2, 1, 3}));
        for (const double threshold : {0.95, 0.9, 0.85, 0.8, 0.5, 0.1, -1.0})
            QCOMPARE(mergeAt(path, threshold).groups, proposeMerge(similarity(), threshold).groups);
    }

    void topicsWithoutVectorsStayAlone()
    {
        TopicSimilarity broken = similarity();
        for (std::int64_t other = 0; other < 4; ++other)
            broken.values(1, other) = broken.values(other, 1) = std::numeric_limits<double>::quiet_NaN();
        const TopicMergePath path = mergePath(broken);
        QCOMPARE(path.joins.size(), std::size_t{2});
        QCOMPARE(mergeAt(path, -1).groups.size(), std::size_t{2});
        QCOMPARE(path.order.size(), std::size_t{4});
    }

    void nothingToMerge() { QVERIFY(proposeMerge({}, 0.5).groups.empty()); }
};

HEADSCOPE_TEST_GUILESS(TestTopicMerge)
#include "tst_propose_merge.moc"
