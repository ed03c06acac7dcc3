// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/run/token_means.h"

#include "tests/model/net/golden_network.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

using namespace headscope;

namespace
{

const test::GoldenFile& truth()
{
    static const test::GoldenFile file(test::golden("circuits/ablation.h5"));
    return file;
}

/// The reference corpus of a model, some documents a step.
Result<TokenMeans> meansOf(const std::string& model, int threads, const std::vector<std::vector<std::int32_t>>& texts)
{
    JobContext job;
    HEADSCOPE_TRY(const ModelFiles files, openModel(test::golden("models/" + model)));
    ExtractionOptions like;
    like.threads = threads;
    like.stepTokens = 20;
    HEADSCOPE_TRY(const auto extractor,
                  HeadExtractor::create(files, optionsForMeans(like, test::allLayers(files.config)), job));
    std::size_t next = 0;
    const TokenStream stream = [&]() -> Result<std::optional<TokenizedDocument>> {
        if (next == texts.size())
            return std::optional<TokenizedDocument>();
        TokenizedDocument document;
        document.index = static_cast<std::int64_t>(next);
        document.promptTokens = 1; // counts like all others
        document.ids = texts[next++];
        return std::optional(std::move(document));
    };
    return measureTokenMeans(extractor, stream, texts.size(), job);
}

std::vector<std::vector<std::int32_t>> referenceOf(const std::string& model)
{
    const test::VectorGroup group(truth(), model + "/reference");
    std::vector<std::vector<std::int32_t>> texts;
    for (std::int64_t n = 0; n < group.documents(); ++n)
        texts.push_back(group.ids(n));
    return texts;
}

} // namespace

class TestTokenMeans : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void recordedMeans_data();
    void recordedMeans();
    void nothingToAverage();
};

void TestTokenMeans::recordedMeans_data()
{
    QTest::addColumn<QString>("model");
    for (const char* model : {"mistral_f32", "qwen3_f32", "llama_mha", "mistral_mqa", "bert_f32"})
        QTest::newRow(model) << QString::fromLatin1(model);
}

void TestTokenMeans::recordedMeans()
{
    QFETCH(const QString, model);
    auto texts = referenceOf(model.toStdString());
    const auto found = meansOf(model.toStdString(), 1, texts);
    HEADSCOPE_VERIFY_OK(found);
    const auto expected = truth().floats(model.toStdString() + "/reference/mean"); // [L, H, Dh]
    QCOMPARE(found->means.values().size(), expected.size());
    const auto dims = static_cast<std::size_t>(truth().shape(model.toStdString() + "/reference/mean")[2]);
    for (std::size_t at = 0; at < expected.size(); at += dims)
        QVERIFY(test::rowError(std::span(found->means.values()).subspan(at, dims),
                               std::span(expected).subspan(at, dims)) <= 1e-4);
    QCOMPARE(found->documents, std::ssize(texts));
    for (const int threads : {2, 3})
    {
        const auto again = meansOf(model.toStdString(), threads, texts);
        HEADSCOPE_VERIFY_OK(again);
        QCOMPARE(again->means, found->means);
        QCOMPARE(again->digest, found->digest);
    }
    // A head's part of a layer.
    const std::vector<HeadIndex> heads = {HeadIndex(1), HeadIndex(2)};
    const auto part = found->of(1, heads, static_cast<std::int64_t>(dims));
    QCOMPARE(part.size(), 2 * dims);
    QCOMPARE(part[dims], found->means(1, static_cast<std::int64_t>(2 * dims)));
    QVERIFY(found->of(99, heads, static_cast<std::int64_t>(dims)).empty());
    // The digest tells where documents end.
    texts[1].insert(texts[1].begin(), texts[0].back());
    texts[0].pop_back();
    const auto other = meansOf(model.toStdString(), 1, texts);
    HEADSCOPE_VERIFY_OK(other);
    QCOMPARE(other->tokens, found->tokens);
    QVERIFY(other->digest != found->digest);
}

void TestTokenMeans::nothingToAverage()
{
    HEADSCOPE_VERIFY_ERROR(meansOf("mistral_f32", 1, {{}, {}}), ErrorCode::InvalidArgument, "at least one token");
}

HEADSCOPE_TEST_GUILESS(TestTokenMeans)
#include "tst_token_means.moc"
