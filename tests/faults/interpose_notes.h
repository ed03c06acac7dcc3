// SPDX-License-Identifier: GPL-3.0-or-later
// What interpose.cpp notes down: files that were not synced, and places where memory was taken.
#pragma once

#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace headscope::faults
{

/// Files with bytes that a loss of power would take, by their numbers; more than are ever open at once.
class Unsynced
{
public:
    void wrote(int descriptor) { set(inodeOf(descriptor), true); }
    void synced(int descriptor) { set(inodeOf(descriptor), false); }

    void renamed(const char* path)
    {
        struct stat status = {};
        if (::stat(path, &status) == 0 && S_ISREG(status.st_mode) && isSet(status.st_ino))
            m_renamed.fetch_add(1);
    }

    [[nodiscard]] long renamedCount() const { return m_renamed.load(); }

private:
    static ino_t inodeOf(int descriptor)
    {
        struct stat status = {};
        return descriptor > 2 && ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) ? status.st_ino : 0;
    }

    [[nodiscard]] bool isSet(ino_t inode) const
    {
        for (const auto& each : m_inodes)
            if (each.load() == inode)
                return true;
        return false;
    }

    void set(ino_t inode, bool dirty)
    {
        if (inode == 0 || isSet(inode) == dirty)
            return;
        for (auto& each : m_inodes)
            if (ino_t expected = dirty ? 0 : inode; each.compare_exchange_strong(expected, dirty ? inode : 0))
                return;
    }

    std::array<std::atomic<ino_t>, 256> m_inodes{};
    std::atomic<long> m_renamed{0};
};

/// Where the code of fontconfig lies, whose allocations never fail.
class Fontconfig
{
public:
    void find() { ::dl_iterate_phdr(look, this); }

    [[nodiscard]] bool has(const void* caller) const
    {
        const auto address = reinterpret_cast<std::uintptr_t>(caller); // NOLINT
        return address >= m_begin && address < m_end;
    }

private:
    static int look(struct dl_phdr_info* info, std::size_t /*size*/, void* data)
    {
        if (std::strstr(info->dlpi_name, "/libfontconfig.so") == nullptr)
            return 0;
        auto* const found = static_cast<Fontconfig*>(data);
        for (int i = 0; i < info->dlpi_phnum; ++i)
            if (const auto& part = info->dlpi_phdr[i]; part.p_type == PT_LOAD && (part.p_flags & PF_X) != 0)
            {
                found->m_begin = info->dlpi_addr + part.p_vaddr;
                found->m_end = found->m_begin + part.p_memsz;
            }
        return 1;
    }

    std::uintptr_t m_begin = 0;
    std::uintptr_t m_end = 0;
};

/// The places of the code from which memory was taken so far; no allocation of its own.
class Places
{
public:
    static constexpr int kFrames = 8;

    void open(const char* file) { m_file = file; }

    /// Whether this allocation has to be noted.
    [[nodiscard]] bool wanted() const { return m_file != nullptr && !m_inside; }

    void note(long number)
    {
        m_inside = true; // of this thread: what the unwinder takes is not noted
        std::array<void*, kFrames + 3> frames{};
        const int count = ::backtrace(frames.data(), static_cast<int>(frames.size()));
        std::uint64_t hash = 0xcbf29ce484222325U;
        for (int i = 3; i < count; ++i) // without this function and those that call it
            mix(hash, offsetOf(frames[static_cast<std::size_t>(i)]));
        while (m_busy.test_and_set(std::memory_order_acquire))
            ;
        std::size_t slot = hash & (kSlots - 1);
        while (m_hashes[slot] != 0 && m_hashes[slot] != hash)
            slot = (slot + 1) & (kSlots - 1);
        if (m_hashes[slot] == 0 && m_used < kSlots / 2)
        {
            m_hashes[slot] = hash;
            m_numbers[slot] = number;
            ++m_used;
        }
        m_busy.clear(std::memory_order_release);
        m_inside = false;
    }

    void write() const
    {
        if (m_file == nullptr)
            return;
        const auto file = static_cast<int>(::syscall(SYS_openat, AT_FDCWD, m_file, O_WRONLY | O_CREAT | O_TRUNC, 0600));
        for (std::size_t slot = 0; slot < kSlots; ++slot)
        {
            char text[64];
            if (m_hashes[slot] == 0)
                continue;
            const int length = std::snprintf(text, sizeof text, "%ld %llx\n", m_numbers[slot],
                                             static_cast<unsigned long long>(m_hashes[slot]));
            ::syscall(SYS_write, file, text, static_cast<std::size_t>(length));
        }
        ::syscall(SYS_close, file);
    }

private:
    static constexpr std::size_t kSlots = std::size_t{1} << 19;

    static void mix(std::uint64_t& hash, std::uint64_t value)
    {
        hash = (hash ^ value) * 0x9e3779b97f4a7c15U;
        hash ^= hash >> 32U;
    }

    /// An address within the library it lies in, which is the same in each run and program.
    static std::uint64_t offsetOf(void* address)
    {
        dl_find_object found = {}; // unlike dladdr, no search through the symbols
        if (::_dl_find_object(address, &found) != 0)
            return 0;
        std::uint64_t name = 0;
        for (const char* letter = found.dlfo_link_map->l_name; *letter != 0; ++letter)
            mix(name, static_cast<unsigned char>(*letter));
        return name ^ (reinterpret_cast<std::uintptr_t>(address) - found.dlfo_link_map->l_addr);
    }

    static inline thread_local bool m_inside = false;
    const char* m_file = nullptr;
    std::atomic_flag m_busy = ATOMIC_FLAG_INIT;
    std::size_t m_used = 0;
    std::array<std::uint64_t, kSlots> m_hashes{};
    std::array<long, kSlots> m_numbers{};
};

} // namespace headscope::faults
