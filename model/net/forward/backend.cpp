// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/forward/backend.h"

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

Result<std::unique_ptr<Operations>> makeOperations(const Backend& backend, int threads, std::stop_token stop)
{
    if (backend.kind == Backend::Kind::Cpu)
    {
        if (backend.precision != Precision::F32)
            return Error{ErrorCode::Unsupported, "expected float32 on the CPU, found half precision", {}, "dtype"};
        return makeCpuOperations(std::move(stop));
    }
    return makeTorchOperations(backend.device, threads, std::move(stop), backend.precision);
}

} // namespace headscope
