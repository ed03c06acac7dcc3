// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine keeps of a run that was stopped, and what it writes for the window to keep, belongs to the contents
// of model and texts: under the same names there may be others by then.
#include "model/data/input_digest.h"
#include "model/io/results/attention/head_corpus_file.h"
#include "tests/app/engine/document_texts.h"
#include "tests/app/engine/engine_run.h"
#include "tests/support/named_point.h"
#include "tests/support/test_program.h"
#include "tests/support/unseen_change.h"
#include "tests/support/verify.h"

#include <QProcess>
#include <QTemporaryDir>

#include <csignal>
#include <filesystem>
#include <string>

using namespace headscope;
using namespace headscope::test;
namespace fs = std::filesystem;

class TestEngineKeptInputs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        fs::remove_all(m_base / "model");
        fs::copy(golden("models/mistral_f32"), m_base / "model", fs::copy_options::recursive);
        writeFile(m_base / "texts.jsonl", DocumentTexts{.end = 6000}.lines());
    }

    void shardsOfAnInterruptedExtraction()
    {
        const QStringList words = {"extract",
                                   text(m_base / "model"),
                                   text(m_base / "texts.jsonl"),
                                   "-o",
                                   text(m_base / "c.h5"),
                                   "--shard-mb",
                                   "1",
                                   "--threads",
                                   "1",
                                   "--json"};
        stopAt({.text = QStringLiteral("shard_000001.h5")}, words);
        const auto kept = [&] { return fs::exists(m_base / "c.h5.shards/manifest.jsonl"); };
        QVERIFY(kept());
        changeWordUnseen(m_base / "texts.jsonl", "Text 0", "Toxt 0");
        HEADSCOPE_VERIFY_FAILED(runEngine(words), 3, "expected the text of the earlier run, found another text");
        QVERIFY(kept());
        changeWordUnseen(m_base / "texts.jsonl", "Toxt 0", "Text 0");
        changeWeightsUnseen(m_base / "model");
        HEADSCOPE_VERIFY_FAILED(runEngine(words), 4, ".safetensors was ");
        QVERIFY(kept());
        changeWeightsUnseen(m_base / "model"); // back again
        const auto outcome = runEngine(words);
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        QVERIFY(jsonOf(outcome).value(u"skipped").toInt() > 0);
    }

    void activationsOfAnInterruptedRun()
    {
        const QStringList words = headWords("run.h5");
        stopAt({.kind = NamedPoint::Kind::Rename, .text = QStringLiteral("/run.h5.run")}, words);
        changeWordUnseen(m_base / "texts.jsonl", "Text 0", "Toxt 0");
        HEADSCOPE_VERIFY_FAILED(runEngine(words), 3, "expected the text of the earlier run, found another text");
        changeWordUnseen(m_base / "texts.jsonl", "Toxt 0", "Text 0");
        changeWeightsUnseen(m_base / "model");
        HEADSCOPE_VERIFY_FAILED(runEngine(words), 3, "expected files of the model");
        changeWeightsUnseen(m_base / "model");
        const auto outcome = runEngine(words);
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        QVERIFY(jsonOf(outcome)[u"resumed"].toInt() > 0);
    }

    /// An answer says of which texts it is, so that the window shows it with these alone.
    void activationsNameTheContentsOfTheirTexts()
    {
        JobContext job;
        writeFile(m_base / "texts.jsonl", "{\"text\": \"a cat\"}\n{\"text\": \"the dog and the mat\"}\n");
        const auto digest = [&] {
            const auto outcome = runEngine(headWords("h.h5") + QStringList{"--overwrite"});
            if (outcome.exitCode != 0)
                return outcome.err.toStdString();
            const auto read = readHeadCorpus(m_base / "h.h5", job);
            return read ? read->corpus.source.corpusDigest : read.error().sentence();
        };
        const std::string before = digest();
        QCOMPARE(before, InputDigest::ofFile(m_base / "texts.jsonl", job)->text());
        QCOMPARE(digest(), before);
        changeWordUnseen(m_base / "texts.jsonl", "cat", "bat");
        QCOMPARE(digest(), InputDigest::ofFile(m_base / "texts.jsonl", job)->text());
        QVERIFY(digest() != before);
    }

private:
    [[nodiscard]] QStringList headWords(const char* output) const
    {
        return {"attention",
                text(m_base / "model"),
                "--corpus",
                text(m_base / "texts.jsonl"),
                "--activations",
                "2:3",
                "--threads",
                "1",
                "-o",
                text(m_base / output),
                "--json"};
    }
    /// Ends a run where there is something to go on with.
    static void stopAt(const NamedPoint& point, const QStringList& words)
    {
        QProcess engine;
        engine.setProcessEnvironment(heldAt(point));
        engine.start(text(program("headscope-engine")), words);
        QVERIFY(waitUntilHeld(engine));
        QVERIFY(goOn(engine, SIGTERM));
        QVERIFY(engine.waitForFinished(kPatienceMs));
        QVERIFY2(engine.exitCode() == 128 + SIGTERM, engine.readAllStandardError().constData());
    }

    QTemporaryDir m_folder;
    fs::path m_base = m_folder.path().toStdString();
};

HEADSCOPE_TEST_GUILESS(TestEngineKeptInputs)
#include "tst_engine_kept_inputs.moc"
