// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/engine/engine_run.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QJsonArray>
#include <QTemporaryDir>

using namespace headscope;

/// `headscope-engine inspect`, and what all verbs have in common, through the built program.
class TestEngineInspect : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void helpAndVersion();
    void wrongUse_data();
    void wrongUse();
    void models_data();
    void models();
    void modelsByAnyFile();
    void cardForPeople();
    void aSealIsNoProof();
    void badModels_data();
    void badModels();
    void listsAllProblems();
    void errorsAsJson();
};

void TestEngineInspect::helpAndVersion()
{
    const QJsonObject devices = test::jsonOf(test::runEngine({"--devices"}));
    QVERIFY(!devices["libtorch"].toString().isEmpty());
    QCOMPARE(devices["devices"].toArray()[0].toString(), QStringLiteral("cpu"));
    QCOMPARE(devices["missing"].isNull(), devices["devices"].toArray().size() > 1); // a reason, or a GPU
    const auto version = test::runEngine({"--version"});
    QCOMPARE(version.exitCode, 0);
    QVERIFY(version.out.startsWith("headscope-engine "));
    for (const char* verb : {"inspect", "tokenize", "extract"})
    {
        const auto help = test::runEngine({QString::fromUtf8(verb), "--help"});
        QCOMPARE(help.exitCode, 0);
        QVERIFY(help.out.contains("--json") && help.out.contains("--threads") && help.err.isEmpty());
    }
}

void TestEngineInspect::wrongUse_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("part");
    const auto row = [](const char* name, const QStringList& arguments, const char* part) {
        QTest::newRow(name) << arguments << QByteArray(part);
    };
    row("no verb", {}, "expected a verb");
    row("unknown verb", {"inspekt"},
        "expected a verb (inspect, tokenize, extract, attention, importance, contributions, composition, lens, merge, "
        "status, "
        "serve), found \"inspekt\"");
    row("use headscope instead", {"tsne", "c.h5"}, "tsne needs no model; use headscope instead");
    row("no model", {"inspect"}, "required");
    row("unknown option", {"inspect", "m", "--colour"}, "--colour");
    row("threads 0", {"inspect", "m", "--threads", "0"}, "--threads");
    row("progress", {"inspect", "m", "--progress", "loud"}, "--progress");
}

void TestEngineInspect::wrongUse()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, part);
    const auto outcome = test::runEngine(arguments);
    HEADSCOPE_VERIFY_FAILED(outcome, 2, part);
    QVERIFY(outcome.out.isEmpty());
}

void TestEngineInspect::models_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("family");
    QTest::addColumn<QList<int>>("sizes"); // layers, heads, kv_heads, head_dim, model_dim, vocabulary
    QTest::addColumn<QString>("dtype");
    QTest::addColumn<QString>("pooling");
    QTest::newRow("mistral_f32") << "models/mistral_f32"
                                 << "mistral" << QList<int>{3, 8, 2, 16, 128, 352} << "F32"
                                 << "last";
    QTest::newRow("llama_bf16") << "models/llama_bf16"
                                << "llama" << QList<int>{3, 6, 2, 16, 96, 448} << "BF16"
                                << "last";
    QTest::newRow("qwen3_f32") << "models/qwen3_f32"
                               << "qwen3" << QList<int>{2, 8, 4, 16, 96, 384} << "F32"
                               << "last";
    QTest::newRow("bert_f32") << "models/bert_f32"
                              << "bert" << QList<int>{3, 6, 6, 16, 96, 400} << "F32"
                              << "mean";
    QTest::newRow("gguf") << "gguf/kquant/kquant-Q5_K.gguf"
                          << "llama" << QList<int>() << "Q5_K"
                          << "last";
}

