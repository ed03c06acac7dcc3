// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/forward/torch_kernels.h"

#include "model/net/forward/torch_kernels_source.h"
#include "model/net/forward/torch_version.h"

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <dlfcn.h>

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace headscope
{
namespace
{

#if HEADSCOPE_TORCH_IS_RECENT

constexpr int kThreads = 256;     ///< of a block
constexpr std::int64_t kStep = 8; ///< numbers that a thread takes at once

// What is used of the compiler's and the driver's C interfaces. Their headers come with CUDA, which a build need not
// have; the library that libtorch loads both by is there wherever it is used.
struct Cuda
{
    int (*createProgram)(void** program, const char* source, const char* name, int headers, const char* const* texts,
                         const char* const* names) = nullptr;
    int (*compileProgram)(void* program, int options, const char* const* texts) = nullptr;
    int (*binarySize)(void* program, std::size_t* bytes) = nullptr;
    int (*binary)(void* program, char* into) = nullptr;
    int (*destroyProgram)(void** program) = nullptr;
    int (*deviceAttribute)(int* value, int attribute, int device) = nullptr;
    int (*loadModule)(void** module, const void* image) = nullptr;
    int (*getFunction)(void** function, void* module, const char* name) = nullptr;
    int (*launch)(void* function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,
                  unsigned blockZ, unsigned sharedBytes, void* stream, void** arguments, void** extra) = nullptr;

    Cuda()
    {
        void* library = dlopen("libcaffe2_nvrtc.so", RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr)
            return;
        bool found = true;
        const auto take = [&](auto& function, const char* name) {
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
            found = found && function != nullptr;
        };
        take(createProgram, "nvrtcCreateProgram");
        take(compileProgram, "nvrtcCompileProgram");
        take(binarySize, "nvrtcGetCUBINSize");
        take(binary, "nvrtcGetCUBIN");
        take(destroyProgram, "nvrtcDestroyProgram");
        take(deviceAttribute, "cuDeviceGetAttribute");
        take(loadModule, "cuModuleLoadData");
        take(getFunction, "cuModuleGetFunction");
        take(launch, "cuLaunchKernel");
        complete = found;
    }

    bool complete = false;
};

/// The kernels of one device and kind of number; null where they could not be made.
struct Kernels
{
    void* rotate = nullptr;
    void* gatedSilu = nullptr;
    void* rmsNorm = nullptr;
};

const Cuda& cuda()
{
    static const Cuda functions;
    return functions;
}

/// The machine code for a GPU; empty where the compiler does not know it.
std::vector<char> compiled(const Cuda& api, int device, bool bfloat16)
{
    constexpr int kMajor = 75; // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
    constexpr int kMinor = 76; // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR
    int major = 0;
    int minor = 0;
    if (api.deviceAttribute(&major, kMajor, device) != 0 || api.deviceAttribute(&minor, kMinor, device) != 0)
        return {};
    const std::string architecture = "--gpu-architecture=sm_" + std::to_string(major * 10 + minor);
    const std::array<const char*, 3> options = {architecture.c_str(), bfloat16 ? "-DBF16=1" : "-DBF16=0",
                                                "--std=c++17"};
    const std::string source(torchKernelsSource());
    void* program = nullptr;
    if (api.createProgram(&program, source.c_str(), "headscope.cu", 0, nullptr, nullptr) != 0)
        return {};
    std::vector<char> code;
    std::size_t bytes = 0;
    if (api.compileProgram(program, static_cast<int>(options.size()), options.data()) == 0 &&
        api.binarySize(program, &bytes) == 0 && bytes > 0)
    {
        code.resize(bytes);
        if (api.binary(program, code.data()) != 0)
            code.clear();
    }
    api.destroyProgram(&program);
    return code;
}

Kernels made(int device, bool bfloat16)
{
    const Cuda& api = cuda();
    if (!api.complete)
        return {};
    const std::vector<char> code = compiled(api, device, bfloat16);
    void* module = nullptr;
    if (code.empty() || api.loadModule(&module, code.data()) != 0) // stays for the life of the process
        return {};
    Kernels kernels;
    if (api.getFunction(&kernels.rotate, module, "headscope_rotate") != 0 ||
        api.getFunction(&kernels.gatedSilu, module, "headscope_gated_silu") != 0 ||
        api.getFunction(&kernels.rmsNorm, module, "headscope_rms_norm") != 0)
        return {};
    return kernels;
}

/// Those of the device that the calling thread works on.
Kernels kernelsOf(at::Device device, at::ScalarType products)
{
    if (!device.is_cuda() || at::hasHIP() || (products != at::kBFloat16 && products != at::kHalf))
        return {};
    static std::mutex mutex;
    static std::map<std::pair<int, bool>, Kernels> known;
    const int index = c10::impl::VirtualGuardImpl(device.type()).getDevice().index();
    const bool bfloat16 = products == at::kBFloat16;
    const std::lock_guard lock(mutex);
    const auto [place, isNew] = known.try_emplace({index, bfloat16});
    if (isNew)
        place->second = made(index, bfloat16);
    return place->second;
}

/// @param arguments  addresses of what the kernel takes, in its order
template <std::size_t N>
void launch(void* kernel, std::int64_t blocks, std::array<void*, N> arguments, at::Device device)
{
    if (blocks == 0)
        return;
    void* stream = c10::impl::VirtualGuardImpl(device.type()).getStream(device).native_handle();
    const int failed = cuda().launch(kernel, static_cast<unsigned>(blocks), 1, 1, kThreads, 1, 1, 0, stream,
                                     arguments.data(), nullptr);
    TORCH_CHECK(failed == 0, "CUDA error ", failed, " when a kernel was started");
}

std::int64_t blocksOf(std::int64_t threads)
{
    return (threads + kThreads - 1) / kThreads;
}

/// Rows that threads can take in steps of 16 bytes.
bool isAligned(const at::Tensor& x)
{
    return x.stride(1) == 1 && x.stride(0) % kStep == 0 && reinterpret_cast<std::uintptr_t>(x.data_ptr()) % 16 == 0;
}

#endif

} // namespace

#if HEADSCOPE_TORCH_IS_RECENT

bool TorchKernels::rotate(const at::Tensor& x, const at::Tensor& cosines, const at::Tensor& sines) const
{
    const Kernels kernels = kernelsOf(m_device, m_products);
    std::int64_t rows = x.size(0);
    int half = static_cast<int>(cosines.size(1));
    int heads = static_cast<int>(x.size(1) / (2 * half));
    if (kernels.rotate == nullptr || x.scalar_type() != m_products || half % kStep != 0 || !isAligned(x) ||
        !cosines.is_contiguous() || !sines.is_contiguous())
        return false;
    void* data = x.data_ptr();
    std::int64_t stride = x.stride(0);
    void* cosine = cosines.data_ptr();
    void* sine = sines.data_ptr();
    launch(kernels.rotate, blocksOf(rows * heads * (half / kStep)),
           std::array<void*, 7>{&data, &stride, &cosine, &sine, &heads, &half, &rows}, x.device());
    return true;
}

std::optional<at::Tensor> TorchKernels::gatedSilu(const at::Tensor& gateUp) const
{
    const Kernels kernels = kernelsOf(m_device, m_products);
    std::int64_t rows = gateUp.size(0);
    int width = static_cast<int>(gateUp.size(1) / 2);
    if (kernels.gatedSilu == nullptr || gateUp.scalar_type() != m_products || width % kStep != 0 || !isAligned(gateUp))
        return std::nullopt;
    at::Tensor result = at::empty({rows, width}, gateUp.options());
    void* from = gateUp.data_ptr();
    std::int64_t stride = gateUp.stride(0);
    void* into = result.data_ptr();
    launch(kernels.gatedSilu, blocksOf(rows * (width / kStep)),
           std::array<void*, 5>{&from, &stride, &into, &width, &rows}, gateUp.device());
    return result;
}

std::optional<at::Tensor> TorchKernels::rmsNorm(const at::Tensor& x, const at::Tensor& weight, float eps) const
{
    const Kernels kernels = kernelsOf(m_device, m_products);
    int width = static_cast<int>(x.size(1));
    if (kernels.rmsNorm == nullptr || x.scalar_type() != at::kFloat || width % kStep != 0 || !x.is_contiguous() ||
        !isAligned(x) || reinterpret_cast<std::uintptr_t>(weight.data_ptr()) % 16 != 0)
        return std::nullopt;
    at::Tensor result = at::empty(x.sizes(), x.options().dtype(m_products));
    void* from = x.data_ptr();
    void* factors = weight.data_ptr();
    void* into = result.data_ptr();
    launch(kernels.rmsNorm, x.size(0), std::array<void*, 5>{&from, &factors, &into, &width, &eps}, x.device());
    return result;
}

#else

bool TorchKernels::rotate(const at::Tensor&, const at::Tensor&, const at::Tensor&) const
{
    return false;
}

std::optional<at::Tensor> TorchKernels::gatedSilu(const at::Tensor&) const
{
    return std::nullopt;
}

std::optional<at::Tensor> TorchKernels::rmsNorm(const at::Tensor&, const at::Tensor&, float) const
{
    return std::nullopt;
}

#endif

} // namespace headscope
