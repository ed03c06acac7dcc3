// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/topics/topics.h"
#include "tests/support/golden_file.h"
#include "tests/support/memory_limit.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace headscope;

namespace
{

const test::GoldenFile& truth()
{
    static const test::GoldenFile file(test::golden("analysis/topics.h5"));
    return file;
}

/// One of the two synthetic caches of the golden file; full vectors are the heads in a row.
struct Cache
{
    explicit Cache(const std::string& name) : group(name)
    {
        documents = load("heads");
        topics = load("topics");
        const auto codes = truth().integers(group + "/cache/label");
        labels.name = "topic";
        labels.codes.assign(codes.begin(), codes.end());
        for (std::int64_t t = 0; t < topics.documents(); ++t)
            labels.categories.push_back("topic " + std::to_string(t));
        const auto order = truth().integers(group + "/cache/topic_order");
        options.topics.assign(order.begin(), order.end());
    }

    [[nodiscard]] HeadVectors load(const std::string& name) const
    {
        const auto shape = truth().shape(group + "/cache/" + name);
        return {Stage::HeadOutput, LayerIndex(0), shape[0],
                shape[1],          shape[2],      truth().floats(group + "/cache/" + name)};
    }
    [[nodiscard]] static ConstMatrixView whole(const HeadVectors& vectors)
    {
        return {vectors.values().data(), vectors.documents(), vectors.heads() * vectors.dims()};
    }
    [[nodiscard]] TopicInput input() const
    {
        return {&documents, &topics, whole(documents), whole(topics), &labels, "heads concatenated"};
    }
    [[nodiscard]] std::int64_t limit() const { return truth().integers(group + "/heatmap/top_n/n")[0]; }

    std::string group;
    HeadVectors documents;
    HeadVectors topics;
    LabelColumn labels;
    HeatmapOptions options;
};

void addCaches()
{
    QTest::addColumn<QString>("cache");
    QTest::newRow("a") << QStringLiteral("a");
    QTest::newRow("b") << QStringLiteral("b");
}

std::vector<double> doubles(const MatrixF& values)
{
    return {values.values().begin(), values.values().end()};
}

template <class T>
std::vector<std::int64_t> integers(const std::vector<T>& values)
{
    return {values.begin(), values.end()};
}

} // namespace

class TopicsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void goldenHeatmap_data();
    void goldenHeatmap();
    void goldenSimilarity_data() { addCaches(); }
    void goldenSimilarity();
    void goldenMatch_data() { addCaches(); }
    void goldenMatch();
    void sortedByHeadOrNotAtAll();
    void sampledAndDefaultTopics();
    void zeroAndBrokenVectors();
    void refusals();
    void rankCorrelation();
};

void TopicsTest::goldenHeatmap_data()
{
    QTest::addColumn<QString>("cache");
    QTest::addColumn<QString>("name");
    for (const char* cache : {"a", "b"})
    {
        for (const char* name : {"top_n", "all", "first_n"})
            QTest::addRow("%s %s", cache, name) << QString::fromLatin1(cache) << QString::fromLatin1(name);
    }
}

void TopicsTest::goldenHeatmap()
{
    QFETCH(QString, cache);
    QFETCH(QString, name);
    Cache data(cache.toStdString());
    const std::string group = data.group + "/heatmap/" + name.toStdString();
    data.options.perTopic = name == QStringLiteral("all") ? 1'000'000 : data.limit();
    data.options.choice = name == QStringLiteral("top_n") ? HeatmapChoice::Best : HeatmapChoice::First;
    JobContext job;
    const auto found = makeHeatmap(data.input(), data.options, 2, job);
    HEADSCOPE_VERIFY_OK(found);
    QCOMPARE(integers(found->document), truth().integers(group + "/document"));
    QCOMPARE(integers(found->topic), truth().integers(group + "/topic"));
    QVERIFY(test::absmax(doubles(found->values), truth().doubles(group + "/values")) <= 1e-5);
    const auto statistics = heatmapStatistics(data.input(), *found, 2, job);
    HEADSCOPE_VERIFY_OK(statistics);
    QVERIFY(test::absmax(statistics->mean, truth().doubles(group + "/mean")) <= 1e-12);
    QVERIFY(test::absmax(statistics->sd, truth().doubles(group + "/sd")) <= 1e-12);
    QVERIFY(test::absmax(statistics->eta2, truth().doubles(group + "/eta2")) <= 1e-11);
    QVERIFY(test::absmax(statistics->spearman.values(), truth().doubles(group + "/spearman")) <= 1e-10);
    QVERIFY(test::absmax(statistics->spearmanMean, truth().doubles(group + "/spearman_mean")) <= 1e-10);
}

