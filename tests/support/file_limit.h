// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <cstdint>
#include <functional>

namespace headscope::test
{

/// Does work in a forked child whose files may not become larger than that, as on a full disk. A limit of the test's
/// own process would meet whatever its other threads and Qt Test write meanwhile.
/// @return what the work returned; ErrorCode::Internal where the child was ended by a signal
[[nodiscard]] Status withFileLimit(std::uint64_t bytes, const std::function<Status()>& work);

} // namespace headscope::test
