// SPDX-License-Identifier: GPL-3.0-or-later
// Programs that are killed, or stand still, at a point of their work: a test that waits for a moment instead meets
// another one on a busy machine.
#pragma once

#include <QProcessEnvironment>
#include <QString>

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

class QProcess;

namespace headscope::test
{

/// A point in the work of a program, which tests/faults/interpose.cpp finds.
struct NamedPoint
{
    enum class Kind
    {
        Change, ///< before a call that changes a file
        Rename, ///< behind the renaming to a file
        Said,   ///< behind a line on standard error
    };
    Kind kind = Kind::Change;
    QString text = {}; ///< in the path of the file, or in the line; nothing: of all of them
    int number = 1;    ///< which of them, from 1
};

using Environment = QProcessEnvironment;

/// The environment of a program that is killed there, as by kill -9.
[[nodiscard]] Environment killedAt(const NamedPoint& point, Environment own = Environment::systemEnvironment());

/// The environment of a program that stands still there, until `goOn`.
[[nodiscard]] Environment heldAt(const NamedPoint& point, Environment own = Environment::systemEnvironment());

/// The environment of a program that writes at its end how many calls changed files.
/// @param note  where `changesIn` finds the number
[[nodiscard]] Environment countedInto(const std::filesystem::path& note,
                                      Environment own = Environment::systemEnvironment());
[[nodiscard]] int changesIn(const std::filesystem::path& note);

/// Waits until a program stands still; false: it ended before.
[[nodiscard]] bool waitUntilHeld(pid_t process);
[[nodiscard]] bool waitUntilHeld(QProcess& process);

/// Lets a program go on that stands still.
/// @param number  a signal that it gets at once
[[nodiscard]] bool goOn(pid_t process, int number = 0);
[[nodiscard]] bool goOn(QProcess& process, int number = 0);

/// Points from 1 to the number of changes, by turns early and late ones.
[[nodiscard]] std::vector<int> spreadPoints(int count, int changes);

/// How a program is run and looked at that is killed again and again.
struct KilledRuns
{
    std::function<void(QProcess& program, const Environment& environment)> start;
    std::function<bool()> afterKill; ///< whether everything is as it has to be
    std::function<bool()> afterEnd;  ///< the same, after a run to its end; makes everything as before the first run
};

/// Kills a program before each of these changes of files, each time on what the run before left; one that has fewer
/// left than that ends, and is killed in the run after it. A whole run that has fewer is killed at half the number: how
/// many changes a run makes depends on its pace.
/// @return what went wrong, or nothing
[[nodiscard]] QByteArray killAt(const std::vector<int>& points, const KilledRuns& runs);

} // namespace headscope::test
