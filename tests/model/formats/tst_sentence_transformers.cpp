// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/formats/sentence_transformers.h"

#include "tests/support/test_paths.h"
#include "tests/support/verify.h"

#include <QTemporaryDir>

#include <fstream>

using namespace headscope;

class TestSentenceTransformers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void goldenModels_data();
    void goldenModels();
    void nothingThere();
    void readsModules();
    void refuses_data();
    void refuses();
};

void TestSentenceTransformers::goldenModels_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("pooling");
    QTest::addColumn<int>("length");
    QTest::newRow("mistral_f32") << "mistral_f32"
                                 << "last" << 4096;
    QTest::newRow("bert_f32") << "bert_f32"
                              << "mean" << 64;
    QTest::newRow("bert_f16") << "bert_f16"
                              << "first" << 128;
}

void TestSentenceTransformers::goldenModels()
{
    QFETCH(QString, name);
    QFETCH(QString, pooling);
    QFETCH(int, length);
    const auto files = readSentenceTransformers(test::golden("models/" + name.toStdString()));
    HEADSCOPE_VERIFY_OK(files);
    QCOMPARE(files->pooling, pooling.toStdString());
    QCOMPARE(files->maxSeqLength, std::optional<std::int64_t>(length));
}

void TestSentenceTransformers::nothingThere()
{
    QTemporaryDir folder;
    const auto files = readSentenceTransformers(folder.path().toStdString());
    HEADSCOPE_VERIFY_OK(files);
    QVERIFY(files->pooling.empty() && files->unknownPooling.empty() && !files->maxSeqLength && !files->normalizes);
}

void TestSentenceTransformers::readsModules()
{
    QTemporaryDir folder;
    const std::filesystem::path base = folder.path().toStdString();
    std::filesystem::create_directory(base / "2_P");
    std::ofstream(base / "modules.json") << R"([{"type":"sentence_transformers.models.Transformer","path":""},
        {"type":"sentence_transformers.models.Pooling","path":"2_P"},
        {"type":"sentence_transformers.models.Normalize","path":"3_Normalize"}])";
    std::ofstream(base / "2_P/config.json") << R"({"pooling_mode_max_tokens":true,"pooling_mode_mean_tokens":false})";
    std::ofstream(base / "sentence_bert_config.json") << R"({"max_seq_length":null})";
    const auto files = readSentenceTransformers(base);
    HEADSCOPE_VERIFY_OK(files);
    QCOMPARE(files->unknownPooling, std::string("pooling_mode_max_tokens"));
    QVERIFY(files->pooling.empty() && files->normalizes && !files->maxSeqLength);
}

void TestSentenceTransformers::refuses_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("part");
    QTest::newRow("no JSON") << "modules.json" << QByteArray("[") << QByteArray("modules.json: expected valid JSON");
    QTest::newRow("no array") << "modules.json" << QByteArray("{}") << QByteArray("expected an array of modules");
    QTest::newRow("leads out") << "modules.json" << QByteArray(R"([{"type":"x.Pooling","path":"../other"}])")
                               << QByteArray("path: expected a folder inside the model's");
    QTest::newRow("absolute") << "modules.json" << QByteArray(R"([{"type":"x.Pooling","path":"/etc"}])")
                              << QByteArray("found \"/etc\"");
    QTest::newRow("two poolings") << "1_Pooling/config.json"
                                  << QByteArray(R"({"pooling_mode_mean_tokens":true,"pooling_mode_cls_token":true})")
                                  << QByteArray("expected one kind of pooling");
    QTest::newRow("pooling no bool") << "1_Pooling/config.json" << QByteArray(R"({"pooling_mode_mean_tokens":1})")
                                     << QByteArray("expected true or false, found an integer");
    QTest::newRow("length text") << "sentence_bert_config.json" << QByteArray(R"({"max_seq_length":"x"})")
                                 << QByteArray("max_seq_length: expected an integer");
    QTest::newRow("length 0") << "sentence_bert_config.json" << QByteArray(R"({"max_seq_length":0})")
                              << QByteArray("expected 1 or more, found 0");
}

void TestSentenceTransformers::refuses()
{
    QFETCH(QString, file);
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, part);
    QTemporaryDir folder;
    const std::filesystem::path base = folder.path().toStdString();
    std::filesystem::create_directory(base / "1_Pooling");
    std::ofstream(base / file.toStdString()) << text.toStdString();
    const auto files = readSentenceTransformers(base);
    QVERIFY(!files);
    const auto sentence = files.error().sentence();
    QVERIFY2(sentence.find(part.toStdString()) != std::string::npos, sentence.c_str());
}

QTEST_GUILESS_MAIN(TestSentenceTransformers)
#include "tst_sentence_transformers.moc"