void TestEngineInspect::models()
{
    QFETCH(QString, path);
    QFETCH(QString, family);
    QFETCH(QList<int>, sizes);
    QFETCH(QString, dtype);
    QFETCH(QString, pooling);
    const auto outcome = test::runEngine({"inspect", test::text(test::golden(path.toStdString())), "--json"});
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    const auto card = test::jsonOf(outcome);
    QCOMPARE(card["family"].toString(), family);
    const char* names[] = {"layers", "heads", "kv_heads", "head_dim", "model_dim", "vocabulary"};
    for (int i = 0; i < sizes.size(); ++i)
        QCOMPARE(card[QLatin1String(names[i])].toInt(), sizes[i]);
    QCOMPARE(card["dtype"].toString(), dtype);
    QCOMPARE(card["pooling"].toString(), pooling);
    QCOMPARE(card["embedding"].toBool(), !path.startsWith(QStringLiteral("gguf/"))); // which have no pooling_type
    for (const char* key : {"parameters", "files", "tokenizer", "eos", "memory", "warnings"})
        QVERIFY2(card.contains(QLatin1String(key)), key);
    QVERIFY(card["memory"].toObject()["weights"].toDouble() > 0);
    QVERIFY(card["files"].toArray().first().toObject()["bytes"].toDouble() > 0);
    QVERIFY(!card["files"].toArray().first().toObject().contains(u"sha256")); // each of which is read whole for it
    const auto hashed =
        test::jsonOf(test::runEngine({"inspect", test::text(test::golden(path.toStdString())), "--hashes", "--json"}));
    for (const QJsonValue& file : hashed["files"].toArray())
        QCOMPARE(file.toObject()["sha256"].toString().size(), 64);
    QCOMPARE(hashed["files"].toArray().size(), card["files"].toArray().size());
}

void TestEngineInspect::modelsByAnyFile()
{
    for (const char* name : {"", "config.json", "model.safetensors.index.json", "model-00002-of-00003.safetensors"})
    {
        const auto outcome =
            test::runEngine({"inspect", test::text(test::golden("models/mistral_f32") / name), "--json"});
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        QCOMPARE(test::jsonOf(outcome)["layers"].toInt(), 3);
    }
}

void TestEngineInspect::cardForPeople()
{
    const auto outcome = test::runEngine({"inspect", test::text(test::golden("models/mistral_f32"))});
    QCOMPARE(outcome.exitCode, 0);
    for (const char* part :
         {"mistral_f32\n", "8 of size 16, in 2 KV groups of 4", "window of 4,096 tokens", "</s> is appended"})
        QVERIFY2(outcome.out.contains(part), outcome.out.constData());
    QVERIFY(outcome.err.isEmpty());
}

/// HDF5 crashes on this cache, whose seal is right.
void TestEngineInspect::aSealIsNoProof()
{
    const auto path = test::golden("faults/resealed-156.h5");
    const auto outcome = test::runEngine({"inspect", test::text(path)});
    HEADSCOPE_VERIFY_FAILED(outcome, 3, "the HDF5 library crashes on it");
}

void TestEngineInspect::badModels_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QByteArray>("part");
    const auto row = [](const char* kind, const char* part) { QTest::newRow(kind) << kind << QByteArray(part); };
    row("no model", "notes.txt: this is not a model: expected a folder with config.json");
    row("missing", "none: ");
    row("missing shard", "model-00003-of-00003.safetensors: ");
    row("truncated safetensors", "model-00002-of-00003.safetensors: expected ");
    row("truncated gguf", "cut.gguf: ");
    row("shape", "layers.0.self_attn.k_proj.weight: expected shape [64, 128], found [32, 128]");
    row("tokenizer", "tokenizer.json: ");
    row("config", "config.json: ");
    row("vocabulary", "tokenizer: expected a tokenizer with at most 352 tokens (the number of rows of the token "
                      "embedding matrix), found 353");
    row("no cache", "x.h5: ");
}

