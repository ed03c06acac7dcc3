// SPDX-License-Identifier: GPL-3.0-or-later
// Answers of an engine to `attention`, also those that make no sense; and the runs that came with the program.
#include "app/views/attention/attention_change.h"
#include "app/views/attention/source/attention_reply.h"
#include "app/views/attention/source/stored_attention.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTemporaryDir>

#include <cmath>
#include <fstream>
#include <functional>
#include <set>

using namespace headscope;
using namespace headscope::desktop;
using Json = nlohmann::json;

namespace
{

/// One layer of a model of two heads that share their keys, three tokens.
Json sampleAnswer(const std::string& file)
{
    return {{"heads", 2},
            {"kv_heads", 1},
            {"head_dim", 4},
            {"model_layers", 6},
            {"model_dim", 8},
            {"vocabulary", 100},
            {"model", "sample"},
            {"family", "llama"},
            {"sha256", {{"m.gguf", "ab12"}}},
            {"layer_numbers", {5}},
            {"weight_heads", {2}},
            {"ids", {1, 2, 3}},
            {"texts", {"<s>", " a", "<0xF0>"}},
            {"truncated", false},
            {"causal", true},
            {"ablated", Json::array({{{"layer", 3}, {"heads", {1, 2}}}})},
            {"ablation", "zero"},
            {"seconds", {{"compute", 0.25}}},
            {"statistics", {{"layers", {5}}, {"entropy", Json::array({Json::array({1.5, nullptr})})}}},
            {"file", file},
            {"blocks", Json::array({{{"name", "weights"}, {"shape", {1, 1, 3, 3}}, {"dtype", "f32"}, {"offset", 8}}})}};
}

} // namespace

class TestAttentionAnswer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void isRead();
    void nonsense_data();
    void nonsense();
    void cutFiles();
    void largestChangeIsFound();
    void runsThatCameWithTheProgram();
    void brokenRunsAreLeftOut();

private:
    using Breaking = std::function<void(Json&)>;

    QTemporaryDir m_folder;
    std::string m_file;
};

void TestAttentionAnswer::initTestCase()
{
    m_file = m_folder.filePath(QStringLiteral("a.f32")).toStdString();
    const float values[] = {9, 9, 1, 0, 0, 0.5F, 0.5F, 0, 0.25F, 0.25F, 0.5F};
    std::ofstream(m_file, std::ios::binary).write(reinterpret_cast<const char*>(values), sizeof(values));
}

void TestAttentionAnswer::isRead()
{
    const auto answer = AttentionAnswer::read(sampleAnswer(m_file));
    HEADSCOPE_VERIFY_OK(answer);
    const auto run = answer->header();
    HEADSCOPE_VERIFY_OK(run);
    QCOMPARE(run->model.layers, std::int64_t(6));
    QCOMPARE(run->model.kvHeads, std::int64_t(1));
    QCOMPARE(run->model.changes.ablated, "3:1-2");
    QCOMPARE(run->model.sha256, (std::vector<std::pair<std::string, std::string>>{{"m.gguf", "ab12"}}));
    QCOMPARE(run->layers, std::vector{LayerIndex(5)});
    QCOMPARE(run->ids, (std::vector<std::int32_t>{1, 2, 3}));
    QCOMPARE(run->seconds, 0.25);
    QCOMPARE(run->statistics.size(), std::size_t(1));
    QCOMPARE(run->statistics.at("entropy")(0, 0), 1.5);
    QVERIFY(std::isnan(run->statistics.at("entropy")(0, 1)));
    QCOMPARE(run->origin, attentionOrigin(run->model, run->ids));
    const auto heads = answer->weightHeads(2);
    HEADSCOPE_VERIFY_OK(heads);
    QCOMPARE(*heads, std::vector{HeadIndex(1)});
    const auto weights = answer->block("weights", {1, 1, 3, 3});
    HEADSCOPE_VERIFY_OK(weights);
    QCOMPARE(*weights, (std::vector<float>{1, 0, 0, 0.5F, 0.5F, 0, 0.25F, 0.25F, 0.5F}));
}

