// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/topics/topic_favour.h"

#include "model/base/random.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <cmath>

using namespace headscope;

namespace
{

/// Documents of the plane around the axes: topic 0 lies along x, topic 1 along y.
struct AxisTopics
{
    explicit AxisTopics(std::vector<std::int32_t> codes)
    {
        const auto n = std::ssize(codes);
        std::vector<float> values;
        for (std::int64_t i = 0; i < n; ++i)
        {
            const float aside = 0.1F * static_cast<float>(i % 3);
            values.push_back(codes[static_cast<std::size_t>(i)] == 0 ? 1.0F : aside);
            values.push_back(codes[static_cast<std::size_t>(i)] == 0 ? aside : 1.0F);
        }
        documents = HeadVectors(Stage::HeadOutput, LayerIndex(0), n, 1, 2, std::move(values));
        topics = HeadVectors(Stage::HeadOutput, LayerIndex(0), 3, 1, 2, {1, 0, 0, 1, 1, 1});
        labels = {"topic", std::move(codes), {"x", "y", "nobody"}};
    }

    [[nodiscard]] TopicInput input() const
    {
        return {&documents, &topics, documents.rows(), topics.rows(), &labels, "heads concatenated"};
    }

    HeadVectors documents;
    HeadVectors topics;
    LabelColumn labels;
};

} // namespace

class TestTopicFavour : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ownTopicIsNearer()
    {
        const AxisTopics plane({0, 1, 0, 1, 0, 1, 1, 0, -1});
        JobContext job;
        const auto favours = topicFavours(plane.input(), HeadIndex(0), job);
        HEADSCOPE_VERIFY_OK(favours);
        QCOMPARE(favours->size(), std::size_t{2}); // nobody has no documents
        for (const TopicFavour& favour : *favours)
        {
            QCOMPARE(favour.documents, 4);
            QCOMPARE(favour.others, 4);
            double own = 0;
            double others = 0;
            for (std::int64_t i = 0; i < 8; ++i)
            {
                const double value = cosine(plane.documents.vector(DocumentIndex(i), HeadIndex(0)),
                                            plane.topics.vector(DocumentIndex(favour.topic), HeadIndex(0)));
                (plane.labels.codes[static_cast<std::size_t>(i)] == favour.topic ? own : others) += value / 4;
            }
            QVERIFY(std::abs(favour.difference - (own - others)) <= 1e-12);
            QVERIFY(favour.ci95.low < favour.difference && favour.difference < favour.ci95.high);
            QVERIFY(favour.ci95.low > 0.5 && favour.p < 0.01 && favour.q >= favour.p);
        }
        QVERIFY((*favours)[0].difference >= (*favours)[1].difference);
    }

    void edges()
    {
        JobContext job;
        const auto single = topicFavours(AxisTopics({0, 1, 1, 1}).input(), HeadIndex(0), job);
        HEADSCOPE_VERIFY_OK(single);
        for (const TopicFavour& favour : *single)
            if (favour.topic == 0)
            {
                QCOMPARE(favour.documents, 1);
                QVERIFY(std::isfinite(favour.difference));
                QVERIFY(std::isnan(favour.ci95.low) && std::isnan(favour.p) && std::isnan(favour.q));
            }
        const auto alike = topicFavours(AxisTopics({1, 1, 1}).input(), HeadIndex(0), job);
        HEADSCOPE_VERIFY_OK(alike);
        QVERIFY(std::isnan(alike->front().difference));
        QVERIFY(!topicFavours(AxisTopics({-1, -1}).input(), HeadIndex(0), job));
    }
};

HEADSCOPE_TEST_GUILESS(TestTopicFavour)
#include "tst_topic_favour.moc"
