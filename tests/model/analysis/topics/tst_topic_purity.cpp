// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/topics/topic_purity.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

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
        auto purity = topicPurity(vectors, apart, 1, 1, job);
        HEADSCOPE_VERIFY_OK(purity);
        QCOMPARE(purity->share, 1.0);
        QCOMPARE(purity->chance, 4.0 / 12.0); // each has one of three others of its label
        QCOMPARE(purity->documents, 4);
        const std::vector<std::int32_t> crossed = {0, 1, 0, 1};
        purity = topicPurity(vectors, crossed, 1, 1, job);
        HEADSCOPE_VERIFY_OK(purity);
        QCOMPARE(purity->share, 0.0);
        // All three others: one of them has the own label.
        purity = topicPurity(vectors, crossed, 50, 1, job);
        HEADSCOPE_VERIFY_OK(purity);
        QCOMPARE(purity->neighbors, 3);
        QCOMPARE(purity->share, 1.0 / 3.0);
        QCOMPARE(purity->share, purity->chance);
    }

    void whatDoesNotCountIsLeftOut()
    {
        const HeadVectors vectors = atAngles({{1, 0}, {kNaN, 0}, {0, 0}, {2, 0}, {3, 0}});
        const std::vector<std::int32_t> labels = {0, 0, 0, 0, -1};
        JobContext job;
        const auto purity = topicPurity(vectors, labels, 1, 1, job);
        HEADSCOPE_VERIFY_OK(purity);
        QCOMPARE(purity->documents, 2);
        QCOMPARE(purity->share, 1.0);
        QCOMPARE(purity->chance, 1.0);
    }

    void refusals()
    {
        const HeadVectors vectors = atAngles({{1, 0}, {0, 1}});
        JobContext job;
        const std::vector<std::int32_t> one = {0, -1};
        HEADSCOPE_VERIFY_ERROR(topicPurity(vectors, one, 1, 1, job), ErrorCode::InvalidArgument, "found 1");
        const std::vector<std::int32_t> both = {0, 0};
        HEADSCOPE_VERIFY_ERROR(topicPurity(vectors, both, 0, 1, job), ErrorCode::WrongUse, "found 0");
        HEADSCOPE_VERIFY_ERROR(topicPurity(vectors, std::vector<std::int32_t>{0}, 1, 1, job), ErrorCode::ShapeMismatch,
                               "found 1");
        std::stop_source stop;
        stop.request_stop();
        JobContext stopped(stop.get_token());
        HEADSCOPE_VERIFY_ERROR(topicPurity(vectors, both, 1, 1, stopped), ErrorCode::Cancelled, "");
    }
};

HEADSCOPE_TEST_GUILESS(TestTopicPurity)
#include "tst_topic_purity.moc"
