// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace headscope
{

/// Owns a file descriptor.
class Descriptor
{
public:
    /// @param number  -1: none
    explicit Descriptor(int number = -1) : m_number(number) {}
    Descriptor(Descriptor&& other) noexcept : m_number(std::exchange(other.m_number, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept
    {
        std::swap(m_number, other.m_number);
        return *this;
    }
    ~Descriptor();

    [[nodiscard]] int number() const { return m_number; }

private:
    int m_number;
};

/// Descriptors that a child gets as its standard files; -1: /dev/null.
struct StandardFiles
{
    int in = -1;
    int out = -1;
    int err = -1;
};

/// The variable that tells a child with Terminal ties the number of the process that started it.
inline constexpr char kParentVariable[] = "HEADSCOPE_PARENT";
/// Ends this process with SIGTERM when the one that started it ends, however that ends: for a child whose parent says
/// so by kParentVariable. Elsewhere nothing happens. To be called at the beginning of main().
void endWithParent();

/// What a child has in common with the program that starts it.
enum class ChildTies
{
    Terminal, ///< its group and its ignored signals: Ctrl-C goes to both; it ends with it (endWithParent)
    None,     ///< a group, signals and files of its own
};

/// Starts a program, without a shell and with no signal masked.
/// @param program    looked up nowhere
/// @param arguments  without the program's own name
/// @param process    the child's number, to be waited for, where 0 is returned
/// @return           0 or an errno
/// @threads any; a child with Terminal ties ends with the thread that starts it
[[nodiscard]] int startChild(const std::filesystem::path& program, std::vector<std::string> arguments,
                             const StandardFiles& files, ChildTies ties, pid_t& process);

} // namespace headscope
