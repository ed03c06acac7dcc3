// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/head_report.h"
#include "model/analysis/statistics/jackknife.h"
#include "model/base/random.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace headscope;

namespace
{

constexpr std::int64_t kDims = 8;

/// Documents, topics and labels of two heads. Head 1 leans towards its document's topic by `planted`; in both heads
/// the names of topics differ in how near they are to every document by `names`.
struct Planted
{
    HeadVectors documents;
    HeadVectors topics;
    LabelColumn labels;

    Planted(std::int64_t count, std::int64_t topicCount, double planted, double names, std::uint64_t seed = 1,
            Stage stage = Stage::HeadOutput)
    {
        const CounterRandom random(seed, 7);
        std::uint64_t next = 0;
        std::vector<float> values;
        const auto push = [&values](double value) { values.push_back(static_cast<float>(value)); };
        std::vector<double> own(static_cast<std::size_t>(topicCount * kDims));
        for (double& value : own)
            value = random.normal(next++);
        // Dimension 0 is what all documents share, and topics have more or less of.
        for (std::int64_t topic = 0; topic < topicCount; ++topic)
            for (int head = 0; head < 2; ++head)
                for (std::int64_t d = 0; d < kDims; ++d)
                    push(d == 0 ? names * static_cast<double>(topic)
                                : own[static_cast<std::size_t>(topic * kDims + d)]);
        topics = {stage, LayerIndex(0), topicCount, 2, kDims, std::move(values)};
        values = {};
        labels.name = "topic";
        for (std::int64_t topic = 0; topic < topicCount; ++topic)
            labels.categories.push_back(std::to_string(topic));
        for (std::int64_t document = 0; document < count; ++document)
        {
            const std::int64_t topic = document % topicCount;
            labels.codes.push_back(static_cast<std::int32_t>(topic));
            for (int head = 0; head < 2; ++head)
                for (std::int64_t d = 0; d < kDims; ++d)
                    push(d == 0 ? 2.0
                                : random.normal(next++) +
                                      (head == 0 ? planted * own[static_cast<std::size_t>(topic * kDims + d)] : 0.0));
        }
        documents = {stage, LayerIndex(0), count, 2, kDims, std::move(values)};
    }

    [[nodiscard]] TopicInput input() const
    {
        return {&documents,
                &topics,
                {documents.values().data(), documents.documents(), 2 * kDims},
                {topics.values().data(), topics.documents(), 2 * kDims},
                &labels,
                "heads"};
    }
};

HeadTopicStatistics answersOf(const Planted& planted, const HeadAnswerOptions& options, int threads = 1)
{
    JobContext job;
    auto answers = headAnswers(planted.input(), options, threads, job);
    return answers ? std::move(*answers) : HeadTopicStatistics();
}

/// The cosine of a document with its topic, less the topic's mean over all documents, and its share of variance
/// between topics: written out.
double centredByHand(const Planted& planted, std::int64_t head, std::int64_t leftOut)
{
    const auto cell = [&](std::int64_t document, std::int64_t topic) {
        return cosine(planted.documents.vector(DocumentIndex(document), HeadIndex(head)),
                      planted.topics.vector(DocumentIndex(topic), HeadIndex(head)));
    };
    std::vector<std::int64_t> rows;
    for (std::int64_t document = 0; document < planted.documents.documents(); ++document)
        if (document != leftOut)
            rows.push_back(document);
    const auto n = static_cast<double>(rows.size());
    std::vector<double> values;
    std::vector<double> sums(planted.labels.categories.size());
    std::vector<double> counts(sums.size());
    for (const std::int64_t row : rows)
    {
        const std::int32_t own = planted.labels.codes[static_cast<std::size_t>(row)];
        double mean = 0;
        for (const std::int64_t other : rows)
            mean += cell(other, own) / n;
        values.push_back(cell(row, own) - mean);
        sums[static_cast<std::size_t>(own)] += values.back();
        counts[static_cast<std::size_t>(own)] += 1;
    }
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
    double all = 0;
    double between = 0;
    for (const double value : values)
        all += (value - mean) * (value - mean);
    for (std::size_t topic = 0; topic < sums.size(); ++topic)
        between += counts[topic] * (sums[topic] / counts[topic] - mean) * (sums[topic] / counts[topic] - mean);
    return between / all;
}

/// Without the part that any labels give, of N documents and T topics.
double unbiased(double share, double documents, double topics)
{
    return 1 - (1 - share) * (documents - 1) / (documents - topics);
}

/// The means of the share of variance between topics over so many draws of documents, in the first head.
struct MeanShares
{
    double biased = 0;
    double unbiased = 0;

    MeanShares(std::int64_t documents, double planted)
    {
        constexpr int kDraws = 60;
        for (int draw = 0; draw < kDraws; ++draw)
        {
            const HeadTopicStatistics answers =
                answersOf(Planted(documents, 8, planted, 0.5, static_cast<std::uint64_t>(draw)), {.permutations = 0});
            biased += answers.etaSquared.value[0] / kDraws;
            unbiased += answers.selectivity.value[0] / kDraws;
        }
    }
};

} // namespace

