// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>

namespace headscope::test
{

/// While it lives, this process may take so many more bytes of addresses: less memory is free than any machine has.
class MemoryLimit
{
public:
    explicit MemoryLimit(std::uint64_t free)
    {
        getrlimit(RLIMIT_AS, &m_before);
        std::uint64_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        rlimit lower = m_before;
        lower.rlim_cur = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) + free;
        setrlimit(RLIMIT_AS, &lower);
    }
    ~MemoryLimit() { setrlimit(RLIMIT_AS, &m_before); }
    MemoryLimit(const MemoryLimit&) = delete;
    MemoryLimit& operator=(const MemoryLimit&) = delete;

private:
    rlimit m_before = {};
};

} // namespace headscope::test
