// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <span>
#include <thread>
#include <utility>

namespace headscope
{

/// Memory straight from the system, parts of which go back to it while the rest is in use.
///
/// For large buffers whose parts end at different times: an allocator may keep what it gets back, and other sizes that
/// follow then come on top. A page is taken when it is first written; until then it reads as zeros.
class Pages
{
public:
    Pages() = default;
    /// @throws std::bad_alloc where that many bytes of addresses cannot be had
    explicit Pages(std::size_t bytes);
    ~Pages();
    Pages(Pages&& other) noexcept
        : m_data(std::exchange(other.m_data, nullptr)), m_bytes(std::exchange(other.m_bytes, 0))
    {}
    Pages& operator=(Pages&& other) noexcept
    {
        std::swap(m_data, other.m_data);
        std::swap(m_bytes, other.m_bytes);
        return *this;
    }

    [[nodiscard]] std::byte* data() const { return m_data; }
    /// Gives back what lies in [begin, begin + bytes); it reads as zeros afterwards.
    /// @param begin  a multiple of the page size, as `bytes` is: see rounded()
    /// @threads reentrant, for parts that do not overlap
    void giveBack(std::size_t begin, std::size_t bytes) const;

    /// The next multiple of the page size.
    [[nodiscard]] static std::size_t rounded(std::size_t bytes);

private:
    std::byte* m_data = nullptr;
    std::size_t m_bytes = 0;
};

/// Asks for pages of 2 MB for a large block, where the system has them: it takes fewer faults to fill, fewer misses to
/// read, and no time to give back. Best before anything is written there; without such pages it is as before.
void adviseLargePages(std::span<std::byte> block);

/// Takes the pages of a block one after another, large ones where there are some, on a thread of its own, for as long
/// as it lives: whoever fills the block from its begin meanwhile finds them there, and does not wait for each. What is
/// in the block stays. Does nothing for small blocks, and where the system cannot do that.
/// @threads lives within the life of the block
class PagesAhead
{
public:
    explicit PagesAhead(std::span<std::byte> block);
    ~PagesAhead();
    PagesAhead(const PagesAhead&) = delete;
    PagesAhead& operator=(const PagesAhead&) = delete;

private:
    std::atomic<bool> m_stop = false;
    std::thread m_thread;
};

} // namespace headscope
