// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/cache/cache_reader.h"
#include "tests/app/engine/served_engine.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>

using namespace headscope;
using test::ServedEngine;
namespace fs = std::filesystem;

namespace
{

QString model(const char* name = "mistral_f32")
{
    return test::text(test::golden(std::string("models/") + name));
}

QString codeOf(const QJsonObject& answer)
{
    return answer.value(u"error").toObject().value(u"code").toString();
}

QString messageOf(const QJsonObject& answer)
{
    return answer.value(u"error").toObject().value(u"message").toString();
}

QByteArray shown(const QJsonObject& answer)
{
    return QJsonDocument(answer).toJson(QJsonDocument::Compact);
}

QJsonObject embedding(const QString& text, const QString& of = model())
{
    return {{"model", of}, {"text", text}, {"stages", "1,2,3"}, {"layers", "all"}};
}

/// Texts that keep the small model busy for seconds.
QString manyTexts(const fs::path& folder)
{
    std::string lines;
    for (int i = 0; i < 20'000; ++i)
        lines += "{\"text\": \"Text " + std::to_string(i) + " says a little more than the one before it\"}\n";
    test::writeFile(folder / "many.jsonl", lines);
    return test::text(folder / "many.jsonl");
}

QString demoModel()
{
    const QString path = qEnvironmentVariable("HEADSCOPE_DEMO_MODEL");
    return QFileInfo::exists(path) ? path : QString();
}

QStringList filesIn(const QString& folder)
{
    return QDir(folder).entryList(QDir::NoDotAndDotDot | QDir::AllEntries | QDir::Hidden);
}

/// Reads on until the engine is at this stage of what it was asked for.
bool reaches(ServedEngine& engine, const QByteArray& stage)
{
    QJsonObject line;
    do
        line = engine.line();
    while (!line.isEmpty() && line.value(u"progress").toObject().value(u"stage").toString().toLatin1() != stage);
    return !line.isEmpty();
}

} // namespace

/// `headscope-engine serve` as a process: app/engine/PROTOCOL.md.
class TestEngineServe : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysHello();
    void embedsAsExtractWrites_data();
    void embedsAsExtractWrites();
    void embedsIntoANamedFile();
    void loadsOnceAndKeepsIt();
    void tokenizesAndInspects();
    void extractsLikeTheVerb();
    void noticesComeWhenTheyArise();
    void malformedLines_data();
    void malformedLines();
    void idsAreUsedOnceAtATime();
    void cancelsWhatRunsAndWhatWaits();
    void cancelsLoadingAndComputing_data();
    void cancelsLoadingAndComputing();
    void letsTheModelGo();
    void changedModelIsOpenedAnew();
    void quitsAndEnds_data();
    void quitsAndEnds();
    void endsWhereNobodyListens();
    void killedOneLeavesNothingForGood();
    void questionsAreFast();

private:
    QTemporaryDir m_folder;
    fs::path folder() const { return m_folder.path().toStdString(); }
};

void TestEngineServe::saysHello()
{
    ServedEngine engine;
    const auto hello = engine.line();
    QCOMPARE(hello.value(u"protocol").toInt(), 1);
    QVERIFY(!hello.value(u"version").toString().isEmpty());
    QCOMPARE(hello.size(), 2);
}

void TestEngineServe::embedsAsExtractWrites_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("text");
    for (const char* name : {"mistral_f32", "qwen3_f32", "bert_f32", "llama_bf16"})
        QTest::newRow(name) << name << QStringLiteral("Nine red apples, and a train — leaving.");
    QTest::newRow("empty text") << "mistral_f32" << QString();
}

