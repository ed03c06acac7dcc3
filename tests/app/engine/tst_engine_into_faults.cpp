// SPDX-License-Identifier: GPL-3.0-or-later
// extract --into where something goes wrong: the cache is the old one or the new one, never a mix (fault rows 11, 13,
// 14, 15, 18, 33).
#include "tests/app/engine/into_fixture.h"
#include "tests/support/named_point.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <sys/file.h>

#include <fcntl.h>
#include <unistd.h>

#include <csignal>

using namespace headscope;
using namespace headscope::test;
namespace fs = std::filesystem;

namespace
{

constexpr int kMany = 350;

const QStringList kGrow = {"--layers", "0,1", "--shard-mb", "1", "--threads", "2", "--into", "c.h5"};

} // namespace

class TestEngineIntoFaults : public QObject, private IntoFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void wrongUseIsSaid_data();
    void wrongUseIsSaid();
    void otherSettingsAreRefusedByName_data();
    void otherSettingsAreRefusedByName();
    void anotherTextOrLabelOfAnIdIsRefused();
    void cachesThatNobodyCanAddToAreRefused();
    void everyDamageIsRefused();
    void killedRunsLeaveTheOldOrTheNew();
    void stoppedRunKeepsWhatIsDone();
    void aFullDiskLeavesTheOld();
    void twoWritersDoNotMix();
    void aLinkStaysALink();
    void aReadOnlyCacheIsRefused();
    void aCacheThatIsOpenElsewhere();

private:
    /// A small cache, and its bytes.
    std::string makeSmall(const std::string& folder, const QStringList& more = {})
    {
        const auto made = engine(words({"../old.jsonl"}, more + QStringList{"-o", "c.h5"}), folder);
        return made.exitCode == 0 ? contents(base / folder / "c.h5") : std::string();
    }
    /// A copy of a cache of many documents.
    void copyMany(const std::string& folder)
    {
        fs::create_directories(base / folder);
        fs::copy_file(base / "many/c.h5", base / folder / "c.h5", fs::copy_options::overwrite_existing);
    }

    std::string m_old; ///< the cache of many documents
    std::string m_new; ///< what an undisturbed run makes of it
};

void TestEngineIntoFaults::initTestCase()
{
    qputenv("SOURCE_DATE_EPOCH", "1700000000"); // in which all runs are made
    writeTexts("old.jsonl", 0, 50);
    writeTexts("new.jsonl", 50, kDocuments);
    writeTexts("many.jsonl", 0, kMany);
    writeTexts("more.jsonl", kMany, kMany + 150);
    QVERIFY(engine(words({"../many.jsonl"}, {"--layers", "2", "-o", "c.h5"}), "many").exitCode == 0);
    m_old = contents(base / "many/c.h5");
    copyMany("undisturbed");
    const auto grown = engine(words({"../more.jsonl"}, kGrow), "undisturbed");
    QVERIFY2(grown.exitCode == 0, grown.err.constData());
    m_new = contents(base / "undisturbed/c.h5");
    QVERIFY(m_new.size() > m_old.size() + 1'000'000);
}

void TestEngineIntoFaults::wrongUseIsSaid_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("part");
    QTest::newRow("both") << QStringList{"-o", "d.h5", "--into", "c.h5"} << 2 << QByteArray("found both");
    QTest::newRow("neither") << QStringList{} << 2 << QByteArray("found neither");
    QTest::newRow("range") << QStringList{"--range", "0:5", "--into", "c.h5"} << 2
                           << QByteArray("--range: this option cannot be used with --into");
    QTest::newRow("missing") << QStringList{"--into", "none.h5"} << 3
                             << QByteArray("none.h5: this cache does not exist");
    QTest::newRow("folder") << QStringList{"--into", "."} << 4 << QByteArray("found a folder");
    QTest::newRow("an input") << QStringList{"--into", "../old.jsonl"} << 2 << QByteArray("one of the inputs");
    QTest::newRow("layer") << QStringList{"--layers", "7", "--into", "c.h5"} << 3 << QByteArray("7");
}

