// SPDX-License-Identifier: GPL-3.0-or-later
// headscope-engine attention --corpus --activations: against the attention of single texts, and when it is interrupted.
#include "model/io/cache/cache_reader.h"
#include "model/io/results/attention/head_corpus_file.h"
#include "tests/app/engine/document_texts.h"
#include "tests/app/engine/engine_run.h"
#include "tests/support/golden_file.h"
#include "tests/support/named_point.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QJsonArray>
#include <QProcess>
#include <QTemporaryDir>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <numeric>

using namespace headscope;
using namespace headscope::test;
namespace fs = std::filesystem;

namespace
{

/// Some texts are empty.
void writeTexts(const fs::path& path, int documents, const std::string& last = "The last text")
{
    const auto isEmpty = [](int i) { return i % 11 == 5; };
    DocumentTexts texts{.end = documents, .lengths = 23, .starts = {{documents - 1, last}}};
    for (int i = 0; i < documents; ++i)
        if (isEmpty(i))
            texts.starts[i].clear();
    texts.more = [](int i) { return std::string(", \"part\": \"") + (i % 2 == 0 ? "even" : "odd") + '"'; };
    texts.piece = [isEmpty](int i, int k) {
        constexpr std::array kWords = {" the cat", " sat", " on a mat", " and the dog", " saw it", ", quietly"};
        return std::string(isEmpty(i) ? "" : kWords[static_cast<std::size_t>((i + k * k) % 6)]);
    };
    writeFile(path, texts.lines());
}

double largestDifference(std::span<const float> a, std::span<const float> b)
{
    double largest = a.size() == b.size() ? 0 : INFINITY;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        largest = std::max(largest, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
    return largest;
}

} // namespace

class TestEngineHeadCorpus : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        writeTexts(file("few.jsonl"), 60);
        writeTexts(file("many.jsonl"), kMany);
        writeTexts(file("other.jsonl"), kMany, "Another text");
    }
    void asOfSingleTexts_data();
    void asOfSingleTexts();
    void sameOnAnyThreads();
    void documentsOfACache();
    void anotherModelThanTheCaches();
    void killedRunsGoOnToTheSameBytes();
    void stoppedRunGoesOn();
    void otherRunsAreRefused();
    void damagedRunStartsAnew();
    void printed();
    void wrongUse_data();
    void wrongUse();

private:
    static constexpr int kMany = 3000;

    ProcessOutcome head(const std::string& model, const QStringList& options) const
    {
        return runEngine(QStringList{"attention", text(golden("models/" + model))} + options);
    }
    /// Starts a run of many documents in a folder of its own, whose files and command are the same in all of them.
    void startMany(QProcess& engine, const QString& folder, const QStringList& more = {},
                   const QString& texts = "many.jsonl") const
    {
        QDir(m_folder.path()).mkpath(folder);
        engine.setWorkingDirectory(m_folder.filePath(folder));
        engine.start(text(program("headscope-engine")),
                     QStringList{"attention", text(golden("models/mistral_f32")), "--corpus", "../" + texts,
                                 "--activations", "2:3", "--sample-tokens", "700", "-o", "h.h5", "--threads", "2",
                                 "--json"} +
                         more);
    }
    [[nodiscard]] ProcessOutcome many(const QString& folder, const QStringList& more = {},
                                      const QString& texts = "many.jsonl") const
    {
        QProcess engine;
        startMany(engine, folder, more, texts);
        return outcomeOf(engine);
    }
    [[nodiscard]] fs::path file(const std::string& name) const
    {
        return fs::path(m_folder.path().toStdString()) / name;
    }
    [[nodiscard]] HeadCorpus read(const std::string& name) const
    {
        JobContext job;
        auto found = readHeadCorpus(file(name), job);
        if (!found)
            qFatal("%s", found.error().sentence().c_str());
        return std::move(found->corpus);
    }
    /// Starts a run, and ends it by a signal once it has kept something.
    void interrupt(const QString& folder, int signal) const
    {
        QProcess engine;
        engine.setProcessEnvironment(heldAt({.kind = NamedPoint::Kind::Rename, .text = QStringLiteral("h.h5.run")}));
        startMany(engine, folder);
        QVERIFY(waitUntilHeld(engine));
        QVERIFY(fs::exists(file(folder.toStdString() + "/h.h5.run")));
        QVERIFY(goOn(engine, signal));
        QVERIFY(engine.waitForFinished(kPatienceMs));
        QVERIFY(!fs::exists(file(folder.toStdString() + "/h.h5")));
    }
    [[nodiscard]] std::string wholeRun()
    {
        if (m_whole.empty())
        {
            const auto outcome = many("whole");
            if (outcome.exitCode != 0)
                qFatal("%s", outcome.err.constData());
            m_whole = contents(file("whole/h.h5"));
        }
        return m_whole;
    }

    QTemporaryDir m_folder;
    std::string m_whole;
};

