// SPDX-License-Identifier: GPL-3.0-or-later
// Topic vectors as names or centroids, and what shuffled labels make of match and heatmap.
#include "model/analysis/statistics/draws.h"
#include "model/analysis/statistics/jackknife.h"
#include "model/analysis/topics/centroid_cosines.h"
#include "model/analysis/topics/prepared_topics.h"
#include "model/analysis/topics/topic_cells.h"
#include "model/analysis/topics/topic_faults.h"
#include "model/analysis/topics/topics.h"
#include "model/base/random.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

using namespace headscope;

namespace
{

constexpr std::int64_t kDims = 6;
constexpr std::int64_t kHeads = 2;

/// Noise around a direction of each topic, of heads that hold the topic with some strength.
struct World
{
    /// @param sizes     documents of each topic, one topic after another
    /// @param strength  of the topic in head 1; head 2 is noise alone
    World(const std::vector<std::int64_t>& sizes, double strength, std::uint64_t seed)
    {
        CounterRandom random(seed, 1);
        std::uint64_t drawn = 0;
        const auto noise = [&] { return static_cast<float>(random.normal(drawn++)); };
        const auto topicCount = std::ssize(sizes);
        std::vector<float> names(static_cast<std::size_t>(topicCount * kHeads * kDims));
        std::generate(names.begin(), names.end(), noise);
        std::vector<float> values;
        labels.name = "topic";
        for (std::int64_t topic = 0; topic < topicCount; ++topic)
        {
            labels.categories.push_back("topic " + std::to_string(topic));
            for (std::int64_t i = 0; i < sizes[static_cast<std::size_t>(topic)]; ++i)
            {
                labels.codes.push_back(static_cast<std::int32_t>(topic));
                for (std::int64_t d = 0; d < kHeads * kDims; ++d)
                    values.push_back(noise() + (d < kDims ? static_cast<float>(strength) : 0.0F) *
                                                   names[static_cast<std::size_t>(topic * kHeads * kDims + d)]);
            }
        }
        raw.documents = vectors(std::ssize(labels.codes), std::move(values));
        raw.topics = vectors(topicCount, std::move(names));
        raw.fullDocuments = raw.documents;
        raw.fullTopics = raw.topics;
        ready = raw;
    }
    static std::shared_ptr<const HeadVectors> vectors(std::int64_t rows, std::vector<float> values)
    {
        return std::make_shared<const HeadVectors>(Stage::HeadOutput, LayerIndex(0), rows, kHeads, kDims,
                                                   std::move(values));
    }
    [[nodiscard]] static ConstMatrixView whole(const HeadVectors& all)
    {
        return {all.values().data(), all.documents(), all.heads() * all.dims()};
    }
    void prepare(TopicVectorChoice choice)
    {
        JobContext job;
        auto made = prepareTopics(raw, labels, choice, 2, job);
        QVERIFY(made);
        ready = std::move(*made);
    }
    [[nodiscard]] TopicInput input() const
    {
        return {ready.documents.get(),
                ready.topics.get(),
                whole(*ready.fullDocuments),
                whole(*ready.fullTopics),
                &labels,
                "heads",
                ready.members.empty() ? nullptr : &ready.members};
    }
    void shuffle(std::uint64_t seed) { labels.codes = permutedLabels(labels.codes, Draws(seed), 0); }

