// SPDX-License-Identifier: GPL-3.0-or-later
// A safetensors file: the tensors of an accepted one fill it exactly.
#include "model/formats/safetensors.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace headscope;
    const auto bytes = std::as_bytes(std::span(data, size));
    const auto header = safetensorsHeaderSize(bytes.first(std::min<std::size_t>(8, size)), size);
    if (!header)
        return 0;
    const auto directory = parseSafetensorsHeader(bytes.subspan(8, static_cast<std::size_t>(*header)), size, "fuzz");
    if (!directory)
    {
        if (directory.error().message.empty())
            std::abort();
        return 0;
    }
    if (8 + *header + directory->totalBytes() != size)
        std::abort();
    for (const auto& tensor : directory->tensors)
        if (tensor.offset > size || tensor.bytes > size - tensor.offset)
            std::abort();
    return 0;
}
