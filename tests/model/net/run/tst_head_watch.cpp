// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/run/head_watch.h"

#include "tests/model/net/golden_network.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <cmath>
#include <numeric>

using namespace headscope;

namespace
{

const test::GoldenFile& truth()
{
    static const test::GoldenFile file(test::golden("circuits/ablation.h5"));
    return file;
}

std::vector<std::vector<std::int32_t>> referenceOf(const std::string& model)
{
    const test::VectorGroup group(truth(), model + "/reference");
    std::vector<std::vector<std::int32_t>> texts;
    for (std::int64_t n = 0; n < group.documents(); ++n)
        texts.push_back(group.ids(n));
    return texts;
}

/// Enough of them for many steps.
std::vector<std::vector<std::int32_t>> manyTexts()
{
    std::vector<std::vector<std::int32_t>> texts;
    const auto once = referenceOf("mistral_f32");
    for (int round = 0; round < 12; ++round)
        texts.insert(texts.end(), once.begin(), once.end());
    return texts;
}

/// A head over texts, some documents a step.
struct Watched
{
    LayerIndex layer{1};
    HeadIndex head{2};
    int threads = 1;
    std::size_t failAt = 1000; ///< a document that the sink refuses
    std::size_t stopAt = 1000; ///< one at which it asks to stop

    std::vector<WatchedDocument> documents = {};

    Status run(const std::string& model, const std::vector<std::vector<std::int32_t>>& texts, std::size_t first = 0)
    {
        std::stop_source stop;
        JobContext job(stop.get_token());
        HEADSCOPE_TRY(const ModelFiles files, openModel(test::golden("models/" + model)));
        ExtractionOptions options;
        options.stages = {Stage::HeadOutput};
        options.layers = {1};
        options.threads = threads;
        options.stepTokens = 20;
        HEADSCOPE_TRY(const auto extractor, HeadExtractor::create(files, options, job));
        std::size_t next = first;
        const TokenStream stream = [&]() -> Result<std::optional<TokenizedDocument>> {
            if (next == texts.size())
                return std::optional<TokenizedDocument>();
            TokenizedDocument document;
            document.index = static_cast<std::int64_t>(next);
            document.ids = texts[next++];
            return std::optional(std::move(document));
        };
        const WatchSink sink = [&](std::vector<WatchedDocument>& step) -> Status {
            for (WatchedDocument& each : step)
            {
                const auto index = static_cast<std::size_t>(each.document.index);
                if (index == failAt)
                    return Error{ErrorCode::Resource, "the disk is full", {}, {}};
                if (index == stopAt)
                    stop.request_stop();
                documents.push_back(std::move(each));
            }
            m_steps.push_back(documents.size());
            return {};
        };
        return extractor.watchDocuments(stream, layer, head, sink, job);
    }
    /// Documents that were there after each step.
    std::vector<std::size_t> m_steps = {};
};

} // namespace

class TestHeadWatch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void recordedMeansAndWeights_data();
    void recordedMeansAndWeights();
    void goesOnWhereAStepEnded();
    void documentsWithoutTokens();
    void failuresAndStops();
    void headsThatAreNotThere();
};

void TestHeadWatch::recordedMeansAndWeights_data()
{
    QTest::addColumn<QString>("model");
    for (const char* model : {"mistral_f32", "qwen3_f32", "llama_mha", "mistral_mqa", "bert_f32"})
        QTest::newRow(model) << QString::fromLatin1(model);
}