void TestEngineHeadCorpus::asOfSingleTexts_data()
{
    QTest::addColumn<std::string>("model");
    for (const char* model : {"mistral_f32", "mistral_window", "qwen3_f32", "llama_mha", "bert_f32"})
        QTest::newRow(model) << std::string(model);
}

/// Every token's numbers are those of `attention --qkv` of its document alone, up to what packing changes in last bits.
void TestEngineHeadCorpus::asOfSingleTexts()
{
    QFETCH(std::string, model);
    const auto outcome = head(model, {"--corpus", text(file("few.jsonl")), "--activations", "1:2", "--sample-tokens",
                                      "300", "-o", text(file("few.h5")), "--overwrite", "--json"});
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    const HeadCorpus corpus = read("few.h5");
    QCOMPARE(corpus.documentCount(), 60);
    QCOMPARE(corpus.sampled.size(), std::min<std::size_t>(300, corpus.ids.size()));
    QCOMPARE(jsonOf(outcome)["tokens"].toInteger(), corpus.tokenCount());
    QVERIFY(!fs::exists(file("few.h5.run")));
    std::size_t compared = 0;
    for (const std::size_t document : {0, 1, 17, 59})
    {
        QStringList ids;
        for (auto t = corpus.offsets[document]; t < corpus.offsets[document + 1]; ++t)
            ids << QString::number(corpus.ids[static_cast<std::size_t>(t)]);
        const auto single = head(
            model, {"--ids", ids.join(u','), "--layers", "1", "--qkv", "1", "-o", text(file("one.h5")), "--overwrite"});
        QVERIFY2(single.exitCode == 0, single.err.constData());
        const GoldenFile found(file("one.h5"));
        const auto shape = found.shape("qkv/z"); // [H, T, Dh]
        const auto tokens = static_cast<std::size_t>(shape[1]), dims = static_cast<std::size_t>(shape[2]);
        const std::size_t h = 1, g = h / static_cast<std::size_t>(shape[0] / found.shape("qkv/k")[0]);
        const auto z = found.floats("qkv/z"), q = found.floats("qkv/q"), k = found.floats("qkv/k");
        const auto weights = found.floats("attention/weights"); // [1, H, T, T]
        for (std::size_t t = 0; t < tokens; ++t)
        {
            const auto at = static_cast<std::size_t>(corpus.offsets[document]) + t;
            const std::span vector(z.data() + (h * tokens + t) * dims, dims);
            const double length = std::sqrt(std::inner_product(vector.begin(), vector.end(), vector.begin(), 0.0));
            QVERIFY(std::abs(static_cast<double>(corpus.activations[at]) - length) < 1e-5);
            const std::span row(weights.data() + (h * tokens + t) * tokens, tokens);
            QVERIFY(std::abs(corpus.firstWeights[at] - row.front()) < 1e-5F);
            QVERIFY(std::abs(corpus.strongestWeights[at] - *std::ranges::max_element(row)) < 1e-5F);
            QVERIFY(row[static_cast<std::size_t>(corpus.strongest[at])] > *std::ranges::max_element(row) - 1e-5F);
            const auto sampled = std::ranges::lower_bound(corpus.sampled, static_cast<std::int64_t>(at));
            if (sampled == corpus.sampled.end() || *sampled != static_cast<std::int64_t>(at))
                continue;
            ++compared;
            const auto place = sampled - corpus.sampled.begin();
            QVERIFY(largestDifference(corpus.z.row(place), vector) < 1e-5);
            QVERIFY(largestDifference(corpus.q.row(place), std::span(q).subspan((h * tokens + t) * dims, dims)) < 1e-4);
            QVERIFY(largestDifference(corpus.k.row(place), std::span(k).subspan((g * tokens + t) * dims, dims)) < 1e-4);
        }
        for (const auto& decile : corpus.deciles)
            for (const HeadExample& each : decile)
                if (corpus.placeOf(each.token).document.index() == document)
                {
                    const auto t = static_cast<std::size_t>(corpus.placeOf(each.token).token.value());
                    QVERIFY(largestDifference(each.weights,
                                              std::span(weights).subspan((h * tokens + t) * tokens, tokens)) < 1e-5);
                }
    }
    QVERIFY(compared > 0);
    const auto deciles = decilesOf(corpus.activations);
    for (std::size_t decile = 0; decile < kDeciles; ++decile)
    {
        QCOMPARE(corpus.deciles[decile].size(), std::size_t{5});
        for (const HeadExample& each : corpus.deciles[decile])
        {
            QCOMPARE(std::size_t{deciles[static_cast<std::size_t>(each.token)]}, decile);
            const auto at = static_cast<std::size_t>(each.token);
            QCOMPARE(*std::ranges::max_element(each.weights), corpus.strongestWeights[at]);
            QVERIFY(std::abs(std::accumulate(each.weights.begin(), each.weights.end(), 0.0) - 1) < 1e-4);
        }
    }
    QCOMPARE(corpus.top.size(), std::size_t{24});
    QCOMPARE(corpus.activations[static_cast<std::size_t>(corpus.top.front().token)],
             *std::ranges::max_element(corpus.activations));
}

