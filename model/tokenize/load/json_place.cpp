// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/load/json_place.h"

#include <fmt/format.h>

namespace headscope::tokenize
{

std::optional<JsonPlace> JsonPlace::find(std::string_view key) const
{
    const auto found = m_view.find(key);
    if (!found || found->isNull())
        return std::nullopt;
    return JsonPlace(*found, m_place.empty() ? std::string(key) : fmt::format("{}.{}", m_place, key));
}

Result<JsonPlace> JsonPlace::at(std::string_view key) const
{
    if (auto found = find(key))
        return std::move(*found);
    if (!m_view.isObject())
        return error(ErrorCode::BadFormat, fmt::format("expected an object, found {}", jsonKindName(m_view.kind())));
    return error(ErrorCode::BadFormat, fmt::format("the key \"{}\" is missing", key));
}

Result<std::vector<JsonPlace>> JsonPlace::list(std::string_view key) const
{
    const auto found = find(key);
    return found ? found->list() : std::vector<JsonPlace>();
}

Result<std::vector<JsonPlace>> JsonPlace::list() const
{
    if (!m_view.isArray())
        return error(ErrorCode::BadFormat, fmt::format("expected an array, found {}", jsonKindName(m_view.kind())));
    std::vector<JsonPlace> places;
    places.reserve(m_view.size());
    for (const JsonView element : m_view.elements())
        places.emplace_back(element, fmt::format("{}[{}]", m_place, places.size()));
    return places;
}

Result<std::string_view> JsonPlace::string() const
{
    auto value = m_view.asString();
    return value ? std::move(value) : Result<std::string_view>(std::move(value).error().atPlace(m_place));
}

Result<std::int64_t> JsonPlace::integer() const
{
    auto value = m_view.asInt();
    return value ? std::move(value) : Result<std::int64_t>(std::move(value).error().atPlace(m_place));
}

Result<std::string_view> JsonPlace::string(std::string_view key) const
{
    HEADSCOPE_TRY(const JsonPlace value, at(key));
    return value.string();
}

Result<std::int64_t> JsonPlace::integer(std::string_view key) const
{
    HEADSCOPE_TRY(const JsonPlace value, at(key));
    return value.integer();
}

Result<bool> JsonPlace::boolean(std::string_view key, bool otherwise) const
{
    const auto found = find(key);
    if (!found)
        return otherwise;
    auto value = found->view().asBool();
    return value ? std::move(value) : Result<bool>(std::move(value).error().atPlace(found->place()));
}

} // namespace headscope::tokenize
