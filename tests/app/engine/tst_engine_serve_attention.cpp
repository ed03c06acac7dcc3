// SPDX-License-Identifier: GPL-3.0-or-later
// serve: attention, and texts embedded with heads off.
#include "model/data/head_vectors.h"
#include "model/io/cache/cache_reader.h"
#include "model/io/results/attention/head_corpus_file.h"
#include "tests/app/engine/served_engine.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTemporaryDir>
#include <QTest>

#include <cstdlib>

using namespace headscope;
using namespace headscope::test;
namespace fs = std::filesystem;

namespace
{

const QString kText = QStringLiteral("Nine red apples, and a train leaves for the sea.");

QString model(const char* name)
{
    return text(golden(std::string("models/") + name));
}

/// The numbers of a block of an answer to `attention`.
std::vector<float> blockOf(const QJsonObject& result, const char* name)
{
    const std::string bytes = contents(result.value(u"file").toString().toStdString());
    for (const auto& each : result.value(u"blocks").toArray())
    {
        const auto block = each.toObject();
        if (block.value(u"name").toString() != QLatin1StringView(name))
            continue;
        std::size_t count = 1;
        for (const auto& extent : block.value(u"shape").toArray())
            count *= static_cast<std::size_t>(extent.toInteger());
        std::vector<float> values(count);
        const auto offset = static_cast<std::size_t>(block.value(u"offset").toInteger());
        if (offset + count * sizeof(float) > bytes.size())
            return {};
        std::memcpy(values.data(), bytes.data() + offset, count * sizeof(float));
        return values;
    }
    return {};
}

QJsonObject joined(QJsonObject one, const QJsonObject& other)
{
    for (auto it = other.begin(); it != other.end(); ++it)
        one[it.key()] = it.value();
    return one;
}

} // namespace

class TestEngineServeAttention : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void attentionIsThatOfTheVerb_data();
    void attentionIsThatOfTheVerb();
    void attentionIntoANamedFile();
    void statisticsNeedNoFile();
    void documentsAsTheVerb();
    void headsOffAsExtractWrites_data();
    void headsOffAsExtractWrites();
    void wrongRequests_data();
    void wrongRequests();
    void answersAreFast();

private:
    [[nodiscard]] QString path(const char* name) const { return m_folder.filePath(QLatin1StringView(name)); }

    QTemporaryDir m_folder;
};

void TestEngineServeAttention::attentionIsThatOfTheVerb_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"mistral_window", "qwen3_f32", "bert_f32"})
        QTest::newRow(name) << name;
}

void TestEngineServeAttention::attentionIsThatOfTheVerb()
{
    QFETCH(QString, name);
    const QString file = path((name.toStdString() + ".h5").c_str());
    const auto verb = runEngine({"attention", model(name.toLatin1()), kText, "--qkv", "1", "-o", file});
    QVERIFY2(verb.exitCode == 0, verb.err.constData());
    const GoldenFile truth(file.toStdString());
    ServedEngine engine;
    const QJsonObject params{{"model", model(name.toLatin1())}, {"text", kText}, {"qkv", 1}, {"statistics", true}};
    // After another question about the same text, too: what was computed is used again.
    for (int round = 0; round < 3; ++round)
    {
        const auto answer = engine.ask(round, "attention", params);
        const auto result = answer.value(u"result").toObject();
        QVERIFY2(!result.isEmpty(), QJsonDocument(answer).toJson().constData());
        QCOMPARE(blockOf(result, "weights"), truth.floats("attention/weights"));
        for (const char* each : {"q", "k", "v", "z"})
            QCOMPARE(blockOf(result, each), truth.floats(std::string("qkv/") + each));
        QVERIFY(result.value(u"output").isNull());
        const auto ids = truth.integers("attention/ids");
        QCOMPARE(result.value(u"tokens").toInt(), static_cast<int>(ids.size()));
        for (std::size_t i = 0; i < ids.size(); ++i)
            QCOMPARE(result.value(u"ids").toArray()[static_cast<qsizetype>(i)].toInteger(), ids[i]);
        QCOMPARE(result.value(u"texts").toArray().size(), static_cast<qsizetype>(ids.size()));
        QVERIFY(result.value(u"statistics").toObject().contains(u"first_token"));
        QVERIFY(!result.value(u"sha256").toObject().isEmpty());
        const QJsonObject embedding{{"model", model(name.toLatin1())}, {"text", kText}, {"layers", "all"}};
        QVERIFY(engine.ask(QStringLiteral("e%1").arg(round), "embed", embedding).contains(u"result"));
    }
}

