// SPDX-License-Identifier: GPL-3.0-or-later
// What a model loses with fewer pairs of keys and values: against the verb on a tiny model, and the numbers that come
// with the program.
#include "app/desktop/engine/engine_server.h"
#include "app/desktop/lesson/lesson_library.h"
#include "app/desktop/lesson/regroup_model.h"
#include "model/base/output/output_file.h"
#include "model/io/cache/cache_reader.h"
#include "model/io/cache/full_vectors.h"
#include "model/io/lessons/regroup_file.h"
#include "model/io/texts/document_reader.h"
#include "tests/app/engine/engine_run.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <filesystem>
#include <fstream>

using namespace headscope;
using namespace headscope::desktop;

namespace
{

const std::vector<std::string> kTexts = {"the sea is blue and wide", "a train leaves at nine",
                                         "nine red apples fall",     "rain in the hills today",
                                         "old stones by the road",   "a letter from the north"};

/// A cache of the texts as the verb makes it.
test::ProcessOutcome extract(const QString& model, const QString& cache, const QStringList& more)
{
    QByteArray lines;
    for (const std::string& text : kTexts)
        lines += QByteArray("{\"text\": \"") + text.c_str() + "\"}\n";
    return test::runEngine(QStringList{QStringLiteral("extract"), model, QStringLiteral("-"), QStringLiteral("-o"),
                                       cache, QStringLiteral("--layers"), QStringLiteral("last"),
                                       QStringLiteral("--stages"), QStringLiteral("3")} +
                               more,
                           lines);
}

Result<MatrixF> vectorsOf(const QString& cache)
{
    JobContext job;
    HEADSCOPE_TRY(const auto reader, CacheReader::open(cache.toStdString(), job));
    HEADSCOPE_TRY(const FullPair full, fullVectors(*reader, LayerIndex(reader->info().header.model.layers - 1),
                                                   Stage::OutputSegment, {}, job));
    const ConstMatrixView rows = full.documents.matrix();
    return MatrixF(rows.rows(), rows.cols(), std::vector<float>(rows.data(), rows.data() + rows.rows() * rows.cols()));
}

double meanCosine(const MatrixF& a, const MatrixF& b)
{
    double sum = 0;
    for (std::int64_t row = 0; row < a.rows(); ++row)
    {
        double ab = 0;
        double aa = 0;
        double bb = 0;
        for (std::int64_t d = 0; d < a.cols(); ++d)
        {
            ab += static_cast<double>(a(row, d)) * static_cast<double>(b(row, d));
            aa += static_cast<double>(a(row, d)) * static_cast<double>(a(row, d));
            bb += static_cast<double>(b(row, d)) * static_cast<double>(b(row, d));
        }
        sum += ab / std::sqrt(aa * bb);
    }
    return sum / static_cast<double>(a.rows());
}

std::vector<std::string> demoTexts()
{
    std::vector<std::string> texts;
    std::ifstream corpus(test::source("resources/demo/corpus.jsonl"));
    for (std::string line; std::getline(corpus, line);)
        texts.push_back(QJsonDocument::fromJson(QByteArray::fromStdString(line))
                            .object()
                            .value(QStringLiteral("text"))
                            .toString()
                            .toStdString());
    return texts;
}

RegroupQuestion questionOf(const QString& path, std::int64_t heads, std::int64_t kvHeads)
{
    RegroupQuestion question;
    question.embed.model = path.toStdString();
    question.model.name = "tiny";
    question.model.family = "mistral";
    question.model.layers = 3;
    question.model.heads = heads;
    question.model.kvHeads = kvHeads;
    question.model.headDim = 8;
    question.texts = kTexts;
    question.ofTexts = 10;
    question.from = "made up";
    question.sentence = "nine red apples and a train";
    return question;
}

} // namespace

class TestRegroupModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void vectorsAreThoseOfTheVerb()
    {
        const QString model = test::text(test::golden("models/qwen3_f32"));
        EngineServer engine(test::program("headscope-engine"), {});
        JobContext job;
        const auto result = measureRegrouping(engine, questionOf(model, 8, 4), job);
        HEADSCOPE_VERIFY_OK(result);
        QCOMPARE(result->rows.size(), std::size_t{3});
        QCOMPARE(result->documents, std::int64_t{6});
        QCOMPARE(result->neighbors, std::int64_t{4}); // of six texts
        const RegroupRow& own = result->rows.front();
        QVERIFY(own.kvHeads == 4 && own.cosine == 1 && own.kept == 1 && own.attention == 0);
        const QString before = m_folder.filePath(QStringLiteral("before.h5"));
        QCOMPARE(extract(model, before, {}).exitCode, 0);
        const auto as = vectorsOf(before);
        HEADSCOPE_VERIFY_OK(as);
        for (std::size_t i = 1; i < result->rows.size(); ++i)
        {
            const RegroupRow& row = result->rows[i];
            const QString cache = m_folder.filePath(QStringLiteral("with%1.h5").arg(row.kvHeads));
            QCOMPARE(extract(model, cache, {QStringLiteral("--regroup"), QString::number(row.kvHeads)}).exitCode, 0);
            const auto other = vectorsOf(cache);
            HEADSCOPE_VERIFY_OK(other);
            QVERIFY2(std::abs(row.cosine - meanCosine(*as, *other)) < 1e-6, qPrintable(QString::number(row.cosine)));
            QVERIFY(row.cosine < 0.9999);
            QVERIFY(row.cosineCi95.low <= row.cosine && row.cosine <= row.cosineCi95.high);
            QVERIFY(row.kept >= 0 && row.kept <= 1);
            QVERIFY(row.attention > 0 && row.attention < 1);
        }
    }

    void whatCannotBeMeasured()
    {
        EngineServer engine("/nowhere/headscope-engine", {});
        JobContext job;
        RegroupQuestion question = questionOf(QStringLiteral("/nowhere"), 8, 1);
        HEADSCOPE_VERIFY_ERROR(measureRegrouping(engine, question, job), ErrorCode::InvalidArgument,
                               "more than one KV head");
        question.model.kvHeads = 4;
        QVERIFY(!measureRegrouping(engine, question, job)); // there is no engine
        question.texts.resize(2);
        HEADSCOPE_VERIFY_ERROR(measureRegrouping(engine, question, job), ErrorCode::InvalidArgument, "three texts");
        std::stop_source stop;
        stop.request_stop();
        JobContext stopped(stop.get_token());
        question = questionOf(test::text(test::golden("models/qwen3_f32")), 8, 4);
        EngineServer real(test::program("headscope-engine"), {});
        const auto result = measureRegrouping(real, question, stopped);
        QVERIFY(!result && result.error().code == ErrorCode::Cancelled);
    }

    void textsAreSpread()
    {
        QCOMPARE(spreadTexts({"a", "b"}, 5), (std::vector<std::string>{"a", "b"}));
        QCOMPARE(spreadTexts({"a", "b", "c", "d", "e", "f"}, 3), (std::vector<std::string>{"a", "c", "e"}));
    }

    void bundledNumbersAreThoseOfTheModel_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("family");
        QTest::addColumn<int>("layers");
        QTest::addColumn<int>("heads");
        QTest::addColumn<int>("kvHeads");
        QTest::addColumn<int>("headDim");
        QTest::addColumn<QString>("model");
        const QString smollm2 = qEnvironmentVariable("HEADSCOPE_DEMO_MODEL");
        QTest::newRow("smollm2") << QStringLiteral("regroup-smollm2.json")
                                 << QStringLiteral("SmolLM2-135M-Instruct.Q4_1") << QStringLiteral("llama") << 30 << 9
                                 << 3 << 64 << smollm2;
        // It lies beside the other one.
        QTest::newRow("minilm") << QStringLiteral("regroup-minilm.json") << QStringLiteral("all-MiniLM-L6-v2")
                                << QStringLiteral("bert") << 6 << 12 << 12 << 32
                                << QFileInfo(smollm2).dir().filePath(QStringLiteral("all-MiniLM-L6-v2"));
    }
    /// The numbers that come with the program are those of the model; HEADSCOPE_UPDATE_GOLDEN=1 measures them anew,
    /// over all demo texts (packaging/make_lesson_numbers.sh).
    void bundledNumbersAreThoseOfTheModel()
    {
        QFETCH(const QString, file);
        QFETCH(const QString, name);
        QFETCH(const QString, family);
        QFETCH(const int, layers);
        QFETCH(const int, heads);
        QFETCH(const int, kvHeads);
        QFETCH(const int, headDim);
        QFETCH(const QString, model);
        const auto path = test::source("resources/lessons/numbers") / file.toStdString();
        if (qEnvironmentVariable("HEADSCOPE_DEMO_MODEL").isEmpty() || !QFile::exists(model))
            QSKIP("the demo model is not here (HEADSCOPE_DEMO_MODEL)");
        RegroupQuestion question = questionOf(model, heads, kvHeads);
        question.model.name = name.toStdString();
        question.model.family = family.toStdString();
        question.model.layers = layers;
        question.model.headDim = headDim;
        question.sentence = "The queries of one group read the same keys, but they look for different things.";
        question.from = "the demo texts";
        EngineServer engine(test::program("headscope-engine"), {});
        JobContext job;
        if (qEnvironmentVariableIntValue("HEADSCOPE_UPDATE_GOLDEN") == 1)
        {
            question.texts = demoTexts();
            question.ofTexts = static_cast<std::int64_t>(question.texts.size());
            const auto measured = measureRegrouping(engine, question, job);
            HEADSCOPE_VERIFY_OK(measured);
            HEADSCOPE_VERIFY_OK(writeFileAtomically(path, regroupText(*measured)));
        }
        const auto stored = readRegroup(path);
        HEADSCOPE_VERIFY_OK(stored);
        QCOMPARE(stored->model.name, question.model.name);
        QCOMPARE(stored->model.kvHeads, std::int64_t{kvHeads});
        QCOMPARE(stored->documents, std::int64_t{192});
        question.texts.resize(3);
        const auto now = measureRegrouping(engine, question, job);
        HEADSCOPE_VERIFY_OK(now);
        QCOMPARE(stored->rows.size(), now->rows.size());
        for (std::size_t i = 0; i < stored->rows.size(); ++i)
        {
            QCOMPARE(stored->rows[i].kvHeads, now->rows[i].kvHeads);
            QVERIFY(std::abs(stored->rows[i].attention - now->rows[i].attention) < 2e-3);
        }
    }

private:
    QTemporaryDir m_folder;
};

HEADSCOPE_TEST_GUILESS(TestRegroupModel)
#include "tst_regroup_model.moc"
