// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/random.h"
#include "model/io/cache/cache_writer.h"

#include <QTemporaryDir>

#include <filesystem>
#include <memory>
#include <string>

namespace headscope::test
{

/// Normal numbers from a seed, [documents, heads, dims].
inline std::shared_ptr<const HeadVectors> randomVectors(Stage stage, std::int64_t layer, std::int64_t documents,
                                                        std::int64_t heads, std::int64_t dims, std::uint64_t seed)
{
    const CounterRandom random(seed);
    std::vector<float> values(static_cast<std::size_t>(documents * heads * dims));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(random.normal(i));
    return std::make_shared<const HeadVectors>(stage, LayerIndex(layer), documents, heads, dims, std::move(values));
}

/// A small cache with everything in it: 2 layers, 3 stages, topics, labels, a map.
inline CacheContents sampleContents()
{
    constexpr std::int64_t kDocuments = 12;
    CacheContents contents;
    contents.header.model = {"sample", "/models/sample", "llama", 4, 4, 2, 5, 20, 100, {{"model.safetensors", "ab12"}}};
    contents.header.command = "headscope-engine extract sample";
    contents.header.created = "2026-01-02T03:04:05Z";
    contents.header.pooling = "last";
    contents.header.eos = "config";
    contents.header.maxTokens = 4096;
    contents.header.truncated = 1;
    contents.header.computeDtype = "f32";
    contents.header.device = "cpu";
    std::vector<std::string> topics;
    std::vector<std::string> languages;
    for (std::int64_t i = 0; i < kDocuments; ++i)
    {
        contents.documents.ids.push_back("doc-" + std::to_string(i));
        contents.documents.texts.push_back("Text number " + std::to_string(i) + " \xc3\xa4\xf0\x9f\x90\x88");
        contents.documents.tokens.push_back(static_cast<std::int32_t>(5 + i));
        contents.documents.flags.push_back(i == 3 ? 2 : 0);
        topics.push_back(i % 4 == 3 ? "" : std::string(1, static_cast<char>('a' + i % 4)));
        languages.push_back(i % 2 == 0 ? "en" : "fi");
    }
    contents.documents.labels = {makeLabelColumn("lang/uage", languages), makeLabelColumn("topic", topics)};
    for (const std::int64_t layer : {2, 3})
    {
        for (const Stage stage : kStages)
        {
            const auto seed = static_cast<std::uint64_t>(10 * layer + static_cast<int>(stage));
            contents.embeddings.push_back(randomVectors(stage, layer, kDocuments, 4, 5, seed));
            contents.topics.push_back({"topic", {}, randomVectors(stage, layer, 3, 4, 5, 100 + seed)});
        }
    }
    HeadMap map;
    map.points = std::make_shared<const PointIds>(PointIds{{0, 0, 1}, {0, 1, 0}});
    map.xy = MatrixF(3, 2, {1.0F, 2.0F, 3.0F, -4.0F, 5.0F, 6.5F});
    map.stage = Stage::OutputSegment;
    map.layer = LayerIndex(3);
    map.options.perplexities = {30.0, 300.0};
    map.options.metric = Metric::Cosine;
    map.options.seed = 7;
    map.iteration = 750;
    map.kl = 1.25;
    map.hash = "0123";
    map.inputHash = "4567";
    map.leftOut = 2;
    contents.maps.push_back(map);
    return contents;
}

/// A folder that is gone after the test.
class TemporaryFolder
{
public:
    [[nodiscard]] std::filesystem::path file(const std::string& name) const
    {
        return std::filesystem::path(m_folder.path().toStdString()) / name;
    }
    [[nodiscard]] std::size_t files() const
    {
        std::size_t count = 0;
        for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(m_folder.path().toStdString()))
            ++count;
        return count;
    }

private:
    QTemporaryDir m_folder;
};

} // namespace headscope::test
