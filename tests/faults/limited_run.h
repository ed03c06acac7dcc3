// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace headscope::faults
{

/// A program, its arguments and what its environment has beside ours.
struct Command
{
    std::vector<std::string> words;
    std::vector<std::string> environment{}; ///< "NAME=value"; replaces ours
    std::filesystem::path input{};          ///< standard input; empty: /dev/null
};

/// What one run may take before it counts as a hang or as greed.
struct Limits
{
    double seconds = 240;          ///< by the clock, for what waits for ever
    int cpuSeconds = 20;           ///< of computing, for what computes for ever
    long residentMegabytes = 1500; ///< 0: not judged
};

/// How a run ended.
struct Ended
{
    int exitCode = -1;          ///< -1: by a signal
    int signal = 0;             ///< 0: none
    bool hung = false;          ///< we ended it
    long residentKilobytes = 0; ///< most memory it had
    std::string out;
    std::string err;
};

/// Bounds the address space of everything that is started from here on, and leaves no core files; 0: unbounded, for
/// programs with sanitizers.
void limitMemory(long megabytes);

/// Runs a command in a folder, in a process group of its own that is ended as a whole when the time is over.
/// @param notes  where standard output and error are caught: notes.out, notes.err; outside of the folder
/// @threads any, each with notes of its own
[[nodiscard]] Ended run(const Command& command, const std::filesystem::path& folder, const std::filesystem::path& notes,
                        const Limits& limits);

/// The sentence to blame a run with whatever it was given: a signal, a hang, an undocumented exit code, an error
/// without a sentence, control characters or broken UTF-8 in what it prints. Empty: nothing.
[[nodiscard]] std::string blame(const Ended& ended, const Limits& limits);

/// A command as a shell would take it.
[[nodiscard]] std::string shellLine(const Command& command);

/// Every file below a folder: its path from there, and its bytes. Links are followed.
[[nodiscard]] std::map<std::string, std::string> filesBelow(const std::filesystem::path& folder);

/// @throws std::runtime_error where it cannot be read or written
[[nodiscard]] std::string readFile(const std::filesystem::path& path);
void writeFile(const std::filesystem::path& path, const std::string& bytes);

} // namespace headscope::faults
