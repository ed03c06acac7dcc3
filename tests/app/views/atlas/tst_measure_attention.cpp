// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/atlas/measure_attention.h"

#include "app/views/atlas/added_statistics.h"
#include "model/analysis/statistics/drawn_documents.h"
#include "model/io/results/attention/attention_file.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace headscope;
using namespace headscope::desktop;
using Json = nlohmann::json;

/// Attention statistics over documents, with an engine that is played.
class TestMeasureAttention : public QObject
{
    Q_OBJECT

private:
    static constexpr const char* kKeys[] = {"entropy",        "entropy_causal", "first_token",
                                            "previous_token", "self_token",     "confidence",
                                            "largest",        "induction",      "duplicate_token"};

    std::shared_ptr<DocumentSet> m_documents = std::make_shared<DocumentSet>();
    std::vector<Json> m_asked;

    [[nodiscard]] AtlasAttentionRequest request() const
    {
        AtlasAttentionRequest request;
        request.command.model = "model.gguf";
        request.info.layers = 2;
        request.info.heads = 3;
        request.info.vocabulary = 1000;
        request.info.sha256 = {{"model.gguf", "abc"}};
        request.documents = m_documents;
        request.rows = drawnDocuments(*m_documents, {}, 12, 1);
        request.of = m_documents->count();
        request.command.encode.eos = "always";
        request.command.maxTokens = "128";
        request.origin = {"of the cache"};
        return request;
    }

    /// Numbers that say which text, layer and head they are of: n + 10 layer + 0.1 head, n the text's length.
    static Json answerTo(const Json& params)
    {
        const std::string text = params.contains("text") ? params["text"].get<std::string>() : "ids";
        Json statistics = {{"layers", {0, 1}}};
        for (const char* key : kKeys)
        {
            Json rows = Json::array();
            for (int layer = 0; layer < 2; ++layer)
            {
                Json row = Json::array();
                for (int head = 0; head < 3; ++head)
                    row.push_back(static_cast<double>(text.size()) + 10.0 * layer + 0.1 * head);
                rows.push_back(row);
            }
            statistics[key] = rows;
        }
        return {{"statistics", statistics}, {"model", "model"}, {"sha256", {{"model.gguf", "abc"}}}};
    }

private Q_SLOTS:
    void initTestCase()
    {
        for (int i = 0; i < 20; ++i)
        {
            m_documents->ids.push_back("d" + std::to_string(i));
            m_documents->texts.push_back(i == 5 ? std::string() : std::string(static_cast<std::size_t>(i + 1), 'x'));
            m_documents->flags.push_back(i == 7 ? static_cast<std::uint8_t>(DocumentFlag::Empty) : std::uint8_t{0});
        }
    }

    void init() { m_asked.clear(); }

    void randomIdsAreGivenTwice()
    {
        const auto ids = repeatedIds(1000, 48, 3, 1);
        QCOMPARE(ids.size(), std::size_t{96});
        QVERIFY(std::equal(ids.begin(), ids.begin() + 48, ids.begin() + 48));
        QVERIFY(std::ranges::all_of(ids, [](std::int32_t id) { return id >= 100 && id < 900; }));
        QVERIFY(std::set<std::int32_t>(ids.begin(), ids.end()).size() > 40);
        QVERIFY(repeatedIds(1000, 48, 4, 1) != ids);
        QCOMPARE(repeatedIds(1000, 48, 3, 1), ids);
    }

    void meansAreOverTheDocuments()
    {
        const AtlasAttentionRequest asked = request();
        JobContext job;
        const auto measures = headscope::desktop::measureAttention(
            [this](const Json& params, JobContext&) -> Result<Json> {
                m_asked.push_back(params);
                return answerTo(params);
            },
            asked, job);
        HEADSCOPE_VERIFY_OK(measures);
        QCOMPARE(measures->size(), std::size_t{9});
        QCOMPARE(m_asked.size(), std::size_t(12 + 16));
        QCOMPARE(m_asked.front()["max-tokens"], Json("128"));
        QCOMPARE(m_asked.front()["eos"], Json("always"));
        QVERIFY(m_asked.front()["statistics"].get<bool>() && m_asked.front()["no-weights"].get<bool>());
        QVERIFY(!m_asked.back().contains("text") && m_asked.back().contains("ids"));
        double mean = 0;
        for (const std::int64_t row : asked.rows)
            mean += static_cast<double>(m_documents->texts[static_cast<std::size_t>(row)].size()) / 12;
        double squares = 0;
        for (const std::int64_t row : asked.rows)
            squares +=
                std::pow(static_cast<double>(m_documents->texts[static_cast<std::size_t>(row)].size()) - mean, 2);
        const double error = 1.959963984540054 * std::sqrt(squares / 11 / 12);
        const HeadMeasure& entropy = measures->front();
        QCOMPARE(entropy.key, std::string("entropy"));
        QVERIFY(std::abs(entropy.at(1, 2) - (mean + 10.2)) < 1e-9);
        QVERIFY(std::abs(entropy.intervalAt(1, 2).low - (mean + 10.2 - error)) < 1e-9);
        QVERIFY(std::abs(entropy.intervalAt(1, 2).high - (mean + 10.2 + error)) < 1e-9);
        QCOMPARE(entropy.count, std::int64_t{12});
        QCOMPARE(entropy.allCount, std::int64_t{20});
        QCOMPARE(entropy.origin, asked.origin);
        const HeadMeasure& induction = (*measures)[7];
        QCOMPARE(induction.key, std::string("induction"));
        QCOMPARE(induction.count, std::int64_t{16});
        QCOMPARE(induction.counted, std::string("random texts"));
        QVERIFY(std::abs(induction.at(0, 0) - 3) < 1e-12); // "ids", not the documents
    }

