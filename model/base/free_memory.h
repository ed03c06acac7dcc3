// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>

namespace headscope
{

/// Memory that this process may still take without anything being ended for it.
struct FreeMemory
{
    std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max(); ///< the largest number: not known
    std::string limit = "this machine";                              ///< what sets the bound, for messages
    /// The bound is on addresses, so that maps of files count too.
    bool ofAddresses = false;
};

/// The least of what the machine has available (without swap), what the control groups of this process
/// leave (versions 1 and 2), and what its address space may grow by (`ulimit -v`, `prlimit --as`).
/// @param root  of /proc and /sys, for tests; with another root the address space is not asked
[[nodiscard]] FreeMemory freeMemory(const std::filesystem::path& root = "/");

} // namespace headscope
