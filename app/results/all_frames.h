// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/frame/frame.h"

#include <span>

namespace headscope
{

/// The descriptions of all tables, for tests that hold for each.
[[nodiscard]] std::span<const FrameInfo* const> allFrames();

} // namespace headscope
