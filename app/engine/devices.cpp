// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/devices.h"

#include "model/io/texts/parquet_records.h"
#include "model/net/forward/torch_operations.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace headscope::engine
{

std::string devicesJson()
{
    const auto orNull = [](const std::string& text) { return text.empty() ? nlohmann::json() : nlohmann::json(text); };
    std::vector<std::string> devices = {"cpu"};
    const auto facts = torchFacts();
    const auto arrow = arrowVersion();
    const nlohmann::json arrowJson = orNull(arrow ? *arrow : std::string());
    const nlohmann::json noArrow = orNull(arrow ? std::string() : arrow.error().message);
    if (!facts)
        return nlohmann::json({{"libtorch", {}},
                               {"runtime", {}},
                               {"devices", devices},
                               {"missing", facts.error().message},
                               {"arrow", arrowJson},
                               {"arrow_missing", noArrow}})
            .dump();
    for (int i = 0; i < facts->gpus; ++i)
        devices.push_back(fmt::format("cuda:{}", i));
    return nlohmann::json({{"libtorch", facts->version},
                           {"runtime", orNull(facts->runtime)},
                           {"devices", devices},
                           {"missing", orNull(facts->missing)},
                           {"arrow", arrowJson},
                           {"arrow_missing", noArrow}})
        .dump();
}

} // namespace headscope::engine