void TestEngineServe::embedsAsExtractWrites()
{
    QFETCH(QString, name);
    QFETCH(QString, text);
    const fs::path cache = folder() / (std::string(QTest::currentDataTag()) + ".h5");
    const auto made = test::runEngine(
        {"extract", model(name.toLatin1()), "-", "-o", test::text(cache), "--layers", "all", "--stages", "1,2,3"},
        QJsonDocument(QJsonObject{{"text", text}}).toJson(QJsonDocument::Compact) + '\n');
    QVERIFY2(made.exitCode == 0, made.err.constData());
    ServedEngine engine;
    const auto answer = engine.ask(1, "embed", embedding(text, model(name.toLatin1())));
    const auto result = answer.value(u"result").toObject();
    QVERIFY2(!result.isEmpty(), shown(answer).constData());
    JobContext job;
    const auto reader = CacheReader::open(cache, job);
    HEADSCOPE_VERIFY_OK(reader);
    const auto blocks = result.value(u"vectors").toArray();
    QCOMPARE(blocks.size(), static_cast<qsizetype>(reader.value()->info().embeddings.size()));
    for (const auto& each : blocks)
    {
        const auto block = each.toObject();
        const auto stored =
            reader.value()->load(LayerIndex(block.value(u"layer").toInteger()),
                                 *stageFromName(block.value(u"stage").toString().toStdString()), {}, job);
        HEADSCOPE_VERIFY_OK(stored);
        QCOMPARE(block.value(u"dtype").toString(), QStringLiteral("f32"));
        QCOMPARE(block.value(u"shape").toArray(),
                 (QJsonArray{qint64(stored.value()->heads()), qint64(stored.value()->dims())}));
        const auto values = test::vectorsOf(result, block);
        QCOMPARE(values.size(), stored.value()->values().size());
        QVERIFY(std::memcmp(values.data(), stored.value()->values().data(), values.size() * sizeof(float)) == 0);
    }
    QCOMPARE(result.value(u"empty").toBool(), text.isEmpty());
    for (const auto& [file, digest] : reader.value()->info().header.model.sha256)
        QCOMPARE(result.value(u"sha256").toObject().value(QString::fromStdString(file)).toString().toStdString(),
                 digest);
    QVERIFY(answer.value(u"memory").toObject().value(u"resident").toInteger() > 1'000'000);
    QVERIFY(answer.value(u"memory").toObject().value(u"weights").toInteger() > 0);
}

void TestEngineServe::embedsIntoANamedFile()
{
    ServedEngine engine;
    const QString file = test::text(folder() / "named.f32");
    auto params = embedding("a text");
    params["output"] = file;
    const auto first = engine.ask("one", "embed", params);
    QCOMPARE(first.value(u"result").toObject().value(u"file").toString(), file);
    const std::string bytes = test::contents(file.toStdString());
    QVERIFY(!bytes.empty());
    const auto again = engine.ask("two", "embed", params);
    QCOMPARE(codeOf(again), QStringLiteral("wrong_use")); // it is there
    params["overwrite"] = true;
    params["text"] = "another text";
    QVERIFY(engine.ask("three", "embed", params).contains(u"result"));
    QVERIFY(test::contents(file.toStdString()) != bytes);
}

void TestEngineServe::loadsOnceAndKeepsIt()
{
    ServedEngine engine;
    const auto opened = engine.ask(1, "open", {{"model", model()}, {"layers", "all"}});
    QVERIFY2(opened.value(u"result").toObject().value(u"layers").toInt() > 0, shown(opened).constData());
    const auto weights = opened.value(u"memory").toObject().value(u"weights").toInteger();
    QVERIFY(weights > 0);
    const auto before = engine.passed().size();
    const auto one = engine.ask(2, "embed", {{"model", model()}, {"text", "a"}, {"layers", "0"}, {"stages", "1"}});
    const auto two = engine.ask(3, "embed", {{"model", model()}, {"text", "a"}, {"pooling", "mean"}, {"stages", "3"}});
    QCOMPARE(one.value(u"memory").toObject().value(u"weights").toInteger(), weights);
    QCOMPARE(two.value(u"memory").toObject().value(u"weights").toInteger(), weights);
    for (auto i = before; i < engine.passed().size(); ++i) // nothing was loaded again
        QVERIFY2(!shown(engine.passed().at(i)).contains("weights"), shown(engine.passed().at(i)).constData());
    // The options of one do not stay for the next.
    const auto three = engine.ask(4, "embed", {{"model", model()}, {"text", "a"}, {"layers", "0"}, {"stages", "1"}});
    const auto blockOf = [](const QJsonObject& answer) {
        return test::vectorsOf(answer.value(u"result").toObject(),
                               answer.value(u"result").toObject().value(u"vectors").toArray().at(0).toObject());
    };
    QCOMPARE(blockOf(one), blockOf(three));
    QVERIFY(blockOf(one) != blockOf(two));
}