void TestEngineServeAttention::attentionIntoANamedFile()
{
    const auto verb =
        runEngine({"attention", model("llama_mha"), kText, "--layers", "1", "--statistics", "-o", path("verb.h5")});
    QVERIFY2(verb.exitCode == 0, verb.err.constData());
    ServedEngine engine;
    const QJsonObject params{{"model", model("llama_mha")},
                             {"text", kText},
                             {"layers", "1"},
                             {"statistics", true},
                             {"output", path("own.h5")}};
    const auto result = engine.ask(1, "attention", params).value(u"result").toObject();
    QCOMPARE(result.value(u"output").toString(), path("own.h5"));
    QVERIFY(result.value(u"file").isNull() && result.value(u"blocks").toArray().isEmpty());
    const GoldenFile one(path("verb.h5").toStdString());
    const GoldenFile two(path("own.h5").toStdString());
    QCOMPARE(two.floats("attention/weights"), one.floats("attention/weights"));
    QCOMPARE(two.doubles("statistics/entropy"), one.doubles("statistics/entropy"));
    QVERIFY(two.text("/", "command").find("--layers 1") != std::string::npos);
    const auto refused = engine.ask(2, "attention", params).value(u"error").toObject();
    QVERIFY2(refused.value(u"message").toString().contains(u"exists already"),
             QJsonDocument(refused).toJson().constData());
    QVERIFY(engine.ask(3, "attention", joined(params, {{"overwrite", true}})).contains(u"result"));
}

void TestEngineServeAttention::statisticsNeedNoFile()
{
    ServedEngine engine;
    const QJsonObject params{{"model", model("mistral_f32")},
                             {"ids", "1,5,9,5,9,5"},
                             {"no-weights", true},
                             {"query", "4:6"},
                             {"span", "1:3"}};
    const auto result = engine.ask(1, "attention", params).value(u"result").toObject();
    QVERIFY(result.value(u"file").isNull());
    const auto statistics = result.value(u"statistics").toObject();
    QCOMPARE(statistics.value(u"span_mass").toArray().size(), 3);
    QVERIFY(statistics.value(u"induction").toArray()[0].toArray()[0].toDouble() > 0);
    QCOMPARE(statistics.value(u"span_even").toArray()[0].toDouble(), (2.0 / 5 + 2.0 / 6) / 2);
    QVERIFY(QDir(engine.temporaryFolder()).entryList(QDir::NoDotAndDotDot | QDir::AllEntries).isEmpty());
}

void TestEngineServeAttention::headsOffAsExtractWrites_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"mistral_f32", "qwen3_f32", "bert_f32"})
        QTest::newRow(name) << name;
}

