// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QProcessEnvironment>
#include <QStringList>

#include <sys/types.h>

#include <filesystem>

class QProcess;

namespace headscope::test
{

/// How long a test waits for what has to come, in ms: it only ends what hangs, on the busiest machine too.
inline constexpr int kPatienceMs = 300'000;

/// What a finished command left behind.
struct ProcessOutcome
{
    int exitCode = -1; ///< -1 when it did not end in time or was ended by a signal
    bool crashed = false;
    QByteArray out;
    QByteArray err;
};

/// Waits for a program that runs, and ends it where it takes too long.
[[nodiscard]] ProcessOutcome outcomeOf(QProcess& process, int timeoutMs = kPatienceMs);

/// Runs a program to its end, offscreen, without a shell.
[[nodiscard]] ProcessOutcome run(const std::filesystem::path& program, const QStringList& arguments,
                                 const QByteArray& input = {}, int timeoutMs = kPatienceMs,
                                 const QProcessEnvironment& environment = QProcessEnvironment::systemEnvironment());

/// Sends a signal to a process, as kill(2) does; signal 0 asks whether it is there.
///
/// The one way in which tests do: the id of a QProcess that has ended is 0, and kill(0, number) ends the test run.
/// Ids below 2 (no process, a group, the first process) are refused with a sentence.
/// @return whether it was sent
[[nodiscard]] bool signal(pid_t process, int number);
[[nodiscard]] bool signal(const QProcess& process, int number);

} // namespace headscope::test
