// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/allocation_counter.h"

#include <new>

void* operator new(std::size_t size)
{
    if (void* memory = headscope::test::AllocationCounter::take(size))
        return memory;
    throw std::bad_alloc();
}
void* operator new[](std::size_t size)
{
    return operator new(size);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept
{
    return headscope::test::AllocationCounter::take(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept
{
    return headscope::test::AllocationCounter::take(size);
}
void operator delete(void* memory) noexcept
{
    headscope::test::AllocationCounter::give(memory);
}
void operator delete[](void* memory) noexcept
{
    headscope::test::AllocationCounter::give(memory);
}
void operator delete(void* memory, std::size_t) noexcept
{
    headscope::test::AllocationCounter::give(memory);
}
void operator delete[](void* memory, std::size_t) noexcept
{
    headscope::test::AllocationCounter::give(memory);
}
