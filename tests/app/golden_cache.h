// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/io/cache/cache_writer.h"
#include "tests/support/golden_heads.h"

#include <filesystem>
#include <memory>
#include <string>

namespace headscope::test
{

/// A group of tests/golden/analysis/{topics,heads,pruning}.h5 as a cache of one layer: the heads are
/// stage 1, the standard embedding, where the file has one, is stage 3.
[[nodiscard]] inline Status writeGoldenCache(const std::filesystem::path& target, const GoldenFile& file,
                                             const std::string& group)
{
    const auto heads = std::make_shared<const HeadVectors>(goldenHeads(file, group + "/cache/heads"));
    CacheContents contents;
    contents.header.model = goldenModel(file, group, *heads);
    contents.header.model.name = "golden";
    for (std::int64_t i = 0; i < heads->documents(); ++i)
        contents.documents.ids.push_back("d" + std::to_string(i));
    contents.embeddings = {heads};
    if (file.has(group + "/cache/standard"))
        contents.embeddings.push_back(
            std::make_shared<const HeadVectors>(goldenSegments(file, group + "/cache/standard", heads->heads())));
    const auto topics = std::make_shared<const HeadVectors>(goldenHeads(file, group + "/cache/topics"));
    LabelColumn labels{"topic", goldenLabels(file, group + "/cache/label"), {}};
    for (std::int64_t t = 0; t < topics->documents(); ++t)
        labels.categories.push_back((t < 10 ? "topic 0" : "topic ") + std::to_string(t));
    contents.topics = {{"topic", labels.categories, topics}};
    contents.documents.labels = {std::move(labels)};
    JobContext job;
    return writeCache(target, contents, NumberType::F32, job);
}

/// The queries of tests/golden/analysis/heads.h5 as a cache whose documents they are.
[[nodiscard]] inline Status writeGoldenQueries(const std::filesystem::path& target, const GoldenFile& file,
                                               const std::string& group)
{
    const auto heads = std::make_shared<const HeadVectors>(goldenHeads(file, group + "/retrieval/query_heads"));
    CacheContents contents;
    contents.header.model = goldenModel(file, group, *heads);
    contents.header.model.name = "golden";
    for (std::int64_t i = 0; i < heads->documents(); ++i)
        contents.documents.ids.push_back("q" + std::to_string(i));
    contents.embeddings = {heads, std::make_shared<const HeadVectors>(
                                      goldenSegments(file, group + "/retrieval/query_standard", heads->heads()))};
    JobContext job;
    return writeCache(target, contents, NumberType::F32, job);
}

} // namespace headscope::test
