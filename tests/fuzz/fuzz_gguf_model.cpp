// SPDX-License-Identifier: GPL-3.0-or-later
// What a GGUF file says of its model and its vocabulary: an accepted tokenizer gives ids of its own.
#include "model/formats/gguf.h"
#include "model/net/config/model_config.h"
#include "model/tokenize/tokenizer.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace headscope;
    const SpanSource source(std::as_bytes(std::span(data, size)));
    const auto file = parseGguf(source, "fuzz.gguf");
    if (!file)
        return 0;
    std::vector<Error> problems;
    const ModelConfig config = modelConfigFromGguf(*file, problems);
    if (problems.empty() && static_cast<std::int64_t>(config.windows.size()) != config.layers)
        std::abort();
    const auto tokenizer = Tokenizer::fromGguf(file->metadata, "fuzz.gguf");
    if (!tokenizer)
    {
        if (tokenizer.error().message.empty())
            std::abort();
        return 0;
    }
    const auto tail = std::string_view(reinterpret_cast<const char*>(data), size).substr(size - size / 4);
    for (const std::string_view text : {std::string_view("The end.\n\n 12 \xC3\xA9t\xC3\xA9</s>"), tail})
    {
        const auto encoding = tokenizer->encode(text);
        if (!encoding)
            continue;
        for (const TokenId id : encoding->ids)
            if (id < 0 || id >= tokenizer->vocabularySize())
                std::abort();
    }
    return 0;
}