void TestEngineIntoFaults::wrongUseIsSaid()
{
    QFETCH(QStringList, options);
    QFETCH(int, code);
    QFETCH(QByteArray, part);
    const auto before = makeSmall("wrong");
    const auto outcome = engine(words({"../old.jsonl"}, options), "wrong");
    HEADSCOPE_VERIFY_FAILED(outcome, code, part);
    QVERIFY(contents(base / "wrong/c.h5") == before);
    QCOMPARE(filesIn("wrong"), QStringList{"c.h5"});
    fs::remove(base / "wrong/c.h5");
}

void TestEngineIntoFaults::otherSettingsAreRefusedByName_data()
{
    QTest::addColumn<QStringList>("made");
    QTest::addColumn<QStringList>("added");
    QTest::addColumn<QByteArray>("part");
    QTest::addColumn<QString>("model");
    const auto row = [](const char* name, const QStringList& made, const QStringList& added, const char* part,
                        const char* model = "models/mistral_f32") {
        QTest::newRow(name) << made << added << QByteArray(part) << QString(model);
    };
    row("pooling", {}, {"--pooling", "mean"}, "--pooling is last in the cache and mean here");
    row("prompt", {}, {"--prompt", "Say: "}, "--prompt is nothing in the cache and Say:  here");
    row("another prompt", {"--prompt", "A"}, {"--prompt", "B"}, "--prompt is A in the cache and B here");
    row("max-tokens", {}, {"--max-tokens", "12"}, "--max-tokens is 4096 in the cache and 12 here");
    row("store", {"--store", "f16"}, {}, "--store is float16 in the cache and float32 here");
    row("template", {}, {"--topic-template", "On {}."}, "--topic-template is nothing in the cache and On {}. here");
    row("last layer", {"--last-layer", "raw"}, {}, "--last-layer is raw in the cache and normed here");
    row("eos", {}, {"--eos", "never"}, "--eos is config in the cache and never here");
    row("special tokens", {"--special-tokens", "text"}, {}, "--special-tokens is text in the cache and parse here");
    row("several", {}, {"--pooling", "first", "--eos", "never"}, "first here; --eos is config in the cache");
    row("weights", {}, {}, "the SHA-256 of model-00003-of-00003.safetensors is f5ec", "models/mistral_other");
    row("sizes", {}, {}, "the number of KV heads is 2 in the cache and 1 here", "models/mistral_mqa");
    row("family", {}, {}, "the model's family is mistral in the cache and qwen3 here", "models/qwen3_f32");
    row("tokenizer", {}, {}, "the SHA-256 of the tokenizer is ", "models/mistral_words");
}

void TestEngineIntoFaults::otherSettingsAreRefusedByName()
{
    QFETCH(QStringList, made);
    QFETCH(QStringList, added);
    QFETCH(QByteArray, part);
    QFETCH(QString, model);
    const std::string name = std::string("settings ") + QTest::currentDataTag();
    const auto before = makeSmall(name, made);
    QVERIFY(!before.empty());
    fs::path folder = golden(model.toStdString());
    if (!fs::exists(folder)) // one that differs in a file alone
    {
        folder = base / model.section('/', 1).toStdString();
        fs::copy(golden("models/mistral_f32"), folder, fs::copy_options::recursive);
        const bool weights = model.endsWith("_other");
        const fs::path file = folder / (weights ? "model-00003-of-00003.safetensors" : "tokenizer.json");
        std::string bytes = contents(file);
        if (weights)
            bytes.back() ^= 1;
        else
            bytes += "\n";
        writeFile(file, bytes);
    }
    const auto outcome =
        engine(QStringList{"extract", text(folder), "../new.jsonl"} + added + QStringList{"--into", "c.h5"}, name);
    HEADSCOPE_VERIFY_FAILED(outcome, 3, part);
    QVERIFY2(outcome.err.contains("that the cache was made with, found other values: "), outcome.err.constData());
    QVERIFY2(outcome.err.contains("c.h5: "), outcome.err.constData());
    QVERIFY(contents(base / name / "c.h5") == before);
    QCOMPARE(filesIn(name), QStringList{"c.h5"});
}

