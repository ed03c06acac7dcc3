// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/net/forward/operations.h"
#include "model/net/forward/torch_module.h"

#include <memory>
#include <stop_token>
#include <string>

namespace headscope
{

/// Whether libtorch sees a GPU. Where no GPU driver is at work, libtorch is not even loaded.
[[nodiscard]] bool torchHasGpu();

/// Whether "cpu", "cuda" or "cuda:N" names a device that is there.
/// @errors WrongUse (no such name), Unsupported (no such device in this build or machine, no libtorch)
[[nodiscard]] Status checkTorchDevice(const std::string& device);

/// Which libtorch there is and what it can compute on. Loads it.
/// @errors Unsupported (no libtorch)
[[nodiscard]] Result<TorchFacts> torchFacts();

/// The operations by libtorch on any of its devices; float32 is never TF32. The first call loads
/// libtorch (torch_module.h).
///
/// @param threads  at::set_num_threads; the last bits of results on the CPU may depend on it
/// @param stop     looked at once a document in attention
/// @errors as checkTorchDevice
[[nodiscard]] Result<std::unique_ptr<Operations>>
makeTorchOperations(const std::string& device, int threads, std::stop_token stop, Precision precision = Precision::F32);

} // namespace headscope
