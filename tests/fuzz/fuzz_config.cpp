// SPDX-License-Identifier: GPL-3.0-or-later
// A config.json: an accepted one has sizes that fit together, and rotary tables that are finite.
#include "model/formats/json.h"
#include "model/net/config/model_config.h"
#include "model/net/forward/rotary.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace headscope;
    const auto document = JsonDocument::parse({reinterpret_cast<const char*>(data), size}, "config.json");
    if (!document)
        return 0;
    std::vector<Error> problems;
    const ModelConfig config = modelConfigFromJson(document->root(), "config.json", problems);
    for (const Error& problem : problems)
        if (problem.message.empty())
            std::abort();
    if (!problems.empty())
        return 0;
    if (config.heads < 1 || config.heads % config.kvHeads != 0 || config.windows.size() > 1024 ||
        static_cast<std::int64_t>(config.windows.size()) != config.layers)
        std::abort();
    if (config.traits().positions != PositionScheme::Rotary)
        return 0;
    for (const RopeConfig& rope : {config.rope, config.windowedRope.value_or(config.rope)})
    {
        const Rotary rotary(rope, config.maxPositions, config.rotaryDim(rope), {});
        MatrixF cosines, sines;
        rotary.tables({{0, 3, 8}, {}}, cosines, sines);
        for (std::int64_t i = 0; i < cosines.rows() * cosines.cols(); ++i)
            if (!std::isfinite(cosines.data()[i]) || !std::isfinite(sines.data()[i]))
                std::abort();
    }
    return 0;
}
