// SPDX-License-Identifier: GPL-3.0-or-later
// A JSON text: read strictly and with repairs, then walked from end to end.
#include "model/formats/json.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace
{

std::size_t walk(const headscope::JsonView& view)
{
    std::size_t sum = view.size();
    static_cast<void>(view.asInt().has_value());
    static_cast<void>(view.asUnsigned().has_value());
    static_cast<void>(view.asDouble().has_value());
    if (const auto text = view.asString())
        sum += text->size();
    for (const auto element : view.elements())
        sum += walk(element);
    for (const auto& [key, value] : view.members())
        sum += key.size() + walk(value);
    return sum;
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace headscope;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    for (const bool lenient : {false, true})
    {
        JsonOptions options;
        options.rejectDuplicateKeys = !lenient;
        options.repairText = lenient;
        const auto document = JsonDocument::parse(text, "fuzz", options);
        if (document)
            static_cast<void>(walk(document->root()));
        else if (document.error().message.empty())
            std::abort();
        JsonParser parser(options);
        if (parser.parseLine(text).has_value() != document.has_value())
            std::abort();
    }
    return 0;
}