/// Of documents, with the options of the verb: statistics, and one head of them.
void TestEngineServeAttention::documentsAsTheVerb()
{
    writeFile(path("few.jsonl").toStdString(), "{\"text\": \"The cat sat\"}\n{\"text\": \"on the mat\"}\n");
    const QString of = model("mistral_f32");
    const QJsonObject params{{"model", of}, {"corpus", path("few.jsonl")}};
    ServedEngine engine;
    const auto statistics = engine.ask(1, "attention", params).value(u"result").toObject();
    QCOMPARE(statistics.value(u"documents").toInt(), 2);
    const auto printed = runEngine({"attention", of, "--corpus", path("few.jsonl"), "--json"});
    QCOMPARE(statistics, QJsonDocument::fromJson(printed.out).object());

    const auto recorded = [this](const char* name) {
        JobContext job;
        auto found = readHeadCorpus(path(name).toStdString(), job);
        return found ? found->corpus.activations : std::vector<float>();
    };
    const auto answer = engine.ask(
        2, "attention", joined(params, {{"activations", "2:3"}, {"output", path("served.head")}, {"threads", 2}}));
    QVERIFY2(answer.value(u"result").toObject().value(u"tokens").toInt() > 0,
             QJsonDocument(answer).toJson().constData());
    const auto run =
        runEngine({"attention", of, "--corpus", path("few.jsonl"), "--activations", "2:3", "-o", path("verb.head")});
    QVERIFY2(run.exitCode == 0, run.err.constData());
    QVERIFY(!recorded("served.head").empty());
    QCOMPARE(recorded("served.head"), recorded("verb.head"));
}

/// One question after another about the same text, each with other heads off: the bits are those of extract.
void TestEngineServeAttention::headsOffAsExtractWrites()
{
    QFETCH(QString, name);
    const QString of = model(name.toLatin1());
    writeFile(path("text.jsonl").toStdString(),
              QJsonDocument(QJsonObject{{"text", kText}}).toJson(QJsonDocument::Compact).toStdString() + "\n");
    writeFile(path("reference.jsonl").toStdString(), "{\"text\": \"a cat\"}\n{\"text\": \"the dog and the mat\"}\n");
    const std::vector<QJsonObject> edits = {
        {},
        {{"ablate", "1:2"}},
        {{"ablate", "0:1-2"}},
        {{"ablate", "1:1;0:g1"}},
        {{"regroup", 1}},
        {{"regroup", 1}, {"ablate", "1:3"}},
        {{"ablate", "1:4"}, {"ablation", "mean"}, {"reference", path("reference.jsonl")}},
        {{"ablate", "1:4"}, {"ablation", "mean"}, {"reference", path("reference.jsonl")}},
        {}};
    ServedEngine engine;
    int id = 0;
    for (const QJsonObject& edit : edits)
    {
        QStringList options{"extract", of, path("text.jsonl"), "-o", path("c.h5"), "--overwrite", "--layers", "all"};
        for (auto it = edit.begin(); it != edit.end(); ++it)
            options << "--" + it.key() << it.value().toVariant().toString();
        const auto made = runEngine(options);
        QVERIFY2(made.exitCode == 0, made.err.constData());
        const auto answer =
            engine.ask(++id, "embed", joined({{"model", of}, {"text", kText}, {"layers", "all"}}, edit));
        const auto result = answer.value(u"result").toObject();
        QVERIFY2(!result.isEmpty(), QJsonDocument(answer).toJson().constData());
        QCOMPARE(result.value(u"regroup").isNull(), !edit.contains(u"regroup"));
        QCOMPARE(result.value(u"ablated").toArray().isEmpty(), !edit.contains(u"ablate"));
        JobContext job;
        const auto cache = CacheReader::open(path("c.h5").toStdString(), job);
        HEADSCOPE_VERIFY_OK(cache);
        const auto blocks = result.value(u"vectors").toArray();
        QCOMPARE(blocks.size(), static_cast<qsizetype>((*cache)->info().embeddings.size()));
        for (const auto& each : blocks)
        {
            const auto block = each.toObject();
            const auto stage = stageFromName(block.value(u"stage").toString().toStdString());
            const auto own = (*cache)->load(LayerIndex(block.value(u"layer").toInteger()), *stage, {}, job);
            HEADSCOPE_VERIFY_OK(own);
            QCOMPARE(vectorsOf(result, block), std::vector<float>((*own)->values().begin(), (*own)->values().end()));
        }
    }
}

