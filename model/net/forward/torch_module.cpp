// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/forward/torch_module.h"

#include "model/net/forward/torch_compute.h"
#include "model/net/forward/torch_guard.h"

#include <ATen/ATen.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <torch/version.h>

namespace headscope
{
namespace
{

at::ScalarType scalarType(Precision precision)
{
    return precision == Precision::Bf16 ? at::kBFloat16 : precision == Precision::F16 ? at::kHalf : at::kFloat;
}

bool hasGpu()
{
    return at::hasCUDA();
}

/// The first line of a text, without what stands before its first letter.
std::string firstLine(const std::string& text)
{
    const auto begin = text.find_first_not_of(" -\n");
    return begin == std::string::npos ? "" : text.substr(begin, text.find('\n', begin) - begin);
}

TorchFacts facts()
{
    TorchFacts found;
    found.version = TORCH_VERSION;
    if (!at::detail::getCUDAHooks().hasCUDART())
    {
        found.missing = "this libtorch was built only for the CPU";
        return found;
    }
    const Status status = torchGuard([&] {
        found.runtime = firstLine(at::detail::getCUDAHooks().showConfig());
        found.gpus = static_cast<int>(at::getNumGPUs());
    });
    if (!status)
        found.missing = firstLine(status.error().message);
    else if (found.gpus == 0)
        found.missing = "libtorch finds no GPU";
    return found;
}

Status checkGpu(const std::string& device)
{
    if (!hasGpu())
        return Error{
            ErrorCode::Unsupported,
            "expected a GPU that libtorch can use, found none (this build of libtorch may be only for the CPU)",
            {},
            "device"};
    // The device itself answers whether it is there.
    Status status = torchGuard([&] { (void)at::zeros({1}, at::TensorOptions(at::Device(device))); });
    if (!status)
        return Error{ErrorCode::Unsupported, status.error().message, {}, "device " + device};
    return {};
}

Result<std::unique_ptr<Operations>> makeOperations(const std::string& device, int threads, std::stop_token stop,
                                                   Precision precision)
{
    // Sums of products are float32, whatever is multiplied.
    at::globalContext().setAllowTF32CuBLAS(false);
    at::globalContext().setAllowFP16ReductionCuBLAS(false);
#if TORCH_VERSION_MAJOR >= 2
    at::globalContext().setAllowBF16ReductionCuBLAS(false);
#endif
    return makeTorchCompute(at::Device(device), threads, std::move(stop), scalarType(precision));
}

} // namespace
} // namespace headscope

const headscope::TorchModule headscopeTorchModule = {headscope::hasGpu, headscope::facts, headscope::checkGpu,
                                                     headscope::makeOperations};
