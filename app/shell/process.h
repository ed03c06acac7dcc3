// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headscope::shell
{

/// Runs a program from main's arguments to its exit code, on ground that holds:
/// - descriptors 0 to 2 that were closed are taken by /dev/null, so that no file that is opened later becomes standard
///   output; reading and writing them fails, but what is said on a closed standard error vanishes;
/// - SIGPIPE and SIGXFSZ are ignored: a reader that went away and a file that may not grow are errors of writing;
/// - an exception that nobody took, on this thread or another, is one sentence on standard error and the code of
///   OutOfMemory or Internal, and part files are removed: no core is dumped;
/// - a library that calls exit() does not end the program in silence: it is a sentence and the code of Resource;
/// - a crash (SIGSEGV, SIGFPE, SIGILL, SIGABRT) is a sentence and the code of Internal. Part files stay, and go with
/// the next run
///   that writes the same file.
/// @threads once, from main
[[nodiscard]] int runProgram(int (*program)(int argc, char** argv), int argc, char** argv);

} // namespace headscope::shell