void TestEngineServe::tokenizesAndInspects()
{
    ServedEngine engine;
    const auto ids = engine.ask(1, "tokenize", {{"model", model()}, {"text", "one two"}});
    const auto verb = test::runEngine({"tokenize", model()}, "{\"text\":\"one two\"}\n");
    QCOMPARE(ids.value(u"result").toObject().value(u"ids").toArray(), test::jsonOf(verb).value(u"ids").toArray());
    const auto cut = engine.ask(2, "tokenize", {{"model", model()}, {"text", "one two three"}, {"max-tokens", "3"}});
    QVERIFY(cut.value(u"result").toObject().value(u"truncated").toBool());
    const auto card = engine.ask(3, "inspect", {{"cache", model()}});
    QCOMPARE(card.value(u"result").toObject(), test::jsonOf(test::runEngine({"inspect", model(), "--json"})));
    const auto missing = engine.ask(4, "inspect", {{"cache", "/none.gguf"}});
    QCOMPARE(codeOf(missing), QStringLiteral("file_not_found"));
    QCOMPARE(missing.value(u"error").toObject().value(u"file").toString(), QStringLiteral("/none.gguf"));
}

void TestEngineServe::extractsLikeTheVerb()
{
    test::writeFile(folder() / "few.jsonl", "{\"text\": \"one\", \"topic\": \"a\"}\n{\"text\": \"two\", \"topic\": "
                                            "\"b\"}\n{\"text\": \"three\", \"topic\": \"a\"}\n");
    ServedEngine engine;
    const QString cache = test::text(folder() / "served.h5");
    const QJsonObject params{{"model", model()},
                             {"documents", QJsonArray{test::text(folder() / "few.jsonl")}},
                             {"output", cache},
                             {"stages", "1,3"},
                             {"threads", 2}};
    const auto answer = engine.ask(1, "extract", params);
    QVERIFY2(answer.value(u"result").toObject().value(u"documents").toInt() == 3, shown(answer).constData());
    QVERIFY(std::any_of(engine.passed().begin(), engine.passed().end(), [](const QJsonObject& each) {
        return each.value(u"id").toInt() == 1 && each.value(u"progress").toObject().contains(u"stage");
    }));
    const QString other = test::text(folder() / "verb.h5");
    QCOMPARE(test::runEngine({"extract", model(), test::text(folder() / "few.jsonl"), "-o", other, "--stages", "1,3"})
                 .exitCode,
             0);
    JobContext job;
    const auto a = CacheReader::open(cache.toStdString(), job);
    const auto b = CacheReader::open(other.toStdString(), job);
    HEADSCOPE_VERIFY_OK(a);
    HEADSCOPE_VERIFY_OK(b);
    for (const VectorsInfo& info : b.value()->info().embeddings)
    {
        const auto served = a.value()->load(info.layer, info.stage, {}, job);
        const auto written = b.value()->load(info.layer, info.stage, {}, job);
        HEADSCOPE_VERIFY_OK(served);
        HEADSCOPE_VERIFY_OK(written);
        QVERIFY(std::ranges::equal(served.value()->values(), written.value()->values()));
    }
    QCOMPARE(codeOf(engine.ask(2, "extract", params)), QStringLiteral("wrong_use")); // the output is there
    const auto grown = engine.ask(3, "extract", {{"model", model()}, {"into", cache}, {"stages", "2"}});
    QCOMPARE(grown.value(u"result").toObject().value(u"added").toObject().value(u"vectors").toArray().size(), 1);
}

