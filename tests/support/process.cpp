// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/process.h"

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

} // namespace headscope::test
