// SPDX-License-Identifier: GPL-3.0-or-later
// Fault row 38: the scripts of packaging/slurm, run as Slurm runs them, with one task told of its time limit, one
// killed and one doubled.
#include "tests/app/engine/engine_run.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
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

void writeTexts(const fs::path& path)
{
    std::string lines;
    for (int i = 0; i < kDocuments; ++i)
    {
        std::string text = "Text " + std::to_string(i);
        for (int k = 0; k < (i * 7919) % 23; ++k)
            text += " says a little more";
        lines += R"({"id": "d)" + std::to_string(i) + R"(", "text": ")" + text + R"(", "topic": "t)" +
                 std::to_string(i * 5 / kDocuments) + "\"}\n";
    }
    writeFile(path, lines);
}

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
        writeTexts(m_base / "docs.jsonl");
        writeFile(m_base / "run.env", "MODEL=" + quoted(golden("models/mistral_f32")) +
                                          "\nDOCS=(docs.jsonl)\nOUT=c.h5\nDOCUMENTS=" + std::to_string(kDocuments) +
                                          "\nPER_TASK=" + std::to_string(kPerTask) +
                                          "\nOPTIONS=(--stages 1,2,3 --shard-mb 1)\nENGINE=" +
                                          quoted(program("headscope-engine")) + "\nRETRIES=40 RETRY_SECONDS=0.5\n");
        // What scontrol is asked for is written down: there is no queue here.
        fs::create_directories(m_base / "bin");
        writeFile(m_base / "bin/scontrol", "#!/bin/bash\necho \"$@\" >> " + quoted(m_base / "scontrol.log") + "\n");
        fs::permissions(m_base / "bin/scontrol", fs::perms::owner_all);
        fs::create_directories(m_base / "whole");
        fs::create_symlink("../docs.jsonl", m_base / "whole/docs.jsonl");
        QProcess whole;
        whole.setWorkingDirectory(text(m_base / "whole"));
        whole.start(text(program("headscope-engine")),
                    {"extract", text(golden("models/mistral_f32")), "docs.jsonl", "--stages", "1,2,3", "--shard-mb",
                     "1", "--device", "cpu", "--threads", "1", "-o", "c.h5"});
        QVERIFY(whole.waitForFinished(280'000));
        QVERIFY2(whole.exitCode() == 0, whole.readAllStandardError().constData());
    }

    void commandsAreShownBeforeTheyAreRun()
    {
        QProcess submit;
        start(submit, {text(source("packaging/slurm/submit.sh")), text(m_base / "run.env"), text(profile())});
        QVERIFY(submit.waitForFinished(20'000));
        const QByteArray out = submit.readAllStandardOutput();
        QVERIFY2(submit.exitCode() == 0, submit.readAllStandardError().constData());
        QVERIFY2(out.contains("--array=0-7%20"), out.constData());
        QVERIFY(out.contains("--dependency=afterok:JOB"));

        start(submit,
              {text(source("packaging/slurm/submit.sh")), text(m_base / "run.env"), text(profile()), "--submit"});
        QVERIFY(submit.waitForFinished(20'000));
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
            QVERIFY(submit.waitForFinished(20'000));
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
            QVERIFY(script.waitForFinished(280'000));
            QVERIFY2(script.exitCode() == 0, script.readAllStandardError().constData());
            if (task == 6)
            {
                QVERIFY(twin.waitForFinished(280'000));
                QVERIFY2(twin.exitCode() == 0, twin.readAllStandardError().constData());
            }
            if (task == 5)
                mergeNamesWhatIsMissing();
        }
        QProcess merge;
        start(merge, {text(source("packaging/slurm/merge.sbatch"))});
        QVERIFY(merge.waitForFinished(280'000));
        QVERIFY2(merge.exitCode() == 0, merge.readAllStandardError().constData());
        const std::string whole = contents(m_base / "whole/c.h5");
        QVERIFY(whole.size() > 1'000'000);
        QVERIFY(contents(m_base / "c.h5") == whole);
    }

private:
    [[nodiscard]] static fs::path profile() { return source("packaging/slurm/profiles/generic.env"); }

    void start(QProcess& script, const QStringList& words, int task = -1) const
    {
        auto environment = QProcessEnvironment::systemEnvironment();
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

    void startTask(QProcess& script, int task) const
    {
        start(script, {text(source("packaging/slurm/extract_array.sbatch"))}, task);
    }

    [[nodiscard]] fs::path part(int task) const
    {
        return m_base / "c.h5.parts" /
               ("range_" + std::to_string(task * kPerTask) + "-" +
                std::to_string(std::min(kDocuments, (task + 1) * kPerTask)) + ".h5");
    }

    /// Until the engine of a task has begun with its documents.
    [[nodiscard]] bool waitForWork(QProcess& script, int task) const
    {
        fs::path manifest = part(task);
        manifest += ".shards/manifest.jsonl";
        QElapsedTimer waiting;
        waiting.start();
        while (!fs::exists(manifest) && script.state() != QProcess::NotRunning && waiting.elapsed() < 60'000)
            script.waitForFinished(1);
        return fs::exists(manifest);
    }

    void tellOfTheTimeLimit(int task)
    {
        QProcess script;
        startTask(script, task);
        QVERIFY(waitForWork(script, task));
        ::kill(static_cast<pid_t>(script.processId()), SIGUSR1);
        QVERIFY(script.waitForFinished(20'000));
        QCOMPARE(script.exitCode(), 143);
        QVERIFY(!fs::exists(part(task)));
        QCOMPARE(contents(m_base / "scontrol.log"), "requeue 17_" + std::to_string(task) + "\n");
    }

    /// A node that is gone: neither script nor engine had a word to say.
    void killItsEngine(int task)
    {
        QProcess script;
        startTask(script, task);
        QVERIFY(waitForWork(script, task));
        const auto lock = contents(part(task).parent_path() / ("." + part(task).filename().string() + ".lock"));
        const auto at = lock.find("process ");
        QVERIFY(at != std::string::npos);
        const auto engine = static_cast<pid_t>(std::stol(lock.substr(at + 8)));
        QVERIFY(engine > 1 && engine != static_cast<pid_t>(script.processId()));
        ::kill(static_cast<pid_t>(script.processId()), SIGKILL);
        ::kill(engine, SIGKILL);
        QVERIFY(script.waitForFinished(20'000));
        QVERIFY(!fs::exists(part(task)));
    }

    void mergeNamesWhatIsMissing() const
    {
        QProcess merge;
        start(merge, {text(source("packaging/slurm/merge.sbatch"))});
        QVERIFY(merge.waitForFinished(60'000));
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