void TopicsTest::goldenSimilarity()
{
    QFETCH(QString, cache);
    const Cache data(cache.toStdString());
    const auto full = topicSimilarity(Cache::whole(data.topics), data.labels.categories);
    HEADSCOPE_VERIFY_OK(full);
    QVERIFY(test::absmax(full->values.values(), truth().doubles(data.group + "/topic_similarity")) <= 1e-12);
    std::vector<double> heads;
    for (std::int64_t h = 0; h < data.topics.heads(); ++h)
    {
        const auto own = topicSimilarity(data.topics.head(HeadIndex(h)), data.labels.categories);
        HEADSCOPE_VERIFY_OK(own);
        heads.insert(heads.end(), own->values.values().begin(), own->values.values().end());
    }
    QVERIFY(test::absmax(heads, truth().doubles(data.group + "/topic_similarity_heads")) <= 1e-12);
}

void TopicsTest::goldenMatch()
{
    QFETCH(QString, cache);
    const Cache data(cache.toStdString());
    JobContext job;
    const std::string group = data.group + "/match";
    for (const int threads : {1, 3})
    {
        const auto found = matchTopics(data.input(), truth().integers(group + "/k"), threads, job);
        HEADSCOPE_VERIFY_OK(found);
        QCOMPARE(found->documents, truth().integers(group + "/labelled")[0]);
        QCOMPARE(found->hits.values(), truth().integers(group + "/hits"));
        QVERIFY(test::absmax(found->share.values(), truth().doubles(group + "/share")) <= 1e-12);
    }
}

void TopicsTest::sortedByHeadOrNotAtAll()
{
    Cache data("a");
    JobContext job;
    data.options.order = ColumnOrder::byHead(HeadIndex(3));
    const auto byHead = makeHeatmap(data.input(), data.options, 1, job);
    HEADSCOPE_VERIFY_OK(byHead);
    for (std::size_t t = 0; t < byHead->topicOrder.size(); ++t)
    {
        for (std::int64_t c = byHead->topicStart[t] + 1; c < byHead->topicStart[t + 1]; ++c)
            QVERIFY(byHead->values(4, c) <= byHead->values(4, c - 1));
    }
    data.options.order = {ColumnOrder::By::Index, {}};
    const auto asTheyAre = makeHeatmap(data.input(), data.options, 1, job);
    HEADSCOPE_VERIFY_OK(asTheyAre);
    for (std::size_t t = 0; t < asTheyAre->topicOrder.size(); ++t)
    {
        for (std::int64_t c = asTheyAre->topicStart[t] + 1; c < asTheyAre->topicStart[t + 1]; ++c)
            QVERIFY(asTheyAre->document[static_cast<std::size_t>(c)] >
                    asTheyAre->document[static_cast<std::size_t>(c) - 1]);
    }
}

void TopicsTest::sampledAndDefaultTopics()
{
    Cache data("b");
    JobContext job;
    data.options.topics = {};
    data.options.perTopic = 3;
    data.options.choice = HeatmapChoice::Sample;
    const auto one = makeHeatmap(data.input(), data.options, 1, job);
    HEADSCOPE_VERIFY_OK(one);
    QCOMPARE(one->topicOrder.size(), std::size_t{8});
    QVERIFY(std::is_sorted(one->topicOrder.begin(), one->topicOrder.end()));
    QVERIFY(makeHeatmap(data.input(), data.options, 1, job)->document == one->document);
    data.options.seed = 2;
    QVERIFY(makeHeatmap(data.input(), data.options, 1, job)->document != one->document);
}

