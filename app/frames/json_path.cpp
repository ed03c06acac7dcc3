// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/frames/json_path.h"

#include <array>

namespace headscope
{
namespace
{

std::string_view memberOf(Facet facet)
{
    constexpr std::array<std::string_view, 11> kNames = {"value",  "low",  "high", "null_mean",   "p",   "q",
                                                         "chance", "ci95", "ci95", "ci95_method", "null"};
    return kNames[static_cast<std::size_t>(facet)];
}

JsonPath partsOf(std::string_view path)
{
    JsonPath parts;
    for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.'))
    {
        parts.emplace_back(path.substr(0, dot));
        path.remove_prefix(dot + 1);
    }
    parts.emplace_back(path);
    return parts;
}

} // namespace

JsonPath jsonPath(const FrameInfo& about, const Slot& slot, std::string_view header, bool isObject)
{
    const std::string key(slot.column);
    const std::string member(memberOf(slot.facet));
    if (!header.empty())
        return partsOf(header);
    if (about.shape == JsonShape::ByColumn && (isObject || slot.facet != Facet::Value))
        return {key, member};
    if (slot.facet == Facet::Value)
        return {key};
    return about.shape == JsonShape::Flat ? JsonPath{key + "_" + member} : JsonPath{member, key};
}

} // namespace headscope
