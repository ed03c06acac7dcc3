// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/named_point.h"

#include "tests/support/process.h"
#include "tests/support/test_paths.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QThread>

#include <csignal>
#include <fstream>
#include <iterator>
#include <string>

namespace headscope::test
{
namespace
{

QString wordOf(NamedPoint::Kind kind)
{
    switch (kind)
    {
    case NamedPoint::Kind::Change:
        return QStringLiteral("write");
    case NamedPoint::Kind::Rename:
        return QStringLiteral("rename");
    case NamedPoint::Kind::Said:
        return QStringLiteral("say");
    }
    return {};
}

Environment interposed(const NamedPoint& point, const char* how, Environment own)
{
    own.insert(QStringLiteral("LD_PRELOAD"), QString::fromStdString(program("libfault_interpose.so").string()));
    own.insert(QStringLiteral("HEADSCOPE_FAULT"), wordOf(point.kind));
    own.insert(QStringLiteral("HEADSCOPE_FAULT_HOW"), QString::fromLatin1(how));
    own.insert(QStringLiteral("HEADSCOPE_FAULT_AT"), QString::number(point.number));
    // A program that is not told how its threads wait is started once more, without the library.
    own.insert(QStringLiteral("OMP_WAIT_POLICY"), QStringLiteral("passive"));
    if (!point.text.isEmpty())
        own.insert(QStringLiteral("HEADSCOPE_FAULT_TEXT"), point.text);
#if defined(__SANITIZE_ADDRESS__) // whose library wants to be the first
    own.insert(QStringLiteral("ASAN_OPTIONS"),
               own.value(QStringLiteral("ASAN_OPTIONS")) + QStringLiteral(":verify_asan_link_order=0"));
#endif
    return own;
}

/// The letter of a process in /proc: R, S, T (stopped), Z; 0 where there is none.
char stateOf(pid_t process)
{
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto end = text.rfind(") ");
    return end == std::string::npos || end + 2 >= text.size() ? '\0' : text[end + 2];
}

} // namespace

Environment killedAt(const NamedPoint& point, Environment own)
{
    return interposed(point, "kill", std::move(own));
}

Environment heldAt(const NamedPoint& point, Environment own)
{
    return interposed(point, "hold", std::move(own));
}

Environment countedInto(const std::filesystem::path& note, Environment own)
{
    own.insert(QStringLiteral("HEADSCOPE_FAULT_COUNT"), QString::fromStdString(note.string()));
    return interposed({.number = 0}, "kill", std::move(own));
}

int changesIn(const std::filesystem::path& note)
{
    int changes = 0;
    std::ifstream(note) >> changes;
    return changes;
}

namespace
{

/// @param pause  between two looks
bool waitUntilHeld(pid_t process, const std::function<void()>& pause)
{
    QElapsedTimer waiting;
    waiting.start();
    while (waiting.elapsed() < kPatienceMs)
    {
        const char state = stateOf(process);
        if (state == 'T' || state == 'Z' || state == '\0')
            return state == 'T';
        pause();
    }
    return false;
}

} // namespace

bool waitUntilHeld(pid_t process)
{
    return waitUntilHeld(process, [] { QThread::msleep(1); });
}

bool waitUntilHeld(QProcess& process)
{
    // What it says is taken meanwhile: a full pipe would hold it elsewhere.
    return process.waitForStarted(kPatienceMs) && waitUntilHeld(static_cast<pid_t>(process.processId()), [&process] {
               process.waitForReadyRead(1);
               QThread::msleep(1);
           });
}

bool goOn(pid_t process, int number)
{
    return (number == 0 || signal(process, number)) && signal(process, SIGCONT);
}

bool goOn(QProcess& process, int number)
{
    return goOn(static_cast<pid_t>(process.processId()), number);
}

std::vector<int> spreadPoints(int count, int changes)
{
    constexpr double kGolden = 0.6180339887;
    std::vector<int> points;
    double share = 0;
    for (int i = 0; i < count; ++i)
    {
        share += kGolden;
        share -= static_cast<int>(share);
        points.push_back(1 + static_cast<int>(share * (changes - 1)));
    }
    return points;
}

namespace
{

/// One run that is killed before a change, or ends before it comes to that.
/// @param killed  whether it was killed
/// @return what went wrong, or nothing
QByteArray killedRun(const KilledRuns& runs, int number, bool& killed)
{
    QProcess program;
    runs.start(program, killedAt({.number = number}));
    program.waitForFinished(kPatienceMs);
    if (program.state() != QProcess::NotRunning)
        return "did not end: change " + QByteArray::number(number);
    killed = program.exitStatus() == QProcess::CrashExit && program.exitCode() == SIGKILL;
    if (!killed && (program.exitStatus() == QProcess::CrashExit || program.exitCode() != 0))
        return "failed: " + program.readAllStandardError();
    if (!(killed ? runs.afterKill() : runs.afterEnd()))
        return (killed ? "wrong after the kill before change " : "wrong after an end without change ") +
               QByteArray::number(number);
    return {};
}

} // namespace

QByteArray killAt(const std::vector<int>& points, const KilledRuns& runs)
{
    for (const int point : points)
    {
        bool killed = false;
        int number = point;
        for (int attempt = 0; !killed; ++attempt)
        {
            if (attempt > 1) // a whole run ended before it: how often a run writes depends on its pace
                number /= 2;
            if (number == 0)
                return "ended before its first change";
            if (QByteArray wrong = killedRun(runs, number, killed); !wrong.isEmpty())
                return wrong;
        }
    }
    return {};
}

} // namespace headscope::test
