// SPDX-License-Identifier: GPL-3.0-or-later
// How much each head reads of what earlier ones write: against recorded scores, and the verb.
#include "app/engine/circuits/composition_job.h"
#include "model/io/circuits/circuit_file.h"
#include "tests/app/engine/into_fixture.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QJsonArray>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stop_token>

using namespace headscope;
using namespace headscope::test;

namespace
{

const GoldenFile& truth()
{
    static const GoldenFile file(golden("circuits/composition.h5"));
    return file;
}

Result<CompositionScores> measure(const std::string& model, int threads,
                                  const std::vector<CompositionKind>& kinds = {kCompositionKinds.begin(),
                                                                               kCompositionKinds.end()})
{
    JobContext job;
    HEADSCOPE_TRY(const ModelFiles files, openModel(golden("models/" + model)));
    return engine::measureComposition(files, kinds, threads, job, std::pair<std::int64_t, std::int64_t>(0, 1));
}

} // namespace

class TestComposition : public QObject, private IntoFixture
{
    Q_OBJECT

private Q_SLOTS:
    void recordedScores_data()
    {
        QTest::addColumn<QString>("model");
        for (const char* model : {"mistral_f32", "qwen3_f32", "llama_mha", "mistral_mqa", "bert_f32"})
            QTest::newRow(model) << QString(QLatin1StringView(model));
    }
    void recordedScores()
    {
        QFETCH(QString, model);
        const std::string group = model.toStdString() + "/";
        const auto found = measure(model.toStdString(), 2);
        HEADSCOPE_VERIFY_OK(found);
        QVERIFY(absmax(found->of(CompositionKind::Q), truth().doubles(group + "Q")) < 1e-5);
        QVERIFY(absmax(found->of(CompositionKind::K), truth().doubles(group + "K")) < 1e-5);
        QVERIFY(absmax(found->of(CompositionKind::V), truth().doubles(group + "V")) < 1e-5);
        QVERIFY(std::abs(found->baseline - truth().doubles(group + "baseline")[0]) < 1e-15);
        QVERIFY(relmax(found->ovSingular, truth().doubles(group + "ov_singular")) < 1e-5);
        QVERIFY(relmax(found->qkSingular, truth().doubles(group + "qk_singular")) < 1e-5);
        if (!truth().has(group + "ov_write"))
            return;
        const auto wide = [](const std::vector<float>& values) {
            return std::vector<double>(values.begin(), values.end());
        };
        QVERIFY(absmax(wide(found->ovWrite), truth().doubles(group + "ov_write")) < 1e-3);
        QVERIFY(absmax(wide(found->ovRead), truth().doubles(group + "ov_read")) < 1e-3);
        const char* const names[] = {"component_Q", "component_K", "component_V"};
        const char* const pairs[] = {"pair_Q", "pair_K", "pair_V"};
        for (const CompositionKind kind : kCompositionKinds)
        {
            const auto at = static_cast<std::size_t>(kind);
            if (!truth().has(group + pairs[at]))
                continue;
            const double error = absmax(found->pairs[at], truth().doubles(group + pairs[at]));
            QVERIFY2(error < 1e-3, qPrintable(QString("%1 %2").arg(pairs[at]).arg(error)));
        }
        for (const CompositionKind kind : kCompositionKinds)
        {
            const auto at = static_cast<std::size_t>(kind);
            const double error = absmax(found->components[at], truth().doubles(group + names[at]));
            QVERIFY2(error < 1e-3, qPrintable(QString("%1 %2").arg(names[at]).arg(error)));
        }
    }

    void threadsChangeNothing()
    {
        std::optional<CompositionScores> first;
        for (const int threads : {1, 2, 3})
        {
            auto found = measure("qwen3_f32", threads);
            HEADSCOPE_VERIFY_OK(found);
            if (first)
                for (const CompositionKind kind : kCompositionKinds)
                    QVERIFY(found->of(kind) == first->of(kind) && found->components == first->components);
            first = std::move(*found);
        }
    }

    void onlyTheKindsAskedFor()
    {
        const auto all = measure("mistral_f32", 1);
        const auto keys = measure("mistral_f32", 1, {CompositionKind::K});
        HEADSCOPE_VERIFY_OK(all);
        HEADSCOPE_VERIFY_OK(keys);
        QVERIFY(keys->of(CompositionKind::Q).empty() && keys->of(CompositionKind::V).empty());
        QVERIFY(keys->of(CompositionKind::K) == all->of(CompositionKind::K));
    }

