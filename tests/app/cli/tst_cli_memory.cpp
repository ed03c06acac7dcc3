// SPDX-License-Identifier: GPL-3.0-or-later
// What does not fit into memory is refused by its estimate, before it is computed.
#include "tests/app/cli/cli_fixture.h"
#include "tests/support/memory_limit.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <filesystem>

using namespace headscope;

class TestCliMemory : public QObject
{
    Q_OBJECT

    static constexpr std::int64_t kMany = 12'800; // documents, about three of each label
    static constexpr std::int64_t kWide = 2'048;  // numbers of each: 105 MB in float32

    test::TemporaryFolder m_folder;

private Q_SLOTS:
    void initTestCase()
    {
        CacheContents contents;
        contents.header.model = {"wide", "", "llama", 1, 2, 1, kWide / 2, kWide, 100, {}};
        std::vector<std::string> labels;
        for (std::int64_t i = 0; i < kMany; ++i)
        {
            contents.documents.ids.push_back("d" + std::to_string(i));
            labels.push_back("label " + std::to_string(i % 4'096));
        }
        contents.documents.labels = {makeLabelColumn("topic", labels)};
        contents.embeddings.push_back(
            std::make_shared<const HeadVectors>(Stage::HeadOutput, LayerIndex(0), kMany, 2, kWide / 2,
                                                std::vector<float>(static_cast<std::size_t>(kMany * kWide), 1.0F)));
        JobContext job;
        HEADSCOPE_VERIFY_OK(writeCache(m_folder.file("wide.h5"), contents, NumberType::Bf16, job));
    }

    void refused_data()
    {
        QTest::addColumn<QString>("words");
        QTest::addColumn<int>("megabytes");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const char* words, int megabytes, const char* part) {
            QTest::newRow(name) << QString::fromLatin1(words) << megabytes << QString::fromLatin1(part);
        };
        row("vectors", "heatmap C -o O.csv", 100,
            "/embeddings/layer_000/stage1 of 12800 documents needs about 105 MB of memory");
        row("export, texts", "export C -o O.csv", 500, "writing 26,214,400 values as csv needs about 944 MB of memory");
        row("export, numbers", "export C -o O.npy", 300,
            "writing 26,214,400 values as npy needs about 315 MB of memory");
        row("match", "match C --topic-vectors centroids --permutations 0 --json", 500,
            "the match of 12800 documents with 4096 topics needs about 419 MB of memory");
    }
    void refused()
    {
        QFETCH(QString, words);
        QFETCH(int, megabytes);
        QFETCH(QString, part);
        std::vector<std::string> arguments;
        for (const QString& word : words.split(u' '))
            arguments.push_back(word == u"C"             ? m_folder.file("wide.h5").string()
                                : word.startsWith(u"O.") ? m_folder.file(word.toStdString()).string()
                                                         : word.toStdString());
        arguments.insert(arguments.end(), {"--threads", "1"});
        const test::MemoryLimit limit(static_cast<std::uint64_t>(megabytes) * 1'000'000);
        const auto outcome = test::runVerb(arguments);
        QVERIFY2(outcome.code == 4, outcome.err.c_str());
        QVERIFY2(outcome.err.find(part.toStdString()) != std::string::npos, outcome.err.c_str());
        QVERIFY2(outcome.err.find("the address space limit") != std::string::npos, outcome.err.c_str());
        QCOMPARE(m_folder.files(), std::size_t{1});
    }
};

HEADSCOPE_TEST_GUILESS(TestCliMemory)
#include "tst_cli_memory.moc"
