// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/memory/pages.h"

#include "model/base/assert.h"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

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

} // namespace headscope
