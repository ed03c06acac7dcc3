// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

namespace headscope::test
{

/// A number of /proc/self/io: "rchar:" or "wchar:", bytes that this process, and its children that have ended, asked
/// the system to read or to write. 0 where the system does not count.
inline std::uint64_t processIo(std::string_view which)
{
    std::ifstream file("/proc/self/io");
    std::string word;
    std::uint64_t value = 0;
    while (file >> word >> value)
        if (word == which)
            return value;
    return 0;
}

inline std::uint64_t bytesRead()
{
    return processIo("rchar:");
}

inline std::uint64_t bytesWritten()
{
    return processIo("wchar:");
}

} // namespace headscope::test
