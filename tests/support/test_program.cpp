// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"

#include "tests/support/test_paths.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace headscope::test
{
namespace
{

/// Grows before main(), in the order of the linker.
std::vector<TestEntry>& entries()
{
    static std::vector<TestEntry> all;
    return all;
}

/// A process group of its own, so that no signal of a test reaches ctest, the script and the shell that run it.
///
/// No session of its own: its leader would get the first terminal that a test opens as its controlling terminal, and
/// SIGHUP with it. No program before it either (setsid --wait): ctest finds what a test has started, when it runs out
/// of time, from parent to child. An interrupt at the keyboard goes to the group of ctest alone: a test ends with it.
void standAlone()
{
    if (::getpgrp() == ::getpid()) // as an interactive shell starts it
        return;
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
}

} // namespace

std::string_view TestEntry::name() const
{
    std::string_view stem = file.substr(file.rfind('/') + 1);
    return stem.substr(0, stem.rfind('.'));
}

TestRegistration::TestRegistration(const TestEntry& entry)
{
    entries().push_back(entry);
}

} // namespace headscope::test

// PROGRAM TEST [ARGUMENTS of Qt Test]
int main(int argc, char** argv)
{
    using namespace headscope::test;
    standAlone();
    // Tests do not lie beside the programs.
    ::setenv("HEADSCOPE_HDF5_CHECK", program("headscope-hdf5-check").c_str(), 0);
    if (argc >= 2)
    {
        for (const TestEntry& entry : entries())
        {
            if (entry.name() != argv[1])
                continue;
            std::vector<char*> rest(argv, argv + argc + 1); // the null behind the last one too
            rest.erase(rest.begin() + 1);
            return entry.run(argc - 1, rest.data());
        }
        std::fprintf(stderr, "%s: no test is called %s\n", argv[0], argv[1]);
    }
    std::fprintf(stderr, "Usage: %s TEST [ARGUMENTS]; one of:\n", argv[0]);
    for (const TestEntry& entry : entries())
        std::fprintf(stderr, "  %.*s\n", static_cast<int>(entry.name().size()), entry.name().data());
    return 2;
}
