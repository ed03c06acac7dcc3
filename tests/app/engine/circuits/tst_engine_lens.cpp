// SPDX-License-Identifier: GPL-3.0-or-later
// lens through the built program: lists of documents and of weights, their files, and what is refused.
#include "model/io/circuits/circuit_file.h"
#include "tests/app/engine/into_fixture.h"
#include "tests/support/file_bytes.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QJsonArray>

using namespace headscope;
using namespace headscope::test;

class TestEngineLens : public QObject, private IntoFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { writeTexts("few.jsonl", 0, 6); }
    void documents();
    void oneDocument();
    void weights();
    void files();
    void wrongUse_data();
    void wrongUse();

private:
    [[nodiscard]] ProcessOutcome lens(const QStringList& options, const std::string& model = "llama_bf16") const
    {
        return engine(QStringList{"lens", text(golden("models/" + model))} + options, "c");
    }
};

void TestEngineLens::documents()
{
    const auto outcome = lens({"../few.jsonl", "--json", "--layers", "0,2", "--heads", "2-3", "--top", "4"});
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    const auto json = jsonOf(outcome);
    QCOMPARE(json["unembedding"].toString(), "output head");
    QCOMPARE(json["documents"].toInt(), 6);
    QVERIFY(json["document"].isNull());
    const auto heads = json["heads"].toArray();
    QCOMPARE(heads.size(), 4);
    for (const auto& each : heads)
    {
        const auto up = each.toObject()["up"].toArray();
        QCOMPARE(up.size(), 4);
        // Those of most documents first.
        QVERIFY(up[0].toObject()["documents"].toInt() >= up[3].toObject()["documents"].toInt());
        QVERIFY(up[0].toObject()["logit"].toDouble() >
                each.toObject()["down"].toArray()[0].toObject()["logit"].toDouble());
    }
    QCOMPARE(heads[1].toObject()["head"].toInt(), 3);
    QCOMPARE(heads[2].toObject()["layer"].toInt(), 2);
    const auto shown = lens({"../few.jsonl", "--center"});
    for (const char* part :
         {"minus the mean over 6 documents", "Logits: the model's output head", "are not listed", "reading aid"})
        QVERIFY2(shown.out.contains(part), shown.out.constData());
    QVERIFY(!shown.out.contains("<|eot_id|>")); // a special token
    // As many tokens as asked for, each with its documents, as --json has them.
    const auto printed = lens({"../few.jsonl", "--layers", "0", "--heads", "2", "--top", "12"}).out;
    const auto same = jsonOf(lens({"../few.jsonl", "--layers", "0", "--heads", "2", "--top", "12", "--json"}));
    for (const char* list : {"up", "down"})
    {
        const auto tokens = same["heads"].toArray()[0].toObject()[QLatin1StringView(list)].toArray();
        QCOMPARE(tokens.size(), 12);
        int words = 0; // text has names for bytes that are no character
        for (const auto& each : tokens)
        {
            const auto token = each.toObject();
            const QByteArray text = token["token"].toString().toUtf8();
            if (!std::ranges::all_of(text, [](char byte) { return byte == ' ' || (byte >= 'A' && byte <= 'z'); }))
                continue;
            ++words;
            const QByteArray wanted = '"' + text + "\" " + QByteArray::number(token["documents"].toInt());
            QVERIFY2(printed.contains(wanted), QByteArray(wanted + '\n' + printed).constData());
        }
        QVERIFY(words >= 3);
    }
    // Without an output head the token embeddings stand in, which is said.
    QVERIFY(lens({"../few.jsonl"}, "mistral_f32").out.contains("the files have no output head"));
}

void TestEngineLens::oneDocument()
{
    const auto all = jsonOf(lens({"../few.jsonl", "--json", "--center"}));
    QVERIFY(all["centered"].toBool());
    const auto id = QStringLiteral("d3");
    const auto one = jsonOf(lens({"../few.jsonl", "--json", "--center", "--document", id}));
    QCOMPARE(one["document"].toString(), id);
    const auto up = one["heads"].toArray()[0].toObject()["up"].toArray();
    for (qsizetype i = 0; i < up.size(); ++i)
    {
        QCOMPARE(up[i].toObject()["documents"].toInt(), 1);
        QVERIFY(i == 0 || up[i - 1].toObject()["logit"].toDouble() >= up[i].toObject()["logit"].toDouble());
    }
}

