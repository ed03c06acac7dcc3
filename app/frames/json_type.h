// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace headscope
{

/// Objects keep their members in the order in which they were written.
using Json = nlohmann::ordered_json;

} // namespace headscope
