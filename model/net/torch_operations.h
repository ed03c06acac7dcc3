// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/net/operations.h"

#include <memory>
#include <stop_token>
#include <string>

namespace headscope
{

/// Whether this build of libtorch sees a GPU.
[[nodiscard]] bool torchHasGpu();

/// Whether "cpu", "cuda" or "cuda:N" names a device that is there.
/// @errors WrongUse (no such name), Unsupported (no such device in this build or machine)
[[nodiscard]] Status checkTorchDevice(const std::string& device);

/// The operations by libtorch, in float32 (never TF32), on any of its devices.
///
/// @param threads  at::set_num_threads; the last bits of results on the CPU may depend on it
/// @param stop     looked at once a document in attention
/// @errors as checkTorchDevice
[[nodiscard]] Result<std::unique_ptr<Operations>> makeTorchOperations(const std::string& device, int threads,
                                                                      std::stop_token stop);

} // namespace headscope
