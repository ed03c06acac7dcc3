// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace headscope::check
{

/// Ends this process by SIGXCPU where it computes for a second or two without coming to an end of what it reads next.
/// Called before each object and each piece; the limit of the whole stays above it.
/// @param bytes  what is read next, at most
void allowTime(std::uint64_t bytes);

} // namespace headscope::check
