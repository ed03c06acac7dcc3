// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace headscope::engine
{

/// What models can run on here, as one JSON object: {"libtorch": version or null, "runtime": of the GPU or null,
/// "devices": ["cpu", "cuda:0", ...], "missing": why there is no GPU, or null}.
/// @cost loads libtorch: half a second, some seconds with the part for GPUs
[[nodiscard]] std::string devicesJson();

} // namespace headscope::engine