void TestEngineIntoFaults::anotherTextOrLabelOfAnIdIsRefused()
{
    const auto before = makeSmall("ids");
    writeTexts("other.jsonl", 49, 60, "Another text");
    HEADSCOPE_VERIFY_FAILED(engine(words({"../other.jsonl"}, {"--into", "c.h5"}), "ids"), 3,
                            "document d49: expected the text that the cache has for this id, found another");
    writeFile(base / "label.jsonl", R"({"id": "d0", "text": "Text 0", "topic": "t9"})"
                                    "\n");
    HEADSCOPE_VERIFY_FAILED(engine(words({"../label.jsonl"}, {"--into", "c.h5"}), "ids"), 3,
                            "document d0: expected the label \"t0\", as in column \"topic\" of the cache, found "
                            "\"t9\"");
    QVERIFY(contents(base / "ids/c.h5") == before);
    QCOMPARE(filesIn("ids"), QStringList{"c.h5"});
}

void TestEngineIntoFaults::cachesThatNobodyCanAddToAreRefused()
{
    const auto sound = makeSmall("whose");
    writeFile(base / "whose/c.h5", sound.substr(0, sound.rfind("size="))); // without its seal
    HEADSCOPE_VERIFY_FAILED(engine(words({"../new.jsonl"}, {"--into", "c.h5"}), "whose"), 3,
                            "found a cache that another program wrote or changed (it has no seal)");
    const auto part = engine(words({"../old.jsonl"}, {"-o", "part.h5", "--range", "0:20"}), "whose");
    QVERIFY2(part.exitCode == 0, part.err.constData());
    HEADSCOPE_VERIFY_FAILED(engine(words({"../new.jsonl"}, {"--into", "part.h5"}), "whose"), 3,
                            "found a part of a run (documents 0 to 19 of 50), which merge joins");
    writeFile(base / "whose/text.h5", "no cache at all");
    HEADSCOPE_VERIFY_FAILED(engine(words({"../new.jsonl"}, {"--into", "text.h5"}), "whose"), 3, "text.h5");
}

void TestEngineIntoFaults::everyDamageIsRefused()
{
    const auto sound = makeSmall("damage");
    int refused = 0;
    for (std::size_t at = 13; at < sound.size(); at += sound.size() / 40)
    {
        std::string bytes = sound;
        bytes[at] ^= 0x10;
        writeFile(base / "damage/c.h5", bytes);
        const auto outcome = engine(words({"../new.jsonl"}, {"--into", "c.h5"}), "damage");
        HEADSCOPE_VERIFY_FAILED(outcome, 3, "c.h5");
        QVERIFY(contents(base / "damage/c.h5") == bytes);
        ++refused;
    }
    QVERIFY(refused >= 40);
    QCOMPARE(filesIn("damage"), QStringList{"c.h5"});
}