    TopicVectorSet raw;
    TopicVectorSet ready;
    LabelColumn labels;
};

/// The cosine of a document with a topic's mean that does not hold it, by adding up.
double cosineWithOthers(const World& world, std::int64_t row, std::int64_t document, std::int32_t topic)
{
    const auto part = [&](std::int64_t of) {
        return row == 0 ? world.ready.documents->full(DocumentIndex(of))
                        : world.ready.documents->vector(DocumentIndex(of), HeadIndex(row - 1));
    };
    std::vector<double> sum(part(0).size());
    std::int64_t count = 0;
    for (std::int64_t other = 0; other < std::ssize(world.labels.codes); ++other)
    {
        if (other == document || world.labels.codes[static_cast<std::size_t>(other)] != topic)
            continue;
        ++count;
        for (std::size_t d = 0; d < sum.size(); ++d)
            sum[d] += static_cast<double>(part(other)[d]);
    }
    if (count == 0)
        return std::numeric_limits<double>::quiet_NaN();
    double product = 0;
    double own = 0;
    double others = 0;
    for (std::size_t d = 0; d < sum.size(); ++d)
    {
        const double value = part(document)[d];
        product += value * sum[d];
        own += value * value;
        others += sum[d] * sum[d];
    }
    return product / std::sqrt(own * others);
}

bool near(double a, double b, double tolerance)
{
    return (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= tolerance;
}

const std::vector<std::int64_t> kUneven = {9, 4, 6, 1, 2};

} // namespace

class TopicNullsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aDocumentIsNotInItsOwnCentroid_data();
    void aDocumentIsNotInItsOwnCentroid();
    void matchWithCentroids();
    void centring();
    void nullOfMatch_data();
    void nullOfMatch();
    void pOfShuffledLabelsIsEven_data() { nullOfMatch_data(); }
    void pOfShuffledLabelsIsEven();
    void exactChanceOfUnequalTopics();
    void aTopicNearToEverythingIsNoSignal();
    void contrastWithoutADocument();
    void heatmapWithoutNull();
    void sinksAreNamed();
};

void TopicNullsTest::aDocumentIsNotInItsOwnCentroid_data()
{
    QTest::addColumn<bool>("centred");
    QTest::newRow("raw") << false;
    QTest::newRow("centred") << true;
}

void TopicNullsTest::aDocumentIsNotInItsOwnCentroid()
{
    QFETCH(bool, centred);
    World world(kUneven, 1, 3);
    world.prepare({TopicVectorKind::Centroids, centred});
    for (std::int64_t row = 0; row <= kHeads; ++row)
    {
        const ConstMatrixView documents =
            row == 0 ? World::whole(*world.ready.documents) : world.ready.documents->head(HeadIndex(row - 1));
        const CentroidCosines centroids(documents, allIndices(documents.rows()));
        QCOMPARE(std::ssize(centroids.finite()), documents.rows());
        const MatrixD cosines = centroids.compute(world.labels.codes, std::ssize(kUneven));
        for (std::int64_t document = 0; document < documents.rows(); ++document)
            for (std::int32_t topic = 0; topic < std::ssize(kUneven); ++topic)
            {
                const double truth = cosineWithOthers(world, row, document, topic);
                QVERIFY(near(cosines(document, topic), truth, 1e-12));
                QVERIFY(near(rowCosine(world.input(), row, DocumentIndex(document), topic), truth, 2e-6));
            }
    }
}

void TopicNullsTest::matchWithCentroids()
{
    World world(kUneven, 1, 4);
    world.prepare({TopicVectorKind::Centroids, false});
    JobContext job;
    const auto match = matchTopics(world.input(), {1, 2}, 2, job);
    HEADSCOPE_VERIFY_OK(match);
    QCOMPARE(match->topics, std::int64_t{5});
    QCOMPARE(match->alone, std::int64_t{1});
    QCOMPARE(match->documents, std::int64_t{22});
    for (std::int64_t row = 0; row <= kHeads; ++row)
    {
        std::array<std::int64_t, 2> hits{};
        for (std::int64_t document = 0; document < match->documents; ++document)
        {
            const std::int32_t own = world.labels.codes[static_cast<std::size_t>(document)];
            const double mine = cosineWithOthers(world, row, document, own);
            std::int64_t before = 0;
            for (std::int32_t topic = 0; topic < 5; ++topic)
                before += topic != own && cosineWithOthers(world, row, document, topic) > mine ? 1 : 0;
            hits[0] += !std::isnan(mine) && before < 1 ? 1 : 0;
            hits[1] += !std::isnan(mine) && before < 2 ? 1 : 0;
        }
        QCOMPARE(match->measured[static_cast<std::size_t>(row)], std::int64_t{21});
        QCOMPARE(match->hits(row, 0), hits[0]);
        QCOMPARE(match->hits(row, 1), hits[1]);
    }
}

