// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace headscope::check
{

/// From here on blocks from the heap end at a page that may not be touched, so that whoever reads past the end of one
/// is ended by a signal, in this process every time: in another it would depend on what lies behind the block. What is
/// read before it was written is no address either. Not with sanitizers, which do the same, and no longer once the room
/// for it (1 GiB of addresses) is used up.
/// @threads before others are started
void guardMemory();

/// A block without the above, for what is many and harmless. Given back by free().
[[nodiscard]] void* plainBlock(std::size_t size);

} // namespace headscope::check
