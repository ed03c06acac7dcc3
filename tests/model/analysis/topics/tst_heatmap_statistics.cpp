// SPDX-License-Identifier: GPL-3.0-or-later
// Evenness of a heatmap's rows, which counts negative cosines as 0 among all documents.
#include "model/analysis/topics/topics.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <cmath>
#include <numbers>
#include <vector>

using namespace headscope;

namespace
{

/// Documents in the plane whose cosines with the one axis that is their topic are these.
struct Plane
{
    explicit Plane(const std::vector<double>& cosines)
        : documents(Stage::HeadOutput, LayerIndex(0), std::ssize(cosines), 1, 2, around(cosines)),
          topics(Stage::HeadOutput, LayerIndex(0), 1, 1, 2, {1, 0})
    {
        labels.name = "topic";
        labels.categories = {"one"};
        labels.codes.assign(cosines.size(), 0);
    }
    static std::vector<float> around(const std::vector<double>& cosines)
    {
        std::vector<float> values;
        for (const double each : cosines)
        {
            values.push_back(static_cast<float>(each));
            values.push_back(static_cast<float>(std::sqrt(1 - each * each)));
        }
        return values;
    }
    [[nodiscard]] double evenness() const
    {
        JobContext job;
        const TopicInput input{
            &documents, &topics, {documents.values().data(), documents.documents(), 2}, {topics.values().data(), 1, 2},
            &labels,    "head"};
        HeatmapOptions options;
        options.perTopic = 100;
        options.topics = {0};
        const auto heatmap = makeHeatmap(input, options, 1, job);
        if (!heatmap)
            return -1;
        const auto statistics = heatmapStatistics(input, *heatmap, 1, job);
        return statistics ? statistics->evenness[1] : -1;
    }

    HeadVectors documents;
    HeadVectors topics;
    LabelColumn labels;
};

} // namespace

class TestHeatmapStatistics : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void evennessCountsAllDocuments()
    {
        const auto isNear = [](double a, double b) { return std::abs(a - b) < 1e-6; };
        QVERIFY(isNear(Plane({0.5, 0.5, 0.5, 0.5}).evenness(), 1));
        QVERIFY(isNear(Plane({0.8, 0, 0, 0}).evenness(), 0.25)); // 1/n: one takes it all
        // Three of four positive and alike: (3 x 0.5)^2 / (4 x 3 x 0.25). Over the positive ones alone it would be 1.
        QVERIFY(isNear(Plane({0.5, 0.5, 0.5, -0.9}).evenness(), 0.75));
        QVERIFY(isNear(Plane({0.6, 0.2, -0.3, -0.1, -0.9}).evenness(), 0.64 / (5 * 0.40)));
        QVERIFY(std::isnan(Plane({-0.5, -0.2}).evenness()));
    }
};

HEADSCOPE_TEST_GUILESS(TestHeatmapStatistics)
#include "tst_heatmap_statistics.moc"