/// At named points, from the old one or from what the last one left; HEADSCOPE_KILLS=50 does fifty.
void TestEngineIntoFaults::killedRunsLeaveTheOldOrTheNew()
{
    const int kills =
        qEnvironmentVariableIntValue("HEADSCOPE_KILLS") > 0 ? qEnvironmentVariableIntValue("HEADSCOPE_KILLS") : 20;
    copyMany("counted");
    const auto grow = words({"../more.jsonl"}, kGrow);
    QVERIFY(engine(grow, "counted", {}, countedInto(base / "changes")).exitCode == 0);
    const int changes = changesIn(base / "changes");
    QVERIFY2(changes > 2 * kills, std::to_string(changes).c_str());
    copyMany("killed");
    int resumed = 0;
    const auto wrong = killAt(spreadPoints(kills, changes),
                              {.start =
                                   [&](QProcess& process, const Environment& own) {
                                       resumed += fs::exists(base / "killed/c.h5.shards/manifest.jsonl") ? 1 : 0;
                                       start(process, grow, "killed", own);
                                   },
                               .afterKill =
                                   [&] {
                                       const std::string now = contents(base / "killed/c.h5");
                                       return now == m_old || now == m_new;
                                   },
                               .afterEnd =
                                   [&] {
                                       const bool isNew = contents(base / "killed/c.h5") == m_new;
                                       copyMany("killed");
                                       return isNew;
                                   }});
    QVERIFY2(wrong.isEmpty(), wrong.constData());
    QVERIFY(resumed > 0);
    // Also where it was killed after the new one was in its place: the same command finds all of it there.
    const auto last = engine(grow, "killed");
    QVERIFY2(last.exitCode == 0, last.err.constData());
    QVERIFY(contents(base / "killed/c.h5") == m_new);
    QCOMPARE(filesIn("killed"), QStringList{"c.h5"});
}

void TestEngineIntoFaults::stoppedRunKeepsWhatIsDone()
{
    copyMany("stopped");
    QProcess process;
    start(process, words({"../more.jsonl"}, kGrow), "stopped",
          heldAt({.kind = NamedPoint::Kind::Rename, .text = QStringLiteral("c.h5.shards/shard_000000.h5")}));
    QVERIFY(waitUntilHeld(process));
    const fs::path shard = base / "stopped/c.h5.shards/shard_000000.h5";
    QVERIFY(fs::exists(shard));
    QVERIFY(goOn(process, SIGTERM));
    QVERIFY(process.waitForFinished(kPatienceMs));
    const auto said = process.readAllStandardError();
    QCOMPARE(process.exitCode(), 143);
    QVERIFY2(said.contains("the cache is unchanged, and the same command continues with the rest"), said.constData());
    QVERIFY(contents(base / "stopped/c.h5") == m_old);
    // Another addition does not take its parts, and leaves them.
    HEADSCOPE_VERIFY_FAILED(engine(words({}, {"--stages", "contribution", "--into", "c.h5"}), "stopped"), 4,
                            "expected the parts of this run in c.h5.shards, found parts of another");
    QVERIFY(fs::exists(shard));
    const auto outcome = engine(words({"../more.jsonl"}, kGrow + QStringList{"--json"}), "stopped");
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    QVERIFY(jsonOf(outcome).value(u"skipped").toInt() > 0);
    QCOMPARE(filesIn("stopped"), QStringList{"c.h5"});
    QCOMPARE(checksumsOf("stopped/c.h5"), checksumsOf("undisturbed/c.h5"));
}

/// A limit on the size of files fails at every place of the shards and of the cache, as a full disk does.
void TestEngineIntoFaults::aFullDiskLeavesTheOld()
{
    copyMany("full");
    const auto cache = static_cast<qint64>(m_new.size());
    for (const qint64 most : {qint64{2'000}, qint64{200'000}, cache / 2, cache - 100'000, cache - 2'000})
    {
        QProcess process;
        process.setWorkingDirectory(text(base / "full"));
        process.start("bash", QStringList{"-c", "ulimit -f \"$0\"; exec \"$@\"", QString::number(most / 1024),
                                          text(program("headscope-engine"))} +
                                  words({"../more.jsonl"}, kGrow));
        QVERIFY(process.waitForFinished(kPatienceMs));
        const auto said = process.readAllStandardError();
        QVERIFY2(process.exitCode() == 4, said.constData());
        QVERIFY2(said.contains("headscope: "), said.constData());
        QVERIFY(contents(base / "full/c.h5") == m_old);
    }
    QVERIFY(engine(words({"../more.jsonl"}, kGrow), "full").exitCode == 0);
    QVERIFY(contents(base / "full/c.h5") == m_new);
    QCOMPARE(filesIn("full"), QStringList{"c.h5"});
}