void TestEngineServe::noticesComeWhenTheyArise()
{
    test::writeFile(folder() / "one.jsonl", "{\"text\": \"one\"}\n");
    ServedEngine engine;
    const auto answer = engine.ask(1, "extract",
                                   {{"model", model()},
                                    {"documents", QJsonArray{test::text(folder() / "one.jsonl")}},
                                    {"output", test::text(folder() / "noticed.h5")},
                                    {"stages", "1"},
                                    {"last-layer", "raw"}}); // of stage 3, which is not asked for
    const QJsonArray notices = answer.value(u"notices").toArray();
    QVERIFY2(!notices.isEmpty(), shown(answer).constData());
    QJsonArray told;
    bool extracts = false;
    for (const QJsonObject& each : engine.passed())
    {
        extracts = extracts || each.value(u"progress").toObject().value(u"stage") == QStringLiteral("extracting");
        if (each.value(u"id").toInt() != 1 || !each.contains(u"notice"))
            continue;
        QVERIFY2(!extracts, shown(each).constData()); // it is known before
        told << each.value(u"notice");
    }
    QCOMPARE(told, notices);
}

void TestEngineServe::malformedLines_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("part");
    QTest::addColumn<bool>("named"); // whether the answer carries the id 7
    const auto add = [](const char* name, const QByteArray& line, const char* code, const char* part, bool named) {
        QTest::newRow(name) << line << QString::fromLatin1(code) << QString::fromLatin1(part) << named;
    };
    const auto request = [](const char* method, const char* params) -> QByteArray {
        return QByteArray("{\"id\":7,\"method\":\"") + method + "\",\"params\":" + params + "}";
    };
    add("no JSON", "hello", "bad_format", "expected valid JSON", false);
    add("half an object", "{\"id\":7,", "bad_format", "expected valid JSON", false);
    add("an array", "[7]", "wrong_use", "expected an object, found an array", false);
    add("a NUL", QByteArray("{\"id\":7,\"method\":\"a\0b\"}", 23), "bad_format", "expected", false);
    add("no UTF-8", "{\"id\":7,\"method\":\"\xff\xfe\"}", "bad_format", "expected", false);
    add("too deep", "{\"id\":7,\"params\":" + QByteArray(100, '[') + QByteArray(100, ']') + "}", "bad_format",
        "expected", false);
    add("too long", QByteArray((4 << 20) + 1, 'x'), "bad_format", "a line of at most 4194304 bytes", false);
    add("a key twice", "{\"id\":7,\"id\":8,\"method\":\"quit\"}", "bad_format", "id", false);
    add("no id", "{\"method\":\"quit\"}", "wrong_use", "the field \"id\" is missing", false);
    add("a wrong id", "{\"id\":[7],\"method\":\"quit\"}", "wrong_use", "found an array", false);
    add("a long id", "{\"id\":\"" + QByteArray(300, 'x') + "\",\"method\":\"quit\"}", "wrong_use", "found 300", false);
    add("no method", "{\"id\":7}", "wrong_use", "the field \"method\" is missing", true);
    add("a wrong method", "{\"id\":7,\"method\":3}", "wrong_use", "expected a text, found an integer", true);
    add("an unknown method", "{\"id\":7,\"method\":\"dance\"}", "wrong_use", "found \"dance\"", true);
    add("attention without a model", request("attention", "{\"text\":\"a\"}"), "wrong_use", "\"model\" is missing",
        true);
    add("an unknown field", "{\"id\":7,\"method\":\"quit\",\"more\":1}", "wrong_use", "found \"more\"", true);
    add("params no object", request("embed", "[1]"), "wrong_use", "expected an object, found an array", true);
    add("no model", request("embed", "{\"text\":\"a\"}"), "wrong_use", "\"model\" is missing", true);
    add("no text", request("embed", "{\"model\":\"m\"}"), "wrong_use", "\"text\" is missing", true);
    add("a text that is a number", request("embed", "{\"model\":\"m\",\"text\":4}"), "wrong_use", "found an integer",
        true);
    add("a text with NUL", request("embed", "{\"model\":\"m\",\"text\":\"a\\u0000b\"}"), "wrong_use", "NUL character",
        true);
    add("an object", request("embed", "{\"model\":{},\"text\":\"a\"}"), "wrong_use", "found an object", true);
    add("an unknown parameter", request("embed", "{\"model\":\"m\",\"text\":\"a\",\"speed\":1}"), "wrong_use",
        "found \"speed\"", true);
    add("a wrong choice", request("embed", "{\"model\":\"m\",\"text\":\"a\",\"pooling\":\"max\"}"), "wrong_use",
        "--pooling", true);
    add("no such number", request("embed", "{\"model\":\"m\",\"text\":\"a\",\"threads\":0}"), "wrong_use", "--threads",
        true);
    add("a number as a text", request("embed", "{\"model\":\"m\",\"text\":\"a\",\"threads\":\"2\"}"), "wrong_use",
        "expected a number, found a string", true);
    add("no switch", request("embed", "{\"model\":\"m\",\"text\":\"a\",\"overwrite\":1}"), "wrong_use",
        "expected true or false", true);
    add("standard input", request("extract", "{\"model\":\"m\",\"documents\":[\"-\"],\"output\":\"o\"}"), "wrong_use",
        "standard input carries the requests", true);
    add("no documents", request("extract", "{\"model\":\"m\",\"documents\":[],\"output\":\"o\"}"), "wrong_use",
        "at least one", true);
    add("progress", request("extract", "{\"model\":\"m\",\"documents\":\"d\",\"output\":\"o\",\"progress\":\"off\"}"),
        "wrong_use", "found \"progress\"", true);
    add("no such model", request("embed", "{\"model\":\"/none\",\"text\":\"a\"}"), "file_not_found", "", true);
    add("cancel of nothing", request("cancel", "{\"request\":99}"), "invalid_argument", "found 99", true);
    add("cancel without an id", request("cancel", "{}"), "wrong_use", "\"request\"", true);
}

