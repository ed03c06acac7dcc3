// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/faults/kinds.h"

#include <filesystem>
#include <map>
#include <mutex>
#include <string>

namespace headscope::faults
{

/// What an undisturbed run gives.
struct Truth
{
    bool accepted = false;
    std::string out;
    std::map<std::string, std::string> outputs;
};

/// One file in the hands of one program.
struct Trial
{
    const Kind* kind = nullptr;
    std::size_t seed = 0;   ///< of kind->seeds
    std::size_t action = 0; ///< of kind->actions
    std::string bytes;      ///< of the mutant
};

/// Runs trials in folders of its own and judges them. One for each worker.
class TrialBench
{
public:
    /// @param place  an own folder, made anew
    TrialBench(const std::filesystem::path& place, const Limits& limits);

    /// What is wrong with how the program took the file; empty: nothing.
    [[nodiscard]] std::string judge(const Trial& trial);
    /// How the last run ended.
    [[nodiscard]] const Ended& ended() const { return m_ended; }
    /// Keeps the files, the command and what the last trial gave in a folder of its own.
    void keep(const Trial& trial, const std::filesystem::path& folder, const std::string& reason);

private:
    [[nodiscard]] Command commandOf(const Command& command) const;
    void layOut(const Seed& seed, const std::string& bytes) const;
    [[nodiscard]] Ended runHere(const Command& command) const;
    [[nodiscard]] const Truth& truthOf(const Trial& trial);
    [[nodiscard]] std::string judgeFiles(const Trial& trial, const std::map<std::string, std::string>& before);
    [[nodiscard]] std::string judgeNumbers(const Trial& trial, const Truth& truth) const;

    std::filesystem::path m_place;
    std::filesystem::path m_folder; ///< of the case
    Limits m_limits;
    Ended m_ended; ///< the last
    std::map<std::string, Truth> m_truths;
};

} // namespace headscope::faults
