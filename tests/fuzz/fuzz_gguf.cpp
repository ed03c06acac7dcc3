// SPDX-License-Identifier: GPL-3.0-or-later
// A GGUF file: whatever is accepted must lie inside the file, and every getter must answer.
#include "model/formats/gguf.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace headscope;
    const SpanSource source(std::as_bytes(std::span(data, size)));
    const auto file = parseGguf(source, "fuzz.gguf");
    if (!file)
    {
        if (file.error().message.empty())
            std::abort();
        return 0;
    }
    for (const auto& tensor : file->tensors.tensors)
        if (tensor.offset > size || tensor.bytes > size - tensor.offset || tensor.elements() == 0)
            std::abort();
    for (const auto& [key, value] : file->metadata.values())
    {
        static_cast<void>(file->metadata.integer(key).has_value());
        static_cast<void>(file->metadata.number(key).has_value());
        static_cast<void>(file->metadata.boolean(key).has_value());
        static_cast<void>(file->metadata.string(key).has_value());
        static_cast<void>(file->metadata.floats(key).has_value());
        static_cast<void>(file->metadata.integers(key).has_value());
        if (const auto strings = file->metadata.strings(key); strings && *strings != nullptr && (*strings)->size() > 0)
            static_cast<void>((**strings)[(*strings)->size() - 1].size());
    }
    return 0;
}
