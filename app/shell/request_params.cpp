// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/request_params.h"

#include <algorithm>
#include <cctype>
#include <type_traits>

namespace headscope::shell
{
namespace
{

using Json = nlohmann::json;

struct ValueJson
{
    const Field& field;

    Json operator()(const FieldChoice& /*choice*/) const { return field.valueText(); }
    template <class T>
    Json operator()(const T* value) const
    {
        return *value;
    }
    template <class T>
    Json operator()(const std::optional<T>* value) const
    {
        return value->has_value() ? Json(**value) : Json();
    }
    template <class T>
    Json operator()(const std::vector<T>* value) const
    {
        return value->empty() ? Json() : Json(valueWords(field.target));
    }
};

} // namespace

std::string parameterName(const Field& row)
{
    constexpr std::string_view kDashes = "--";
    const auto isLong = [](const std::string& name) { return name.starts_with(kDashes); };
    if (const auto name = std::ranges::find_if(row.names, isLong); name != row.names.end())
        return name->substr(kDashes.size());
    std::string name = row.typedName().substr(row.isPositional() ? 0 : 1);
    if (row.isPositional())
        std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return name;
}

Json paramsThatChange(const Fields& usual, const Fields& wanted)
{
    Json params = Json::object();
    for (const FieldDifference& each : differences(wanted, usual, kCommandUse))
    {
        if (Json value = std::visit(ValueJson{*each.field}, each.field->target); !value.is_null())
            params[parameterName(*each.field)] = std::move(value);
    }
    return params;
}

} // namespace headscope::shell
