// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/sanitized.h"

#include <malloc.h>

#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace headscope::test
{

/// How far what this process holds in memory grows from now on. Blocks of 64 KB and more are asked for one by one from
/// here on, so that none is held by the allocator alone.
class MemoryPeak
{
public:
    MemoryPeak()
    {
        mallopt(M_MMAP_THRESHOLD, 1 << 16);
        malloc_trim(0);
        m_asked = static_cast<bool>(std::ofstream("/proc/self/clear_refs") << "5" << std::flush);
        m_before = bytesOf("VmRSS:");
    }
    /// @return nothing where the system or a sanitizer keeps other books
    [[nodiscard]] std::optional<double> bytes() const
    {
        const auto peak = bytesOf("VmHWM:");
        if (kSanitized || !m_asked || !peak || !m_before)
            return std::nullopt;
        return *peak - *m_before;
    }

private:
    static std::optional<double> bytesOf(std::string_view word)
    {
        std::ifstream status("/proc/self/status");
        for (std::string name; status >> name; status.ignore(std::numeric_limits<std::streamsize>::max(), '\n'))
        {
            double kilobytes = 0;
            if (name == word && status >> kilobytes)
                return 1024 * kilobytes;
        }
        return std::nullopt;
    }

    bool m_asked = false;
    std::optional<double> m_before;
};

} // namespace headscope::test
