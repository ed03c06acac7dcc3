// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/formats/json_fault.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace headscope
{
namespace
{

/// Remembers where a text stops being JSON; accepts every value.
class ErrorFinder : public nlohmann::json_sax<nlohmann::json>
{
public:
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool start_object(std::size_t) override { return true; }
    bool key(string_t&) override { return true; }
    bool end_object() override { return true; }
    bool start_array(std::size_t) override { return true; }
    bool end_array() override { return true; }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&) override
    {
        place = position;
        return false;
    }

    std::optional<std::size_t> place; ///< number of bytes read when the error was seen
};

/// What stands at a byte, for people.
std::string describedByte(std::string_view text, std::size_t byte)
{
    if (byte >= text.size())
        return "the end of the text";
    const auto value = static_cast<unsigned char>(text[byte]);
    if (value > 0x20 && value < 0x7F)
        return fmt::format("'{}'", text[byte]);
    return fmt::format("byte 0x{:02x}", value);
}

} // namespace

std::optional<JsonFault> findJsonFault(std::string_view text)
{
    ErrorFinder finder;
    nlohmann::json::sax_parse(text.begin(), text.end(), &finder);
    if (!finder.place)
        return std::nullopt;
    const std::size_t byte = *finder.place > 0 ? *finder.place - 1 : 0;
    return JsonFault{byte, describedByte(text, byte)};
}

} // namespace headscope
