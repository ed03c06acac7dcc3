// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <cstddef>
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

/// Before a library that does not look whether it got its memory, and crashes where it did not.
/// @throws std::bad_alloc where that many bytes of addresses cannot be had
void expectAddresses(std::size_t bytes);

/// What a piece of work will take at once, for the size that it has: an estimate, which is made before it begins.
struct MemoryNeed
{
    double bytes = 0;
    std::string work; ///< subject of a sentence: "a probe of 10,000 classes"
    std::string help; ///< another one: "fewer documents take less"
};

/// Refuses work that does not fit into memory, before anything of it is computed.
/// @errors OutOfMemory: what is needed, what is free, and what helps
[[nodiscard]] Status checkMemory(const MemoryNeed& need, const FreeMemory& free);
/// The same with what is free now, which is not asked about less than 100 MB.
[[nodiscard]] Status checkMemory(const MemoryNeed& need);

} // namespace headscope