void TestEngineHeadCorpus::sameOnAnyThreads()
{
    HeadCorpus first;
    for (const char* threads : {"1", "2", "3"})
    {
        const auto outcome = head("qwen2_f32", {"--corpus", text(file("few.jsonl")), "--activations", "1:2", "-o",
                                                text(file("threads.h5")), "--overwrite", "--threads", threads});
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        HeadCorpus found = read("threads.h5");
        if (first.ids.empty())
            first = found;
        QCOMPARE(found.activations, first.activations);
        QCOMPARE(found.strongest, first.strongest);
        QCOMPARE(found.sampled, first.sampled);
        QVERIFY(found.q == first.q && found.k == first.k && found.z == first.z);
        QVERIFY(found.top == first.top);
        QVERIFY(found.deciles == first.deciles);
    }
}

/// They become tokens as they did when the cache was made, and keep its rows.
void TestEngineHeadCorpus::documentsOfACache()
{
    const auto made = runEngine({"extract", text(golden("models/mistral_f32")), text(file("few.jsonl")), "-o",
                                 text(file("c.h5")), "--prompt", "Say: ", "--max-tokens", "17", "--eos", "never",
                                 "--layers", "1", "--stages", "1", "--pooling", "last"});
    QVERIFY2(made.exitCode == 0, made.err.constData());
    const auto outcome = head("mistral_f32", {"--corpus", text(file("c.h5")), "--activations", "1:2", "-o",
                                              text(file("ofcache.h5")), "--json"});
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    const HeadCorpus found = read("ofcache.h5");
    const auto cache = CacheReader::open(file("c.h5"));
    HEADSCOPE_VERIFY_OK(cache);
    JobContext job;
    const auto documents = (*cache)->documents(job);
    HEADSCOPE_VERIFY_OK(documents);
    QCOMPARE(found.source.cacheIdentity, (*cache)->info().identity);
    QCOMPARE(found.source.prompt, std::string("Say: "));
    QCOMPARE(found.source.maxTokens, 17);
    QCOMPARE(found.source.eos, std::string("never"));
    QCOMPARE(found.documents, (*documents)->ids);
    for (std::size_t i = 0; i < found.documents.size(); ++i)
        QCOMPARE(found.tokensOf(DocumentIndex(static_cast<std::int64_t>(i))), std::int64_t{(*documents)->tokens[i]});
    // The vector of the last token is the cache's own.
    const auto vectors = (*cache)->load(LayerIndex(1), Stage::HeadOutput, {}, job);
    HEADSCOPE_VERIFY_OK(vectors);
    const auto other = head("mistral_f32", {"--corpus", text(file("c.h5")), "--activations", "1:2", "--max-tokens",
                                            "16", "-o", text(file("other.h5"))});
    HEADSCOPE_VERIFY_FAILED(other, 3, "expected 17, with which the documents of the cache were tokenized, found 16");
}

