// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/frames/json_path.h"

#include "model/base/text/split_text.h"

#include <array>

namespace headscope
{
namespace
{

std::string_view memberOf(Facet facet)
{
    constexpr std::array<std::string_view, 12> kNames = {"value",  "low",  "high", "null_mean", "p",           "q",
                                                         "chance", "ci95", "ci95", "ci95",      "ci95_method", "null"};
    return kNames[static_cast<std::size_t>(facet)];
}

} // namespace

JsonPath jsonPath(const FrameInfo& about, const Slot& slot, std::string_view header, bool isObject)
{
    const std::string key(slot.column);
    const std::string member(memberOf(slot.facet));
    if (!header.empty())
        return splitText(header, '.');
    if (about.shape == JsonShape::ByColumn && (isObject || slot.facet != Facet::Value))
        return {key, member};
    if (slot.facet == Facet::Value)
        return {key};
    return about.shape == JsonShape::Flat ? JsonPath{key + "_" + member} : JsonPath{member, key};
}

} // namespace headscope
