// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/faults/seeds.h"

#include <set>
#include <string>
#include <vector>

namespace headscope::faults
{

/// A small run of a verb, in a folder with the seeds that it names.
struct VerbRun
{
    std::string name; ///< "extract -o o.h5"
    Command command;
    std::set<std::string> inputs; ///< seeds, copied into the folder
    bool printsTimes = false;     ///< what it prints differs from run to run
    /// Files that it replaces: whole as they were, or as an undisturbed run leaves them.
    std::set<std::string> replaces{};
};

/// A run of every verb, and of every kind of output, that the programs that were built have.
[[nodiscard]] std::vector<VerbRun> allVerbRuns(const Programs& programs);

} // namespace headscope::faults