class TestHeadLabels : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void centredEqualsTheFormula()
    {
        const Planted planted(40, 4, 1.0, 0.5);
        const HeadTopicStatistics answers = answersOf(planted, {});
        for (std::int64_t head = 0; head < 2; ++head)
        {
            const double value = centredByHand(planted, head, -1);
            const auto h = static_cast<std::size_t>(head);
            QVERIFY(std::abs(answers.etaSquared.value[h] - value) < 1e-10);
            QVERIFY(std::abs(answers.selectivity.value[h] - unbiased(value, 40, 4)) < 1e-10);
            std::vector<double> without;
            std::vector<double> unbiasedWithout;
            for (std::int64_t out = 0; out < 40; ++out)
            {
                without.push_back(centredByHand(planted, head, out));
                unbiasedWithout.push_back(unbiased(without.back(), 39, 4));
            }
            const Interval interval = jackknifeInterval(value, without);
            QVERIFY(std::abs(answers.etaSquared.ci95[h].low - std::max(0.0, interval.low)) < 1e-9);
            QVERIFY(std::abs(answers.etaSquared.ci95[h].high - std::min(1.0, interval.high)) < 1e-9);
            // The corrected one has an interval around itself, which may begin below 0: at the least there can be.
            const Interval around = jackknifeInterval(unbiased(value, 40, 4), unbiasedWithout);
            QVERIFY(std::abs(answers.selectivity.ci95[h].low - std::max(-3.0 / 36, around.low)) < 1e-9);
            QVERIFY(std::abs(answers.selectivity.ci95[h].high - std::min(1.0, around.high)) < 1e-9);
        }
    }

    /// Eta squared is too large, the more the fewer documents a topic has; selectivity is what it is of many documents.
    void selectivityHasNoBias_data()
    {
        QTest::addColumn<double>("planted");
        QTest::newRow("topics do not differ") << 0.0;
        QTest::newRow("topics differ") << 0.4;
    }
    void selectivityHasNoBias()
    {
        QFETCH(double, planted);
        const MeanShares few(80, planted);
        const MeanShares many(1000, planted);
        QVERIFY2(std::abs(few.unbiased - many.unbiased) < 0.02,
                 qPrintable(QStringLiteral("%1, of many %2").arg(few.unbiased).arg(many.unbiased)));
        QVERIFY2(few.biased - many.unbiased > 0.04, qPrintable(QString::number(few.biased)));
        if (planted == 0)
            QVERIFY(std::abs(few.unbiased) < 0.015 && few.biased > 0.07); // 7 / 79 of any labels
        else
            QVERIFY(many.unbiased > 0.03);
    }

    /// Topics whose names alone differ: raw selectivity is large and says nothing, the centred one stays at its null.
    void namesAloneAreNotSelectivity()
    {
        const Planted planted(200, 5, 0, 3.0);
        const HeadTopicStatistics raw = answersOf(planted, {.selectivity = SelectivityMode::Raw});
        const HeadTopicStatistics centred = answersOf(planted, {});
        for (std::size_t head = 0; head < 2; ++head)
        {
            QVERIFY(raw.selectivity.value[head] > 0.5);
            QVERIFY(raw.selectivity.null[head].mean > 0.5);
            QVERIFY(centred.selectivity.value[head] < 0.1);
            QVERIFY(std::abs(centred.etaSquared.null[head].mean - 4.0 / 199) < 0.01); // (T - 1) / (N - 1)
            QVERIFY(std::abs(centred.selectivity.null[head].mean) < 0.01);
            QVERIFY(centred.selectivity.q[head] > 0.05);
            QVERIFY(centred.topExcess.q[head] > 0.05);
            QVERIFY(centred.match.q[head] > 0.05);
        }
        QCOMPARE(centred.matchChance, 0.2);
        QCOMPARE(centred.selectivity.null[0].permutations, kDefaultPermutations);
    }

    void plantedTopicsAreFound()
    {
        // What documents have of their topic differs in strength between topics, so that it can be selective.
        const Planted planted(200, 5, 1.0, 0.5);
        const HeadTopicStatistics answers = answersOf(planted, {});
        QCOMPARE(answers.match.null[0].p, 1.0 / 1000);
        QVERIFY(answers.match.ci95[0].low > answers.match.null[0].high);
        QCOMPARE(answers.topExcess.null[0].p, 1.0 / 1000);
        QCOMPARE(answers.match.q[0], 2.0 / 1000);
        QVERIFY(answers.match.null[1].p > 0.01);
        QVERIFY(answers.topTopic[0] >= 0 && answers.topExcess.value[0] > 0.1);
    }

    /// Labels that have nothing to do with the vectors: p is spread evenly, in every number.
    void shuffledLabelsHaveEvenP()
    {
        constexpr int kTrials = 60;
        double sums[3] = {};
        int small[3] = {};
        for (int trial = 0; trial < kTrials; ++trial)
        {
            const HeadTopicStatistics answers =
                answersOf(Planted(36, 3, 0, 1.0, static_cast<std::uint64_t>(trial + 1)), {.permutations = 99});
            const TestedNumbers* const numbers[] = {&answers.selectivity, &answers.etaSquared, &answers.match,
                                                    &answers.topExcess};
            for (int i = 0; i < 3; ++i)
                for (std::size_t head = 0; head < 2; ++head)
                {
                    sums[i] += numbers[i]->null[head].p / (2 * kTrials);
                    small[i] += numbers[i]->null[head].p <= 0.05 ? 1 : 0;
                }
        }
        for (int i = 0; i < 3; ++i)
        {
            // Match has few values: ties count as at least as large, so p is a little above a half.
            QVERIFY2(sums[i] > 0.4 && sums[i] < (i == 1 ? 0.7 : 0.6), qPrintable(QString::number(sums[i])));
            QVERIFY2(small[i] <= 14, qPrintable(QString::number(small[i]))); // 6 expected of 120
        }
    }

    void oneDocumentALabelSaysNothing()
    {
        const HeadTopicStatistics answers = answersOf(Planted(6, 6, 1.0, 0.5), {});
        QVERIFY(std::isnan(answers.etaSquared.value[0]) && std::isnan(answers.selectivity.ci95[0].low));
        QVERIFY(std::isnan(answers.selectivity.value[0]) && std::isnan(answers.selectivity.null[0].p) &&
                std::isnan(answers.selectivity.q[0]));
        QVERIFY(answers.selectivityMissing.find("each label of \"topic\" has only one document") != std::string::npos);
        QVERIFY(answersOf(Planted(12, 6, 1.0, 0.5), {}).selectivityMissing.empty());
    }

    /// Segments that have nothing to do with each other: a part follows the whole, but not the rest.
    void aPartFollowsTheWholeNotTheRest()
    {
        const Planted planted(300, 3, 0, 0.3, 2, Stage::OutputSegment);
        const HeadTopicStatistics whole = answersOf(planted, {.follows = FollowsMode::Whole, .permutations = 0});
        const HeadTopicStatistics rest = answersOf(planted, {.permutations = 0});
        for (std::size_t head = 0; head < 2; ++head)
        {
            QVERIFY(whole.followsFull[head] > 0.5);
            QVERIFY2(std::abs(rest.followsFull[head]) < 0.15, qPrintable(QString::number(rest.followsFull[head])));
        }
        for (std::size_t head = 0; head < 2; ++head)
            for (const HeadTopicStatistics* answers : {&whole, &rest})
            {
                const Interval ci95 = answers->followsCi95[head];
                QVERIFY(ci95.low < answers->followsFull[head] && answers->followsFull[head] < ci95.high);
                // Of 300 documents of 3 topics Spearman's standard error is about 1 / sqrt(297) where nothing follows.
                QVERIFY2(ci95.high - ci95.low < 0.3, qPrintable(QString::number(ci95.high - ci95.low)));
            }
        QVERIFY(rest.followsCi95[0].high - rest.followsCi95[0].low > 0.15);
        QVERIFY(whole.followsCi95[0].low > 0.3);
        QVERIFY(std::isnan(rest.selectivity.null[0].p));
        // Two segments are each other's rest.
        QVERIFY(std::abs(rest.followsFull[0] - rest.followsFull[1]) < 1e-9);
        // Of heads the full vector has no part of their own.
        const Planted heads(60, 3, 0, 0.3, 2);
        QCOMPARE(answersOf(heads, {.permutations = 0}).followsFull[0],
                 answersOf(heads, {.follows = FollowsMode::Whole, .permutations = 0}).followsFull[0]);
    }

    void isTheSameForAnyNumberOfThreads()
    {
        const Planted planted(60, 4, 0.5, 0.5, 3, Stage::OutputSegment);
        const HeadTopicStatistics one = answersOf(planted, {});
        for (const int threads : {2, 3})
        {
            const HeadTopicStatistics more = answersOf(planted, {}, threads);
            for (std::size_t head = 0; head < 2; ++head)
            {
                QCOMPARE(more.selectivity.null[head].mean, one.selectivity.null[head].mean);
                QCOMPARE(more.selectivity.ci95[head].low, one.selectivity.ci95[head].low);
                QCOMPARE(more.topExcess.null[head].high, one.topExcess.null[head].high);
                QCOMPARE(more.match.q[head], one.match.q[head]);
                QCOMPARE(more.followsFull[head], one.followsFull[head]);
                QCOMPARE(more.followsCi95[head].low, one.followsCi95[head].low);
            }
        }
        std::stop_source stop;
        stop.request_stop();
        JobContext stopped(stop.get_token());
        HEADSCOPE_VERIFY_ERROR(headAnswers(planted.input(), {}, 1, stopped), ErrorCode::Cancelled, "");
    }
};

HEADSCOPE_TEST_GUILESS(TestHeadLabels)
#include "tst_head_labels.moc"