    void fewDocumentsHaveNoInterval()
    {
        AtlasAttentionRequest asked = request();
        asked.rows.resize(9);
        asked.randomTexts = 0;
        JobContext job;
        const auto measures = headscope::desktop::measureAttention(
            [](const Json& params, JobContext&) -> Result<Json> { return answerTo(params); }, asked, job);
        HEADSCOPE_VERIFY_OK(measures);
        QCOMPARE(measures->size(), std::size_t{7});
        QVERIFY(std::isfinite(measures->front().at(0, 0)));
        QVERIFY(std::isnan(measures->front().intervalAt(0, 0).low));
    }

    void whatATextSaysNothingOfIsLeftOut()
    {
        AtlasAttentionRequest asked = request();
        asked.randomTexts = 0;
        int calls = 0;
        JobContext job;
        const auto measures = headscope::desktop::measureAttention(
            [&calls](const Json& params, JobContext&) -> Result<Json> {
                Json answer = answerTo(params);
                if (calls++ > 0)
                    answer["statistics"]["entropy"][0][1] = Json();
                return answer;
            },
            asked, job);
        HEADSCOPE_VERIFY_OK(measures);
        const double first = static_cast<double>(m_documents->texts[static_cast<std::size_t>(asked.rows[0])].size());
        QVERIFY(std::abs(measures->front().at(0, 1) - (first + 0.1)) < 1e-9);
    }

    void otherAnswersAreRefused()
    {
        AtlasAttentionRequest asked = request();
        JobContext job;
        const auto with = [&](auto change) {
            return headscope::desktop::measureAttention(
                [&](const Json& params, JobContext&) -> Result<Json> {
                    Json answer = answerTo(params);
                    change(answer);
                    return answer;
                },
                asked, job);
        };
        HEADSCOPE_VERIFY_ERROR(with([](Json& answer) { answer["sha256"]["model.gguf"] = "another"; }),
                               ErrorCode::InvalidArgument, "expected the model that made the cache");
        HEADSCOPE_VERIFY_ERROR(with([](Json& answer) { answer["statistics"].erase("entropy"); }), ErrorCode::BadFormat,
                               "entropy");
        HEADSCOPE_VERIFY_ERROR(with([](Json& answer) { answer["statistics"]["entropy"][1].push_back(1); }),
                               ErrorCode::BadFormat, "entropy");
        HEADSCOPE_VERIFY_ERROR(with([](Json& answer) {
                                   answer["statistics"]["layers"] = {0, 7};
                               }),
                               ErrorCode::BadFormat, "attention statistics");
        asked.rows.clear();
        HEADSCOPE_VERIFY_ERROR(with([](Json&) {}), ErrorCode::InvalidArgument, "documents");
    }

    void aStopIsHeardBetweenTexts()
    {
        std::stop_source stop;
        JobContext job(stop.get_token());
        int calls = 0;
        const auto measures = headscope::desktop::measureAttention(
            [&](const Json& params, JobContext&) -> Result<Json> {
                if (++calls == 3)
                    stop.request_stop();
                return answerTo(params);
            },
            request(), job);
        HEADSCOPE_VERIFY_ERROR(measures, ErrorCode::Cancelled, "");
        QCOMPARE(calls, 3);
    }

    void statisticsOfAFileBecomeMeasures()
    {
        const test::TemporaryFolder folder;
        const auto path = folder.file("statistics.h5");
        AttentionShapes shapes;
        shapes.layers = {1};
        shapes.heads = 3;
        shapes.kvHeads = 1;
        shapes.weights = false;
        AttentionOrigin origin;
        origin.documents = 7;
        origin.model.name = "model";
        origin.model.sha256 = {{"model.gguf", "abc"}};
        auto file = AttentionFile::create(path, shapes, origin);
        HEADSCOPE_VERIFY_OK(file);
        HEADSCOPE_VERIFY_OK(file->publish({{"entropy", MatrixD(1, 3, {1, 2, 3})}, {"own", MatrixD(1, 3, {4, 5, 6})}}));
        JobContext job;
        ModelInfo info = request().info;
        const auto measures = readStatistics(path, info, {"of the cache"}, job);
        HEADSCOPE_VERIFY_OK(measures);
        QCOMPARE(measures->size(), std::size_t{2});
        const HeadMeasure& known = (*measures)[0];
        QCOMPARE(known.key, std::string("file/entropy"));
        QCOMPARE(known.kind, MeasureKind::File);
        QCOMPARE(known.at(1, 2), 3.0);
        QVERIFY(!known.has(0, 2));
        QCOMPARE(known.count, std::int64_t{7});
        QCOMPARE(known.origin.hash, std::string("of the cache"));
        QCOMPARE(known.definition, findMeasureInfo("entropy")->sentences(Stage::HeadOutput));
        QVERIFY((*measures)[1].definition.find("gives no definition") != std::string::npos);
        info.heads = 4;
        HEADSCOPE_VERIFY_ERROR(readStatistics(path, info, {}, job), ErrorCode::InvalidArgument, "4 heads");
        info = request().info;
        info.sha256 = {{"model.gguf", "another"}};
        HEADSCOPE_VERIFY_ERROR(readStatistics(path, info, {}, job), ErrorCode::InvalidArgument, "other weights");
    }
};

HEADSCOPE_TEST_GUILESS(TestMeasureAttention)
#include "tst_measure_attention.moc"
