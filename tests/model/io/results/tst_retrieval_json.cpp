// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/retrieval_json.h"

#include "model/io/cache/cache_reader.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <fstream>

using namespace headscope;

class TestRetrievalJson : public QObject
{
    Q_OBJECT

    test::TemporaryFolder m_folder;
    JobContext m_job;

    [[nodiscard]] std::filesystem::path written(const std::string& text) const
    {
        const auto path = m_folder.file("embeddings.json");
        std::ofstream(path) << text;
        return path;
    }

    /// Two articles and a query, two layers, two heads of two numbers, as the published program writes them.
    [[nodiscard]] static std::string sample()
    {
        const auto embeddings = [](int start) {
            const auto number = [start](int at) { return std::to_string(start + at) + ".5"; };
            std::string text = "\"embeddings\": {\n  \"standard\": [";
            for (int i = 0; i < 4; ++i)
                text += (i > 0 ? ", " : "") + number(i);
            text += "], \"layers\": {";
            for (const int layer : {2, 5})
                text += std::string(layer == 2 ? "" : ", ") + "\"" + std::to_string(layer) +
                        "\": {\"attention_heads\": [[" + number(10 * layer) + ", 1e-2], [-3, " +
                        number(10 * layer + 1) + "]]}";
            return text + "}}";
        };
        return "{\n \"articles\": [\n  {\"article\": {\"title\": \"Ants, \\\"[{\", \"text\": \"A text.\", \"label\": "
               "\"animals\"}, " +
               embeddings(0) + "},\n  {\"article\": {\"title\": \"Bolts\", \"text\": \"\", \"label\": \"tools\"}, " +
               embeddings(100) +
               "}\n ],\n \"queries\": [{\"query\": {\"topics\": [\"Bolts\"], \"text\": \"Find "
               "bolts.\"}, " +
               embeddings(200) + "}]\n}\n";
    }

private Q_SLOTS:
    void articles()
    {
        const auto path = written(sample());
        QVERIFY(isRetrievalJson(path));
        const auto read = readRetrievalJson(path, RetrievalPart::Articles, m_job);
        HEADSCOPE_VERIFY_OK(read);
        QCOMPARE(read->documents.ids, (std::vector<std::string>{"Ants, \"[{", "Bolts"}));
        QCOMPARE(read->documents.texts[0], std::string("A text."));
        QCOMPARE(read->documents.labels[0].categories, (std::vector<std::string>{"animals", "tools"}));
        QCOMPARE(read->header.model.layers, 6);
        QCOMPARE(read->header.model.heads, 2);
        QCOMPARE(read->header.model.kvHeads, 2);
        QCOMPARE(read->header.model.modelDim, 4);
        QCOMPARE(read->embeddings.size(), std::size_t{3});
        const HeadVectors& five = *read->embeddings[1];
        QCOMPARE(five.layer().value(), 5);
        QCOMPARE(five.vector(DocumentIndex(1), HeadIndex(0))[0], 150.5F);
        QCOMPARE(five.vector(DocumentIndex(0), HeadIndex(1))[0], -3.0F);
        QCOMPARE(read->embeddings[2]->stage(), Stage::OutputSegment);
        QCOMPARE(read->embeddings[2]->vector(DocumentIndex(1), HeadIndex(1))[1], 103.5F);
        QCOMPARE(read->notices.size(), std::size_t{1});
    }

    void queries()
    {
        const auto read = readRetrievalJson(written(sample()), RetrievalPart::Queries, m_job);
        HEADSCOPE_VERIFY_OK(read);
        QCOMPARE(read->documents.ids, std::vector<std::string>{"0"});
        QCOMPARE(read->documents.texts[0], std::string("Find bolts."));
        QCOMPARE(read->relevant.at("0"), std::vector<std::string>{"Bolts"});
        QVERIFY(read->documents.labels.empty());
    }

    void asACache()
    {
        const auto path = written(sample());
        const auto cache = CacheReader::open(path);
        HEADSCOPE_VERIFY_OK(cache);
        QCOMPARE((*cache)->info().documents, 2);
        QCOMPARE((*cache)->path(), path);
        const auto all = (*cache)->load(LayerIndex(5), Stage::HeadOutput, {}, m_job);
        HEADSCOPE_VERIFY_OK(all);
        QCOMPARE((*all)->documents(), 2);
        const auto one = (*cache)->load(LayerIndex(5), Stage::HeadOutput, {1, 2}, m_job);
        HEADSCOPE_VERIFY_OK(one);
        QCOMPARE((*one)->vector(DocumentIndex(0), HeadIndex(0))[0], 150.5F);
        HEADSCOPE_VERIFY_ERROR((*cache)->load(LayerIndex(5), Stage::HeadOutput, {1, 3}, m_job),
                               ErrorCode::InvalidArgument, "within 0 to 2");
        HEADSCOPE_VERIFY_ERROR((*cache)->load(LayerIndex(3), Stage::HeadOutput, {}, m_job), ErrorCode::InvalidArgument,
                               "layer 3 stage 1 is not in this cache");
        HEADSCOPE_VERIFY_ERROR((*cache)->topics("label", LayerIndex(5), Stage::HeadOutput, m_job),
                               ErrorCode::InvalidArgument, "none for this label");
        const auto asking = CacheReader::open(path, CachePart::Queries);
        HEADSCOPE_VERIFY_OK(asking);
        QCOMPARE((*asking)->relevant().size(), std::size_t{1});
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("part");
        QTest::newRow("cut off") << "\"tools\"},"
                                 << "\"tools\""
                                 << "articles[1]";
        QTest::newRow("no heads") << "attention_heads"
                                  << "heads"
                                  << "articles[0].embeddings.layers.2.attention_heads";
        QTest::newRow("short head") << "[150.5, 1e-2]"
                                    << "[150.5]"
                                    << "expected 2 numbers, found 1";
        QTest::newRow("no number") << "[150.5, 1e-2]"
                                   << "[150.5, \"x\"]"
                                   << "expected a number";
        QTest::newRow("missing head") << ", [-3, 151.5]"
                                      << ""
                                      << "expected 2 heads, found 1";
        QTest::newRow("layer name") << "\"2\":"
                                    << "\"two\":"
                                    << "the index of a layer";
        QTest::newRow("no list") << "\"articles\": ["
                                 << "\"articles\": 3, \"rest\": ["
                                 << "the list \"articles\" is missing";
        QTest::newRow("short standard") << "100.5, 101.5, 102.5, 103.5"
                                        << "100.5"
                                        << "expected 4 numbers, found 1";
    }

    void refuses()
    {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, part);
        std::string text = sample();
        const auto at = text.find(from.toStdString());
        QVERIFY(at != std::string::npos);
        text.replace(at, from.toStdString().size(), to.toStdString());
        HEADSCOPE_VERIFY_ERROR(readRetrievalJson(written(text), RetrievalPart::Articles, m_job), ErrorCode::BadFormat,
                               part.toStdString());
    }

    void otherFiles()
    {
        QVERIFY(!isRetrievalJson(written("{\"metadata\": {}, \"weight_map\": {}}")));
        QVERIFY(!isRetrievalJson(written("")));
        QVERIFY(!isRetrievalJson(m_folder.file("nothing.json")));
        QVERIFY(!isRetrievalJson("/"));
    }
};

HEADSCOPE_TEST_GUILESS(TestRetrievalJson)
#include "tst_retrieval_json.moc"