    /// The list has the highest of all scores, in their order.
    void theStrongestAreTheHighest()
    {
        const auto found = measure("mistral_f32", 1);
        HEADSCOPE_VERIFY_OK(found);
        std::vector<double> all;
        for (const CompositionKind kind : kCompositionKinds)
            for (const double score : found->of(kind))
                if (score > 0)
                    all.push_back(score - 0.01);
        std::ranges::sort(all, std::ranges::greater());
        const auto edges = strongestEdges(*found, 12, 0.01);
        QCOMPARE(edges.size(), 12U);
        for (std::size_t i = 0; i < edges.size(); ++i)
        {
            const CompositionEdge& edge = edges[i];
            QCOMPARE(edge.score, all[i]);
            QVERIFY(edge.fromLayer < edge.toLayer);
            const auto row = static_cast<std::size_t>(edge.fromLayer * 8 + edge.fromHead);
            const auto column = static_cast<std::size_t>(edge.toLayer * 8 + edge.toHead);
            QCOMPARE(found->of(edge.kind)[row * 24 + column] - 0.01, edge.score);
        }
        QCOMPARE(strongestEdges(*found, 100'000, 0).size(), all.size());
        QVERIFY(strongestEdges(*found, 0, 0).empty());
    }

    void aStopIsHeard()
    {
        const auto files = openModel(golden("models/mistral_f32"));
        HEADSCOPE_VERIFY_OK(files);
        std::stop_source stop;
        stop.request_stop();
        JobContext job(stop.get_token());
        const auto found = engine::measureComposition(*files, {CompositionKind::V}, 1, job);
        QVERIFY(!found);
        QCOMPARE(found.error().code, ErrorCode::Cancelled);
    }

    void theVerb()
    {
        const QStringList words = {"composition", text(golden("models/mistral_f32"))};
        const auto listed = engine(words + QStringList{"--json", "-o", "c.h5", "--overwrite", "--top", "7"}, "k");
        QVERIFY2(listed.exitCode == 0, listed.err.constData());
        const auto json = jsonOf(listed);
        QCOMPARE(json["strongest"].toArray().size(), 7);
        QCOMPARE(json["kinds"].toArray(), (QJsonArray{"q", "k", "v"}));
        const GoldenFile file(base / "k/c.h5");
        QCOMPARE(file.names("/composition"),
                 (std::vector<std::string>{"baseline", "component_k", "component_q", "component_v", "k", "ov_read",
                                           "ov_singular", "ov_write", "q", "qk_singular", "v"}));
        QCOMPARE(file.shape("/composition/component_q"), (std::vector<std::int64_t>{3, 8, 3, 3, 8}));
        QCOMPARE(file.shape("/composition/q"), (std::vector<std::int64_t>{3, 8, 3, 8}));
        const auto first = json["strongest"].toArray()[0].toObject();
        const auto place = [](const QJsonObject& head) {
            return static_cast<std::size_t>(head["layer"].toInt() * 8 + head["head"].toInt() - 1);
        };
        const std::size_t at = place(first["from"].toObject()) * 24 + place(first["to"].toObject());
        const auto scores = file.doubles("/composition/" + first["kind"].toString().toStdString());
        QVERIFY(std::abs(scores[at] - json["baseline"].toDouble() - first["score"].toDouble()) < 1e-12);
        JobContext job;
        const auto read = readCircuitFile(base / "k/c.h5", job);
        HEADSCOPE_VERIFY_OK(read);
        QVERIFY(read->composition() != nullptr && read->composition()->layers == 3);
        QCOMPARE(read->composition()->of(CompositionKind::Q), file.doubles("/composition/q"));
        const auto plain = jsonOf(engine(words + QStringList{"--json", "--baseline", "none", "--kinds", "v"}, "k"));
        QCOMPARE(plain["subtracted"].toDouble(), 0.0);
        for (const auto& row : plain["strongest"].toArray())
            QCOMPARE(row.toObject()["kind"].toString(), QString("v"));
        const auto table = engine(words + QStringList{"-o", "c.csv", "--overwrite"}, "k");
        QVERIFY2(table.exitCode == 0, table.err.constData());
        QVERIFY2(table.out.contains("what could flow between heads, not what flows in a text"), table.out.constData());
        QCOMPARE(QString::fromStdString(contents(base / "k/c.csv")).trimmed().split('\n').size(), 51);
        HEADSCOPE_VERIFY_FAILED(engine(words + QStringList{"--kinds", "q,x"}, "k"), 2, "--kinds");
        HEADSCOPE_VERIFY_FAILED(engine(words + QStringList{"--directions", "1,0"}, "k"), 2, "--directions");
        HEADSCOPE_VERIFY_FAILED(engine(words + QStringList{"--directions", "0,3"}, "k"), 2, "--directions");
        const auto pairs = engine(words + QStringList{"-o", "p.h5", "--overwrite", "--directions", "0,2"}, "k");
        QVERIFY2(pairs.exitCode == 0, pairs.err.constData());
        const GoldenFile both(base / "k/p.h5");
        QCOMPARE(both.shape("/composition/pair_q"), (std::vector<std::int64_t>{8, 3, 8, 3}));
        QVERIFY(both.has("/composition/pair_layers"));
        HEADSCOPE_VERIFY_FAILED(engine(words + QStringList{"-o", "c.txt"}, "k"), 2, "--output");
    }

    /// Quantised weights give almost the scores of the same weights in float32.
    void ofAQuantisedFile()
    {
        const auto whole = measure("../gguf/llama/llama-F32.gguf", 1);
        const auto quantised = measure("../gguf/llama/llama-Q8_0.gguf", 1);
        HEADSCOPE_VERIFY_OK(whole);
        HEADSCOPE_VERIFY_OK(quantised);
        for (const CompositionKind kind : kCompositionKinds)
        {
            const double error = absmax(quantised->of(kind), whole->of(kind));
            QVERIFY2(error > 0 && error < 0.01, qPrintable(QString::number(error)));
        }
    }
};

HEADSCOPE_TEST_GUILESS(TestComposition)
#include "tst_composition.moc"
