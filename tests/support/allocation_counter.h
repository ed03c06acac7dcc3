// SPDX-License-Identifier: GPL-3.0-or-later
// Counts what a test program takes from the heap. allocation_counter.cpp replaces operator new and
// delete: link headscope_allocation_counter to the programs that count, and to no others.
#pragma once

#include <malloc.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>

namespace headscope::test
{

/// Bytes that operator new gave and delete did not take back, and their largest number, since the
/// last start().
class AllocationCounter
{
public:
    static void start()
    {
        s_now = 0;
        s_peak = 0;
    }
    [[nodiscard]] static std::size_t peak() { return static_cast<std::size_t>(s_peak.load()); }

    static void* take(std::size_t size)
    {
        void* memory = std::malloc(size > 0 ? size : 1);
        if (memory == nullptr)
            return nullptr;
        const std::ptrdiff_t now = s_now += static_cast<std::ptrdiff_t>(malloc_usable_size(memory));
        for (std::ptrdiff_t peak = s_peak; now > peak && !s_peak.compare_exchange_weak(peak, now);)
        {}
        return memory;
    }
    static void give(void* memory)
    {
        s_now -= static_cast<std::ptrdiff_t>(malloc_usable_size(memory));
        std::free(memory);
    }

private:
    static inline std::atomic<std::ptrdiff_t> s_now = 0;
    static inline std::atomic<std::ptrdiff_t> s_peak = 0;
};

} // namespace headscope::test
