// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/ablation/ablation_json.h"

#include "app/frames/frame_json.h"

#include <utility>

namespace headscope::engine
{

using Json = nlohmann::ordered_json;

void addAblation(Json& object, const ChosenHeads& ablated, const std::string& ablation, std::int64_t regroup,
                 const std::string& changed)
{
    Json list = Json::array();
    for (const auto& [layer, heads] : ablated)
    {
        Json numbers = Json::array();
        for (const HeadIndex head : heads)
            numbers.push_back(shownNumber(head));
        list.push_back({{"layer", layer}, {"heads", std::move(numbers)}});
    }
    object["ablated"] = std::move(list);
    object["ablation"] = textJson(ablation);
    object["regroup"] = regroup == 0 ? Json() : Json(regroup);
    object["changed"] = textJson(changed);
}

} // namespace headscope::engine