void TestEngineInspect::badModels()
{
    QFETCH(QString, kind);
    QFETCH(QByteArray, part);
    QTemporaryDir folder;
    const std::filesystem::path base = folder.path().toStdString();
    auto path = test::copyOf("models/mistral_f32", base);
    const auto replace = [&path](const char* file, const std::string& from, const std::string& to) {
        auto bytes = test::contents(path / file);
        QVERIFY(bytes.find(from) != std::string::npos);
        bytes.replace(bytes.find(from), from.size(), to);
        test::writeFile(path / file, bytes);
    };
    if (kind == QLatin1String("missing"))
        path = base / "none";
    else if (kind == QLatin1String("no model"))
    {
        path = base / "notes.txt";
        test::writeFile(path, "Some notes.");
    }
    else if (kind == QLatin1String("missing shard"))
        std::filesystem::remove(path / "model-00003-of-00003.safetensors");
    else if (kind == QLatin1String("truncated safetensors"))
        std::filesystem::resize_file(path / "model-00002-of-00003.safetensors", 100'000);
    else if (kind == QLatin1String("shape"))
        replace("config.json", "\"num_key_value_heads\": 2", "\"num_key_value_heads\": 4");
    else if (kind == QLatin1String("config"))
        replace("config.json", "\"hidden_size\": 128", "\"hidden_size\": \"wide\"");
    else if (kind == QLatin1String("vocabulary")) // fault row 7
        replace("tokenizer.json", "\"added_tokens\":[",
                "\"added_tokens\":[{\"id\": 352, \"content\": \"<more>\", \"special\": true},");
    else if (kind == QLatin1String("tokenizer"))
        replace("tokenizer.json", "\"BPE\"", "\"Other\"");
    else if (kind == QLatin1String("truncated gguf"))
    {
        path = base / "cut.gguf";
        test::writeFile(path, test::contents(test::golden("gguf/llama/llama-Q4_0.gguf")).substr(0, 20'000));
    }
    else
    {
        path = base / "x.h5";
        test::writeFile(path, "no cache at all");
    }
    const auto outcome = test::runEngine({"inspect", test::text(path)});
    HEADSCOPE_VERIFY_FAILED(outcome, 3, part);
    QVERIFY(outcome.out.isEmpty());
    if (kind == QLatin1String("no model") || kind == QLatin1String("truncated gguf")) // told once
        QVERIFY2(!outcome.err.contains("problems"), outcome.err.constData());
}

/// Fault row 3.
void TestEngineInspect::listsAllProblems()
{
    QTemporaryDir folder;
    const auto path = test::copyOf("models/mistral_f32", folder.path().toStdString());
    std::filesystem::remove(path / "model-00003-of-00003.safetensors");
    std::filesystem::resize_file(path / "model-00002-of-00003.safetensors", 100'000);
    test::writeFile(path / "tokenizer.json", "{}");
    const auto outcome = test::runEngine({"inspect", test::text(path)});
    HEADSCOPE_VERIFY_FAILED(outcome, 3, "problems");
    for (const char* part : {"model-00002-of-00003.safetensors", "model-00003-of-00003.safetensors", "tokenizer.json"})
        QVERIFY2(outcome.err.contains(part), outcome.err.constData());
}

void TestEngineInspect::errorsAsJson()
{
    const auto bad = test::runEngine({"inspect", "/nowhere/at/all", "--json"});
    HEADSCOPE_VERIFY_FAILED(bad, 3, "/nowhere/at/all");
    const auto error = test::jsonOf(bad)["error"].toObject();
    QCOMPARE(error["code"].toString(), QString("file_not_found"));
    QVERIFY(error["file"].toString().contains("/nowhere/at/all"));
    QVERIFY(!error["message"].toString().isEmpty() && error.contains("place"));
    const auto wrong = test::runEngine({"inspect", "m", "--json", "--nonsense"});
    HEADSCOPE_VERIFY_FAILED(wrong, 2, "--nonsense");
    QCOMPARE(test::jsonOf(wrong)["error"].toObject()["code"].toString(), QString("wrong_use"));
}

HEADSCOPE_TEST_GUILESS(TestEngineInspect)
#include "tst_engine_inspect.moc"