/// The mean of its outputs is the recorded one; the weights of every token sum to 1; documents come in their order,
/// with the same bits on any number of threads.
void TestHeadWatch::recordedMeansAndWeights()
{
    QFETCH(const QString, model);
    const auto texts = referenceOf(model.toStdString());
    Watched watched;
    HEADSCOPE_VERIFY_OK(watched.run(model.toStdString(), texts));
    QCOMPARE(watched.documents.size(), texts.size());
    const auto expected = truth().floats(model.toStdString() + "/reference/mean"); // [L, H, Dh]
    const auto shape = truth().shape(model.toStdString() + "/reference/mean");
    std::vector<double> sums(static_cast<std::size_t>(shape[2]), 0.0);
    double tokens = 0;
    for (std::size_t n = 0; n < texts.size(); ++n)
    {
        const WatchedDocument& each = watched.documents[n];
        QCOMPARE(each.document.index, static_cast<std::int64_t>(n));
        QCOMPARE(each.z.rows(), std::ssize(texts[n]));
        QCOMPARE(each.weights.rows(), std::ssize(texts[n]));
        for (std::int64_t t = 0; t < each.z.rows(); ++t, ++tokens)
        {
            for (std::size_t d = 0; d < sums.size(); ++d)
                sums[d] += static_cast<double>(each.z.row(t)[d]);
            const auto row = each.weights.row(t);
            QVERIFY(std::abs(std::accumulate(row.begin(), row.end(), 0.0) - 1) < 1e-4);
        }
    }
    std::vector<float> means;
    for (const double sum : sums)
        means.push_back(static_cast<float>(sum / tokens));
    const std::size_t at = static_cast<std::size_t>((1 * shape[1] + 2) * shape[2]);
    QVERIFY(test::rowError(means, std::span(expected).subspan(at, sums.size())) <= 1e-4);
    for (const int threads : {2, 3})
    {
        Watched again{.threads = threads};
        HEADSCOPE_VERIFY_OK(again.run(model.toStdString(), texts));
        QCOMPARE(again.m_steps, watched.m_steps);
        for (std::size_t n = 0; n < texts.size(); ++n)
        {
            QVERIFY(again.documents[n].q == watched.documents[n].q);
            QVERIFY(again.documents[n].k == watched.documents[n].k);
            QVERIFY(again.documents[n].z == watched.documents[n].z);
            QVERIFY(again.documents[n].weights == watched.documents[n].weights);
        }
    }
}

void TestHeadWatch::goesOnWhereAStepEnded()
{
    const auto texts = manyTexts();
    Watched whole;
    HEADSCOPE_VERIFY_OK(whole.run("mistral_f32", texts));
    QVERIFY(whole.m_steps.size() > 2);
    const std::size_t first = whole.m_steps[1];
    Watched rest;
    HEADSCOPE_VERIFY_OK(rest.run("mistral_f32", texts, first));
    QCOMPARE(rest.documents.size(), texts.size() - first);
    for (std::size_t n = first; n < texts.size(); ++n)
    {
        QVERIFY(rest.documents[n - first].z == whole.documents[n].z);
        QVERIFY(rest.documents[n - first].weights == whole.documents[n].weights);
    }
}

void TestHeadWatch::documentsWithoutTokens()
{
    Watched watched;
    HEADSCOPE_VERIFY_OK(watched.run("mistral_f32", {{}, {5, 6, 7}, {}}));
    QCOMPARE(watched.documents.size(), std::size_t{3});
    QCOMPARE(watched.documents[0].z.rows(), 0);
    QCOMPARE(watched.documents[1].z.rows(), 3);
    Watched none;
    HEADSCOPE_VERIFY_OK(none.run("mistral_f32", {{}, {}}));
    QCOMPARE(none.documents.size(), std::size_t{2});
}

void TestHeadWatch::failuresAndStops()
{
    const auto texts = manyTexts();
    for (const int threads : {1, 3})
    {
        Watched failing{.threads = threads, .failAt = texts.size() / 2};
        HEADSCOPE_VERIFY_ERROR(failing.run("mistral_f32", texts), ErrorCode::Resource, "the disk is full");
        QVERIFY(failing.documents.size() <= texts.size() / 2);
        Watched stopped{.threads = threads, .stopAt = 1};
        const Status status = stopped.run("mistral_f32", texts);
        QVERIFY(!status && status.error().code == ErrorCode::Cancelled);
        QVERIFY(stopped.documents.size() < texts.size());
    }
    Watched ids;
    HEADSCOPE_VERIFY_ERROR(ids.run("mistral_f32", {{1, 2}, {999'999}}), ErrorCode::InvalidArgument, "token id");
}

void TestHeadWatch::headsThatAreNotThere()
{
    Watched layer{.layer = LayerIndex(2)};
    HEADSCOPE_VERIFY_ERROR(layer.run("mistral_f32", {{1}}), ErrorCode::WrongUse, "expected layers 0 to 1");
    Watched head{.head = HeadIndex(8)};
    HEADSCOPE_VERIFY_ERROR(head.run("mistral_f32", {{1}}), ErrorCode::WrongUse, "expected heads 1 to 8, found 9");
}

HEADSCOPE_TEST_GUILESS(TestHeadWatch)
#include "tst_head_watch.moc"
