// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/forward/backend.h"

#include "model/kernels/gemm_bf16.h"
#include "model/kernels/weight_product.h"
#include "model/net/forward/cpu_operations.h"
#include "model/net/forward/torch_operations.h"

#include <fmt/format.h>

namespace headscope
{

std::string_view precisionName(Precision precision)
{
    return precision == Precision::Bf16 ? "bf16" : precision == Precision::F16 ? "f16" : "f32";
}

Result<Backend> chooseBackend(std::string_view backend, std::string_view device)
{
    if (backend != "auto" && backend != "cpu" && backend != "torch")
        return Error{ErrorCode::WrongUse, fmt::format("expected auto, cpu or torch, found {}", backend), {}, "backend"};
    Backend chosen;
    chosen.device = device;
    if (device == "auto")
        chosen.device = backend != "cpu" && torchHasGpu() ? "cuda" : "cpu";
    HEADSCOPE_CHECK(checkTorchDevice(chosen.device));
    if (backend == "cpu" && !chosen.onCpu())
        return Error{ErrorCode::WrongUse,
                     fmt::format("expected device cpu for this backend, found {}", chosen.device),
                     {},
                     "device"};
    chosen.kind = backend == "torch" || !chosen.onCpu() ? Backend::Kind::Torch : Backend::Kind::Cpu;
    return chosen;
}

Status checkPrecision(const Backend& backend)
{
    constexpr double kGain = 1.1;
    if (backend.kind != Backend::Kind::Cpu || backend.precision == Precision::F32)
        return {};
    if (backend.precision == Precision::F16)
        return Error{ErrorCode::WrongUse,
                     "expected a GPU (--device cuda) for f16, found the CPU, which computes in f32 or bf16",
                     {},
                     "--dtype"};
    if (!hasBfloat16Products())
        return Error{ErrorCode::Unsupported,
                     "expected a CPU that multiplies bf16 (AMX), found a CPU that does not; use f32 here",
                     {},
                     "--dtype"};
    if (bfloat16Speedup() < kGain)
        return Error{
            ErrorCode::Unsupported,
            fmt::format("expected a CPU that multiplies bf16 faster than f32 (AMX), found one where bf16 runs at "
                        "{:.2g} times the speed of f32; use f32, which is exact and not slower here",
                        bfloat16Speedup()),
            {},
            "--dtype"};
    return {};
}

bool packsWeights(const Backend& backend)
{
    return backend.kind == Backend::Kind::Cpu && backend.precision == Precision::F32 && multipliesPackedWeights();
}

Result<std::unique_ptr<Operations>> makeOperations(const Backend& backend, int threads, std::stop_token stop)
{
    if (backend.kind == Backend::Kind::Cpu)
    {
        if (backend.precision == Precision::F16 || (backend.precision == Precision::Bf16 && !hasBfloat16Products()))
            return Error{ErrorCode::Unsupported,
                         fmt::format("expected a precision that this CPU multiplies, found {}",
                                     precisionName(backend.precision)),
                         {},
                         "dtype"};
        return makeCpuOperations(std::move(stop), backend.precision);
    }
    return makeTorchOperations(backend.device, threads, std::move(stop), backend.precision);
}

} // namespace headscope
