// SPDX-License-Identifier: GPL-3.0-or-later
// Fault rows 15, 18 and 26: what an extraction computed before it was ended is not computed again.
#include "tests/app/engine/document_texts.h"
#include "tests/app/engine/engine_run.h"
#include "tests/support/named_point.h"
#include "tests/support/process_io.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QProcess>
#include <QTemporaryDir>

#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <string>

using namespace headscope::test;
namespace fs = std::filesystem;

namespace
{

constexpr int kDocuments = 3000;

void writeTexts(const fs::path& path, const std::string& first = "The first text")
{
    writeFile(path, DocumentTexts{.end = kDocuments, .starts = {{0, first}}}.lines());
}

std::int64_t shardsIn(const fs::path& folder)
{
    std::int64_t count = 0;
    std::error_code ignored;
    for (fs::directory_iterator each(folder, ignored), end; each != end; each.increment(ignored))
        count += each->path().extension() == ".h5" ? 1 : 0;
    return count;
}

} // namespace

class TestEngineResume : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("SOURCE_DATE_EPOCH", "1700000000"); // in which all runs are made
        writeTexts(m_base / "docs.jsonl");
        writeTexts(m_base / "other.jsonl", "Another text");
        const auto before = bytesWritten();
        const auto outcome = extract("whole");
        m_written = bytesWritten() - before;
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        QCOMPARE(jsonOf(outcome).value(u"skipped").toInt(-1), 0);
        m_whole = contents(m_base / "whole/c.h5");
        QVERIFY(m_whole.size() > 1'000'000);
    }

    /// Nothing was interrupted: vectors go to their places in the cache, and nowhere else.
    void vectorsAreWrittenOnce()
    {
        const double share = static_cast<double>(m_written) / static_cast<double>(m_whole.size());
        QVERIFY2(share > 0.99 && share < 1.15, std::to_string(share).c_str());
    }

    /// At named points, from one that was computed anew or from what the last one left; HEADSCOPE_KILLS=50 does fifty.
    void killedRunsGoOnToTheSameBytes()
    {
        const int kills =
            qEnvironmentVariableIntValue("HEADSCOPE_KILLS") > 0 ? qEnvironmentVariableIntValue("HEADSCOPE_KILLS") : 12;
        const auto counted = extract("counted", {}, "docs.jsonl", countedInto(m_base / "changes"));
        QVERIFY2(counted.exitCode == 0, counted.err.constData());
        const int changes = changesIn(m_base / "changes");
        QVERIFY2(changes > 4 * kills, std::to_string(changes).c_str());
        std::int64_t most = 0;
        int ended = 0;
        const auto isWhole = [&] { // also where it was killed behind the renaming
            const bool whole = contents(m_base / "killed/c.h5") == m_whole;
            fs::remove(m_base / "killed/c.h5");
            return whole;
        };
        const auto wrong = killAt(
            spreadPoints(kills, changes),
            {.start = [&](QProcess& engine, const Environment& own) { start(engine, "killed", {}, "docs.jsonl", own); },
             .afterKill =
                 [&] {
                     most = std::max(most, shardsIn(m_base / "killed/c.h5.shards"));
                     return !fs::exists(m_base / "killed/c.h5") || isWhole();
                 },
             .afterEnd =
                 [&] {
                     ++ended;
                     return isWhole() && !fs::exists(m_base / "killed/c.h5.shards");
                 }});
        QVERIFY2(wrong.isEmpty(), wrong.constData());
        QVERIFY(most > 0);
        QVERIFY(ended > 0); // of those that went on from what a killed one left
        const auto outcome = extract("killed");
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        QVERIFY(contents(m_base / "killed/c.h5") == m_whole);
        QVERIFY(!fs::exists(m_base / "killed/c.h5.shards"));
    }

    void stoppedRunKeepsWhatIsDone_data()
    {
        QTest::addColumn<int>("signal");
        QTest::newRow("SIGINT") << SIGINT;
        QTest::newRow("SIGTERM") << SIGTERM;
    }

    void stoppedRunKeepsWhatIsDone()
    {
        QFETCH(int, signal);
        const std::string name = "stopped" + std::to_string(signal);
        const QByteArray said = stop(name, signal);
        QVERIFY2(said.contains("of 3000 documents are in "), said.constData());
        QVERIFY(shardsIn(m_base / name / "c.h5.shards") > 0);
        const auto outcome = extract(name);
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        QVERIFY(outcome.err.contains(" of 3000 documents were done by an earlier run"));
        QVERIFY(jsonOf(outcome).value(u"skipped").toInt() > 0);
        QCOMPARE(jsonOf(outcome).value(u"documents").toInt(), kDocuments);
        QVERIFY(contents(m_base / name / "c.h5") == m_whole);
        QVERIFY(!fs::exists(m_base / name / "c.h5.shards"));
    }

    void otherRunsAreRefused()
    {
        stop("other", SIGTERM);
        const auto shards = shardsIn(m_base / "other/c.h5.shards");
        QVERIFY(shards > 0);
        const auto refuses = [&](const QStringList& more, const char* part, const char* documents = "docs.jsonl") {
            const auto outcome = extract("other", more, documents);
            HEADSCOPE_VERIFY_FAILED(outcome, part[0] == 'e' ? 3 : 4, part);
            QCOMPARE(shardsIn(m_base / "other/c.h5.shards"), shards);
        };
        refuses({"--prompt", "Say: "}, "found parts of another run (--prompt was nothing, is Say: )");
        refuses({"--max-tokens", "12"}, "--max-tokens was 4096, is 12");
        refuses({"--store", "f16"}, "--store was float32, is float16");
        refuses({"--layers", "0"}, "set of stored vectors was layer");
        refuses({"--sample", "2500"}, "--sample was nothing, is 2500 of 3000 documents, seed 1");
        refuses({}, "expected the text of the earlier run, found another text: --no-resume", "other.jsonl");

        const auto anew = extract("other", {"--no-resume"}, "other.jsonl");
        QVERIFY2(anew.exitCode == 0, anew.err.constData());
        QCOMPARE(jsonOf(anew).value(u"skipped").toInt(-1), 0);
        QVERIFY(!fs::exists(m_base / "other/c.h5.shards"));
    }

    void onlyTheSameSampleGoesOn()
    {
        const QStringList sample = {"--sample", "2500", "--seed", "3"};
        const auto whole = extract("sample-whole", sample);
        QVERIFY2(whole.exitCode == 0, whole.err.constData());
        stop("sample", SIGTERM, sample);
        const auto shards = shardsIn(m_base / "sample/c.h5.shards");
        QVERIFY(shards > 0);
        const auto refuses = [&](const QStringList& more, const char* part) {
            HEADSCOPE_VERIFY_FAILED(extract("sample", more), 4, part);
            QCOMPARE(shardsIn(m_base / "sample/c.h5.shards"), shards);
        };
        const char* was = "--sample was 2500 of 3000 documents, seed 3, is ";
        refuses({"--sample", "2500", "--seed", "4"}, (std::string(was) + "2500 of 3000 documents, seed 4").c_str());
        refuses({"--sample", "2501", "--seed", "3"}, (std::string(was) + "2501 of 3000 documents, seed 3").c_str());
        refuses({"--limit", "2900", "--sample", "2500", "--seed", "3"},
                (std::string(was) + "2500 of 2900 documents, seed 3").c_str());
        refuses({}, (std::string(was) + "nothing").c_str());
        const auto outcome = extract("sample", sample);
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        QVERIFY(jsonOf(outcome).value(u"skipped").toInt() > 0);
        QVERIFY(contents(m_base / "sample/c.h5") == contents(m_base / "sample-whole/c.h5"));
    }

    /// What a disk did to vectors that were done is found out by the next run, and costs that part alone.
    void damagedPartIsMadeAgain()
    {
        stop("damaged", SIGTERM);
        const fs::path folder = m_base / "damaged/c.h5.shards";
        const QByteArray manifest = QByteArray::fromStdString(contents(folder / "manifest.jsonl"));
        const auto shard = QJsonDocument::fromJson(manifest.split('\n').value(1)).object();
        const auto vectors = shard.value(u"vectors").toObject();
        const auto at = static_cast<std::size_t>(vectors.value(u"offsets").toArray().at(1).toInteger()) + 1'000;
        const fs::path file = folder / vectors.value(u"file").toString().toStdString();
        std::string bytes = contents(file);
        QVERIFY(bytes.size() > at);
        bytes[at] ^= 0x20;
        writeFile(file, bytes);
        const auto outcome = extract("damaged");
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        const QByteArray again = QByteArray::number(shard.value(u"rows").toInt()) + " documents are computed again";
        QVERIFY2(outcome.err.contains(again), outcome.err.constData());
        QVERIFY(contents(m_base / "damaged/c.h5") == m_whole);
    }

    /// The same of a shard's own numbers: by the next run, or where the cache is written.
    void damagedShardIsMadeAgain()
    {
        stop("shard", SIGTERM);
        const fs::path shard = m_base / "shard/c.h5.shards/shard_000000.h5";
        std::string bytes = contents(shard);
        QVERIFY(bytes.size() > 2'000);
        bytes[bytes.size() * 9 / 10] ^= 0x20;
        writeFile(shard, bytes);
        auto outcome = extract("shard");
        if (outcome.exitCode != 0)
        {
            HEADSCOPE_VERIFY_FAILED(outcome, 3, "the same command computes these documents again and keeps the others");
            QVERIFY(!fs::exists(m_base / "shard/c.h5"));
            outcome = extract("shard");
        }
        else
            QVERIFY2(outcome.err.contains("documents are computed again"), outcome.err.constData());
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        QVERIFY(contents(m_base / "shard/c.h5") == m_whole);
    }

    /// A file that may not be as large as the cache: said before anything is computed, and what is done stays.
    void fullDiskKeepsWhatIsDone()
    {
        stop("full", SIGTERM);
        const auto shards = shardsIn(m_base / "full/c.h5.shards");
        QVERIFY(shards > 0);
        QProcess engine;
        engine.setWorkingDirectory(text(m_base / "full"));
        engine.start(QStringLiteral("bash"),
                     QStringList{"-c", "ulimit -f \"$0\"; exec \"$@\"", QString::number(m_whole.size() / 2048),
                                 text(program("headscope-engine"))} +
                         words({}, "docs.jsonl"));
        const auto refused = outcomeOf(engine);
        HEADSCOPE_VERIFY_FAILED(refused, 4, "c.h5");
        QVERIFY(!fs::exists(m_base / "full/c.h5"));
        QCOMPARE(shardsIn(m_base / "full/c.h5.shards"), shards);
        const auto outcome = extract("full");
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        QVERIFY(jsonOf(outcome).value(u"skipped").toInt() > 0);
        QVERIFY(contents(m_base / "full/c.h5") == m_whole);
    }

    /// A disk that is full once the second shard is begun: what the first has is said to stay, and stays.
    void fullDiskOnTheWay()
    {
        QProcess engine;
        start(engine, "fills", {}, "docs.jsonl", heldAt({.text = QStringLiteral("shard_000001.h5")}));
        QVERIFY(waitUntilHeld(engine));
        const rlimit nothing = {1024, 1024};
        QCOMPARE(prlimit(static_cast<pid_t>(engine.processId()), RLIMIT_FSIZE, &nothing, nullptr), 0);
        QVERIFY(goOn(engine));
        const auto failed = outcomeOf(engine);
        HEADSCOPE_VERIFY_FAILED(failed, 4, "c.h5");
        const QByteArray beginning = failed.err.left(failed.err.indexOf(" of 3000 documents are in "));
        QVERIFY2(beginning.size() < failed.err.size(), failed.err.constData());
        const int stored = beginning.mid(beginning.lastIndexOf(' ') + 1).toInt();
        QVERIFY2(stored > 0, failed.err.constData());
        const auto outcome = extract("fills");
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        QCOMPARE(jsonOf(outcome).value(u"skipped").toInt(), stored);
        QVERIFY(contents(m_base / "fills/c.h5") == m_whole);
    }

private:
    [[nodiscard]] QStringList words(const QStringList& more, const char* documents) const
    {
        return QStringList{QStringLiteral("extract"), text(golden("models/mistral_f32")),
                           text(m_base / documents),  QStringLiteral("-o"),
                           QStringLiteral("c.h5"),    QStringLiteral("--shard-mb"),
                           QStringLiteral("1"),       QStringLiteral("--threads"),
                           QStringLiteral("2"),       QStringLiteral("--json")} +
               more;
    }

    void start(QProcess& engine, const std::string& name, const QStringList& more = {},
               const char* documents = "docs.jsonl", const Environment& own = Environment::systemEnvironment()) const
    {
        fs::create_directories(m_base / name);
        engine.setWorkingDirectory(text(m_base / name)); // so that all command lines are the same
        engine.setProcessEnvironment(own);
        engine.start(text(program("headscope-engine")), words(more, documents));
    }

    [[nodiscard]] ProcessOutcome extract(const std::string& name, const QStringList& more = {},
                                         const char* documents = "docs.jsonl",
                                         const Environment& own = Environment::systemEnvironment()) const
    {
        QProcess engine;
        start(engine, name, more, documents, own);
        return outcomeOf(engine);
    }

    /// Ends a run once a part of it is there, and the next one is begun; what it says.
    QByteArray stop(const std::string& name, int signal, const QStringList& more = {}) const
    {
        QProcess engine;
        start(engine, name, more, "docs.jsonl", heldAt({.text = QStringLiteral("shard_000001.h5")}));
        if (!waitUntilHeld(engine) || !goOn(engine, signal) || !engine.waitForFinished(kPatienceMs))
            return "not stopped: " + engine.readAllStandardError();
        return engine.readAllStandardError();
    }

    QTemporaryDir m_folder;
    fs::path m_base = m_folder.path().toStdString();
    std::string m_whole;         ///< the cache of a run that nothing disturbed
    std::uint64_t m_written = 0; ///< bytes that this run wrote
};

HEADSCOPE_TEST_GUILESS(TestEngineResume)
#include "tst_engine_resume.moc"
