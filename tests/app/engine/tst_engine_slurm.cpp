// SPDX-License-Identifier: GPL-3.0-or-later
// Fault row 38: the scripts of packaging/slurm, run as Slurm runs them, with one task told of its time limit, one
// killed and one doubled.
#include "tests/app/engine/document_texts.h"
#include "tests/app/engine/engine_run.h"
#include "tests/support/named_point.h"
#include "tests/support/test_program.h"

#include <QProcess>
#include <QTemporaryDir>

#include <csignal>
#include <filesystem>
#include <string>

using namespace headscope::test;
namespace fs = std::filesystem;

namespace
{

constexpr int kDocuments = 7'975; // the last task has fewer
constexpr int kTasks = 8;
constexpr int kPerTask = 1000;

std::string quoted(const fs::path& path)
{
    return "'" + path.string() + "'";
}

} // namespace

class TestEngineSlurm : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("SOURCE_DATE_EPOCH", "1700000000");
        const auto topic = [](int i) { return ", \"topic\": \"t" + std::to_string(i * 5 / kDocuments) + '"'; };
        writeFile(m_base / "docs.jsonl", DocumentTexts{.end = kDocuments, .more = topic}.lines());
        writeFile(m_base / "run.env", "MODEL=" + quoted(golden("models/mistral_f32")) +
                                          "\nDOCS=(docs.jsonl)\nOUT=c.h5\nDOCUMENTS=" + std::to_string(kDocuments) +
                                          "\nPER_TASK=" + std::to_string(kPerTask) +
                                          "\nOPTIONS=(--stages 1,2,3 --shard-mb 1)\nENGINE=" +
                                          quoted(m_base / "bin/engine") + "\nRETRIES=40 RETRY_SECONDS=0.5\n");
        // What scontrol is asked for is written down: there is no queue here.
        fs::create_directories(m_base / "bin");
        writeFile(m_base / "bin/scontrol", "#!/bin/bash\necho \"$@\" >> " + quoted(m_base / "scontrol.log") + "\n");
        fs::permissions(m_base / "bin/scontrol", fs::perms::owner_all);
        // The engine alone is held at a point, not the shells before it.
        writeFile(m_base / "bin/engine", "#!/bin/bash\n[ -z \"${ENGINE_PRELOAD:-}\" ] || export "
                                         "LD_PRELOAD=$ENGINE_PRELOAD\nexec " +
                                             quoted(program("headscope-engine")) + " \"$@\"\n");
        fs::permissions(m_base / "bin/engine", fs::perms::owner_all);
        fs::create_directories(m_base / "whole");
        fs::create_symlink("../docs.jsonl", m_base / "whole/docs.jsonl");
        QProcess whole;
        whole.setWorkingDirectory(text(m_base / "whole"));
        whole.start(text(program("headscope-engine")),
                    {"extract", text(golden("models/mistral_f32")), "docs.jsonl", "--stages", "1,2,3", "--shard-mb",
                     "1", "--device", "cpu", "--threads", "1", "-o", "c.h5"});
        QVERIFY(whole.waitForFinished(kPatienceMs));
        QVERIFY2(whole.exitCode() == 0, whole.readAllStandardError().constData());
    }

    void commandsAreShownBeforeTheyAreRun()
    {
        QProcess submit;
        start(submit, {text(source("packaging/slurm/submit.sh")), text(m_base / "run.env"), text(profile())});
        QVERIFY(submit.waitForFinished(kPatienceMs));
        const QByteArray out = submit.readAllStandardOutput();
        QVERIFY2(submit.exitCode() == 0, submit.readAllStandardError().constData());
        QVERIFY2(out.contains("--array=0-7%20"), out.constData());
        QVERIFY(out.contains("--dependency=afterok:JOB"));

        start(submit,
              {text(source("packaging/slurm/submit.sh")), text(m_base / "run.env"), text(profile()), "--submit"});
        QVERIFY(submit.waitForFinished(kPatienceMs));
        QCOMPARE(submit.exitCode(), 2); // @ACCOUNT@
        QVERIFY(submit.readAllStandardError().contains("expected the words of your site"));
    }

    void everyProfileIsRead()
    {
        int profiles = 0;
        for (const auto& each : fs::directory_iterator(source("packaging/slurm/profiles")))
        {
            QProcess submit;
            start(submit, {text(source("packaging/slurm/submit.sh")), text(m_base / "run.env"), text(each.path())});
            QVERIFY(submit.waitForFinished(kPatienceMs));
            QVERIFY2(submit.exitCode() == 0, submit.readAllStandardError().constData());
            QVERIFY(submit.readAllStandardOutput().contains("--account=@ACCOUNT@"));
            ++profiles;
        }
        QCOMPARE(profiles, 3);
    }

    void anArrayWithAccidentsGivesTheSameBytes()
    {
        for (int task = 0; task < kTasks; ++task)
        {
            if (task == 2)
                tellOfTheTimeLimit(task);
            if (task == 4)
                killItsEngine(task);
            QProcess script;
            startTask(script, task);
            QProcess twin; // a requeued task, while the old one still runs
            if (task == 6)
                startTask(twin, task);
            QVERIFY(script.waitForFinished(kPatienceMs));
            QVERIFY2(script.exitCode() == 0, script.readAllStandardError().constData());
            if (task == 6)
            {
                QVERIFY(twin.waitForFinished(kPatienceMs));
                QVERIFY2(twin.exitCode() == 0, twin.readAllStandardError().constData());
            }
            if (task == 5)
                mergeNamesWhatIsMissing();
        }
        QProcess merge;
        start(merge, {text(source("packaging/slurm/merge.sbatch"))});
        QVERIFY(merge.waitForFinished(kPatienceMs));
        QVERIFY2(merge.exitCode() == 0, merge.readAllStandardError().constData());
        const std::string whole = contents(m_base / "whole/c.h5");
        QVERIFY(whole.size() > 1'000'000);
        QVERIFY(contents(m_base / "c.h5") == whole);
    }

