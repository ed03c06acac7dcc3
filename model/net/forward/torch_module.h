// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/net/forward/operations.h"

#include <memory>
#include <stop_token>
#include <string>

namespace headscope
{

/// Which libtorch this is, and what it sees.
struct TorchFacts
{
    std::string version; ///< of libtorch
    std::string runtime; ///< of the GPU, as "CUDA Runtime 13.0"; empty where there is none
    std::string missing; ///< why no GPU can be used; empty where one can
    int gpus = 0;        ///< "cuda:0" to "cuda:(gpus - 1)"
};

/// What the module headscope_torch.so offers: libtorch's operations.
///
/// libtorch takes half a second and 120 MB to load, which a run on our own backend need not pay. So it is linked into
/// a module of its own, which torch_operations.h loads on first use. Module and program come from one build.
struct TorchModule
{
    bool (*hasGpu)();
    TorchFacts (*facts)();
    /// @param device  "cuda" or "cuda:N"
    Status (*checkGpu)(const std::string& device);
    Result<std::unique_ptr<Operations>> (*makeOperations)(const std::string& device, int threads, std::stop_token stop,
                                                          Precision precision);
};

} // namespace headscope

/// The module's one symbol.
extern "C" const headscope::TorchModule headscopeTorchModule;
