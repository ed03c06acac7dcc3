// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace headscope
{

/// What became of the process that left a name behind.
enum class TagOwner
{
    Alive,     ///< it runs on this machine
    Gone,      ///< it ran on this machine and has ended
    Elsewhere, ///< of another machine or container, or no tag at all: nothing can be known
};

/// This process, distinguished from every other that ever ran: "PID-START-HOST-BOOT" in digits and dashes, at
/// most 44 characters. A number of a process comes again, a number with its time of start does not.
[[nodiscard]] std::string processTag();

/// @param tag  as processTag gave it to some process
[[nodiscard]] TagOwner ownerOf(std::string_view tag);

/// The name of this machine.
[[nodiscard]] std::string hostName();

} // namespace headscope
