// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/faults/limited_run.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headscope::faults
{

/// The programs under test, and what they need. A program that was not built is an empty path.
struct Programs
{
    std::filesystem::path app;    ///< headscope
    std::filesystem::path engine; ///< headscope-engine
    std::filesystem::path keeper; ///< fault_work, which writes kept work
    std::filesystem::path golden; ///< golden/ of the build, which holds what tests/golden does
};

/// Those that are in a folder of programs.
[[nodiscard]] Programs programsIn(const std::filesystem::path& bin, const std::filesystem::path& golden);

/// Sound files of every kind that the programs read, made anew by the programs themselves in `folder`:
///
///     docs.jsonl docs.json docs.csv docs.tsv docs.jsonl.gz   six texts with ids and topics
///     texts.jsonl      three texts alone
///     small.h5         their cache, with one map and topic vectors
///     part_0.h5 part_1.h5   the caches of two ranges of the same run
///     small.h5.headscope   work kept beside it
///     map.h5 state.h5 mask.json vectors.npy labels.npy retrieval.json settings.ini
///     labels.json weights.json relevant.jsonl topics.json   what options of verbs take
/// @throws std::runtime_error if a program fails on them: nothing can be tested then
/// @param times  how often each text comes, with an id of its own: of one, all numbers of a map lie under the seal
void makeSeeds(const Programs& programs, const std::filesystem::path& folder, int times = 1);

/// Environment of every run: no display, no settings or folders of the user, one locale.
/// @param home  an own folder for each worker
[[nodiscard]] std::vector<std::string> quietEnvironment(const std::filesystem::path& home);

} // namespace headscope::faults