void TestAttentionAnswer::nonsense_data()
{
    QTest::addColumn<Breaking>("breaking");
    const auto with = [](const char* name, const char* key, const Json& value) {
        QTest::newRow(name) << Breaking([key, value](Json& answer) { answer[key] = value; });
    };
    with("no heads", "heads", 0);
    with("negative", "heads", -2);
    with("text for a number", "heads", "2");
    with("too many", "model_layers", 4'000'000'000);
    with("groups", "kv_heads", 3);
    with("no ids", "ids", Json::array());
    with("ids of texts", "ids", {"a"});
    with("texts of other tokens", "texts", {"a", "b"});
    with("no text", "texts", Json());
    with("bytes", "texts", {"a", "\xF0\x9F", "c"});
    with("layer of no model", "layer_numbers", {6});
    with("layers twice", "layer_numbers", {5, 5});
    with("statistics of more heads", "statistics", {{"entropy", Json::array({Json::array({1, 2, 3})})}});
    with("statistics of more layers", "statistics",
         {{"entropy", Json::array({Json::array({1, 2}), Json::array({1, 2})})}});
    with("statistics of none", "statistics", {{"entropy", 7}});
}

void TestAttentionAnswer::nonsense()
{
    QFETCH(Breaking, breaking);
    Json object = sampleAnswer(m_file);
    breaking(object);
    const auto answer = AttentionAnswer::read(object);
    HEADSCOPE_VERIFY_OK(answer);
    HEADSCOPE_VERIFY_ERROR(answer->header(), ErrorCode::BadFormat, "engine");
}

void TestAttentionAnswer::cutFiles()
{
    const auto block = [this](const Breaking& breaking, std::vector<std::int64_t> shape) -> Result<std::vector<float>> {
        Json object = sampleAnswer(m_file);
        breaking(object);
        HEADSCOPE_TRY(const auto answer, AttentionAnswer::read(object));
        return answer.block("weights", shape);
    };
    const std::vector<std::int64_t> shape = {1, 1, 3, 3};
    const auto first = [](Json& answer) -> Json& { return answer["blocks"][0]; };
    QVERIFY(!block([](Json& answer) { answer["blocks"] = Json::array(); }, shape));
    QVERIFY(!block([](Json& answer) { answer["blocks"] = 3; }, shape));
    QVERIFY(!block([](Json&) {}, {1, 3, 3}));
    QVERIFY(!block([&](Json& answer) { first(answer)["offset"] = 12; }, shape));
    QVERIFY(!block([&](Json& answer) { first(answer)["offset"] = 18'446'744'073'709'551'615U; }, shape));
    QVERIFY(!block([&](Json& answer) { first(answer)["offset"] = "8"; }, shape));
    QVERIFY(!block([&](Json& answer) { first(answer)["dtype"] = "f16"; }, shape));
    const std::vector<std::int64_t> huge = {1, 1, 3'000'000'000, 3'000'000'000};
    QVERIFY(!block([&](Json& answer) { first(answer)["shape"] = huge; }, huge));
    HEADSCOPE_VERIFY_ERROR(AttentionAnswer::read(sampleAnswer("/no/such.f32")), ErrorCode::FileNotFound, "such.f32");
    HEADSCOPE_VERIFY_ERROR(AttentionAnswer::read(Json::array()), ErrorCode::BadFormat, "engine");
}

void TestAttentionAnswer::largestChangeIsFound()
{
    const auto run = [](std::initializer_list<std::initializer_list<float>> heads) {
        AttentionRun made;
        made.ids = {1, 2};
        HeadIndex head;
        for (const auto& values : heads)
        {
            made.weights.push_back(
                {LayerIndex(3), head, std::make_shared<const MatrixF>(2, 2, std::vector<float>(values))});
            ++head;
        }
        return made;
    };
    const AttentionRun before = run({{1, 0, 0.5F, 0.5F}, {1, 0, 0.25F, 0.75F}});
    const AttentionRun after = run({{1, 0, 0.25F, 0.75F}, {1, 0, 1, 0}});
    const auto change = largestChange(before, after);
    QVERIFY(change.has_value());
    QCOMPARE(change->layer, LayerIndex(3));
    QCOMPARE(change->head, HeadIndex(1));
    QCOMPARE(change->share, 0.375); // three quarters of the second token's weight, nothing of the first one's
    QCOMPARE(largestChange(before, before)->share, 0.0);
    AttentionRun other = after;
    other.ids = {1, 3};
    QVERIFY(!largestChange(before, other));
    QVERIFY(!largestChange(run({}), after));
}

/// Two sentences, two models, in little room; a paper's reader can say what they are of.
void TestAttentionAnswer::runsThatCameWithTheProgram()
{
    JobContext job;
    std::vector<std::string> problems;
    const auto folder = test::source("resources/attention");
    const auto stored = readStoredAttention(folder, problems, job);
    HEADSCOPE_VERIFY_OK(stored);
    QVERIFY2(problems.empty(), problems.empty() ? "" : problems.front().c_str());
    std::set<std::string> names;
    std::uintmax_t bytes = 0;
    for (const StoredAttention& each : *stored)
    {
        names.insert(each.name);
        bytes += std::filesystem::file_size(each.file);
        const AttentionRun& run = *each.run;
        QCOMPARE(run.storedName, each.name);
        QVERIFY(!run.model.sha256.empty() && run.model.path.empty() && !run.text.empty());
        QCOMPARE(run.layers.size(), static_cast<std::size_t>(run.model.layers));
        QCOMPARE(run.weights.size(), static_cast<std::size_t>(run.model.layers * run.model.heads));
        for (const HeadWeights& head : run.weights)
            for (std::int64_t query = 0; query < head.rows->rows(); ++query)
            {
                double sum = 0;
                for (const float weight : head.rows->row(query))
                    sum += static_cast<double>(weight);
                QVERIFY(std::abs(sum - 1) < 1e-4);
                if (run.causal && query + 1 < head.rows->cols())
                    QCOMPARE((*head.rows)(query, query + 1), 0.0F);
            }
        for (const char* name : {"entropy", "first_token", "previous_token"})
            QCOMPARE(run.statistics.count(name), std::size_t(1));
        // The vectors make the weights of their layer, and the outputs.
        const LayerVectors& vectors = *run.vectors.front();
        const MatrixF& weights = *run.weightsOf(vectors.layer, HeadIndex(0));
        for (std::int64_t query = 0; query < weights.rows(); ++query)
            for (std::int64_t i = 0; i < run.model.headDim; ++i)
            {
                double sum = 0;
                for (std::int64_t key = 0; key < weights.cols(); ++key)
                    sum += static_cast<double>(weights(query, key)) * static_cast<double>(vectors.v(key, i));
                QVERIFY(std::abs(sum - static_cast<double>(vectors.z(query, i))) < 1e-3);
            }
    }
    QCOMPARE(names, (std::set<std::string>{"minilm-groups", "minilm-knife", "minilm-split", "smollm2-groups",
                                           "smollm2-knife", "smollm2-split"}));
    QVERIFY(bytes < 3'000'000);
}

void TestAttentionAnswer::brokenRunsAreLeftOut()
{
    const std::filesystem::path folder = m_folder.filePath(QStringLiteral("runs")).toStdString();
    std::filesystem::create_directory(folder);
    std::filesystem::copy(test::source("resources/attention/minilm-knife.h5"), folder / "good.h5");
    std::ofstream(folder / "bad.h5") << "no HDF5";
    std::ofstream(folder / "other.txt") << "no run";
    JobContext job;
    std::vector<std::string> problems;
    const auto stored = readStoredAttention(folder, problems, job);
    HEADSCOPE_VERIFY_OK(stored);
    QCOMPARE(stored->size(), std::size_t(1));
    QCOMPARE(stored->front().name, "good");
    QCOMPARE(problems.size(), std::size_t(1));
    QVERIFY(problems.front().find("bad.h5") != std::string::npos);
    const auto none = readStoredAttention({}, problems, job);
    HEADSCOPE_VERIFY_OK(none);
    QVERIFY(none->empty());
}

HEADSCOPE_TEST_GUILESS(TestAttentionAnswer)
#include "tst_attention_reply.moc"
