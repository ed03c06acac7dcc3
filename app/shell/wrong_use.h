// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/error.h"

#include <string>
#include <string_view>

namespace headscope::shell
{

/// An Error for the value of an option that no data could make right.
/// @param option  as it is typed, "--layer"
[[nodiscard]] Error wrongUse(std::string_view option, std::string message);

/// The same, as "expected WANTED, found \"FOUND\"".
[[nodiscard]] Error wrongUse(std::string_view option, std::string_view wanted, std::string_view found);

} // namespace headscope::shell