void TestEngineServe::malformedLines()
{
    QFETCH(QByteArray, line);
    QFETCH(QString, code);
    QFETCH(QString, part);
    QFETCH(bool, named);
    ServedEngine engine;
    engine.line();
    engine.write(line);
    auto answer = engine.line();
    while (answer.contains(u"progress"))
        answer = engine.line();
    QVERIFY2(codeOf(answer) == code, shown(answer).constData());
    const auto error = answer.value(u"error").toObject();
    const QString said = messageOf(answer) + error.value(u"place").toString();
    QVERIFY2(said.contains(part), shown(answer).constData());
    QCOMPARE(answer.value(u"id"), named ? QJsonValue(7) : QJsonValue());
    // It goes on as if nothing had been.
    const auto next = engine.ask(8, "tokenize", {{"model", model()}, {"text", "one"}});
    QVERIFY2(next.contains(u"result"), shown(next).constData());
}

void TestEngineServe::idsAreUsedOnceAtATime()
{
    ServedEngine engine;
    const QString cache = test::text(folder() / "ids.h5");
    engine.send(1, "extract", {{"model", model()}, {"documents", manyTexts(folder())}, {"output", cache}});
    engine.send(1, "tokenize", {{"model", model()}, {"text", "a"}});
    const auto refused = engine.answer(QJsonValue());
    QCOMPARE(codeOf(refused), QStringLiteral("wrong_use"));
    QVERIFY(messageOf(refused).contains(QStringLiteral("not been answered yet")));
    QVERIFY(engine.ask("c", "cancel", {{"request", 1}}).contains(u"result"));
    QCOMPARE(codeOf(engine.answer(1)), QStringLiteral("cancelled"));
    QVERIFY(engine.ask(1, "tokenize", {{"model", model()}, {"text", "a"}}).contains(u"result"));
}

