// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/faults/random.h"
#include "tests/faults/seeds.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace headscope::faults
{

/// What exit code 0 says of a file that differs from the seed.
enum class Promise
{
    Nothing,    ///< nobody can know: the file has no checksums
    SameOrTold, ///< the same numbers, unless a notice says that checksums are missing
    Same,       ///< the same numbers: a seal covers every byte
};

/// One use of a mutant by a program.
struct Action
{
    Command command;                 ///< in the folder of the case
    std::set<std::string> outputs{}; ///< files that it may make; after an error they are not there
    bool samePrinted = false;        ///< standard output holds nothing but what the file gives
    int weight = 1;                  ///< how often it is chosen
    std::vector<Command> then{};     ///< what must take the outputs
    bool mustEndWell = false;        ///< whatever the file: only 0 is right
};

/// A sound file, and the files around it.
struct Seed
{
    std::string name; ///< in the folder of the case: "model/config.json"
    std::string bytes;
    std::map<std::string, std::filesystem::path> links{}; ///< beside it, to files that stay as they are
};

/// A kind of file that the programs read.
struct Kind
{
    std::string name;
    std::vector<Seed> seeds;
    std::function<std::string(const std::string&, Random&)> mutate;
    std::vector<Action> actions;
    Promise promise = Promise::Nothing;
    std::set<std::string> mayChange{}; ///< beside the outputs; a folder with everything below it ends in "/"
};

/// Every kind that the programs that were built read.
/// @param seeds  the folder of makeSeeds()
[[nodiscard]] std::vector<Kind> allKinds(const Programs& programs, const std::filesystem::path& seeds);

} // namespace headscope::faults
