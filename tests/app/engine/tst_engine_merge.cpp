// SPDX-License-Identifier: GPL-3.0-or-later
// Fault row 38: a run that is cut into ranges gives the cache of the whole run, or says what is missing.
#include "tests/app/engine/document_texts.h"
#include "tests/app/engine/engine_run.h"
#include "tests/support/named_point.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QProcess>
#include <QTemporaryDir>

#include <csignal>
#include <filesystem>
#include <string>

using namespace headscope::test;
namespace fs = std::filesystem;

namespace
{

constexpr int kDocuments = 90;
constexpr int kManyDocuments = 40'000;

/// Topics that no range has all of, and a second column whose name comes before that of the first.
void writeTexts(const fs::path& path, int count, const std::string& first = "The first text")
{
    const auto more = [count](int i) {
        return ", \"topic\": \"t" + std::to_string(i * 5 / count) + R"(", "kind": ")" + (i % 3 == 0 ? "a" : "b") + '"';
    };
    writeFile(path, DocumentTexts{.end = count, .lengths = 23, .starts = {{0, first}}, .more = more}.lines());
}

} // namespace

class TestEngineMerge : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("SOURCE_DATE_EPOCH", "1700000000"); // in which all runs are made
        writeTexts(m_base / "docs.jsonl", kDocuments);
        writeTexts(m_base / "other.jsonl", kDocuments, "Another text");
        writeTexts(m_base / "fewer.jsonl", kDocuments - 1);
        writeTexts(m_base / "many.jsonl", kManyDocuments);
        fs::create_directories(m_base / "whole");
        const auto outcome =
            run({"extract", text(golden("models/mistral_f32")), "../docs.jsonl", "-o", "c.h5"}, "whole");
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        m_whole = contents(m_base / "whole/c.h5");
        for (const auto* range : {"0:40", "40:80", "80:120"})
            QVERIFY(makePart("parts", range));
    }

    void rangesMergeToTheBytesOfTheWholeRun_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("plain") << QStringList();
        QTest::newRow("f16, layers") << QStringList{"--store", "f16", "--layers", "all", "--stages", "1,contribution"};
        QTest::newRow("bf16, sampled") << QStringList{"--store", "bf16", "--sample", "60", "--limit", "80"};
        QTest::newRow("no labels") << QStringList{"--label-columns", ""};
        QTest::newRow("topics") << QStringList{"--topics", "../topics.json", "--topic-template", "Text about {}."};
    }

    void rangesMergeToTheBytesOfTheWholeRun()
    {
        QFETCH(QStringList, options);
        const std::string name = QTest::currentDataTag();
        writeFile(m_base / "topics.json", "{\"topic\": [\"t3\", \"t9\"], \"kind\": [\"b\"]}");
        fs::create_directories(m_base / name);
        const QStringList words = QStringList{"extract", text(golden("models/mistral_f32")), "../docs.jsonl"} + options;
        QVERIFY(run(words + QStringList{"-o", "c.h5"}, name).exitCode == 0);
        const std::string whole = contents(m_base / name / "c.h5");
        QVERIFY(whole.size() > 1000);
        fs::remove(m_base / name / "c.h5");
        // Not in their order, and of different lengths.
        for (const auto* range : {"50:90", "0:7", "7:50"})
        {
            const auto made =
                run(words + QStringList{"-o", QString("p%1.h5").arg(QString(range).left(1)), "--range", range}, name);
            QVERIFY2(made.exitCode == 0, made.err.constData());
        }
        const auto merged = run({"merge", "p5.h5", "p0.h5", "p7.h5", "-o", "c.h5", "--json"}, name);
        QVERIFY2(merged.exitCode == 0, merged.err.constData());
        QCOMPARE(jsonOf(merged).value(u"parts").toInt(), 3);
        QVERIFY(contents(m_base / name / "c.h5") == whole);
    }

    void aFolderIsMerged()
    {
        const auto merged = run({"merge", "../parts", "-o", "c.h5"}, "folder");
        QVERIFY2(merged.exitCode == 0, merged.err.constData());
        QVERIFY(contents(m_base / "folder/c.h5") == m_whole);
        const auto again = run({"merge", "../parts", "-o", "c.h5"}, "folder");
        HEADSCOPE_VERIFY_FAILED(again, 2, "c.h5");
        const auto onPart = run({"merge", ".", "-o", "range_0-40.h5", "--overwrite"}, "parts");
        QCOMPARE(onPart.exitCode, 2);
    }

    void aPartSaysWhatItIs()
    {
        const auto card = run({"inspect", "range_40-80.h5", "--json"}, "parts");
        QCOMPARE(jsonOf(card).value(u"documents").toInt(), 40);
        QVERIFY(card.out.contains("this cache has documents 40 to 79 of 90"));
        // All categories are there in every range: the codes of all mean the same.
        QCOMPARE(jsonOf(card).value(u"labels").toArray().size(), 2);
    }

    void missingRangesAreNamedWithTheirCommands()
    {
        fs::create_directories(m_base / "gaps");
        fs::copy(m_base / "parts/range_0-40.h5", m_base / "gaps/range_0-40.h5");
        const auto failed = run({"merge", "gaps", "-o", "gaps.h5"}, ".");
        HEADSCOPE_VERIFY_FAILED(failed, 3, "expected all 90 documents of the run, found 40 in 1 parts");
        QVERIFY(!fs::exists(m_base / "gaps.h5"));
        const auto lines = failed.err.split('\n');
        QCOMPARE(failed.err.count("headscope-engine extract"), qsizetype{2}); // 40:80 and 80:90
        for (const QByteArray& line : lines)
        {
            const auto at = line.indexOf("headscope-engine extract");
            if (at < 0)
                continue;
            auto words = QProcess::splitCommand(QString::fromUtf8(line.mid(at)));
            words.removeFirst();
            const auto made = run(words, "gaps");
            QVERIFY2(made.exitCode == 0, made.err.constData());
        }
        const auto merged = run({"merge", "../gaps", "-o", "c.h5"}, "filled");
        QVERIFY2(merged.exitCode == 0, merged.err.constData());
        QVERIFY(contents(m_base / "filled/c.h5") == m_whole);
    }

    void aDoubledPartCountsOnce()
    {
        fs::create_directories(m_base / "double");
        fs::copy(m_base / "parts/range_0-40.h5", m_base / "double/again.h5");
        const auto merged = run({"merge", "../parts", "again.h5", "-o", "c.h5"}, "double");
        QVERIFY2(merged.exitCode == 0, merged.err.constData());
        QVERIFY(merged.err.contains("contain the same documents"));
        QVERIFY(contents(m_base / "double/c.h5") == m_whole);

        QVERIFY(makePart("overlap", "30:50"));
        const auto refused = run({"merge", "../parts", "../overlap", "-o", "d.h5"}, "double");
        HEADSCOPE_VERIFY_FAILED(refused, 3, "expected ranges that do not overlap, found 30:50 here and 0:40 in");
    }

    void otherRunsAreRefused_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArray>("part");
        QTest::addColumn<QString>("model");
        const auto row = [](const char* name, const QStringList& options, const char* part,
                            const char* model = "models/mistral_f32") {
            QTest::newRow(name) << options << QByteArray(part) << QString(model);
        };
        row("pooling", {"../docs.jsonl", "--pooling", "mean"}, "--pooling is last there and mean here");
        row("store", {"../docs.jsonl", "--store", "f16"}, "--store is float32 there and float16 here");
        row("layers", {"../docs.jsonl", "--stages", "1"}, "set of stored vectors is layer");
        row("texts", {"../other.jsonl"}, "the digest of all ids, texts and labels is");
        row("number", {"../fewer.jsonl"}, "the number of documents of the whole run is 90 there and 89 here");
        row("labels", {"../docs.jsonl", "--label-columns", "topic"}, "the digest of all ids");
        row("template", {"../docs.jsonl", "--topic-template", "On {}."},
            "--topic-template is nothing there and On {}.");
        row("model", {"../docs.jsonl"}, "config.json is ", "models/mistral_mqa");
        row("family", {"../docs.jsonl"}, "config.json is ", "models/qwen3_f32");
    }

    void otherRunsAreRefused()
    {
        QFETCH(QStringList, options);
        QFETCH(QByteArray, part);
        QFETCH(QString, model);
        const std::string name = std::string("other ") + QTest::currentDataTag();
        const auto made = run(QStringList{"extract", text(golden(model.toStdString()))} + options +
                                  QStringList{"-o", "p.h5", "--range", "40:80"},
                              name);
        QVERIFY2(made.exitCode == 0, made.err.constData());
        const auto refused = run({"merge", "../parts/range_0-40.h5", "p.h5", "-o", "c.h5"}, name);
        HEADSCOPE_VERIFY_FAILED(
            refused, 3, "expected a part of the same run as ../parts/range_0-40.h5, found a part of another run: ");
        QVERIFY2(refused.err.contains(part), refused.err.constData());
        QVERIFY(!fs::exists(m_base / name / "c.h5"));
    }

    void damagedAndForeignPartsAreRefused()
    {
        fs::create_directories(m_base / "damaged");
        for (const auto* range : {"0-40", "40-80", "80-90"})
            fs::copy(m_base / ("parts/range_" + std::string(range) + ".h5"),
                     m_base / "damaged" / (std::string(range) + ".h5"));
        const std::string sound = contents(m_base / "damaged/40-80.h5");
        int named = 0;
        for (std::size_t at = 13; at < sound.size(); at += sound.size() / 40)
        {
            std::string bytes = sound;
            bytes[at] ^= 0x10;
            writeFile(m_base / "damaged/40-80.h5", bytes);
            const auto outcome = run({"merge", ".", "-o", "../damaged.h5"}, "damaged");
            HEADSCOPE_VERIFY_FAILED(outcome, 3, "40-80.h5");
            QVERIFY(!fs::exists(m_base / "damaged.h5"));
            ++named;
        }
        QVERIFY(named >= 40);
        const auto whole = run({"merge", "../whole/c.h5", "-o", "../damaged.h5"}, "damaged");
        HEADSCOPE_VERIFY_FAILED(whole, 3,
                                "expected the cache of a range (extract --range), found the cache of a whole run");
        const auto none = run({"merge", "..", "-o", "n.h5"}, "damaged");
        HEADSCOPE_VERIFY_FAILED(none, 3, "expected caches of ranges (extract --range), found none");
    }

    void statusSaysHowFarItIs()
    {
        fs::create_directories(m_base / "status");
        const auto nothing = run({"status", "."}, "status");
        HEADSCOPE_VERIFY_FAILED(nothing, 3,
                                "expected caches of ranges (extract --range) or parts of a run, found none");
        HEADSCOPE_VERIFY_FAILED(run({"status", "none.h5"}, "status"), 3, "none.h5");

        const auto whole = jsonOf(run({"status", "../whole/c.h5", "--json"}, "status"));
        QCOMPARE(whole.value(u"done").toInt(), kDocuments);
        QCOMPARE(whole.value(u"missing").toArray().size(), 0);

        fs::copy(m_base / "parts/range_40-80.h5", m_base / "status/range_40-80.h5");
        const auto outcome = run({"status", ".", "--json"}, "status");
        const auto one = jsonOf(outcome);
        QCOMPARE(one.value(u"documents").toInt(), kDocuments);
        QCOMPARE(one.value(u"done").toInt(), 40);
        QCOMPARE(one.value(u"running").toInt(), 0);
        QVERIFY(one.value(u"eta").isNull());
        const auto missing = one.value(u"missing").toArray();
        QCOMPARE(missing.size(), 2);
        QCOMPARE(missing.at(0).toObject().value(u"from").toInt(), 0);
        QCOMPARE(missing.at(0).toObject().value(u"to").toInt(), 40);
        QVERIFY(missing.at(1).toObject().value(u"command").toString().endsWith("-o range_80-90.h5 --range 80:90"));
    }

    /// One that is being made, and then one that was stopped, whose own command goes on with it.
    void statusOfARunThatHasNotEnded()
    {
        fs::create_directories(m_base / "running");
        QProcess engine;
        engine.setWorkingDirectory(text(m_base / "running"));
        const QStringList words = {"extract",
                                   text(golden("models/mistral_f32")),
                                   "../many.jsonl",
                                   "-o",
                                   "range_0-35000.h5",
                                   "--range",
                                   "0:35000",
                                   "--shard-mb",
                                   "1",
                                   "--threads",
                                   "1"};
        engine.setProcessEnvironment(heldAt({.text = QStringLiteral("shard_000001.h5")})); // one is done
        engine.start(text(program("headscope-engine")), words);
        QVERIFY(waitUntilHeld(engine));
        const QJsonObject seen = jsonOf(run({"status", ".", "--json"}, "running"));
        QVERIFY2(seen.value(u"done").toInt() > 0, engine.readAllStandardError().constData());
        QCOMPARE(seen.value(u"documents").toInt(), kManyDocuments);
        const auto range = seen.value(u"ranges").toArray().at(0).toObject();
        QCOMPARE(range.value(u"state").toString(), QString("running"));
        QCOMPARE(seen.value(u"done").toInt() + seen.value(u"running").toInt(), 35'000);
        QVERIFY(seen.value(u"rate").toDouble() > 0);
        QVERIFY(seen.value(u"eta").toDouble() > 0);
        QVERIFY(range.value(u"holder").toString().startsWith("process "));
        QVERIFY(headscope::test::signal(engine, SIGKILL));
        QVERIFY(engine.waitForFinished(kPatienceMs));
        const auto stopped = jsonOf(run({"status", ".", "--json"}, "running"));
        QCOMPARE(stopped.value(u"running").toInt(-1), 0);
        QVERIFY(stopped.value(u"eta").isNull());
        const auto missing = stopped.value(u"missing").toArray();
        QCOMPARE(missing.size(), 2); // 0:35000, 35000:40000
        auto again = QProcess::splitCommand(missing.at(0).toObject().value(u"command").toString());
        again.removeFirst();
        QCOMPARE(again, words);

        // Nobody else's settings are taken for the same run.
        const auto other =
            run({"extract", text(golden("models/mistral_f32")), "../docs.jsonl", "-o", "p.h5", "--range", "0:5"},
                "running");
        QVERIFY(other.exitCode == 0);
        HEADSCOPE_VERIFY_FAILED(run({"status", "."}, "running"), 3, "the number of documents of the whole run");
    }

private:
    [[nodiscard]] ProcessOutcome run(const QStringList& words, const std::string& folder) const
    {
        fs::create_directories(m_base / folder);
        QProcess engine;
        engine.setWorkingDirectory(text(m_base / folder)); // so that all command lines are the same
        engine.start(text(program("headscope-engine")), words);
        return outcomeOf(engine);
    }

    /// "80:120" is "range_80-90.h5": there are 90 documents.
    [[nodiscard]] bool makePart(const std::string& folder, const QString& range) const
    {
        const auto ends = range.split(':');
        const QString name = QString("range_%1-%2.h5").arg(ends[0]).arg(std::min(kDocuments, ends[1].toInt()));
        return run({"extract", text(golden("models/mistral_f32")), "../docs.jsonl", "-o", name, "--range", range},
                   folder)
                   .exitCode == 0;
    }

    QTemporaryDir m_folder;
    fs::path m_base = m_folder.path().toStdString();
    std::string m_whole; ///< the cache of a run that nothing disturbed
};

HEADSCOPE_TEST_GUILESS(TestEngineMerge)
#include "tst_engine_merge.moc"
