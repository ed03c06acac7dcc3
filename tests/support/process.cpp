// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/process.h"

#include "tests/support/send_signal.h"

#include <QProcess>
#include <QString>

namespace headscope::test
{

ProcessOutcome outcomeOf(QProcess& process, int timeoutMs)
{
    ProcessOutcome outcome;
    const bool ended = process.waitForFinished(timeoutMs);
    if (!ended)
    {
        process.kill();
        process.waitForFinished();
    }
    outcome.crashed = process.exitStatus() == QProcess::CrashExit;
    outcome.exitCode = ended && !outcome.crashed ? process.exitCode() : -1;
    outcome.out = process.readAllStandardOutput();
    outcome.err = process.readAllStandardError();
    return outcome;
}

ProcessOutcome run(const std::filesystem::path& program, const QStringList& arguments, const QByteArray& input,
                   int timeoutMs, const QProcessEnvironment& environment)
{
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(QString::fromStdString(program.string()), arguments);
    process.write(input);
    process.closeWriteChannel();
    return outcomeOf(process, timeoutMs);
}

bool signal(pid_t process, int number)
{
    if (!isStartedProcess(process))
        qWarning("Signal %d was not sent: %d is no process that a test started; it has ended, or never began.", number,
                 static_cast<int>(process));
    return sendSignal(process, number);
}

bool signal(const QProcess& process, int number)
{
    return signal(static_cast<pid_t>(process.processId()), number);
}

} // namespace headscope::test
