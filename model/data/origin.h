// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace headscope
{

/// What a value was made from: an opened cache (CacheReader::origin, defined in io/cache_identity.h), which goes with
/// every result. Document and head indices mean the same in all values of one origin.
struct Origin
{
    std::string hash; ///< empty: of nothing that was opened

    bool operator==(const Origin&) const = default;
};

} // namespace headscope
