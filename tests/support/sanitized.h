// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headscope::test
{

/// Whether the address or the thread sanitizer watches: it reports crashes itself, keeps memory that was freed, and needs
/// terabytes of addresses.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

} // namespace headscope::test