void TopicNullsTest::centring()
{
    World world({8, 8, 8}, 1, 5);
    std::vector<float> documents(world.raw.documents->values().begin(), world.raw.documents->values().end());
    for (std::size_t i = 0; i < documents.size(); ++i)
        documents[i] += i % 3 == 0 ? 100.0F : 0.0F; // what all documents share
    world.raw.documents = World::vectors(24, std::move(documents));
    world.raw.fullDocuments = world.raw.documents;
    world.prepare({TopicVectorKind::Names, false});
    JobContext job;
    const auto raw = matchTopics(world.input(), {1}, 1, job);
    world.prepare({TopicVectorKind::Names, true});
    const auto centred = matchTopics(world.input(), {1}, 1, job);
    HEADSCOPE_VERIFY_OK(raw);
    HEADSCOPE_VERIFY_OK(centred);
    QVERIFY(centred->hits(1, 0) > raw->hits(1, 0) + 5);
    for (const auto& vectors : {world.ready.documents, world.ready.topics})
        for (std::int64_t d = 0; d < kHeads * kDims; ++d)
        {
            double sum = 0;
            for (std::int64_t row = 0; row < vectors->documents(); ++row)
                sum += static_cast<double>(vectors->full(DocumentIndex(row))[static_cast<std::size_t>(d)]);
            QVERIFY(std::abs(sum) < 1e-3);
        }
}

void TopicNullsTest::nullOfMatch_data()
{
    QTest::addColumn<bool>("centroids");
    QTest::newRow("names") << false;
    QTest::newRow("centroids") << true;
}

void TopicNullsTest::nullOfMatch()
{
    QFETCH(bool, centroids);
    World world({12, 12, 12, 12}, 1.5, 6);
    world.prepare({centroids ? TopicVectorKind::Centroids : TopicVectorKind::Names, false});
    JobContext job;
    const auto match = matchTopics(world.input(), {1, 4}, 2, job);
    HEADSCOPE_VERIFY_OK(match);
    const auto null = matchNull(world.input(), *match, {200, 7}, 1, job);
    HEADSCOPE_VERIFY_OK(null);
    QCOMPARE((*null)(1, 0).permutations, std::int64_t{200});
    QVERIFY((*null)(1, 0).p < 0.006); // head 1 holds the topics
    QVERIFY((*null)(2, 0).p > 0.02);  // head 2 is noise
    QVERIFY(std::abs((*null)(2, 0).mean - 0.25) < 0.05);
    QCOMPARE((*null)(1, 1).p, 1.0); // among all topics there is nothing to find
    QCOMPARE(match->chance(1), 0.25);
    QCOMPARE(match->chance(10), 1.0);
    const auto again = matchNull(world.input(), *match, {200, 7}, 3, job);
    HEADSCOPE_VERIFY_OK(again);
    for (std::size_t i = 0; i < null->values().size(); ++i)
    {
        QCOMPARE(again->values()[i].p, null->values()[i].p);
        QCOMPARE(again->values()[i].mean, null->values()[i].mean);
    }
}

void TopicNullsTest::pOfShuffledLabelsIsEven()
{
    QFETCH(bool, centroids);
    JobContext job;
    constexpr int kRuns = 120;
    double sum = 0;
    int small = 0;
    double contrastSum = 0;
    int contrastSmall = 0;
    for (std::uint64_t run = 0; run < kRuns; ++run)
    {
        World world({16, 10, 12, 8}, 1.5, 6);
        world.shuffle(100 + run);
        world.prepare({centroids ? TopicVectorKind::Centroids : TopicVectorKind::Names, false});
        const auto match = matchTopics(world.input(), {1}, 1, job);
        HEADSCOPE_VERIFY_OK(match);
        const auto null = matchNull(world.input(), *match, {60, run}, 1, job);
        HEADSCOPE_VERIFY_OK(null);
        sum += (*null)(1, 0).p;
        small += (*null)(1, 0).p <= 0.1 ? 1 : 0;
        const auto heatmap = makeHeatmap(world.input(), {}, 1, job);
        HEADSCOPE_VERIFY_OK(heatmap);
        const auto cells = heatmapNull(world.input(), *heatmap, {60, run}, 1, job);
        HEADSCOPE_VERIFY_OK(cells);
        contrastSum += cells->ofContrast[1].p;
        contrastSmall += cells->ofContrast[1].p <= 0.1 ? 1 : 0;
    }
    QVERIFY2(contrastSum / kRuns > 0.42 && contrastSum / kRuns < 0.59,
             qPrintable(QString::number(contrastSum / kRuns)));
    QVERIFY2(contrastSmall <= 24, qPrintable(QString::number(contrastSmall)));
    // Shares are few whole numbers: ties make p a little larger than even.
    QVERIFY2(sum / kRuns > 0.42 && sum / kRuns < 0.66, qPrintable(QString::number(sum / kRuns)));
    QVERIFY2(small <= 24, qPrintable(QString::number(small))); // 12 expected
}

