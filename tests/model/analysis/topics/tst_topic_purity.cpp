// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/topics/topic_purity.h"

#include "model/analysis/statistics/intervals.h"
#include "model/analysis/statistics/jackknife.h"
#include "model/base/random.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <cmath>
#include <limits>

using namespace headscope;

namespace
{

/// Documents of one head and two dims, at these angles (in quarters of a turn).
HeadVectors atAngles(const std::vector<std::pair<float, float>>& places)
{
    std::vector<float> values;
    for (const auto& [x, y] : places)
    {
        values.push_back(x);
        values.push_back(y);
    }
    return {Stage::HeadOutput, LayerIndex(0), std::ssize(places), 1, 2, std::move(values)};
}

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

} // namespace

class TestTopicPurity : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// Two near the x axis, two near the y axis; each one's nearest is the other of its pair.
    void pairsByHand()
    {
        const HeadVectors vectors = atAngles({{1, 0}, {5, 0.5F}, {0, 1}, {0.5F, 5}});
        JobContext job;
        const std::vector<std::int32_t> apart = {0, 0, 1, 1};
        auto purity = topicPurity(vectors, apart, {.neighbors = 1}, 1, job);
        HEADSCOPE_VERIFY_OK(purity);
        QCOMPARE(purity->share, 1.0);
        QCOMPARE(purity->chance, 4.0 / 12.0); // each has one of three others of its label
        QCOMPARE(purity->documents, 4);
        const std::vector<std::int32_t> crossed = {0, 1, 0, 1};
        purity = topicPurity(vectors, crossed, {.neighbors = 1}, 1, job);
        HEADSCOPE_VERIFY_OK(purity);
        QCOMPARE(purity->share, 0.0);
        // All three others: one of them has the own label.
        purity = topicPurity(vectors, crossed, {.neighbors = 50}, 1, job);
        HEADSCOPE_VERIFY_OK(purity);
        QCOMPARE(purity->neighbors, 3);
        QCOMPARE(purity->share, 1.0 / 3.0);
        QCOMPARE(purity->share, purity->chance);
        QVERIFY(std::isnan(purity->ci95.low) && std::isnan(purity->null.p)); // it could not be otherwise
    }

    void whatDoesNotCountIsLeftOut()
    {
        const HeadVectors vectors = atAngles({{1, 0}, {kNaN, 0}, {0, 0}, {2, 0}, {3, 0}});
        const std::vector<std::int32_t> labels = {0, 0, 0, 0, -1};
        JobContext job;
        const auto purity = topicPurity(vectors, labels, {.neighbors = 1}, 1, job);
        HEADSCOPE_VERIFY_OK(purity);
        QCOMPARE(purity->documents, 2);
        QCOMPARE(purity->share, 1.0);
        QCOMPARE(purity->chance, 1.0);
    }

    void intervalAndNull()
    {
        // Twelve near each axis; one in six has the other label.
        std::vector<std::pair<float, float>> places;
        std::vector<std::int32_t> labels;
        for (int i = 0; i < 24; ++i)
        {
            const auto off = 0.01F * static_cast<float>(i);
            places.emplace_back(i % 2 == 0 ? 1.0F : off, i % 2 == 0 ? off : 1.0F);
            labels.push_back(i % 12 < 2 ? 1 - i % 2 : i % 2);
        }
        JobContext job;
        const auto purity = topicPurity(atAngles(places), labels, {.neighbors = 5}, 1, job);
        HEADSCOPE_VERIFY_OK(purity);
        QVERIFY(purity->ci95.low < purity->share && purity->share < purity->ci95.high);
        QVERIFY(purity->ci95.high - purity->ci95.low < 0.6);
        // The jackknife by hand: without each document in turn, neighbours found anew.
        std::vector<double> without;
        for (std::size_t out = 0; out < places.size(); ++out)
        {
            auto others = places;
            auto codes = labels;
            others.erase(others.begin() + static_cast<std::ptrdiff_t>(out));
            codes.erase(codes.begin() + static_cast<std::ptrdiff_t>(out));
            const auto left = topicPurity(atAngles(others), codes, {.neighbors = 5, .permutations = 0}, 1, job);
            HEADSCOPE_VERIFY_OK(left);
            without.push_back(left->share);
        }
        const Interval byHand = jackknifeInterval(purity->share, without);
        QVERIFY(std::abs(byHand.low - purity->ci95.low) < 1e-12);
        QVERIFY(std::abs(std::min(1.0, byHand.high) - purity->ci95.high) < 1e-12);
        QCOMPARE(purity->null.permutations, kDefaultPermutations);
        QVERIFY(purity->null.p < 0.02);
        QVERIFY(std::abs(purity->null.mean - purity->chance) < 0.03);
        for (const int threads : {2, 3})
        {
            const auto again = topicPurity(atAngles(places), labels, {.neighbors = 5}, threads, job);
            HEADSCOPE_VERIFY_OK(again);
            QCOMPARE(again->null.mean, purity->null.mean);
            QCOMPARE(again->ci95.low, purity->ci95.low);
        }
    }

    /// Documents far apart by label, and labels that never agree: no more certain than so many trials.
    void theIntervalHasAWidthAtItsEnds()
    {
        constexpr int kDocuments = 24;
        std::vector<std::pair<float, float>> places;
        std::vector<std::int32_t> apart;
        std::vector<std::int32_t> crossed; // of 12 pairs, each of two labels that the others nearby have not either
        for (int i = 0; i < kDocuments; ++i)
        {
            const auto off = 0.01F * static_cast<float>(i);
            places.emplace_back(i < kDocuments / 2 ? 1.0F : off, i < kDocuments / 2 ? off : 1.0F);
            apart.push_back(i < kDocuments / 2 ? 0 : 1);
            crossed.push_back(i % (kDocuments / 2));
        }
        JobContext job;
        const auto all = topicPurity(atAngles(places), apart, {.neighbors = 5}, 1, job);
        HEADSCOPE_VERIFY_OK(all);
        QCOMPARE(all->share, 1.0);
        QCOMPARE(all->ci95.low, wilsonInterval(kDocuments, kDocuments).low);
        QCOMPARE(all->ci95.high, 1.0);
        const auto none = topicPurity(atAngles(places), crossed, {.neighbors = 5}, 1, job);
        HEADSCOPE_VERIFY_OK(none);
        QCOMPARE(none->share, 0.0);
        QCOMPARE(none->ci95.low, 0.0);
        QCOMPARE(none->ci95.high, wilsonInterval(0, kDocuments).high);
    }

    /// Labels that have nothing to do with the vectors: p is spread evenly.
    void shuffledLabelsHaveEvenP()
    {
        const CounterRandom random(5);
        JobContext job;
        int small = 0;
        double sum = 0;
        constexpr int kTrials = 100;
        for (int trial = 0; trial < kTrials; ++trial)
        {
            std::vector<std::pair<float, float>> places;
            std::vector<std::int32_t> labels;
            for (int i = 0; i < 30; ++i)
            {
                const auto at = static_cast<std::uint64_t>(2 * (30 * trial + i));
                places.emplace_back(static_cast<float>(random.normal(at)), static_cast<float>(random.normal(at + 1)));
                labels.push_back(i % 3);
            }
            const auto purity = topicPurity(atAngles(places), labels, {.neighbors = 3, .permutations = 99}, 1, job);
            HEADSCOPE_VERIFY_OK(purity);
            small += purity->null.p <= 0.05 ? 1 : 0;
            sum += purity->null.p;
        }
        QVERIFY2(small <= 12, qPrintable(QString::number(small)));
        QVERIFY2(std::abs(sum / kTrials - 0.5) < 0.1, qPrintable(QString::number(sum / kTrials)));
    }

    void refusals()
    {
        const HeadVectors vectors = atAngles({{1, 0}, {0, 1}});
        JobContext job;
        const std::vector<std::int32_t> one = {0, -1};
        HEADSCOPE_VERIFY_ERROR(topicPurity(vectors, one, {.neighbors = 1}, 1, job), ErrorCode::InvalidArgument,
                               "found 1");
        const std::vector<std::int32_t> both = {0, 0};
        HEADSCOPE_VERIFY_ERROR(topicPurity(vectors, both, {.neighbors = 0}, 1, job), ErrorCode::WrongUse, "found 0");
        HEADSCOPE_VERIFY_ERROR(topicPurity(vectors, std::vector<std::int32_t>{0}, {.neighbors = 1}, 1, job),
                               ErrorCode::ShapeMismatch, "found 1");
        const std::vector<std::int32_t> ids = {0, 1};
        HEADSCOPE_VERIFY_ERROR(topicPurity(vectors, ids, {}, 1, job), ErrorCode::InvalidArgument,
                               "one document for each of 2 labels");
        std::stop_source stop;
        stop.request_stop();
        JobContext stopped(stop.get_token());
        HEADSCOPE_VERIFY_ERROR(topicPurity(vectors, both, {.neighbors = 1}, 1, stopped), ErrorCode::Cancelled, "");
    }
};

HEADSCOPE_TEST_GUILESS(TestTopicPurity)
#include "tst_topic_purity.moc"