void TestEngineLens::weights()
{
    const auto outcome = lens({"--weights", "--token", "cat", "--json", "--layers", "all", "--top", "3"});
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    const auto heads = jsonOf(outcome)["heads"].toArray();
    QVERIFY(heads.size() >= 3 * 6 && heads.size() % (3 * 6) == 0); // a row for each head and token
    for (const auto& each : heads)
    {
        const auto row = each.toObject();
        for (const char* list : {"up", "down", "keys", "queries"})
            QCOMPARE(row[QLatin1StringView(list)].toArray().size(), 3);
        QVERIFY(std::abs(row["copying"].toDouble()) <= 1);
    }
    // Without a token: how much each head copies.
    const auto alone = jsonOf(lens({"--weights", "--json"}))["heads"].toArray();
    QCOMPARE(alone.size(), 6);
    QVERIFY(!alone[0].toObject().contains("up") && alone[0].toObject().contains("copying"));
}

void TestEngineLens::files()
{
    for (const char* name : {"l.h5", "l.json", "l.csv"})
    {
        const auto outcome = lens({"../few.jsonl", "--json", "--overwrite", "--top", "4", "-o", name});
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    }
    const GoldenFile documents(base / "c/l.h5");
    QCOMPARE(documents.shape("/lens/head/top_ids"), (std::vector<std::int64_t>{6, 1, 6, 4}));
    QCOMPARE(documents.shape("/lens/embedding/bottom_values"), (std::vector<std::int64_t>{6, 4}));
    QCOMPARE(documents.integers("/lens/layers"), (std::vector<std::int64_t>{2}));
    QVERIFY(bytesOf(base / "c/l.csv").startsWith("layer,head,list,rank,token,id,logit,documents\n"));
    JobContext job;
    const auto read = readCircuitFile(base / "c/l.h5", job);
    HEADSCOPE_VERIFY_OK(read);
    QVERIFY(read->lens() != nullptr);
    QCOMPARE(read->lens()->rows.size(), 6U);
    QCOMPARE(read->lens()->rows[5].head, std::int64_t{5});
    QCOMPARE(read->lens()->rows[0].up.size(), 4U);
    QCOMPARE(read->lens()->documents, std::int64_t{6});
    QVERIFY(lens({"--weights", "--token", "cat", "-o", "w.h5", "--overwrite", "--top", "3", "--copied"}).exitCode == 0);
    const GoldenFile weights(base / "c/w.h5");
    const auto tokens = static_cast<std::int64_t>(weights.integers("/lens/static/tokens").size());
    QCOMPARE(weights.shape("/lens/static/top_keys"), (std::vector<std::int64_t>{1, 6, tokens, 3}));
    QCOMPARE(weights.shape("/lens/static/qk_scores"), (std::vector<std::int64_t>{1, 6, tokens, tokens}));
    QCOMPARE(weights.shape("/lens/static/copying_eigen"), (std::vector<std::int64_t>{1, 6}));
    QCOMPARE(weights.shape("/lens/static/copying_top10"), (std::vector<std::int64_t>{1, 6}));
    const auto decoded = readCircuitFile(base / "c/w.h5", job);
    HEADSCOPE_VERIFY_OK(decoded);
    QCOMPARE(std::ssize(decoded->lens()->rows), 6 * tokens);
    QVERIFY(!decoded->lens()->rows[0].read.empty() && decoded->lens()->rows[0].keys.size() == 3);
}

void TestEngineLens::wrongUse_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("model");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("part");
    const auto row = [](const char* name, const QStringList& options, int code, const char* part,
                        const char* model = "llama_bf16") {
        QTest::newRow(name) << options << QString(QLatin1StringView(model)) << code << QByteArray(part);
    };
    row("nothing to decode", {}, 2, "expected documents or --weights");
    row("documents and weights", {"../few.jsonl", "--weights"}, 2, "--weights");
    row("a token without weights", {"../few.jsonl", "--token", "cat"}, 2, "--token");
    row("a mean of weights", {"--weights", "--center"}, 2, "--center");
    row("no such document", {"../few.jsonl", "--document", "nobody"}, 2, "--document");
    row("no such head", {"--weights", "--heads", "7"}, 3, "--heads");
    row("an encoder", {"../few.jsonl"}, 3, "no output head", "bert_f32");
}

void TestEngineLens::wrongUse()
{
    QFETCH(QStringList, options);
    QFETCH(QString, model);
    QFETCH(int, code);
    QFETCH(QByteArray, part);
    const auto outcome = lens(options, model.toStdString());
    QVERIFY2(outcome.exitCode == code && outcome.err.contains(part), outcome.err.constData());
}

HEADSCOPE_TEST_GUILESS(TestEngineLens)
#include "tst_engine_lens.moc"