void TestEngineServeAttention::wrongRequests_data()
{
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QJsonObject>("params");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("part");
    const auto add = [](const char* name, const char* method, const QJsonObject& params, const char* code,
                        const char* part) {
        QTest::newRow(name) << QByteArray(method) << joined({{"model", model("mistral_f32")}}, params) << code << part;
    };
    add("no text", "attention", {}, "wrong_use", "expected a text or --ids, found neither");
    add("no tokens", "attention", {{"ids", ""}}, "wrong_use", "expected token ids (0 or more)");
    add("layer", "attention", {{"text", "a"}, {"layers", "3"}}, "invalid_argument", "expected layers 0 to 2");
    add("ids", "attention", {{"ids", "1,99999"}}, "invalid_argument", "token id: expected 0 to 351");
    add("span", "attention", {{"text", "a"}, {"span", "0:1"}}, "wrong_use", "--query and --span must be used together");
    add("nothing left", "attention", {{"text", "a"}, {"no-weights", true}}, "wrong_use",
        "otherwise nothing is written");
    add("documents on standard input", "attention", {{"corpus", "-"}}, "wrong_use",
        "params.corpus: expected a file or a folder");
    add("no documents", "attention", {{"text", "a"}, {"activations", "1:1"}}, "wrong_use", "needs --corpus");
    add("no head", "attention", {{"text", "a"}, {"no-resume", true}}, "wrong_use", "needs --activations");
    add("head", "embed", {{"text", "a"}, {"ablate", "0:9"}}, "invalid_argument", "expected heads 1 to 8");
    add("spec", "embed", {{"text", "a"}, {"ablate", "x"}}, "wrong_use", "expected LAYER:HEADS");
    add("groups", "embed", {{"text", "a"}, {"regroup", 3}}, "invalid_argument", "--regroup: expected a divisor of");
    add("no reference", "embed", {{"text", "a"}, {"ablate", "0:1"}, {"ablation", "mean"}}, "wrong_use",
        "--ablation mean needs this option with the documents for the mean");
}

void TestEngineServeAttention::wrongRequests()
{
    QFETCH(QByteArray, method);
    QFETCH(QJsonObject, params);
    QFETCH(QString, code);
    QFETCH(QString, part);
    ServedEngine engine;
    const auto answer = engine.ask(1, method.constData(), params);
    const auto error = answer.value(u"error").toObject();
    const QString sentence = error.value(u"place").toString() + ": " + error.value(u"message").toString();
    QVERIFY2(sentence.contains(part), QJsonDocument(answer).toJson().constData());
    QCOMPARE(error.value(u"code").toString(), code);
}

/// Printed, not judged: machines differ.
void TestEngineServeAttention::answersAreFast()
{
    const char* const named = std::getenv("HEADSCOPE_DEMO_MODEL");
    if (named == nullptr || !fs::exists(named))
        QSKIP("the demo model is not here (HEADSCOPE_DEMO_MODEL names it)");
    ServedEngine engine;
    const QString words = QStringLiteral("the quick brown fox jumps over the lazy dog and runs ").repeated(6).left(295);
    const QJsonObject params{{"model", QString::fromUtf8(named)}, {"text", words}};
    QVERIFY(engine.ask(0, "embed", joined(params, {{"layers", "all"}})).contains(u"result"));
    const auto time = [&](const char* what, const char* method, const QJsonObject& more) {
        QElapsedTimer timer;
        timer.start();
        const auto answer = engine.ask(QString::fromLatin1(what), method, joined(params, more));
        const auto ms = timer.elapsed();
        QVERIFY2(answer.contains(u"result"), QJsonDocument(answer).toJson().constData());
        qInfo("%s, %d tokens: %lld ms", what, answer.value(u"result").toObject().value(u"tokens").toInt(), ms);
    };
    time("attention of all layers", "attention", {});
    time("with statistics", "attention", {{"statistics", true}});
    time("a head of the last layer off", "embed", {{"ablate", "29:1"}, {"layers", "all"}});
    time("a head of layer 15 off", "embed", {{"ablate", "15:1"}, {"layers", "all"}});
    time("a head of layer 0 off", "embed", {{"ablate", "0:1"}, {"layers", "all"}});
}

HEADSCOPE_TEST_GUILESS(TestEngineServeAttention)
#include "tst_engine_serve_attention.moc"
