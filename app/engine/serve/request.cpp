// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/serve/request.h"

#include "app/shell/request_params.h"
#include "model/base/fields/fields.h"
#include "model/base/utf8.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <type_traits>
#include <variant>

namespace headscope::engine
{
namespace
{

constexpr std::size_t kMaxIdBytes = 256;

Error wrong(std::string message, std::string place)
{
    return {ErrorCode::WrongUse, std::move(message), {}, std::move(place)};
}

Result<std::string> idFrom(const JsonView& value)
{
    if (const auto number = value.asInt())
        return std::to_string(*number);
    const auto text = value.asString();
    if (!text)
        return wrong(fmt::format("expected a text or an integer, found {}", jsonKindName(value.kind())), "id");
    if (text->empty() || text->size() > kMaxIdBytes)
        return wrong(fmt::format("expected a text of 1 to {} bytes, found {}", kMaxIdBytes, text->size()), "id");
    return idText(*text);
}

Result<std::string> scalarFrom(const JsonView& value, std::string_view name)
{
    switch (value.kind())
    {
    case JsonKind::String:
        return std::string(value.asString().value_or({}));
    case JsonKind::Bool:
        return std::string(value.asBool().value_or(false) ? "true" : "false");
    case JsonKind::Integer:
        if (const auto integer = value.asInt())
            return std::to_string(*integer);
        return std::to_string(value.asUnsigned().value_or(0));
    case JsonKind::Double:
        return fmt::format("{}", value.asDouble().value_or(0));
    default:
        return wrong(fmt::format("expected a text, a number, true or false, found {}", jsonKindName(value.kind())),
                     fmt::format("params.{}", name));
    }
}

Result<Parameter> parameterFrom(std::string_view name, const JsonView& value)
{
    Parameter parameter{std::string(name), value.kind(), {}};
    if (!value.isArray())
    {
        HEADSCOPE_TRY(auto text, scalarFrom(value, name));
        parameter.values.push_back(std::move(text));
        return parameter;
    }
    for (const JsonView element : value.elements())
    {
        const auto text = element.asString();
        if (!text)
            return wrong(fmt::format("expected texts, found {}", jsonKindName(element.kind())),
                         fmt::format("params.{}", name));
        parameter.values.emplace_back(*text);
    }
    return parameter;
}

Result<Request> requestFrom(const JsonView& root, std::string& id)
{
    if (!root.isObject())
        return wrong(fmt::format("expected an object, found {}", jsonKindName(root.kind())), {});
    const auto idField = root.find("id");
    if (!idField)
        return wrong("the field \"id\" is missing", {});
    HEADSCOPE_TRY(id, idFrom(*idField));
    Request request;
    request.id = id;
    for (const auto& [name, value] : root.members())
    {
        if (name == "method")
        {
            const auto text = value.asString();
            if (!text)
                return wrong(fmt::format("expected a text, found {}", jsonKindName(value.kind())), "method");
            request.method = *text;
        }
        else if (name == "params")
        {
            if (!value.isObject())
                return wrong(fmt::format("expected an object, found {}", jsonKindName(value.kind())), "params");
            for (const auto& [key, inner] : value.members())
            {
                HEADSCOPE_TRY(auto parameter, parameterFrom(key, inner));
                request.params.push_back(std::move(parameter));
            }
        }
        else if (name != "id")
            return wrong(fmt::format("expected id, method and params, found \"{}\"", name), {});
    }
    if (request.method.empty())
        return wrong("the field \"method\" is missing", {});
    return request;
}

bool isNumber(const FieldTarget& target)
{
    return std::visit(
        [](const auto& variable) {
            using T = std::remove_pointer_t<std::decay_t<decltype(variable)>>;
            return (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) ||
                   std::is_same_v<T, std::optional<std::int64_t>> || std::is_same_v<T, std::optional<double>>;
        },
        target);
}

bool isNamed(const Field& row, std::string_view name)
{
    return shell::parameterName(row) == name ||
           std::any_of(row.names.begin(), row.names.end(), [&](const std::string& each) {
               return each.starts_with("--") && std::string_view(each).substr(2) == name;
           });
}

Status checkKind(const Field& row, const Parameter& parameter)
{
    const bool number = parameter.kind == JsonKind::Integer || parameter.kind == JsonKind::Double;
    const std::string place = fmt::format("params.{}", parameter.name);
    const auto found = [&](std::string_view expected) {
        return wrong(fmt::format("expected {}, found {}", expected, jsonKindName(parameter.kind)), place);
    };
    if (row.isFlag())
        return parameter.kind == JsonKind::Bool ? Status() : found("true or false");
    if (isNumber(row.target))
        return number ? Status() : found("a number");
    if (row.takesSeveral())
    {
        if (parameter.kind != JsonKind::Array && parameter.kind != JsonKind::String)
            return found("an array of texts");
        if (parameter.values.empty())
            return wrong("expected at least one text, found an empty list", place);
    }
    else if (parameter.kind != JsonKind::String)
        return found("a text");
    for (const std::string& value : parameter.values)
    {
        if (value.find('\0') != std::string::npos)
            return wrong("this text contains a NUL character", place);
        if (!(row.isPositional() && value.starts_with('-')) && !(row.isDocuments && value == "-"))
            continue;
        return wrong(
            value == "-"
                ? "expected a file or a folder, found \"-\": standard input carries the requests"
                : fmt::format("expected a path, found \"{}\"; write a name that begins with - as ./{}", value, value),
            place);
    }
    return {};
}

} // namespace

const Parameter* Request::find(std::string_view name) const
{
    const auto found = std::find_if(params.begin(), params.end(), [&](const Parameter& p) { return p.name == name; });
    return found == params.end() ? nullptr : &*found;
}

std::string idText(std::string_view text)
{
    return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

RequestLine readRequest(std::string_view line, JsonParser& parser)
{
    std::string id = "null";
    const auto view = parser.parseLine(line);
    auto request = view ? requestFrom(view.value(), id) : Result<Request>(view.error());
    return {std::move(id), std::move(request)};
}

Result<std::vector<std::string>> wordsOf(const Request& request, const Fields& table)
{
    std::vector<std::string> words;
    std::vector<bool> used(request.params.size(), false);
    for (const bool positional : {true, false})
        for (const Field& row : table.options())
        {
            if (row.isPositional() != positional)
                continue;
            bool given = false;
            for (std::size_t i = 0; i < request.params.size(); ++i)
            {
                const Parameter& parameter = request.params[i];
                if (!isNamed(row, parameter.name))
                    continue;
                HEADSCOPE_CHECK(checkKind(row, parameter));
                given = used[i] = true;
                if (row.isFlag() && parameter.values.front() == "true")
                    words.push_back(row.names.back());
                if (row.isFlag())
                    continue;
                for (const std::string& value : parameter.values)
                {
                    if (!positional)
                        words.push_back(row.names.back());
                    words.push_back(value);
                }
            }
            if (row.isRequired && !given)
                return wrong(fmt::format("the field \"{}\" is missing", shell::parameterName(row)), "params");
        }
    for (std::size_t i = 0; i < used.size(); ++i)
        if (!used[i])
            return wrong(
                fmt::format("expected a parameter of {}, found \"{}\"", request.method, request.params[i].name),
                "params");
    return words;
}

} // namespace headscope::engine