private:
    [[nodiscard]] static fs::path profile() { return source("packaging/slurm/profiles/generic.env"); }

    void start(QProcess& script, const QStringList& words, int task = -1,
               Environment environment = Environment::systemEnvironment()) const
    {
        environment.insert("PATH", text(m_base / "bin") + ":" + environment.value("PATH"));
        environment.insert("HEADSCOPE_RUN", text(m_base / "run.env"));
        environment.insert("HEADSCOPE_PROFILE", text(profile()));
        if (task >= 0)
        {
            environment.insert("SLURM_ARRAY_JOB_ID", "17");
            environment.insert("SLURM_ARRAY_TASK_ID", QString::number(task));
        }
        script.setProcessEnvironment(environment);
        script.setWorkingDirectory(text(m_base));
        script.start("bash", words);
    }

    void startTask(QProcess& script, int task, const Environment& environment = Environment::systemEnvironment()) const
    {
        start(script, {text(source("packaging/slurm/extract_array.sbatch"))}, task, environment);
    }

    [[nodiscard]] fs::path part(int task) const
    {
        return m_base / "c.h5.parts" /
               ("range_" + std::to_string(task * kPerTask) + "-" +
                std::to_string(std::min(kDocuments, (task + 1) * kPerTask)) + ".h5");
    }

    /// Starts a task whose engine stands still in the middle of its documents.
    /// @return its process; 0: it does not stand there
    [[nodiscard]] pid_t startAndHold(QProcess& script, int task) const
    {
        Environment environment = heldAt({.text = QStringLiteral("shard_000000.h5")});
        environment.insert("ENGINE_PRELOAD", environment.value("LD_PRELOAD"));
        environment.remove("LD_PRELOAD");
        startTask(script, task, environment);
        const fs::path lock = part(task).parent_path() / ("." + part(task).filename().string() + ".lock");
        pid_t engine = 0;
        while (engine < 2 && !script.waitForFinished(1) && script.state() != QProcess::NotRunning)
        {
            const std::string holder = contents(lock); // "process N on HOST, since ..."
            const auto at = holder.find("process ");
            if (at != std::string::npos && holder.find(" on ", at) != std::string::npos)
                engine = static_cast<pid_t>(std::atol(holder.c_str() + at + 8));
        }
        return engine > 1 && engine != script.processId() && waitUntilHeld(engine) ? engine : 0;
    }

    /// Until a signal has come to a process that stands still.
    static void waitForSignal(pid_t process)
    {
        const fs::path status = "/proc/" + std::to_string(process) + "/status";
        while (contents(status).find("\nShdPnd:\t0000000000000000") != std::string::npos)
            QTest::qWait(1);
    }

    void tellOfTheTimeLimit(int task)
    {
        QProcess script;
        const pid_t engine = startAndHold(script, task);
        QVERIFY2(engine > 1, script.readAllStandardError().constData());
        QVERIFY(headscope::test::signal(script, SIGUSR1));
        waitForSignal(engine); // the script has passed it on
        QVERIFY(goOn(engine));
        QVERIFY(script.waitForFinished(kPatienceMs));
        QCOMPARE(script.exitCode(), 143);
        QVERIFY(!fs::exists(part(task)));
        QCOMPARE(contents(m_base / "scontrol.log"), "requeue 17_" + std::to_string(task) + "\n");
    }

    /// A node that is gone: neither script nor engine had a word to say.
    void killItsEngine(int task)
    {
        QProcess script;
        const pid_t engine = startAndHold(script, task);
        QVERIFY2(engine > 1, script.readAllStandardError().constData());
        QVERIFY(headscope::test::signal(script, SIGKILL));
        static_cast<void>(headscope::test::signal(engine, SIGKILL)); // if it did not go with the script
        QVERIFY(script.waitForFinished(kPatienceMs));
        QVERIFY(!fs::exists(part(task)));
    }

    void mergeNamesWhatIsMissing() const
    {
        QProcess merge;
        start(merge, {text(source("packaging/slurm/merge.sbatch"))});
        QVERIFY(merge.waitForFinished(kPatienceMs));
        QCOMPARE(merge.exitCode(), 3);
        const QByteArray said = merge.readAllStandardError();
        QVERIFY2(said.contains("-o c.h5.parts/range_6000-7000.h5 --range 6000:7000"), said.constData());
        QVERIFY2(said.contains("-o c.h5.parts/range_7000-7975.h5 --range 7000:7975"), said.constData());
    }

    QTemporaryDir m_folder;
    fs::path m_base = m_folder.path().toStdString();
};

HEADSCOPE_TEST_GUILESS(TestEngineSlurm)
#include "tst_engine_slurm.moc"
