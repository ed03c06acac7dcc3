// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/lessons/lesson_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace headscope::lesson_json
{
namespace
{

constexpr std::size_t kMaxName = 64;
constexpr std::size_t kShown = 40; ///< of what was found, in an error

bool isControl(char c)
{
    return (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f;
}

bool isOfName(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

/// What a stranger wrote, short and without control characters.
std::string shown(std::string_view found)
{
    std::string text(found.substr(0, kShown));
    std::ranges::replace_if(text, isControl, '?');
    std::ranges::replace(text, '\n', ' ');
    return text;
}

} // namespace

Place Place::at(std::string_view key) const
{
    Place inner = *this;
    inner.m_path += (m_path.empty() ? "" : ".") + shown(key);
    return inner;
}

Place Place::at(std::size_t index) const
{
    Place inner = *this;
    inner.m_path += fmt::format("[{}]", index);
    return inner;
}

Error Place::error(std::string message) const
{
    return error(ErrorCode::BadFormat, std::move(message));
}

Error Place::error(ErrorCode code, std::string message) const
{
    return {code, std::move(message), m_file, m_path};
}

Status checkKind(const JsonView& root, const Place& place, std::string_view format, std::int64_t newest,
                 std::string_view what)
{
    if (!root.isObject())
        return place.error(fmt::format("expected a {}: a JSON object", what));
    const auto mark = root.find("format");
    if (!mark || !mark->isString() || mark->asString().value() != format)
        return place.at("format").error(
            fmt::format("expected \"{}\", which marks a {}, found {}", format, what,
                        mark && mark->isString() ? '"' + shown(mark->asString().value()) + '"' : std::string("none")));
    const auto version = root.find("version");
    if (!version || version->kind() != JsonKind::Integer || version->asInt().value() < 1)
        return place.at("version").error("expected an integer of 1 or more");
    if (version->asInt().value() > newest)
        return place.at("version").error(ErrorCode::Unsupported,
                                         fmt::format("expected version {} or older, found version {}: it is for a "
                                                     "newer Headscope",
                                                     newest, version->asInt().value()));
    return {};
}

Status checkKeys(const JsonView& value, const Place& place, std::initializer_list<std::string_view> keys)
{
    if (!value.isObject())
        return place.error(fmt::format("expected an object, found {}", jsonKindName(value.kind())));
    for (const auto& [key, member] : value.members())
        if (std::ranges::find(keys, key) == keys.end())
            return place.error(fmt::format("expected one of {}, found \"{}\"", fmt::join(keys, ", "), shown(key)));
    return {};
}

Result<std::string> text(const JsonView& value, const Place& place, std::size_t most)
{
    if (!value.isString())
        return place.error(fmt::format("expected a text, found {}", jsonKindName(value.kind())));
    const std::string found(value.asString().value());
    if (found.find_first_not_of(" \n") == std::string::npos)
        return place.error("this text is empty");
    if (found.size() > most)
        return place.error(fmt::format("expected a text of at most {} bytes, found {}", most, found.size()));
    if (std::ranges::any_of(found, isControl))
        return place.error("expected a text without control characters");
    return found;
}

Result<std::string> textIn(const JsonView& object, std::string_view key, const Place& place, std::size_t most)
{
    const auto value = object.find(key);
    if (!value)
        return place.at(key).error("this text is missing");
    return text(*value, place.at(key), most);
}

Result<std::string> nameIn(const JsonView& object, std::string_view key, const Place& place)
{
    HEADSCOPE_TRY(std::string name, textIn(object, key, place, kMaxName));
    if (!std::ranges::all_of(name, isOfName))
        return place.at(key).error(
            fmt::format("expected lower-case letters, digits and hyphens, found \"{}\"", shown(name)));
    return name;
}

Result<double> number(const JsonView& value, const Place& place, double low, double high)
{
    const auto found = value.asDouble();
    if (!found)
        return place.error(fmt::format("expected a number, found {}", jsonKindName(value.kind())));
    if (!(*found >= low && *found <= high))
        return place.error(fmt::format("expected {} to {}, found {}", low, high, *found));
    return *found;
}

} // namespace headscope::lesson_json
