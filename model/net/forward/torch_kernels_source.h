// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace headscope
{

/// The text of torch_kernels.cu.
[[nodiscard]] std::string_view torchKernelsSource();

} // namespace headscope
