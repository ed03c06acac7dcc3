// SPDX-License-Identifier: GPL-3.0-or-later
// What heads say in tokens, of documents and of weights alone: against recorded lists.
#include "app/engine/circuits/residual_weights.h"
#include "model/analysis/circuits/contributions.h"
#include "model/analysis/circuits/head_lens.h"
#include "model/net/forward/vocabulary_table.h"
#include "model/net/run/head_extractor.h"
#include "tests/model/net/golden_network.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace headscope;

namespace
{

const test::GoldenFile& lensTruth()
{
    static const test::GoldenFile file(test::golden("circuits/lens.h5"));
    return file;
}

/// What is wrong with lists of tokens: values within 1e-4 of the largest, ids equal where the recorded gap to the
/// neighbouring ranks is above that.
/// @param ids  of the dataset; values and gaps stand beside it
std::string fault(const std::vector<std::vector<TokenLogit>>& lists, const std::string& ids, const std::string& values,
                  const std::string& gaps)
{
    const auto expectedIds = lensTruth().integers(ids);
    const auto expected = lensTruth().doubles(values);
    const auto gap = lensTruth().doubles(gaps);
    double largest = 0;
    for (const double value : expected)
        largest = std::max(largest, std::abs(value));
    const std::size_t k = expected.size() / lists.size();
    std::size_t compared = 0;
    for (std::size_t list = 0; list < lists.size(); ++list)
    {
        if (lists[list].size() < k)
            return "a list is too short";
        for (std::size_t i = 0; i < k; ++i)
        {
            const std::size_t at = list * k + i;
            if (std::abs(lists[list][i].value - expected[at]) > 1e-4 * largest)
                return "value " + std::to_string(at) + " of " + ids;
            if (gap[at] > 1e-4 * largest)
            {
                ++compared;
                if (lists[list][i].id != expectedIds[at])
                    return "id " + std::to_string(at) + " of " + ids;
            }
        }
    }
    return compared * 10 > 9 * expected.size() ? "" : "too few ids were compared in " + ids;
}

std::vector<std::vector<TokenLogit>> listsOf(const std::vector<TokenLists>& all,
                                             std::vector<TokenLogit> TokenLists::*of)
{
    std::vector<std::vector<TokenLogit>> lists;
    for (const TokenLists& each : all)
        lists.push_back(each.*of);
    return lists;
}

/// The whole vocabulary in blocks of 100 rows.
template <class Take>
void eachBlock(const VocabularyTable& table, const Take& take)
{
    for (std::int64_t first = 0; first < table.rows(); first += 100)
    {
        const auto block = table.read(first, std::min<std::int64_t>(100, table.rows() - first));
        QVERIFY(block.has_value());
        take(*block, first);
    }
}

} // namespace

