// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>

namespace headscope
{

/// Our own kernels for what libtorch takes in several passes over memory (torch_kernels.cu), in half precision on
/// NVIDIA's GPUs. Only for the module (torch_module.h). They are compiled for the GPU at hand by the compiler that
/// libtorch brings, once a process and device.
///
/// Each returns nothing, or false, where it cannot be used: on another device, where compiling failed, for shapes that
/// are not in steps of eight. libtorch's own operations then do the same.
/// @threads any; they work in the calling thread's stream
/// @errors  c10::Error (a launch that fails)
class TorchKernels
{
public:
    /// @param products  bfloat16 or half; of any other there are no kernels
    TorchKernels(at::Device device, at::ScalarType products) : m_device(device), m_products(products) {}

    /// Rotary embedding in place, as Operations::rotate: x [R, heads * Dh], its rows may lie in wider ones.
    [[nodiscard]] bool rotate(const at::Tensor& x, const at::Tensor& cosines, const at::Tensor& sines) const;
    /// silu(gate) * up, as Operations::gatedSilu.
    [[nodiscard]] std::optional<at::Tensor> gatedSilu(const at::Tensor& gateUp) const;
    /// The RMS norm of float32 rows in the numbers of the products.
    [[nodiscard]] std::optional<at::Tensor> rmsNorm(const at::Tensor& x, const at::Tensor& weight, float eps) const;

private:
    at::Device m_device;
    at::ScalarType m_products;
};

} // namespace headscope