void TestEngineServe::cancelsWhatRunsAndWhatWaits()
{
    ServedEngine engine;
    const QString cache = test::text(folder() / "cancelled.h5");
    const QJsonObject params{{"model", model()}, {"documents", manyTexts(folder())}, {"output", cache}};
    engine.send("runs", "extract", params);
    engine.send("waits", "tokenize", {{"model", model()}, {"text", "a"}});
    QVERIFY(reaches(engine, "extracting"));
    engine.send(1, "cancel", {{"request", "waits"}});
    QCOMPARE(codeOf(engine.answer("waits")), QStringLiteral("cancelled"));
    QCOMPARE(engine.answer(1).value(u"result").toObject().value(u"was").toString(), QStringLiteral("waiting"));
    QCOMPARE(engine.ask(2, "cancel", {{"request", "runs"}}).value(u"result").toObject().value(u"was").toString(),
             QStringLiteral("running"));
    const auto stopped = engine.answer("runs");
    QCOMPARE(codeOf(stopped), QStringLiteral("cancelled"));
    QVERIFY(!QFileInfo::exists(cache));
    // The same request goes on with the rest, and makes the same vectors.
    const auto resumed = engine.ask(3, "extract", params);
    QVERIFY2(resumed.value(u"result").toObject().value(u"documents").toInt() == 20'000, shown(resumed).constData());
    QVERIFY2(resumed.value(u"result").toObject().value(u"skipped").toInt() < 20'000, shown(resumed).constData());
    if (QFileInfo::exists(cache + QStringLiteral(".shards")))
        QFAIL("parts are left");
}

void TestEngineServe::cancelsLoadingAndComputing_data()
{
    QTest::addColumn<QByteArray>("stage");
    QTest::newRow("loading") << QByteArray("reading weights");
    QTest::newRow("computing") << QByteArray();
}

void TestEngineServe::cancelsLoadingAndComputing()
{
    if (demoModel().isEmpty())
        QSKIP("the demo model is not here (packaging/fetch_model.sh fetches it)");
    QFETCH(QByteArray, stage);
    ServedEngine engine;
    engine.line();
    if (stage.isEmpty())
        QVERIFY(engine.ask(0, "open", {{"model", demoModel()}}).contains(u"result"));
    QString text;
    for (int i = 0; i < 900; ++i)
        text += QStringLiteral("The sea is blue and the train leaves at nine. ");
    engine.send(1, "embed", {{"model", demoModel()}, {"text", text}});
    if (stage.isEmpty())
        QTest::qWait(400); // into one pass over thousands of tokens, which takes seconds
    else
        QVERIFY(reaches(engine, stage));
    engine.send(2, "cancel", {{"request", 1}});
    const auto stopped = engine.answer(1);
    QVERIFY2(codeOf(stopped) == QStringLiteral("cancelled"), shown(stopped).constData());
    QVERIFY(engine.ask(3, "embed", {{"model", demoModel()}, {"text", "a"}}).contains(u"result"));
}

void TestEngineServe::letsTheModelGo()
{
    ServedEngine engine({"--idle", "1"});
    const auto first = engine.ask(1, "embed", embedding("a text"));
    const auto numbers = [](const QJsonObject& answer) {
        return test::contents(answer.value(u"result").toObject().value(u"file").toString().toStdString());
    };
    const std::string before = numbers(first);
    QVERIFY(first.value(u"memory").toObject().value(u"weights").toInteger() > 0);
    const auto event = engine.line();
    QCOMPARE(event.value(u"event").toString(), QStringLiteral("model_released"));
    QCOMPARE(event.value(u"memory").toObject().value(u"weights").toInteger(), 0);
    QVERIFY(engine.line(2500).isEmpty()); // said once
    const auto second = engine.ask(2, "embed", embedding("a text"));
    QVERIFY(!before.empty());
    QVERIFY(numbers(second) == before);
    HEADSCOPE_VERIFY_FAILED(test::runEngine({"serve", "--idle", "0"}), 2, "--idle");
}

void TestEngineServe::changedModelIsOpenedAnew()
{
    const auto copy = test::copyOf("models/mistral_f32", folder());
    const QString path = test::text(copy);
    ServedEngine engine;
    const auto first = engine.ask(1, "embed", embedding("a text", path)).value(u"result").toObject();
    for (const auto& file : fs::directory_iterator(copy))
        if (file.path().extension() == ".safetensors")
            fs::last_write_time(file.path(), fs::file_time_type::clock::now() + std::chrono::seconds(5));
    const auto second = engine.ask(2, "embed", embedding("a text", path)).value(u"result").toObject();
    QVERIFY(second.contains(u"file"));
    QVERIFY(second.value(u"seconds").toObject().value(u"load").toDouble() > 0);
    QCOMPARE(test::contents(second.value(u"file").toString().toStdString()),
             test::contents(first.value(u"file").toString().toStdString()));
    const bool loaded = std::any_of(engine.passed().begin(), engine.passed().end(), [](const QJsonObject& each) {
        return each.value(u"id").toInt() == 2 &&
               each.value(u"progress").toObject().value(u"stage").toString().startsWith(QStringLiteral("opening"));
    });
    QVERIFY(loaded);
}

void TestEngineServe::quitsAndEnds_data()
{
    QTest::addColumn<QString>("how");
    QTest::addColumn<int>("exitCode");
    QTest::newRow("quit") << "quit" << 0;
    QTest::newRow("end of input") << "end" << 0;
    QTest::newRow("SIGTERM") << "signal" << 143;
}

void TestEngineServe::quitsAndEnds()
{
    QFETCH(QString, how);
    QFETCH(int, exitCode);
    ServedEngine engine;
    QVERIFY(engine.ask(1, "embed", embedding("a text")).contains(u"result"));
    QVERIFY(!filesIn(engine.temporaryFolder()).isEmpty());
    const QString cache = test::text(folder() / qPrintable(how + QStringLiteral(".h5")));
    if (how != QStringLiteral("end"))
        engine.send(2, "extract", {{"model", model()}, {"documents", manyTexts(folder())}, {"output", cache}});
    else
        engine.send(2, "tokenize", {{"model", model()}, {"text", "a"}});
    if (how == QStringLiteral("quit"))
    {
        engine.send(3, "quit");
        QVERIFY(engine.answer(3).contains(u"result"));
        QCOMPARE(codeOf(engine.answer(2)), QStringLiteral("cancelled"));
    }
    else if (how == QStringLiteral("end"))
    {
        engine.process().closeWriteChannel();
        QVERIFY(engine.answer(2).contains(u"result")); // what was asked is answered
    }
    else
    {
        QVERIFY(reaches(engine, "extracting"));
        QVERIFY(test::signal(engine.process(), SIGTERM));
    }
    QVERIFY(engine.process().waitForFinished(test::kPatienceMs));
    QCOMPARE(engine.process().exitStatus(), QProcess::NormalExit);
    QCOMPARE(engine.process().exitCode(), exitCode);
    QCOMPARE(filesIn(engine.temporaryFolder()), QStringList());
    QVERIFY(!QFileInfo::exists(cache));
}

void TestEngineServe::endsWhereNobodyListens()
{
    const QTemporaryDir temporary;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("TMPDIR"), temporary.path());
    QProcess shell; // the reader goes away in the middle of an extraction; standard input stays open
    shell.setProcessEnvironment(environment);
    shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), QStringLiteral("\"$0\" serve | head -n 12"),
                                            test::text(test::program("headscope-engine"))});
    const auto send = [&shell](int id, const char* method, const QJsonObject& params) {
        shell.write(QJsonDocument(QJsonObject{{QStringLiteral("id"), id},
                                              {QStringLiteral("method"), QLatin1StringView(method)},
                                              {QStringLiteral("params"), params}})
                        .toJson(QJsonDocument::Compact) +
                    '\n');
    };
    send(1, "embed", embedding("a text"));
    send(2, "extract",
         {{"model", model()}, {"documents", manyTexts(folder())}, {"output", test::text(folder() / "unheard.h5")}});
    QVERIFY(shell.waitForFinished(test::kPatienceMs));
    const QList<QByteArray> lines = shell.readAllStandardOutput().trimmed().split('\n');
    QCOMPARE(lines.size(), 12);
    QVERIFY2(lines.last().startsWith("{\"id\":2,\"progress\""), lines.last().constData());
    QCOMPARE(filesIn(temporary.path()), QStringList());
    QVERIFY(!QFileInfo::exists(test::text(folder() / "unheard.h5")));
}

