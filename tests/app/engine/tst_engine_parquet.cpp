// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/engine/engine_run.h"
#include "tests/support/golden_file.h"
#include "tests/support/sanitized.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>

using namespace headscope;

/// `headscope-engine extract` on a file with FineWeb's columns: its sample, and the memory it takes.
class TestEngineParquet : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!std::filesystem::exists(test::program("headscope_parquet.so")))
            QSKIP("built without Parquet; packaging/parquet.sh fetches what it needs");
    }

    void largeFilesAreStreamed_data()
    {
        QTest::addColumn<QString>("codec");
        QTest::addColumn<int>("group");
        QTest::addColumn<double>("most"); // MB: a page of 1 MB of each column is in memory twice
        QTest::newRow("zstd, small row groups") << QStringLiteral("zstd") << 1'000 << 16.0;
        QTest::newRow("snappy, small row groups") << QStringLiteral("snappy") << 1'000 << 16.0;
        QTest::newRow("zstd, one row group") << QStringLiteral("zstd") << kRows << 56.0;
    }

    /// 300,000 rows of 260 bytes of text: 80 MB, and 50 MB of the other columns. The sample takes no more memory than
    /// one of a file of 3,000 rows does, but 8 bytes a row to draw it and what a few batches take.
    void largeFilesAreStreamed()
    {
        QFETCH(QString, codec);
        QFETCH(int, group);
        QFETCH(double, most);
        const auto small = make("small.parquet", 3'000, codec, 1'000);
        const auto large = make("large.parquet", kRows, codec, group);
        QVERIFY(!small.empty() && !large.empty());
        const auto ofSmall = extract(small, {"--sample", "1000"});
        QVERIFY2(ofSmall.exitCode == 0, ofSmall.err.constData());
        const auto ofLarge = extract(large, {"--sample", "1000"});
        QVERIFY2(ofLarge.exitCode == 0, ofLarge.err.constData());
        const QJsonObject summary = test::jsonOf(ofLarge);
        QCOMPARE(summary["documents"].toInt(), 1'000);
        QCOMPARE(summary["sample"].toObject(), (QJsonObject{{"of", kRows}, {"seed", 1}}));
        const double more = (summary["peak_bytes"].toDouble() - test::jsonOf(ofSmall)["peak_bytes"].toDouble()) / 1e6;
        QVERIFY2(more < most || test::kSanitized, qPrintable(QStringLiteral("%1 MB more").arg(more)));

        const test::GoldenFile cache(m_folder.path().toStdString() + "/c.h5");
        const auto ids = cache.strings("/documents/id");
        const auto texts = cache.strings("/documents/text");
        for (std::size_t i = 0; i < ids.size(); ++i) // "doc-7" is "document 7 ..."
            QVERIFY(texts[i].starts_with("document " + ids[i].substr(4) + " "));
        QVERIFY((cache.names("/documents/labels") == std::vector<std::string>{"dump", "language"}));
    }

    void columnsByName()
    {
        const auto outcome =
            extract(test::golden("parquet/types.parquet"), {"--text-column", "labels.section", "--id-column", "nr",
                                                            "--label-columns", "tags", "--limit", "1"});
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        const test::GoldenFile cache(m_folder.path().toStdString() + "/c.h5");
        QVERIFY((cache.strings("/documents/text") == std::vector<std::string>{"cats"}));
        QVERIFY((cache.strings("/documents/id") == std::vector<std::string>{"7"}));
        HEADSCOPE_VERIFY_FAILED(
            extract(test::golden("parquet/bad-crc.parquet"), {}), 3,
            "bad-crc.parquet: row group 2 of 3 (rows 3 to 4): expected a page that matches its checksum");
    }

    void engineSaysThatItReadsParquet()
    {
        const auto outcome = test::runEngine({"--devices"});
        QCOMPARE(outcome.exitCode, 0);
        QVERIFY2(!test::jsonOf(outcome)["arrow"].toString().isEmpty(), outcome.out.constData());
    }

private:
    static constexpr int kRows = 300'000;

    [[nodiscard]] std::filesystem::path make(const char* name, int rows, const QString& codec, int group) const
    {
        const std::filesystem::path path = m_folder.path().toStdString() + "/" + name;
        const auto made = test::run(test::program("make_parquet"),
                                    {test::text(path), QString::number(rows), codec, QString::number(group)});
        return made.exitCode == 0 ? path : std::filesystem::path();
    }
    [[nodiscard]] test::ProcessOutcome extract(const std::filesystem::path& documents, const QStringList& more) const
    {
        return test::runEngine(QStringList{"extract", test::text(test::golden("models/mistral_f32")),
                                           test::text(documents), "-o", m_folder.path() + QStringLiteral("/c.h5"),
                                           "--stages", "1", "--max-tokens", "32", "--overwrite", "--json"} +
                               more);
    }

    QTemporaryDir m_folder;
};

HEADSCOPE_TEST_GUILESS(TestEngineParquet)
#include "tst_engine_parquet.moc"