void TopicNullsTest::exactChanceOfUnequalTopics()
{
    World world({30, 6, 4}, 0, 8);
    JobContext job;
    const auto match = matchTopics(world.input(), {1}, 1, job);
    HEADSCOPE_VERIFY_OK(match);
    const auto null = matchNull(world.input(), *match, {4000, 1}, 2, job);
    HEADSCOPE_VERIFY_OK(null);
    // Expected over all shuffles: of each document the share of documents that have its nearest topic.
    double expected = 0;
    const auto counts = world.labels.counts();
    for (std::int64_t document = 0; document < 40; ++document)
    {
        std::size_t nearest = 0;
        for (std::size_t topic = 1; topic < 3; ++topic)
            if (rowCosine(world.input(), 2, DocumentIndex(document), static_cast<std::int32_t>(topic)) >
                rowCosine(world.input(), 2, DocumentIndex(document), static_cast<std::int32_t>(nearest)))
                nearest = topic;
        expected += static_cast<double>(counts[nearest]) / 40 / 40;
    }
    QVERIFY2(std::abs((*null)(2, 0).mean - expected) < 0.005, qPrintable(QString::number(expected)));
    QVERIFY(std::abs(expected - match->chance(1)) > 0.01); // k / T is not it
}

void TopicNullsTest::aTopicNearToEverythingIsNoSignal()
{
    // Every document of head 2 points to the name of topic 0, whatever its label: the cells of topic 0 are high.
    World world({15, 15, 15}, 1.5, 9);
    std::vector<float> values(world.raw.documents->values().begin(), world.raw.documents->values().end());
    for (std::int64_t document = 0; document < 45; ++document)
        for (std::int64_t d = kDims; d < kHeads * kDims; ++d)
            values[static_cast<std::size_t>(document * kHeads * kDims + d)] +=
                3 * world.raw.topics->values()[static_cast<std::size_t>(d)];
    world.ready.documents = World::vectors(45, std::move(values));
    JobContext job;
    const auto heatmap = makeHeatmap(world.input(), {}, 1, job);
    HEADSCOPE_VERIFY_OK(heatmap);
    const auto statistics = heatmapStatistics(world.input(), *heatmap, 1, job);
    HEADSCOPE_VERIFY_OK(statistics);
    QVERIFY(statistics->eta2[2] > 0.7);
    const auto null = heatmapNull(world.input(), *heatmap, {200, 2}, 2, job);
    HEADSCOPE_VERIFY_OK(null);
    QVERIFY(null->leftOut.empty());
    QVERIFY(null->ofContrast[1].p < 0.006);
    QVERIFY(null->ofContrast[2].p > 0.02);
    QVERIFY(null->ofEta2[2].mean > 0.6); // shuffled labels have it as well
    QVERIFY(null->topTopicKept[2] > 0.99);
    std::vector<double> contrasts(45);
    for (std::int64_t document = 0; document < 45; ++document)
        for (std::int32_t topic = 0; topic < 3; ++topic)
        {
            const bool own = world.labels.codes[static_cast<std::size_t>(document)] == topic;
            contrasts[static_cast<std::size_t>(document)] +=
                rowCosine(world.input(), 1, DocumentIndex(document), topic) * (own ? 1 : -0.5);
        }
    const double contrast = std::accumulate(contrasts.begin(), contrasts.end(), 0.0) / 45;
    QVERIFY(near(null->contrast[1], contrast, 1e-12));
    // Of a mean the jackknife is the textbook's standard error.
    double squares = 0;
    for (const double each : contrasts)
        squares += (each - contrast) * (each - contrast);
    QVERIFY(near(null->contrastCi95[1].low, contrast - 1.959963984540054 * std::sqrt(squares / 44 / 45), 1e-12));
    QVERIFY(near(null->contrastCi95[1].high, contrast + 1.959963984540054 * std::sqrt(squares / 44 / 45), 1e-12));
    int small = 0;
    int holdNothing = 0;
    for (std::uint64_t seed = 20; seed < 40; ++seed)
    {
        World other({15, 15, 15}, 1.5, seed);
        other.prepare({TopicVectorKind::Centroids, false});
        const auto cells = makeHeatmap(other.input(), {}, 1, job);
        HEADSCOPE_VERIFY_OK(cells);
        const auto ofCentroids = heatmapNull(other.input(), *cells, {200, 2}, 2, job);
        HEADSCOPE_VERIFY_OK(ofCentroids);
        QVERIFY(ofCentroids->ofContrast[1].p < 0.006);
        small += ofCentroids->ofContrast[2].p <= 0.1 ? 1 : 0; // 2 of 20 expected
        holdNothing += ofCentroids->contrastCi95[2].low <= 0 && ofCentroids->contrastCi95[2].high >= 0 ? 1 : 0;
        QVERIFY(ofCentroids->contrastCi95[1].low > 0);
    }
    QVERIFY2(holdNothing >= 15, qPrintable(QString::number(holdNothing))); // 19 of 20 expected
    QVERIFY2(small <= 6, qPrintable(QString::number(small)));
}

