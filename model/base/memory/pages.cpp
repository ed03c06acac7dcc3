// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/memory/pages.h"

#include "model/base/assert.h"
#include "model/base/threads/signal_mask.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <new>
#include <system_error>

namespace headscope
{

Pages::Pages(std::size_t bytes) : m_bytes(rounded(bytes))
{
    if (m_bytes == 0)
        return;
    void* room = mmap(nullptr, m_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        throw std::bad_alloc();
    m_data = static_cast<std::byte*>(room);
}

Pages::~Pages()
{
    if (m_data != nullptr)
        munmap(m_data, m_bytes);
}

void Pages::giveBack(std::size_t begin, std::size_t bytes) const
{
    HEADSCOPE_ASSERT(begin == rounded(begin) && bytes == rounded(bytes) && begin + bytes <= m_bytes);
    if (bytes != 0)
        (void)madvise(m_data + begin, bytes, MADV_DONTNEED); // where it is refused the pages stay until the end
}

std::size_t Pages::rounded(std::size_t bytes)
{
    static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return (bytes + page - 1) / page * page;
}

void adviseLargePages(std::span<std::byte> block)
{
    constexpr std::size_t kLargePage = std::size_t{2} << 20;
    void* first = block.data();
    std::size_t left = block.size();
    if (std::align(kLargePage, kLargePage, first, left) != nullptr)
        (void)madvise(first, left / kLargePage * kLargePage, MADV_HUGEPAGE);
}

PagesAhead::PagesAhead(std::span<std::byte> block)
{
#ifdef MADV_POPULATE_WRITE
    constexpr std::size_t kSmallest = std::size_t{16} << 20;
    static constexpr std::size_t kPiece = std::size_t{1} << 20;
    void* begin = block.data();
    std::size_t bytes = block.size();
    if (bytes < kSmallest || std::align(Pages::rounded(1), Pages::rounded(1), begin, bytes) == nullptr)
        return;
    adviseLargePages(block);
    const StopSignalMask mask; // the thread inherits it
    try
    {
        m_thread = std::thread([this, at = static_cast<std::byte*>(begin), bytes]() mutable {
            while (bytes >= Pages::rounded(1) && !m_stop)
            {
                const std::size_t count = std::min(kPiece, bytes / Pages::rounded(1) * Pages::rounded(1));
                if (madvise(at, count, MADV_POPULATE_WRITE) != 0)
                    return;
                at += count;
                bytes -= count;
            }
        });
    }
    catch (const std::system_error&) // without a thread who fills the block takes its pages
    {}
#else
    static_cast<void>(block);
#endif
}

PagesAhead::~PagesAhead()
{
    m_stop = true;
    if (m_thread.joinable())
        m_thread.join();
}

} // namespace headscope
