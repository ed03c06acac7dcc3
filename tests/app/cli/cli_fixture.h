// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/cli.h"
#include "tests/model/io/cache_fixture.h"

#include <nlohmann/json.hpp>

#include <sstream>
#include <string>
#include <vector>

namespace headscope::test
{

struct Outcome
{
    int code = 0;
    std::string out;
    std::string err;

    [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(out); }
};

inline Outcome runVerb(const std::vector<std::string>& arguments)
{
    std::ostringstream out;
    std::ostringstream err;
    Outcome outcome;
    outcome.code = cli::run(arguments, out, err);
    outcome.out = out.str();
    outcome.err = err.str();
    return outcome;
}

inline constexpr std::int64_t kDocuments = 60;
inline constexpr std::int64_t kHeads = 4;
inline constexpr std::int64_t kDims = 6;

/// Vectors that tell their head and their topic: a direction for each beside some noise.
inline std::shared_ptr<const HeadVectors> tellingVectors(Stage stage, std::int64_t layer, std::int64_t rows,
                                                         bool topics)
{
    const CounterRandom random(static_cast<std::uint64_t>(stage) + (topics ? 50U : 5U));
    std::vector<float> values;
    for (std::int64_t row = 0; row < rows; ++row)
    {
        const std::int64_t topic = topics ? row : row % 3;
        for (std::int64_t head = 0; head < kHeads; ++head)
        {
            for (std::int64_t d = 0; d < kDims; ++d)
            {
                const auto noise = 0.3 * random.normal(values.size());
                values.push_back(static_cast<float>(noise + (d == head ? 3.0 : 0.0) + (d == topic ? 1.5 : 0.0)));
            }
        }
    }
    return std::make_shared<const HeadVectors>(stage, LayerIndex(layer), rows, kHeads, kDims, std::move(values));
}

inline CacheContents tellingContents()
{
    CacheContents contents;
    contents.header.model = {"telling", "", "llama", 2, kHeads, 2, kDims, kHeads * kDims, 100, {}};
    std::vector<std::string> topics;
    for (std::int64_t i = 0; i < kDocuments; ++i)
    {
        contents.documents.ids.push_back("d" + std::to_string(i));
        topics.push_back(i == 59 ? "" : std::string("topic ") + static_cast<char>('a' + i % 3));
    }
    contents.documents.labels = {makeLabelColumn("topic", topics)};
    for (const Stage stage : kStages)
    {
        contents.embeddings.push_back(tellingVectors(stage, 1, kDocuments, false));
        contents.topics.push_back({"topic", {}, tellingVectors(stage, 1, 3, true)});
    }
    return contents;
}

} // namespace headscope::test
