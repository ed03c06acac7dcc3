// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/free_memory.h"

#include "model/base/text/bytes_text.h"

#include <fmt/format.h>

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <new>
#include <optional>
#include <string_view>

namespace headscope
{
namespace
{

namespace fs = std::filesystem;

/// The number behind a word that begins a line: "MemAvailable:   123 kB".
std::optional<std::uint64_t> numberBehind(const fs::path& file, std::string_view word)
{
    std::ifstream stream(file);
    for (std::string name; stream >> name; stream.ignore(std::numeric_limits<std::streamsize>::max(), '\n'))
    {
        std::uint64_t value = 0;
        if (name == word && stream >> value)
            return value;
    }
    return std::nullopt;
}

/// The only number of a file; none when it is a word ("max").
std::optional<std::uint64_t> numberIn(const fs::path& file)
{
    std::uint64_t value = 0;
    if (std::ifstream(file) >> value)
        return value;
    return std::nullopt;
}

void lower(FreeMemory& memory, std::uint64_t bytes, const char* limit, bool ofAddresses = false)
{
    if (bytes < memory.bytes)
        memory = {bytes, limit, ofAddresses};
}

/// What a control group leaves: pages of files that it holds can be given back.
void lowerByGroup(FreeMemory& memory, const fs::path& group, const char* limitName, const char* usedName,
                  const char* fileWord)
{
    const auto limit = numberIn(group / limitName);
    const auto used = numberIn(group / usedName);
    if (!limit || !used)
        return;
    const std::uint64_t files = numberBehind(group / "memory.stat", fileWord).value_or(0);
    const std::uint64_t held = *used - std::min(*used, files);
    lower(memory, *limit - std::min(*limit, held), "the control group of this process");
}

/// This group and all above it: each may have a limit.
void lowerByGroups(FreeMemory& memory, const fs::path& root, const std::string& line)
{
    // "0::/user.slice/x" or "9:memory:/x"
    const auto second = line.find(':', line.find(':') + 1);
    if (second == std::string::npos)
        return;
    const bool version2 = line.starts_with("0::");
    if (!version2 && line.substr(0, second).find("memory") == std::string::npos)
        return;
    const fs::path base = root / (version2 ? "sys/fs/cgroup" : "sys/fs/cgroup/memory");
    fs::path group = fs::path(line.substr(second + 1)).relative_path();
    for (bool more = true; more; group = group.parent_path())
    {
        more = !group.empty();
        if (version2)
            lowerByGroup(memory, base / group, "memory.max", "memory.current", "inactive_file");
        else
            lowerByGroup(memory, base / group, "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file");
    }
}

void lowerByAddresses(FreeMemory& memory)
{
    rlimit limit = {};
    std::uint64_t pages = 0;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        !(std::ifstream("/proc/self/statm") >> pages))
        return;
    const std::uint64_t used = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    lower(memory, limit.rlim_cur - std::min<std::uint64_t>(limit.rlim_cur, used), "the address space limit", true);
}

} // namespace

FreeMemory freeMemory(const fs::path& root)
{
    FreeMemory memory;
    if (const auto kilobytes = numberBehind(root / "proc/meminfo", "MemAvailable:"))
        memory.bytes = *kilobytes * 1024;
    std::ifstream groups(root / "proc/self/cgroup");
    for (std::string line; std::getline(groups, line);)
        lowerByGroups(memory, root, line);
    if (root == "/")
        lowerByAddresses(memory);
    return memory;
}

void expectAddresses(std::size_t bytes)
{
    void* room = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        throw std::bad_alloc();
    munmap(room, bytes);
}

Status checkMemory(const MemoryNeed& need, const FreeMemory& free)
{
    if (need.bytes <= static_cast<double>(free.bytes))
        return {};
    constexpr double kMost = 9e18; // as a whole number of 64 bits
    return Error{ErrorCode::OutOfMemory,
                 fmt::format("{} needs about {} of memory, but only {} is free ({}); {}", need.work,
                             bytesText(static_cast<std::uint64_t>(std::min(need.bytes, kMost))), bytesText(free.bytes),
                             free.limit, need.help),
                 {},
                 {}};
}

Status checkMemory(const MemoryNeed& need)
{
    constexpr double kLittle = 1e8;
    return need.bytes < kLittle ? Status() : checkMemory(need, freeMemory());
}

} // namespace headscope