void TestEngineIntoFaults::twoWritersDoNotMix()
{
    copyMany("two");
    QProcess first;
    start(first, words({"../more.jsonl"}, kGrow), "two", heldAt({.text = QStringLiteral("shard_000000.h5")}));
    QVERIFY(waitUntilHeld(first));
    const auto second = engine(words({"../old.jsonl"}, {"--into", "c.h5"}), "two");
    HEADSCOPE_VERIFY_FAILED(second, 4, "c.h5");
    QVERIFY2(second.err.contains("process "), second.err.constData());
    QVERIFY(goOn(first));
    QVERIFY(first.waitForFinished(kPatienceMs));
    QCOMPARE(first.exitCode(), 0);
    QVERIFY(contents(base / "two/c.h5") == m_new);
}

void TestEngineIntoFaults::aLinkStaysALink()
{
    makeSmall("link");
    fs::create_directories(base / "link/there");
    fs::rename(base / "link/c.h5", base / "link/there/real.h5");
    fs::create_symlink("there/real.h5", base / "link/c.h5");
    fs::permissions(base / "link/there/real.h5", fs::perms(0640));
    const auto outcome = engine(words({"../new.jsonl"}, {"--into", "c.h5"}), "link");
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    QVERIFY(fs::is_symlink(base / "link/c.h5"));
    QCOMPARE(filesIn("link/there"), QStringList{"real.h5"});
    QCOMPARE(open("link/there/real.h5")->info().documents, std::int64_t{kDocuments});
    QCOMPARE(fs::status(base / "link/there/real.h5").permissions(), fs::perms(0640));
}

void TestEngineIntoFaults::aReadOnlyCacheIsRefused()
{
    const auto before = makeSmall("readonly");
    fs::permissions(base / "readonly/c.h5", fs::perms(0444));
    HEADSCOPE_VERIFY_FAILED(engine(words({"../new.jsonl"}, {"--into", "c.h5"}), "readonly"), 4,
                            "this cache is read-only");
    QVERIFY(contents(base / "readonly/c.h5") == before);
    QCOMPARE(filesIn("readonly"), QStringList{"c.h5"});
}

/// Who reads it keeps the old one; who has it locked for writing is not disturbed.
void TestEngineIntoFaults::aCacheThatIsOpenElsewhere()
{
    const auto before = makeSmall("elsewhere");
    const auto reader = open("elsewhere/c.h5");
    QVERIFY(reader != nullptr);
    const auto grown = engine(words({"../new.jsonl"}, {"--into", "c.h5"}), "elsewhere");
    QVERIFY2(grown.exitCode == 0, grown.err.constData());
    JobContext job;
    const auto vectors = reader->load(LayerIndex(2), Stage::HeadOutput, {}, job);
    HEADSCOPE_VERIFY_OK(vectors);
    QCOMPARE((*vectors)->documents(), std::int64_t{50});
    QCOMPARE(open("elsewhere/c.h5")->info().documents, std::int64_t{kDocuments});

    writeFile(base / "elsewhere/d.h5", before);
    const int held = ::open((base / "elsewhere/d.h5").c_str(), O_RDWR | O_CLOEXEC);
    QVERIFY(held >= 0 && ::flock(held, LOCK_EX) == 0);
    const auto refused = engine(words({"../new.jsonl"}, {"--into", "d.h5"}), "elsewhere");
    ::close(held);
    HEADSCOPE_VERIFY_FAILED(refused, 4, "d.h5");
    QVERIFY(contents(base / "elsewhere/d.h5") == before);
}

HEADSCOPE_TEST_GUILESS(TestEngineIntoFaults)
#include "tst_engine_into_faults.moc"
