// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/output/process_tag.h"

#include "model/base/hash.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <span>

namespace headscope
{
namespace
{

struct Tag
{
    std::int64_t pid = 0;
    std::uint64_t start = 0; ///< clock ticks from the boot
    std::uint32_t host = 0;  ///< of this machine and name space of processes
    std::uint32_t boot = 0;
};

/// The first bytes of a small file of the system; nothing where it is not there.
std::string textOf(const char* path)
{
    std::array<char, 1024> text{};
    const int descriptor = ::open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return {};
    const ssize_t count = ::read(descriptor, text.data(), text.size());
    ::close(descriptor);
    return {text.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
}

std::uint32_t shortHash(const std::string& text)
{
    std::uint32_t number = 0;
    const std::string digits = xxh3Hex(std::as_bytes(std::span(text))).substr(0, 8);
    std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
    return number;
}

/// When a process began: field 22 of its stat, counted behind its name, which may hold blanks and brackets.
std::optional<std::uint64_t> startOf(std::int64_t pid)
{
    constexpr int kFieldsBehindName = 20;
    const std::string stat = textOf(fmt::format("/proc/{}/stat", pid).c_str());
    std::size_t at = stat.rfind(')');
    for (int field = 0; field < kFieldsBehindName && at != std::string::npos; ++field)
        at = stat.find(' ', at + 1);
    std::uint64_t start = 0;
    if (at == std::string::npos ||
        std::from_chars(stat.data() + at + 1, stat.data() + stat.size(), start).ec != std::errc{})
        return std::nullopt;
    return start;
}

const Tag& ownTag()
{
    static const Tag tag = [] {
        std::array<char, 128> space{};
        const ssize_t length = ::readlink("/proc/self/ns/pid", space.data(), space.size());
        const std::string processes(space.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
        const std::int64_t pid = ::getpid();
        return Tag{pid, startOf(pid).value_or(0), shortHash(hostName() + processes + textOf("/etc/machine-id")),
                   shortHash(textOf("/proc/sys/kernel/random/boot_id"))};
    }();
    return tag;
}

std::optional<Tag> parseTag(std::string_view text)
{
    Tag tag;
    const auto next = [&text](auto& value, int base) {
        const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value, base);
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        return failed == std::errc{};
    };
    const auto dash = [&text] {
        const bool there = text.starts_with('-');
        text.remove_prefix(there ? 1 : 0);
        return there;
    };
    if (next(tag.pid, 10) && dash() && next(tag.start, 16) && dash() && next(tag.host, 16) && dash() &&
        next(tag.boot, 16) && text.empty())
        return tag;
    return std::nullopt;
}

} // namespace

std::string processTag()
{
    Tag tag = ownTag();
    if (tag.pid != ::getpid()) // a forked child
    {
        tag.pid = ::getpid();
        tag.start = startOf(tag.pid).value_or(0);
    }
    return fmt::format("{}-{:x}-{:08x}-{:08x}", tag.pid, tag.start, tag.host, tag.boot);
}

TagOwner ownerOf(std::string_view text)
{
    const auto tag = parseTag(text);
    if (!tag || tag->host != ownTag().host)
        return TagOwner::Elsewhere;
    if (tag->boot != ownTag().boot)
        return TagOwner::Gone;
    const auto start = startOf(tag->pid);
    return start && *start == tag->start ? TagOwner::Alive : TagOwner::Gone;
}

std::string hostName()
{
    std::array<char, HOST_NAME_MAX + 1> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : std::string("localhost");
}

} // namespace headscope
