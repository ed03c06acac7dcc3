// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/random.h"
#include "model/data/documents/document_set.h"
#include "model/io/cache/cache_writer.h"

#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace headscope::test
{

struct SampleCacheOptions
{
    std::int64_t documents = 48;
    std::int64_t heads = 9;
    std::int64_t kvHeads = 3;
    std::int64_t dims = 8;
    bool topics = true;
    bool map = false;               ///< of stage 1 of the last layer
    bool embedding = false;         ///< the sentence embedding, too
    std::vector<std::string> texts; ///< empty: made up
    std::vector<std::string> labels;
};

/// Vectors that look like heads: a centre per head, near that of its group, a direction per topic.
inline std::shared_ptr<const HeadVectors> sampleVectors(Stage stage, LayerIndex layer, std::int64_t rows,
                                                        std::span<const std::int32_t> topics,
                                                        const SampleCacheOptions& options)
{
    std::vector<float> values;
    const CounterRandom random(7, static_cast<std::uint64_t>(stage) * 100 + static_cast<std::uint64_t>(layer.value()));
    const CounterRandom noise(static_cast<std::uint64_t>(rows), 5);
    const std::int64_t members = options.heads / options.kvHeads;
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t head = 0; head < options.heads; ++head)
            for (std::int64_t d = 0; d < options.dims; ++d)
            {
                const auto at = [&](std::int64_t a, std::int64_t b) {
                    return random.normal(static_cast<std::uint64_t>((a * 1000 + b) * options.dims + d));
                };
                const double group = 2.5 * at(1, head / members);
                const double own = 1.5 * at(2, head);
                const double topic = 0.8 * at(3 + head, topics[static_cast<std::size_t>(row)]);
                const double rest =
                    0.35 *
                    noise.normal(static_cast<std::uint64_t>(((row + 1) * options.heads + head) * options.dims + d));
                values.push_back(static_cast<float>(group + own + topic + rest));
            }
    return std::make_shared<const HeadVectors>(stage, layer, rows, options.heads, options.dims, std::move(values));
}

/// Writes a small cache as an extraction would: three layers of twelve, three stages, topics.
[[nodiscard]] inline Status writeSampleCache(const std::filesystem::path& path, const SampleCacheOptions& options = {})
{
    CacheContents contents;
    contents.header.model.name = "sample-model";
    contents.header.model.family = "llama";
    contents.header.model.layers = 12;
    contents.header.model.heads = options.heads;
    contents.header.model.kvHeads = options.kvHeads;
    contents.header.model.headDim = options.dims;
    contents.header.model.modelDim = options.dims * options.heads;
    DocumentSet& documents = contents.documents;
    std::vector<std::string> labels = options.labels;
    for (std::int64_t i = 0; i < options.documents; ++i)
    {
        const auto index = static_cast<std::size_t>(i);
        documents.ids.push_back("doc-" + std::to_string(i));
        documents.texts.push_back(index < options.texts.size() ? options.texts[index]
                                                               : "The text of document " + std::to_string(i) + ".");
        documents.tokens.push_back(static_cast<std::int32_t>(40 + i % 60));
        documents.flags.push_back(0);
        static const char* const kTopics[] = {"Astronomy", "Cooking", "History", "Music"};
        if (index >= options.labels.size())
            labels.emplace_back(kTopics[i % 4]);
    }
    documents.labels.push_back(makeLabelColumn("topic", labels));
    const LabelColumn& column = documents.labels.front();
    std::vector<std::int32_t> codes;
    for (std::int32_t code = 0; code < static_cast<std::int32_t>(column.categories.size()); ++code)
        codes.push_back(code);
    for (const std::int64_t layer : {3, 7, 11})
    {
        for (const Stage stage : kStages)
        {
            contents.embeddings.push_back(
                sampleVectors(stage, LayerIndex(layer), options.documents, column.codes, options));
            if (options.topics)
                contents.topics.push_back(
                    {"topic", column.categories,
                     sampleVectors(stage, LayerIndex(layer), static_cast<std::int64_t>(codes.size()), codes, options)});
        }
    }
    if (options.embedding)
    {
        SampleCacheOptions one = options;
        one.heads = one.kvHeads = 1;
        contents.header.embedding = {"Normalize", "00"};
        contents.embeddings.push_back(
            sampleVectors(Stage::Embedding, LayerIndex(11), options.documents, column.codes, one));
        if (options.topics)
            contents.topics.push_back(
                {"topic", column.categories,
                 sampleVectors(Stage::Embedding, LayerIndex(11), static_cast<std::int64_t>(codes.size()), codes, one)});
    }
    if (options.map)
    {
        HeadMap map;
        map.name = "stage1-last";
        auto points = std::make_shared<PointIds>();
        std::vector<float> xy;
        for (std::int32_t document = 0; document < options.documents; ++document)
            for (std::int32_t head = 0; head < options.heads; ++head)
            {
                points->document.push_back(document);
                points->head.push_back(head);
                xy.push_back(static_cast<float>(10 * std::cos(head) + 0.1 * document));
                xy.push_back(static_cast<float>(10 * std::sin(head)));
            }
        map.points = points;
        map.xy = MatrixF(points->count(), 2, std::move(xy));
        map.layer = LayerIndex(11);
        map.iteration = 750;
        map.kl = 0.9;
        contents.maps.push_back(std::move(map));
    }
    JobContext job;
    return writeCache(path, contents, NumberType::F32, job);
}

} // namespace headscope::test
