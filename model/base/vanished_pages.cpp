// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/vanished_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <mutex>

namespace headscope
{
namespace
{

/// A guarded map. The handler may read it at any moment: the size is set last and cleared first.
struct GuardedMap
{
    std::atomic<std::uintptr_t> begin = 0;
    std::atomic<std::size_t> size = 0; ///< 0 = free
};

std::array<GuardedMap, 1024> maps;
std::mutex mapsMutex;
struct sigaction formerAction = {};
std::uintptr_t pageSize = 4096;

bool isGuarded(std::uintptr_t address)
{
    return std::ranges::any_of(maps, [address](const GuardedMap& map) {
        const std::size_t size = map.size.load();
        return size > 0 && address - map.begin.load() < size;
    });
}

/// Puts a page of zeros where the file has none any more, and lets the read go on.
void onBusError(int /*signal*/, siginfo_t* info, void* /*context*/)
{
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    if (isGuarded(address))
    {
        void* page = reinterpret_cast<void*>(address & ~(pageSize - 1)); // NOLINT(performance-no-int-to-ptr)
        if (mmap(page, pageSize, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == page)
            return;
    }
    // Not ours: whoever was there before gets it, when the instruction is run again.
    sigaction(SIGBUS, &formerAction, nullptr);
}

void installHandler()
{
    static const bool installed = [] {
        pageSize = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
        struct sigaction action = {};
        action.sa_sigaction = onBusError;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
        sigemptyset(&action.sa_mask);
        return sigaction(SIGBUS, &action, &formerAction) == 0;
    }();
    static_cast<void>(installed);
}

} // namespace

void guardMap(std::span<const std::byte> map)
{
    static_assert(std::atomic<std::uintptr_t>::is_always_lock_free, "a signal handler may wait for nothing");
    const std::lock_guard lock(mapsMutex);
    installHandler();
    for (GuardedMap& slot : maps)
    {
        if (slot.size.load() > 0)
            continue;
        slot.begin = reinterpret_cast<std::uintptr_t>(map.data());
        slot.size = map.size();
        return;
    }
}

void releaseMap(std::span<const std::byte> map)
{
    const std::lock_guard lock(mapsMutex);
    for (GuardedMap& slot : maps)
        if (slot.size.load() > 0 && slot.begin.load() == reinterpret_cast<std::uintptr_t>(map.data()))
            slot.size = 0;
}

HandlerStack::HandlerStack()
{
    stack_t former = {};
    if (sigaltstack(nullptr, &former) != 0 || (former.ss_flags & SS_DISABLE) == 0)
        return;
    // A frame holds all vector registers: 3 to 12 kB.
    constexpr std::size_t kBytes = std::size_t{64} << 10;
    m_stack = std::make_unique_for_overwrite<std::byte[]>(kBytes);
    stack_t own = {};
    own.ss_sp = m_stack.get();
    own.ss_size = kBytes;
    if (sigaltstack(&own, nullptr) != 0)
        m_stack.reset();
}

HandlerStack::~HandlerStack()
{
    if (!m_stack)
        return;
    stack_t none = {};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
}

} // namespace headscope
