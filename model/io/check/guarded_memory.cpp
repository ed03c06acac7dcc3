// SPDX-License-Identifier: GPL-3.0-or-later
// The malloc of the C library, replaced by one whose larger blocks lie at the ends of pages.
#include "model/io/check/guarded_memory.h" // brings <cstddef>, which says which library this is

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>

extern "C" {
// The C library's own, by the names under which it exports them too.
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void __libc_free(void* block);
}

namespace
{

constexpr std::size_t kPage = 4096;
constexpr std::size_t kPages = std::size_t{1} << 18;
constexpr std::size_t kAlignment = 16;
constexpr int kUnwritten = 0xa5; ///< eight of them are no address
constexpr std::size_t kMaxFilled = std::size_t{1} << 20;
constexpr std::size_t kSmallest = 64;      ///< smaller blocks hold nothing of the file
constexpr std::size_t kMaxBlocks = 20'000; ///< each is two maps to the kernel, which has 65,530 for a process

/// A block of the arena, noted at its first page: its pages with the one behind it, and its bytes.
struct Block
{
    std::uint32_t pages = 0; ///< 0: free
    std::uint32_t size = 0;
};

std::byte* arena = nullptr;
std::array<Block, kPages> blocks;
std::size_t nextPage = 0;
std::size_t liveBlocks = 0;
std::atomic_flag busy = ATOMIC_FLAG_INIT;

class Lock
{
public:
    Lock()
    {
        while (busy.test_and_set(std::memory_order_acquire))
            continue;
    }
    ~Lock() { busy.clear(std::memory_order_release); }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
};

bool isOurs(const void* block)
{
    const auto at = reinterpret_cast<std::uintptr_t>(block);    // NOLINT: compared with where the arena is
    const auto begin = reinterpret_cast<std::uintptr_t>(arena); // NOLINT
    return arena != nullptr && at >= begin && at < begin + kPages * kPage;
}

std::size_t firstPage(const void* block)
{
    return static_cast<std::size_t>(static_cast<const std::byte*>(block) - arena) / kPage;
}

/// The next run of free pages; kPages: there is none. Pages that were just given back come last.
std::size_t findPages(std::size_t count)
{
    for (int round = 0; round < 2; ++round)
    {
        std::size_t run = 0;
        for (std::size_t page = nextPage; page < kPages;)
        {
            const std::size_t taken = blocks[page].pages;
            run = taken == 0 ? run + 1 : 0;
            page += std::max<std::size_t>(taken, 1);
            if (run == count)
            {
                nextPage = page;
                return page - count;
            }
        }
        nextPage = 0;
    }
    return kPages;
}

/// A block of the arena, zeroed; null: there is no room for it.
void* take(std::size_t size)
{
    if (arena == nullptr || size < kSmallest || size > kPages * kPage / 8)
        return nullptr;
    const std::size_t pages = (size + kPage - 1) / kPage + 1;
    const Lock lock;
    if (liveBlocks == kMaxBlocks)
        return nullptr;
    const std::size_t first = findPages(pages);
    if (first == kPages || ::mprotect(arena + first * kPage, (pages - 1) * kPage, PROT_READ | PROT_WRITE) != 0)
        return nullptr;
    blocks[first] = {static_cast<std::uint32_t>(pages), static_cast<std::uint32_t>(size)};
    ++liveBlocks;
    const std::size_t rounded = (size + kAlignment - 1) / kAlignment * kAlignment;
    return arena + (first + pages - 1) * kPage - rounded;
}

void giveBack(void* block)
{
    const std::size_t first = firstPage(block);
    const Lock lock;
    const std::size_t bytes = (blocks[first].pages - std::size_t{1}) * kPage;
    // The pages are gone at once: whoever still reads them is ended, and who takes them finds zeros.
    ::madvise(arena + first * kPage, bytes, MADV_DONTNEED);
    ::mprotect(arena + first * kPage, bytes, PROT_NONE);
    blocks[first] = {};
    --liveBlocks;
}

} // namespace

extern "C" {

void* malloc(std::size_t size)
{
    void* block = take(size);
    if (block == nullptr)
        block = __libc_malloc(size);
    if (arena != nullptr && block != nullptr)
        std::memset(block, kUnwritten, std::min(size, kMaxFilled));
    return block;
}

void* calloc(std::size_t count, std::size_t size)
{
    std::size_t bytes = 0;
    void* block = __builtin_mul_overflow(count, size, &bytes) ? nullptr : take(bytes);
    return block != nullptr ? block : __libc_calloc(count, size);
}

void free(void* block)
{
    if (isOurs(block))
        giveBack(block);
    else
        __libc_free(block);
}

void* realloc(void* block, std::size_t size)
{
    if (!isOurs(block))
        return __libc_realloc(block, size);
    void* other = malloc(size);
    if (other == nullptr)
        return nullptr;
    std::memcpy(other, block, std::min<std::size_t>(size, blocks[firstPage(block)].size));
    free(block);
    return other;
}
}

namespace headscope::check
{

void guardMemory()
{
    void* room = ::mmap(nullptr, kPages * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room != MAP_FAILED)
        arena = static_cast<std::byte*>(room);
}

void* plainBlock(std::size_t size)
{
    return __libc_malloc(size);
}

} // namespace headscope::check

#else

#include <cstdlib>

namespace headscope::check
{

void guardMemory() {}

void* plainBlock(std::size_t size)
{
    return std::malloc(size);
}

} // namespace headscope::check

#endif
