// SPDX-License-Identifier: GPL-3.0-or-later
// Where an extraction may write, and that nothing which was there before is lost.
#include "tests/app/engine/engine_run.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"
#include "tests/support/waiting.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>

using namespace headscope;
using namespace headscope::test;
namespace fs = std::filesystem;

class TestEngineOutputs : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    [[nodiscard]] fs::path file(const std::string& name) const
    {
        return fs::path(m_folder.path().toStdString()) / name;
    }
    [[nodiscard]] ProcessOutcome extract(const fs::path& output, const QStringList& more = {}) const
    {
        return runEngine(
            QStringList{"extract", text(golden("models/llama_mha")), text(file("docs.jsonl")), "-o", text(output)} +
            more);
    }

private Q_SLOTS:
    void initTestCase() { writeFile(file("docs.jsonl"), "{\"text\": \"one text\"}\n{\"text\": \"and another\"}\n"); }

    void aRunningExtractionIsLeftAlone()
    {
        QProcess first;
        first.start(text(program("headscope-engine")),
                    {"extract", text(golden("models/llama_mha")), "-", "-o", text(file("one.h5"))});
        QVERIFY(first.waitForStarted(kPatienceMs));
        WAIT_FOR(contents(file(".one.h5.lock")).find(" on ") != std::string::npos);
        const auto second = extract(file("one.h5"), {"--overwrite"});
        const QByteArray who = "is already being written by process " + QByteArray::number(first.processId()) + " on ";
        HEADSCOPE_VERIFY_FAILED(second, 4, who);
        QVERIFY(!fs::exists(file("one.h5")));
        first.write("{\"text\": \"a text that came late\"}\n");
        first.closeWriteChannel();
        QVERIFY(first.waitForFinished(kPatienceMs));
        QVERIFY2(first.exitCode() == 0, first.readAllStandardError().constData());
        QVERIFY(fs::exists(file("one.h5")));
        QVERIFY(!fs::exists(file(".one.h5.lock")));
        // One that is killed holds nobody up.
        QProcess killed;
        killed.start(text(program("headscope-engine")),
                     {"extract", text(golden("models/llama_mha")), "-", "-o", text(file("two.h5"))});
        WAIT_FOR(contents(file(".two.h5.lock")).find(" on ") != std::string::npos);
        killed.kill();
        QVERIFY(killed.waitForFinished(kPatienceMs));
        const auto after = extract(file("two.h5"));
        QVERIFY2(after.exitCode == 0, after.err.constData());
        QVERIFY(!fs::exists(file(".two.h5.lock")));
    }

    void whatLiesInTheFolderOfItsPartsStays()
    {
        fs::create_directory(file("kept.h5.shards"));
        writeFile(file("kept.h5.shards/notes.txt"), "of mine");
        for (const QStringList& more : {QStringList(), QStringList{"--overwrite"}})
            HEADSCOPE_VERIFY_FAILED(extract(file("kept.h5"), more), 4, "contains notes.txt");
        QCOMPARE(contents(file("kept.h5.shards/notes.txt")), std::string("of mine"));
        QVERIFY(!fs::exists(file("kept.h5")));
    }

    void filesOfTheModelStay()
    {
        const auto model = copyOf("models/llama_mha", m_folder.path().toStdString());
        for (const char* name : {"config.json", "tokenizer.json", "model.safetensors"})
        {
            const std::string before = contents(model / name);
            for (const auto& given : {model, model / "config.json"})
            {
                const auto outcome = runEngine(
                    {"extract", text(given), text(file("docs.jsonl")), "-o", text(model / name), "--overwrite"});
                HEADSCOPE_VERIFY_FAILED(outcome, 2, "one of the inputs");
            }
            QVERIFY(contents(model / name) == before);
        }
        // Weights of another model too.
        writeFile(file("other.gguf"), "GGUF and so on");
        HEADSCOPE_VERIFY_FAILED(extract(file("other.gguf"), {"--overwrite"}), 2, "found a GGUF model");
        QCOMPARE(contents(file("other.gguf")), std::string("GGUF and so on"));
        // A cache that lies beside the model's files may be made anew.
        for (int i = 0; i < 2; ++i)
        {
            const auto made = runEngine(
                {"extract", text(model), text(file("docs.jsonl")), "-o", text(model / "cache.h5"), "--overwrite"});
            QVERIFY2(made.exitCode == 0, made.err.constData());
        }
    }

    void linksAreFollowed()
    {
        fs::create_directory(file("disk"));
        fs::create_symlink("disk/real.h5", file("link.h5"));
        const auto made = extract(file("link.h5"));
        QVERIFY2(made.exitCode == 0, made.err.constData());
        QVERIFY(fs::is_symlink(file("link.h5")));
        QVERIFY(fs::is_regular_file(fs::symlink_status(file("disk/real.h5"))));
        QCOMPARE(QDir(text(file("disk"))).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).size(), 1);
    }

    void refusedBeforeTheModelIsRead()
    {
        const auto outcome = [this](const fs::path& output) {
            return runEngine(
                {"extract", text(file("no-model")), text(file("docs.jsonl")), "-o", text(output), "--overwrite"});
        };
        HEADSCOPE_VERIFY_FAILED(outcome(file(std::string(249, 'n'))), 4, "File name too long");
        HEADSCOPE_VERIFY_FAILED(outcome(file(std::string(256, 'n'))), 4, "at most 255 bytes");
        HEADSCOPE_VERIFY_FAILED(outcome("/dev/full"), 2, "found a device");
        HEADSCOPE_VERIFY_FAILED(outcome("-"), 2, "found a device");
        QVERIFY(fs::is_character_file("/dev/full"));
    }
};

HEADSCOPE_TEST_GUILESS(TestEngineOutputs)
#include "tst_engine_outputs.moc"
