// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/engine/engine_run.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QJsonArray>
#include <QTemporaryDir>

using namespace headscope;

/// `headscope-engine tokenize` through the built program.
class TestEngineTokenize : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void recordedIds_data();
    void recordedIds();
    void truncatesOnlyWhenAsked();
    void choosesEos();
    void readsFiles();
    void textColumn();
    void badInputs_data();
    void badInputs();
};

namespace
{

QList<int> idsOf(const QByteArray& line)
{
    QList<int> ids;
    for (const auto value : QJsonDocument::fromJson(line).object()["ids"].toArray())
        ids.push_back(value.toInt());
    return ids;
}

QString mistral()
{
    return test::text(test::golden("models/mistral_f32"));
}

} // namespace

void TestEngineTokenize::recordedIds_data()
{
    QTest::addColumn<QString>("folder");
    for (const char* folder : {"tokenizers/llama2", "tokenizers/llama3", "tokenizers/qwen3_embedding",
                               "tokenizers/smollm2", "tokenizers/bert", "tokenizers/added_flags"})
        QTest::newRow(folder) << folder;
}

void TestEngineTokenize::recordedIds()
{
    QFETCH(QString, folder);
    const auto cases = QByteArray::fromStdString(test::contents(test::golden(folder.toStdString()) / "cases.jsonl"))
                           .trimmed()
                           .split('\n');
    // The recorded lines have a field "text", and so are themselves what the verb reads.
    const auto outcome =
        test::runEngine({"tokenize", test::text(test::golden(folder.toStdString()))}, cases.join('\n') + '\n');
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    const auto lines = outcome.out.trimmed().split('\n');
    QCOMPARE(lines.size(), cases.size());
    for (qsizetype i = 0; i < lines.size(); ++i)
        QVERIFY2(idsOf(lines[i]) == idsOf(cases[i]), cases[i].constData());
}

void TestEngineTokenize::truncatesOnlyWhenAsked()
{
    const QByteArray input = R"({"text":"one two three four five six"})"
                             "\n";
    const auto whole = test::runEngine({"tokenize", mistral()}, input);
    QVERIFY(!whole.out.contains("truncated"));
    const auto cut = test::runEngine({"tokenize", mistral(), "--max-tokens", "4"}, input);
    QVERIFY(cut.out.contains("\"truncated\":true"));
    const auto ids = idsOf(cut.out);
    QCOMPARE(ids.size(), 4);
    QCOMPARE(ids.first(), 1);
    QCOMPARE(ids.last(), 2); // the end token survives the cut
    HEADSCOPE_VERIFY_FAILED(test::runEngine({"tokenize", mistral(), "--max-tokens", "0"}, input), 2, "--max-tokens");
}

void TestEngineTokenize::choosesEos()
{
    const QByteArray input = R"({"text":"a </s>"})"
                             "\n";
    const auto config = idsOf(test::runEngine({"tokenize", mistral()}, input).out);
    const auto never = idsOf(test::runEngine({"tokenize", mistral(), "--eos", "never"}, input).out);
    QCOMPARE(never + QList<int>{2}, config);
    const auto asText =
        idsOf(test::runEngine({"tokenize", mistral(), "--eos", "never", "--special-tokens", "text"}, input).out);
    QVERIFY(!asText.contains(2));
    HEADSCOPE_VERIFY_FAILED(test::runEngine({"tokenize", mistral(), "--eos", "perhaps"}, input), 2, "--eos");
    HEADSCOPE_VERIFY_FAILED(test::runEngine({"tokenize", mistral(), "--special-tokens", "x"}, input), 2,
                            "--special-tokens");
}

void TestEngineTokenize::readsFiles()
{
    QTemporaryDir folder;
    const auto path = std::filesystem::path(folder.path().toStdString()) / "t.jsonl";
    test::writeFile(path, "\n{\"text\":\"b\"}\r\n\n{\"text\":\"c\"}"); // no end of line at the end
    const auto outcome = test::runEngine({"tokenize", mistral(), "--input", test::text(path)});
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    QCOMPARE(outcome.out.count('\n'), 2);
    const auto missing = test::runEngine({"tokenize", mistral(), "--input", "/none.jsonl"});
    HEADSCOPE_VERIFY_FAILED(missing, 3, "/none.jsonl");
}

void TestEngineTokenize::textColumn()
{
    const auto outcome = test::runEngine({"tokenize", mistral(), "--text-column", "body"}, "{\"body\":\"x\"}\n");
    QCOMPARE(outcome.exitCode, 0);
    QVERIFY(idsOf(outcome.out).size() >= 3);
}

void TestEngineTokenize::badInputs_data()
{
    QTest::addColumn<QByteArray>("input");
    QTest::addColumn<QByteArray>("part");
    QTest::newRow("broken line") << QByteArray("{\"text\":\"a\"}\n{\"text\":\n")
                                 << QByteArray("standard input: line 2: expected valid JSON");
    QTest::newRow("no text") << QByteArray("{\"text\":\"a\"}\n\n{\"tekst\":\"a\"}\n")
                             << QByteArray("line 3: the field \"text\" is missing");
    QTest::newRow("text no string") << QByteArray("{\"text\":5}\n")
                                    << QByteArray("line 1: text: expected a string, found an integer");
    QTest::newRow("no object") << QByteArray("[1]\n") << QByteArray("line 1: expected an object, found an array");
}

void TestEngineTokenize::badInputs()
{
    QFETCH(QByteArray, input);
    QFETCH(QByteArray, part);
    const auto outcome = test::runEngine({"tokenize", mistral()}, input);
    HEADSCOPE_VERIFY_FAILED(outcome, 3, part);
}

HEADSCOPE_TEST_GUILESS(TestEngineTokenize)
#include "tst_engine_tokenize.moc"
