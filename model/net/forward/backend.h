// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/net/forward/operations.h"

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

namespace headscope
{

/// Which implementation does the arithmetic, on which device.
struct Backend
{
    enum class Kind
    {
        Cpu,   ///< our own loops and oneDNN's products, plain memory
        Torch, ///< libtorch, any device it was built for
    };

    Kind kind = Kind::Cpu;
    std::string device = "cpu";           ///< "cpu", "cuda", "cuda:1"
    Precision precision = Precision::F32; ///< of our own operations float32 or bfloat16, see checkPrecision

    [[nodiscard]] bool onCpu() const { return device == "cpu"; }
};

/// "f32", "bf16", "f16".
[[nodiscard]] std::string_view precisionName(Precision precision);

/// Chooses a backend: "auto" takes our own on the CPU and libtorch on everything else.
/// @param backend "auto", "cpu" or "torch"
/// @param device  "auto" or "cpu", "cuda", "cuda:N"; auto takes the GPU where this libtorch sees one
/// @errors WrongUse (not one of these), Unsupported (a device that this libtorch does not have)
[[nodiscard]] Result<Backend> chooseBackend(std::string_view backend, std::string_view device);

/// Whether a backend computes in its precision, and gains by it.
/// @errors WrongUse (float16 on our own operations), Unsupported (a CPU that multiplies bfloat16 no faster than
/// float32)
/// @cost   50 ms at the first question about bfloat16 on a CPU that has it, which is then measured
[[nodiscard]] Status checkPrecision(const Backend& backend);

/// Whether the operations of a backend are fastest on weights that lie packed.
[[nodiscard]] bool packsWeights(const Backend& backend);

/// A worker's operations.
/// @param threads  of libtorch on the CPU; our own products run on the calling thread alone
/// @param stop     lets running work end early, see cpu_operations.h
/// @errors Unsupported (a precision that these operations do not have here, whether it gains or not)
[[nodiscard]] Result<std::unique_ptr<Operations>> makeOperations(const Backend& backend, int threads,
                                                                 std::stop_token stop);

} // namespace headscope
