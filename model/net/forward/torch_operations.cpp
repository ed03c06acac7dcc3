// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/forward/torch_operations.h"

#include <dlfcn.h>

#include <array>
#include <filesystem>

namespace headscope
{
namespace
{

/// The module, loaded once; it stays for the life of the process. The loader looks for it where the
/// program's run path points: beside it in a build, in the library folder once installed.
Result<const TorchModule*> torchModule()
{
    static const Result<const TorchModule*> loaded = []() -> Result<const TorchModule*> {
        void* library = dlopen("headscope_torch.so", RTLD_NOW | RTLD_LOCAL);
        const auto* module =
            library == nullptr ? nullptr : static_cast<const TorchModule*>(dlsym(library, "headscopeTorchModule"));
        if (module != nullptr)
            return module;
        const char* reason = dlerror(); // NOLINT(concurrency-mt-unsafe): glibc keeps it by thread
        return Error{ErrorCode::Unsupported,
                     std::string("expected headscope_torch.so, which loads libtorch, found it missing or damaged (") +
                         (reason != nullptr ? reason : "no reason given") + ")",
                     {},
                     "device"};
    }();
    return loaded;
}

/// Whether some GPU driver is at work here. Much cheaper than asking libtorch.
bool hasGpuDriver()
{
    constexpr std::array kNodes = {"/dev/nvidiactl", "/dev/nvidia0", "/dev/kfd", "/dev/dxg"};
    std::error_code ignored;
    for (const char* node : kNodes)
        if (std::filesystem::exists(node, ignored))
            return true;
    return false;
}

} // namespace

bool torchHasGpu()
{
    if (!hasGpuDriver())
        return false;
    const auto module = torchModule();
    return module && (*module)->hasGpu();
}

Status checkTorchDevice(const std::string& device)
{
    const bool known = device == "cpu" || device == "cuda" ||
                       (device.starts_with("cuda:") && device.size() > 5 && device.size() <= 8 &&
                        device.find_first_not_of("0123456789", 5) == std::string::npos);
    if (!known)
        return Error{ErrorCode::WrongUse, "expected auto, cpu, cuda or cuda:N, found " + device, {}, "device"};
    if (device == "cpu")
        return {};
    HEADSCOPE_TRY(const TorchModule* module, torchModule());
    return module->checkGpu(device);
}

Result<TorchFacts> torchFacts()
{
    HEADSCOPE_TRY(const TorchModule* module, torchModule());
    return module->facts();
}

Result<std::unique_ptr<Operations>> makeTorchOperations(const std::string& device, int threads, std::stop_token stop,
                                                        Precision precision)
{
    HEADSCOPE_CHECK(checkTorchDevice(device));
    HEADSCOPE_TRY(const TorchModule* module, torchModule());
    return module->makeOperations(device, threads, std::move(stop), precision);
}

} // namespace headscope