class TestLens : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void listsOfDocuments()
    {
        JobContext job;
        const auto files = openModel(test::golden("models/llama_bf16"));
        HEADSCOPE_VERIFY_OK(files);
        ExtractionOptions options;
        options.stages = {Stage::OutputSegment};
        options.pooling = Pooling::Last;
        const auto extractor = HeadExtractor::create(*files, options, job);
        HEADSCOPE_VERIFY_OK(extractor);
        const auto model = engine::residualModel(extractor->weights());
        HEADSCOPE_VERIFY_OK(model);
        const test::VectorGroup group(lensTruth(), "llama_bf16");
        std::vector<TokenizedDocument> documents;
        for (std::int64_t n = 0; n < group.documents(); ++n)
            documents.push_back({.index = n, .ids = group.ids(n)});
        const std::int64_t perDocument = model->numLayers() * model->heads;
        MatrixF heads(std::ssize(documents) * perDocument, model->modelDim);
        MatrixF whole(std::ssize(documents), model->modelDim);
        HEADSCOPE_VERIFY_OK(extractor->traceDocuments(
            documents,
            [&](std::size_t document, const ResidualTrace& trace) -> Status {
                const PooledSummands summands = poolSummands(*model, trace);
                const MatrixD all = parts(*model, summands);
                const auto n = static_cast<std::int64_t>(document);
                for (std::int64_t i = 0; i < perDocument; ++i)
                    std::ranges::transform(all.row(1 + i), heads.row(n * perDocument + i).begin(),
                                           [](double value) { return static_cast<float>(value); });
                std::ranges::copy(summands.embedding, whole.row(n).begin());
                return {};
            },
            job));
        MatrixF centred = heads;
        for (std::int64_t i = 0; i < perDocument; ++i)
            for (std::int64_t d = 0; d < heads.cols(); ++d)
            {
                float mean = 0;
                for (std::int64_t n = 0; n < whole.rows(); ++n)
                    mean += heads(n * perDocument + i, d) / static_cast<float>(whole.rows());
                for (std::int64_t n = 0; n < whole.rows(); ++n)
                    centred(n * perDocument + i, d) -= mean;
            }
        const auto table = VocabularyTable::unembedding(*files);
        HEADSCOPE_VERIFY_OK(table);
        QVERIFY(table->isOutputHead());
        for (const int threads : {1, 3})
        {
            VocabularyScan ofHeads(heads, 10);
            VocabularyScan ofCentred(centred, 10);
            VocabularyScan ofWhole(whole, 10);
            eachBlock(*table, [&](const MatrixF& block, std::int64_t first) {
                for (VocabularyScan* scan : {&ofHeads, &ofCentred, &ofWhole})
                    scan->add(block.view(), first, {}, threads);
            });
            const auto check = [](const std::vector<TokenLists>& all, std::vector<TokenLogit> TokenLists::*of,
                                  const std::string& name) {
                const std::string path = "llama_bf16/" + name;
                return fault(listsOf(all, of), path + "_ids", path + "_values", path + "_gap");
            };
            QCOMPARE(check(ofHeads.take(), &TokenLists::up, "head/top"), std::string());
            QCOMPARE(check(ofCentred.take(), &TokenLists::down, "head_centred/bottom"), std::string());
            QCOMPARE(check(ofWhole.take(), &TokenLists::up, "embedding/top"), std::string());
        }
    }

    void listsOfWeights_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"llama_bf16", "qwen3_f32", "mistral_mqa"})
            QTest::newRow(name) << QString(QLatin1StringView(name));
    }

    void listsOfWeights()
    {
        QFETCH(QString, name);
        const std::string model = name.toStdString();
        JobContext job;
        const auto files = openModel(test::golden("models/" + model));
        HEADSCOPE_VERIFY_OK(files);
        const auto embedding = VocabularyTable::embeddings(*files);
        const auto unembedding = VocabularyTable::unembedding(*files);
        HEADSCOPE_VERIFY_OK(embedding);
        HEADSCOPE_VERIFY_OK(unembedding);
        QCOMPARE(unembedding->isOutputHead(), model == "llama_bf16");
        const auto tokens = lensTruth().integers(model + "/static/tokens");
        MatrixF asked(std::ssize(tokens), files->config.modelDim);
        for (std::size_t i = 0; i < tokens.size(); ++i)
            std::ranges::copy(embedding->read(tokens[i], 1)->row(0), asked.row(static_cast<std::int64_t>(i)).begin());
        const auto weights = Weights::load(*files, {}, job);
        HEADSCOPE_VERIFY_OK(weights);
        std::vector<std::vector<TokenLogit>> up;
        std::vector<std::vector<TokenLogit>> down;
        std::vector<std::vector<TokenLogit>> keys;
        std::vector<std::vector<TokenLogit>> queries;
        std::vector<double> copying;
        std::vector<double> copied;
        std::vector<double> scores;
        std::vector<std::int64_t> heads(static_cast<std::size_t>(files->config.heads));
        std::iota(heads.begin(), heads.end(), 0);
        for (std::int64_t layer = 0; layer < files->config.layers; ++layer)
        {
            WeightsScan scan(engine::lensLayer(*weights, layer), asked.view(), 10, true);
            eachBlock(*embedding, [&](const MatrixF& block, std::int64_t first) {
                scan.add(block.view(), unembedding->read(first, block.rows())->view(), first, {}, 2);
            });
            HEADSCOPE_VERIFY_OK(scan.countCopied(heads, 2, job));
            for (const WeightsLens& head : scan.take())
            {
                copied.push_back(static_cast<double>(head.copyingTop10));
                copying.push_back(head.copying);
                scores.insert(scores.end(), head.scores.begin(), head.scores.end());
                for (const TokenLens& token : head.tokens)
                {
                    up.push_back(token.written.up);
                    down.push_back(token.written.down);
                    keys.push_back(token.keys.up);
                    queries.push_back(token.queries.up);
                }
            }
        }
        QVERIFY(test::absmax(copying, lensTruth().doubles(model + "/static/copying_eigen")) <= 1e-4);
        if (lensTruth().has(model + "/static/qk_scores"))
            QVERIFY(test::relmax(scores, lensTruth().doubles(model + "/static/qk_scores")) <= 1e-5);
        const auto counts = lensTruth().integers(model + "/static/copying_top10");
        QVERIFY(test::absmax(copied, std::vector<double>(counts.begin(), counts.end())) <= 2);
        const auto check = [&model](const auto& lists, const std::string& ids, const std::string& rest) {
            const std::string path = model + "/static/";
            return lensTruth().has(path + ids) ? fault(lists, path + ids, path + rest + "_values", path + rest + "_gap")
                                               : std::string();
        };
        QCOMPARE(check(up, "ov/top_ids", "ov/top"), std::string());
        QCOMPARE(check(down, "ov/bottom_ids", "ov/bottom"), std::string());
        QCOMPARE(check(keys, "top_keys", "top_keys"), std::string());
        QCOMPARE(check(queries, "top_queries", "top_queries"), std::string());
    }

    /// Equal values by the lower id, and nothing that is not listed.
    void rankings()
    {
        TokenRanking ranking(2);
        ranking.add(std::array{1.0F, 3.0F, 3.0F}, 0, {});
        ranking.add(std::array{3.0F, 0.0F, 0.0F}, 3, {});
        const TokenLists lists = ranking.take();
        QCOMPARE(lists.up.size(), std::size_t{2});
        QCOMPARE(lists.up[0].id, std::int64_t{1});
        QCOMPARE(lists.up[1].id, std::int64_t{2});
        QCOMPARE(lists.down[0].id, std::int64_t{4});
        QCOMPARE(lists.down[1].id, std::int64_t{5});
        TokenRanking some(2);
        some.add(std::array{1.0F, 3.0F, 2.0F}, 0, {true, false, true});
        QCOMPARE(some.take().up[0].id, std::int64_t{2});
    }
};

HEADSCOPE_TEST_GUILESS(TestLens)
#include "tst_lens.moc"