void TopicNullsTest::contrastWithoutADocument()
{
    // With centroids the interval is that of the contrasts without each document, which no centroid holds then.
    World world({8, 7, 6}, 1.5, 5);
    world.prepare({TopicVectorKind::Centroids, false});
    JobContext job;
    const auto heatmap = makeHeatmap(world.input(), {}, 1, job);
    HEADSCOPE_VERIFY_OK(heatmap);
    const auto null = heatmapNull(world.input(), *heatmap, {0, 2}, 2, job);
    HEADSCOPE_VERIFY_OK(null);
    std::vector<double> without;
    const std::vector<std::int32_t> labels = world.labels.codes;
    for (std::size_t left = 0; left < labels.size(); ++left)
    {
        world.labels.codes = labels;
        world.labels.codes[left] = -1;
        world.prepare({TopicVectorKind::Centroids, false});
        const auto fewer = makeHeatmap(world.input(), {}, 1, job);
        HEADSCOPE_VERIFY_OK(fewer);
        const auto each = heatmapNull(world.input(), *fewer, {0, 2}, 1, job);
        HEADSCOPE_VERIFY_OK(each);
        without.push_back(each->contrast[1]);
    }
    const Interval expected = jackknifeInterval(null->contrast[1], without);
    QVERIFY2(near(null->contrastCi95[1].low, expected.low, 1e-9), qPrintable(QString::number(expected.low)));
    QVERIFY(near(null->contrastCi95[1].high, expected.high, 1e-9));
}

void TopicNullsTest::heatmapWithoutNull()
{
    World world({15, 15, 15}, 1.5, 9);
    JobContext job;
    HeatmapOptions options;
    options.choice = HeatmapChoice::Best;
    options.perTopic = 5;
    const auto heatmap = makeHeatmap(world.input(), options, 1, job);
    const auto null = heatmapNull(world.input(), *heatmap, {200, 2}, 2, job);
    HEADSCOPE_VERIFY_OK(null);
    QVERIFY(null->leftOut.find("nearest") != std::string::npos);
    QVERIFY(std::isnan(null->ofContrast[1].p));
    QVERIFY(std::isfinite(null->contrast[1]));
    QVERIFY(std::isnan(null->contrastCi95[1].low)); // of chosen documents
}

void TopicNullsTest::sinksAreNamed()
{
    World world({6, 6, 6, 6}, 1, 10);
    const TopicFaults none = topicFaults(*world.raw.documents, *world.raw.topics, world.labels);
    QVERIFY(!none.any());
    std::vector<float> names(world.raw.topics->values().begin(), world.raw.topics->values().end());
    for (std::size_t i = 0; i < 2 * kHeads * kDims; ++i)
        names[i] = 1000.0F + names[i]; // topics 0 and 1
    const TopicFaults faults = topicFaults(*world.raw.documents, *World::vectors(4, std::move(names)), world.labels);
    QCOMPARE(faults.tooLong, (std::vector<std::int32_t>{0, 1}));
    QCOMPARE(faults.alike, (std::vector<std::int32_t>{0, 1}));
    QVERIFY(faults.topicLength > 3000 && faults.documentLength < 10);
}

HEADSCOPE_TEST_GUILESS(TopicNullsTest)
#include "tst_topic_nulls.moc"
