// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/frame/frame.h"

#include <string>
#include <vector>

namespace headscope
{

/// Names of members, from the outside in.
using JsonPath = std::vector<std::string>;

/// Where a slot is in the object of a row.
/// @param header    of the slot, with the column's own in place of {}
/// @param isObject  of JsonShape::ByColumn: whether the column has facets, so that its value is one member of several
[[nodiscard]] JsonPath jsonPath(const FrameInfo& about, const Slot& slot, std::string_view header, bool isObject);

} // namespace headscope