void TopicsTest::zeroAndBrokenVectors()
{
    Cache data("a");
    const auto first = static_cast<std::int64_t>(
        std::find(data.labels.codes.begin(), data.labels.codes.end(), data.options.topics[0]) -
        data.labels.codes.begin());
    std::vector<float> values(data.documents.values().begin(), data.documents.values().end());
    const std::int64_t width = data.documents.heads() * data.documents.dims();
    const std::int64_t dims = data.documents.dims();
    std::fill_n(values.begin() + first * width, dims, 0.0F); // head 0 of the first document
    values[static_cast<std::size_t>(first * width + dims)] = std::numeric_limits<float>::quiet_NaN(); // head 1
    data.documents = HeadVectors(Stage::HeadOutput, LayerIndex(0), data.documents.documents(), data.documents.heads(),
                                 dims, std::move(values));
    JobContext job;
    data.options.perTopic = 1'000'000;
    const auto found = makeHeatmap(data.input(), data.options, 2, job);
    HEADSCOPE_VERIFY_OK(found);
    const std::int64_t last = found->topicStart[1] - 1; // its full vector holds a NaN: sorted last
    QCOMPARE(std::int64_t{found->document[static_cast<std::size_t>(last)]}, first);
    for (const std::int64_t row : {0, 1, 2})
        QVERIFY(std::isnan(found->values(row, last)));
    QVERIFY(!std::isnan(found->values(3, last)));
    const auto statistics = heatmapStatistics(data.input(), *found, 2, job);
    HEADSCOPE_VERIFY_OK(statistics);
    QVERIFY(std::isfinite(statistics->mean[1]));
    const auto all = matchTopics(data.input(), {1000}, 2, job);
    HEADSCOPE_VERIFY_OK(all);
    QCOMPARE(all->hits(1, 0), all->documents - 1); // without a direction there is no hit, even among all
    QCOMPARE(all->hits(4, 0), all->documents);
}

void TopicsTest::refusals()
{
    Cache data("a");
    JobContext job;
    const auto fails = [&](const HeatmapOptions& options) { return makeHeatmap(data.input(), options, 1, job); };
    HeatmapOptions options = data.options;
    options.perTopic = 0;
    HEADSCOPE_VERIFY_ERROR(fails(options), ErrorCode::WrongUse, "at least 1 document per topic");
    options = data.options;
    options.order = ColumnOrder::byHead(HeadIndex(8));
    HEADSCOPE_VERIFY_ERROR(fails(options), ErrorCode::InvalidArgument, "a head from 1 to 8");
    options = data.options;
    options.topics = {6};
    HEADSCOPE_VERIFY_ERROR(fails(options), ErrorCode::InvalidArgument, "none for topic 6");
    HEADSCOPE_VERIFY_ERROR(matchTopics(data.input(), {0}, 1, job), ErrorCode::WrongUse, "at least 1");
    Cache none("a");
    std::fill(none.labels.codes.begin(), none.labels.codes.end(), -1);
    HEADSCOPE_VERIFY_ERROR(matchTopics(none.input(), {1}, 1, job), ErrorCode::InvalidArgument, "\"topic\", found none");
    HEADSCOPE_VERIFY_ERROR(makeHeatmap(none.input(), none.options, 1, job), ErrorCode::InvalidArgument, "found none");
    none.labels.codes.pop_back();
    HEADSCOPE_VERIFY_ERROR(matchTopics(none.input(), {1}, 1, job), ErrorCode::ShapeMismatch, "240 documents");
    HEADSCOPE_VERIFY_ERROR(topicSimilarity(Cache::whole(data.topics), {"one"}), ErrorCode::ShapeMismatch, "6 topics");
    const MatrixF many(20'000, 1);
    const test::MemoryLimit limit(500'000'000);
    HEADSCOPE_VERIFY_ERROR(topicSimilarity(many.view(), std::vector<std::string>(20'000)), ErrorCode::OutOfMemory,
                           "the similarity of 20000 topics with each other needs about 3.20 GB of memory");
}

void TopicsTest::rankCorrelation()
{
    const std::vector<double> a = {1, 2, 2, 3};
    const std::vector<double> b = {10, 20, 20, 40};
    const std::vector<double> c = {4, 3, 2, 1};
    QCOMPARE(spearman(a, b), 1.0);
    QVERIFY(std::abs(spearman(a, c) + 0.9486832980505138) < 1e-12);
    QVERIFY(std::isnan(spearman(std::vector<double>{1, 1}, std::vector<double>{1, 2})));
    QVERIFY(std::isnan(spearman({}, {})));
}

HEADSCOPE_TEST_GUILESS(TopicsTest)
#include "tst_topics.moc"
