// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/engine/engine_run.h"
#include "tests/support/golden_file.h"
#include "tests/support/sanitized.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>

#include <algorithm>
#include <memory>

using namespace headscope;

/// What `headscope-engine extract` takes of its documents: nested fields, lists of labels, samples, repeated ids.
class TestEngineInputs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_base = m_folder->path().toStdString();
    }

    void nestedFields()
    {
        test::writeFile(m_base / "n.jsonl",
                        R"({"doc":{"body":"The cat sat.","key":"p"},"labels":{"section":"cats"},"tags":["a","b"]})"
                        "\n"
                        R"({"doc":{"body":"Dogs bark.","key":"q"},"labels":{"section":"dogs"},"tags":["b"]})"
                        "\n");
        const QStringList columns = {"--text-column", "doc.body", "--id-column", "doc.key"};
        const auto outcome = extract("n.jsonl", columns + QStringList{"--label-columns", "labels.section,tags"});
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        QVERIFY2(outcome.err.contains("note: 1 of 2 documents have several labels in \"tags\": the first is used"),
                 outcome.err.constData());
        const test::GoldenFile cache(m_base / "c.h5");
        QVERIFY((cache.strings("/documents/id") == std::vector<std::string>{"p", "q"}));
        QVERIFY((cache.strings("/documents/text") == std::vector<std::string>{"The cat sat.", "Dogs bark."}));
        QVERIFY((cache.names("/documents/labels") == std::vector<std::string>{"labels.section", "tags"}));
        QVERIFY(
            (cache.strings("/documents/labels/labels.section/categories") == std::vector<std::string>{"cats", "dogs"}));
        QVERIFY((cache.strings("/documents/labels/tags/categories") == std::vector<std::string>{"a", "b"}));
        QVERIFY(cache.has("/topics/labels.section/embeddings/layer_002/stage1"));

        const auto joined =
            extract("n.jsonl", columns + QStringList{"--label-columns", "tags", "--label-lists", "joined"});
        QVERIFY2(joined.exitCode == 0, joined.err.constData());
        const test::GoldenFile other(m_base / "c.h5");
        QVERIFY((other.strings("/documents/labels/tags/categories") == std::vector<std::string>{"a, b", "b"}));

        HEADSCOPE_VERIFY_FAILED(extract("n.jsonl", columns + QStringList{"--label-columns", "labels"}), 3,
                                "n.jsonl: line 1: expected a label in the field \"labels\", found an array or object; "
                                "to use one of its fields, name the column labels.FIELD");
        HEADSCOPE_VERIFY_FAILED(extract("n.jsonl", {"--text-column", "doc.text"}), 3,
                                "n.jsonl: line 1: expected the field \"doc.text\" with the text");
        HEADSCOPE_VERIFY_FAILED(extract("n.jsonl", {"--label-lists", "all"}), 2, "--label-lists");
    }

    /// A table as spreadsheets write it where the comma is the decimal sign.
    void semicolonsAndDecimalCommas()
    {
        test::writeFile(m_base / "p.csv", "Nr;text;Price, net;kind\n1;The cat sat.;3,14;a\n2;Dogs bark.;2;b\n"
                                          "3;Birds sing.;;a\n");
        const auto outcome = extract("p.csv", {"--id-column", "Nr", "--number-columns", "Price\\, net"});
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        const test::GoldenFile cache(m_base / "c.h5");
        QVERIFY((cache.strings("/documents/id") == std::vector<std::string>{"1", "2", "3"}));
        QVERIFY((cache.strings("/documents/labels/Price, net/categories") == std::vector<std::string>{"2", "3.14"}));
        QVERIFY(cache.has("/topics/kind/embeddings/layer_002/stage1"));
        QVERIFY(!cache.has("/topics/Price, net")); // the model runs over no numbers

        // What comes to such a cache is read the same way.
        test::writeFile(m_base / "q.csv", "Nr;text;Price, net;kind\n4;Cows moo.;0,5;b\n");
        const QStringList model{"extract", test::text(test::golden("models/mistral_f32"))};
        const auto grown = test::run(test::program("headscope-engine"),
                                     model + QStringList{test::text(m_base / "q.csv"), "--id-column", "Nr", "--into",
                                                         test::text(m_base / "c.h5")});
        QVERIFY2(grown.exitCode == 0, grown.err.constData());
        const test::GoldenFile more(m_base / "c.h5");
        QVERIFY(
            (more.strings("/documents/labels/Price, net/categories") == std::vector<std::string>{"0.5", "2", "3.14"}));
        QVERIFY(!more.has("/topics/Price, net") && more.has("/topics/kind/embeddings/layer_002/stage1"));

        // The topics of a list are not those of the only other column.
        test::writeFile(m_base / "topics.txt", "cats\ndogs\n");
        const auto topics = extract("p.csv", {"--id-column", "Nr", "--number-columns", "Price\\, net",
                                              "--label-columns", "", "--topics", test::text(m_base / "topics.txt")});
        QVERIFY2(topics.exitCode == 0, topics.err.constData());
        QVERIFY(test::GoldenFile(m_base / "c.h5").has("/topics/topic/embeddings/layer_002/stage1"));

        HEADSCOPE_VERIFY_FAILED(extract("p.csv", {"--separator", "comma"}), 3, "found the columns Nr;text;Price");
        HEADSCOPE_VERIFY_FAILED(extract("p.csv", {"--separator", ";"}), 2, "--separator");
        HEADSCOPE_VERIFY_FAILED(extract("p.csv", {"--number-columns", "kind"}), 3,
                                "p.csv: line 2: expected a number in the column \"kind\", found \"a\"");
    }

    /// Chosen by the seed alone, in their order, and said wherever the cache came from is said.
    void samples()
    {
        std::string lines;
        for (int i = 0; i < 60; ++i)
            lines += "{\"id\":\"d" + std::to_string(i) + "\",\"text\":\"Text number " + std::to_string(i) + "\"}\n";
        test::writeFile(m_base / "s.jsonl", lines);
        const auto idsOf = [&](const QStringList& more) {
            const auto outcome = extract("s.jsonl", more);
            QTest::qVerify(outcome.exitCode == 0, "exitCode == 0", outcome.err.constData(), __FILE__, __LINE__);
            return outcome.exitCode == 0 ? test::GoldenFile(m_base / "c.h5").strings("/documents/id")
                                         : std::vector<std::string>();
        };
        const auto one = idsOf({"--sample", "12", "--seed", "5", "--threads", "1"});
        QCOMPARE(one.size(), std::size_t{12});
        QVERIFY(std::is_sorted(one.begin(), one.end(), [](const std::string& a, const std::string& b) {
            return std::stoi(a.substr(1)) < std::stoi(b.substr(1));
        }));
        QVERIFY(idsOf({"--sample", "12", "--seed", "5", "--threads", "3"}) == one);
        QVERIFY(idsOf({"--sample", "12", "--seed", "6"}) != one);
        QCOMPARE(idsOf({"--limit", "12"}).back(), std::string("d11"));
        const auto first = test::runEngine({"inspect", test::text(m_base / "c.h5"), "--json"});
        QCOMPARE(test::jsonOf(first)["sample"].toString(QStringLiteral("missing")), QString());

        const auto outcome = extract("s.jsonl", {"--limit", "50", "--sample", "12", "--seed", "5", "--json"});
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        const auto summary = test::jsonOf(outcome);
        QCOMPARE(summary["documents"].toInt(), 12);
        QCOMPARE(summary["sample"].toObject(), (QJsonObject{{"of", 50}, {"seed", 5}}));
        QCOMPARE(test::GoldenFile(m_base / "c.h5").text("/", "sample"), std::string("12 of 50 documents, seed 5"));
        const auto card = test::runEngine({"inspect", test::text(m_base / "c.h5"), "--json"});
        QCOMPARE(test::jsonOf(card)["sample"].toString(), QStringLiteral("12 of 50 documents, seed 5"));
        const auto all = extract("s.jsonl", {"--json"});
        QVERIFY(test::jsonOf(all).contains("sample") && test::jsonOf(all)["sample"].isNull());
    }

    void repeatedIds()
    {
        test::writeFile(m_base / "i.csv", "id,text\na,One.\nb,Two.\na,Three.\n");
        HEADSCOPE_VERIFY_FAILED(extract("i.csv", {}), 3,
                                "i.csv: line 4: expected unique ids, found \"a\", which is also the id of line 2");
        const auto outcome = extract("i.csv", {"--duplicate-ids", "suffix"});
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        QVERIFY2(outcome.err.contains("note: 1 of 3 documents repeat the id of an earlier one"),
                 outcome.err.constData());
        QVERIFY(
            (test::GoldenFile(m_base / "c.h5").strings("/documents/id") == std::vector<std::string>{"a", "b", "a-2"}));
        HEADSCOPE_VERIFY_FAILED(extract("i.csv", {"--duplicate-ids", "skip"}), 2, "--duplicate-ids");
    }

    void manyDocumentsInLittleMemory_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<double>("mostPerDocument");
        QTest::newRow("ids") << QStringList() << 110.0; // a hash table of them
        QTest::newRow("no ids") << QStringList{"--id-column", "", "--label-columns", ""}
                                << 20.0; // the order of a sample
    }

    /// Fault row 29: ten million documents with HEADSCOPE_DOCUMENTS=10000000 QTEST_FUNCTION_TIMEOUT=3600000 (a
    /// gigabyte).
    void manyDocumentsInLittleMemory()
    {
        if (test::kSanitized)
            QSKIP("a sanitizer keeps memory that was freed");
        QFETCH(QStringList, options);
        QFETCH(double, mostPerDocument);
        bool given = false;
        const int wanted = qEnvironmentVariableIntValue("HEADSCOPE_DOCUMENTS", &given);
        const int documents = given ? wanted : 300'000;
        const int few = documents / 10;
        const auto peakOf = [&](int count) -> double {
            {
                std::ofstream file(m_base / "many.jsonl");
                for (int i = 0; i < count; ++i)
                    file << "{\"id\":\"document-" << 1'000'000 + i << "\",\"text\":\"Text number " << i
                         << " says a little more\",\"topic\":\"" << i % 5 << "t\"}\n";
            }
            const auto outcome = extract("many.jsonl", options + QStringList{"--sample", "200", "--json"}, 900'000);
            QTest::qVerify(outcome.exitCode == 0, "exitCode == 0", outcome.err.constData(), __FILE__, __LINE__);
            QTest::qVerify(test::jsonOf(outcome)["documents"].toInt() == 200, "200 documents", "", __FILE__, __LINE__);
            return test::jsonOf(outcome)["peak_bytes"].toDouble();
        };
        const double most = peakOf(documents);
        const double least = peakOf(few);
        const double perDocument = (most - least) / (documents - few);
        qInfo("%d documents: %.0f MB at most, %.1f bytes for each", documents, most / 1e6, perDocument);
        QVERIFY2(least > 1e6 && perDocument < mostPerDocument, qPrintable(QString::number(perDocument)));
    }

private:
    [[nodiscard]] test::ProcessOutcome extract(const char* documents, const QStringList& more,
                                               int timeoutMs = test::kPatienceMs) const
    {
        return test::run(test::program("headscope-engine"),
                         QStringList{"extract", test::text(test::golden("models/mistral_f32")),
                                     test::text(m_base / documents), "-o", test::text(m_base / "c.h5"), "--stages", "1",
                                     "--overwrite"} +
                             more,
                         {}, timeoutMs);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path m_base;
};

HEADSCOPE_TEST_GUILESS(TestEngineInputs)
#include "tst_engine_inputs.moc"