void TestEngineHeadCorpus::anotherModelThanTheCaches()
{
    QVERIFY(fs::exists(file("c.h5")));
    HEADSCOPE_VERIFY_FAILED(
        head("llama_mha", {"--corpus", text(file("c.h5")), "--activations", "1:2", "-o", text(file("other.h5"))}), 3,
        "expected the model that the cache was made with");
    const auto ablated = runEngine({"extract", text(golden("models/mistral_f32")), text(file("few.jsonl")), "-o",
                                    text(file("off.h5")), "--ablate", "0:1", "--layers", "1"});
    QVERIFY2(ablated.exitCode == 0, ablated.err.constData());
    HEADSCOPE_VERIFY_FAILED(
        head("mistral_f32", {"--corpus", text(file("off.h5")), "--activations", "1:2", "-o", text(file("other.h5"))}),
        3, "found a cache of a model with head 1 of layer 0 ablated (zero)");
}

void TestEngineHeadCorpus::killedRunsGoOnToTheSameBytes()
{
    const std::string whole = wholeRun();
    QVERIFY(whole.size() > 500'000);
    interrupt("killed", SIGKILL);
    const auto outcome = many("killed");
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    QVERIFY2(outcome.err.contains("documents of an earlier run"), outcome.err.constData());
    QVERIFY(jsonOf(outcome)["resumed"].toInt() > 0);
    QVERIFY(contents(file("killed/h.h5")) == whole);
    QVERIFY(!fs::exists(file("killed/h.h5.run")));
}

void TestEngineHeadCorpus::stoppedRunGoesOn()
{
    const std::string whole = wholeRun();
    for (const int signal : {SIGINT, SIGTERM})
    {
        const QString folder = QStringLiteral("stopped%1").arg(signal);
        interrupt(folder, signal);
        const auto outcome = many(folder);
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        QVERIFY(jsonOf(outcome)["resumed"].toInt() > 0);
        QVERIFY(contents(file(folder.toStdString() + "/h.h5")) == whole);
    }
}

void TestEngineHeadCorpus::otherRunsAreRefused()
{
    interrupt("other", SIGTERM);
    const auto refuses = [&](const QStringList& more, const char* part, const QString& texts = "many.jsonl") {
        HEADSCOPE_VERIFY_FAILED(many("other", more, texts), 3, part);
        QVERIFY(fs::exists(file("other/h.h5.run")));
    };
    refuses({"--seed", "2"}, "expected --seed 1, found 2 in a run that was started with this output");
    refuses({"--max-tokens", "12"}, "--max-tokens");
    refuses({"--eos", "never"}, "--eos");
    std::string lines = contents(file("many.jsonl"));
    lines.replace(lines.find("Text 1"), 6, "Toxt 1");
    writeFile(file("changed.jsonl"), lines);
    refuses({}, "expected the text of the earlier run, found another text", "changed.jsonl");
    const auto anew = many("other", {"--no-resume", "--seed", "2"});
    QVERIFY2(anew.exitCode == 0, anew.err.constData());
    QCOMPARE(jsonOf(anew)["resumed"].toInt(-1), 0);
    QVERIFY(read("other/h.h5").sampled != read("whole/h.h5").sampled);
}

void TestEngineHeadCorpus::damagedRunStartsAnew()
{
    interrupt("damaged", SIGTERM);
    std::string bytes = contents(file("damaged/h.h5.run"));
    bytes[bytes.size() / 2] ^= 0x20;
    writeFile(file("damaged/h.h5.run"), bytes);
    const auto outcome = many("damaged");
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    QVERIFY2(outcome.err.contains("the run starts over"), outcome.err.constData());
    QVERIFY(contents(file("damaged/h.h5")) == wholeRun());
}

void TestEngineHeadCorpus::printed()
{
    const auto outcome = head(
        "mistral_f32", {"--corpus", text(file("few.jsonl")), "--activations", "0:1", "-o", text(file("printed.h5"))});
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    QVERIFY(outcome.out.contains("layer 0, head 1 over 60 documents"));
    QVERIFY(outcome.out.contains("activation, minimum, deciles and maximum: "));
    QCOMPARE(outcome.out.count('\n'), 3 + 24);
    HEADSCOPE_VERIFY_FAILED(head("mistral_f32", {"--corpus", text(file("few.jsonl")), "--activations", "0:1", "-o",
                                                 text(file("printed.h5"))}),
                            2, "exists already");
}

void TestEngineHeadCorpus::wrongUse_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("part");
    const QString out = text(file("wrong.h5")), few = text(file("few.jsonl"));
    const auto row = [](const char* name, const QStringList& options, int code, const char* part) {
        QTest::newRow(name) << options << code << QByteArray(part);
    };
    row("no corpus", {"--activations", "0:1", "-o", out}, 2, "--activations: this option needs --corpus");
    row("no output", {"--corpus", few, "--activations", "0:1"}, 2, "this option needs -o");
    row("two heads", {"--corpus", few, "--activations", "0:1-2", "-o", out}, 2, "expected one head, such as 29:3");
    row("two layers", {"--corpus", few, "--activations", "0:1;1:1", "-o", out}, 2, "expected one head");
    row("not understood", {"--corpus", few, "--activations", "x", "-o", out}, 2, "--activations");
    row("no such layer", {"--corpus", few, "--activations", "3:1", "-o", out}, 3, "--activations");
    row("no such head", {"--corpus", few, "--activations", "0:9", "-o", out}, 3, "--activations");
    row("statistics too", {"--corpus", few, "--activations", "0:1", "--statistics", "-o", out}, 2,
        "cannot be used with --statistics");
    row("layers too", {"--corpus", few, "--activations", "0:1", "--layers", "1", "-o", out}, 2, "--layers");
    row("text too", {"a", "--corpus", few, "--activations", "0:1", "-o", out}, 2, "found both");
    row("sample alone", {"--corpus", few, "--sample-tokens", "5", "-o", out}, 2, "this option needs --activations");
    row("no file", {"--corpus", "/no/such.jsonl", "--activations", "0:1", "-o", out}, 3, "no/such.jsonl");
}

void TestEngineHeadCorpus::wrongUse()
{
    QFETCH(QStringList, options);
    QFETCH(int, code);
    QFETCH(QByteArray, part);
    HEADSCOPE_VERIFY_FAILED(head("mistral_f32", options), code, part);
    QVERIFY(!fs::exists(file("wrong.h5")) && !fs::exists(file("wrong.h5.run")));
}

HEADSCOPE_TEST_GUILESS(TestEngineHeadCorpus)
#include "tst_engine_head_corpus.moc"