void TestEngineServe::killedOneLeavesNothingForGood()
{
    const QTemporaryDir temporary;
    QProcess engine;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("TMPDIR"), temporary.path());
    for (int round = 0; round < 2; ++round)
    {
        engine.setProcessEnvironment(environment);
        engine.start(test::text(test::program("headscope-engine")), {QStringLiteral("serve")});
        QVERIFY(engine.waitForStarted(test::kPatienceMs));
        engine.write(QJsonDocument(QJsonObject{{"id", 1}, {"method", "embed"}, {"params", embedding("a text")}})
                         .toJson(QJsonDocument::Compact) +
                     '\n');
        QByteArray out;
        while (!out.contains("\"result\"") && engine.waitForReadyRead(test::kPatienceMs))
            out += engine.readAll();
        QVERIFY2(out.contains("\"result\""), out.constData());
        QCOMPARE(filesIn(temporary.path()).size(), 1); // in the second round, that of the first is gone
        if (round == 0)
            engine.kill();
        else
            engine.closeWriteChannel();
        QVERIFY(engine.waitForFinished(test::kPatienceMs));
    }
    QCOMPARE(filesIn(temporary.path()), QStringList());
}

/// Printed, not judged: machines differ.
void TestEngineServe::questionsAreFast()
{
    if (demoModel().isEmpty())
        QSKIP("the demo model is not here (packaging/fetch_model.sh fetches it)");
    ServedEngine engine;
    QElapsedTimer timer;
    timer.start();
    const QJsonObject params{{"model", demoModel()}, {"text", "Which trains leave for the sea?"}, {"stages", "1,3"}};
    QVERIFY(engine.ask(0, "embed", params).contains(u"result"));
    qInfo("the first text, with loading: %lld ms", timer.elapsed());
    std::vector<double> whole;
    std::vector<double> bare;
    for (int i = 1; i <= 15; ++i)
    {
        QJsonObject another = params; // of the same text the layers are not computed again
        another["text"] = QStringLiteral("Which trains leave for the sea at %1?").arg(i);
        timer.restart();
        const auto answer = engine.ask(i, "embed", another);
        whole.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
        bare.push_back(answer.value(u"result").toObject().value(u"seconds").toObject().value(u"compute").toDouble() *
                       1e3);
    }
    std::ranges::sort(whole);
    std::ranges::sort(bare);
    qInfo("a text once loaded: median %.1f ms, of which the forward pass %.1f ms (%.2f times)", whole[7], bare[7],
          whole[7] / bare[7]);
}

HEADSCOPE_TEST_GUILESS(TestEngineServe)
#include "tst_engine_serve.moc"
