// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/shards/range_differences.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

namespace headscope
{
namespace
{

/// A value as it stands in a sentence: digests are long.
std::string shortWords(std::string value)
{
    constexpr std::size_t kMost = 60;
    if (value.empty())
        return "nothing";
    if (value.size() > kMost)
        value = value.substr(0, kMost) + "...";
    return value;
}

} // namespace

std::vector<ExtractionBlock> blocksOfCache(const CacheInfo& info)
{
    std::vector<ExtractionBlock> blocks;
    for (const VectorsInfo& vectors : info.embeddings)
        blocks.push_back({vectors.layer, vectors.stage, vectors.heads, vectors.dims});
    return blocks;
}

Difference textDifference(std::string what, const std::string& one, const std::string& other)
{
    if (one == other)
        return {};
    return {std::move(what), shortWords(one), shortWords(other)};
}

std::string Difference::words() const
{
    return fmt::format("{} is {} there and {} here", what, one, other);
}

Difference settingsDifference(const std::map<std::string, std::string>& one,
                              const std::map<std::string, std::string>& other)
{
    std::map<std::string, std::string> names = one;
    names.insert(other.begin(), other.end());
    const auto valueIn = [](const std::map<std::string, std::string>& settings, const std::string& name) {
        const auto found = settings.find(name);
        return found == settings.end() ? std::string() : found->second;
    };
    for (const auto& [name, value] : names)
    {
        if (auto found = textDifference(name, valueIn(one, name), valueIn(other, name)); !found.what.empty())
            return found;
    }
    return {};
}

std::string blockWords(const std::vector<ExtractionBlock>& blocks)
{
    std::string words;
    for (const ExtractionBlock& block : blocks)
        words += fmt::format("{}layer {} stage {} of {} x {}", words.empty() ? "" : ", ", block.layer.value(),
                             stageName(block.stage), block.heads, block.dims);
    return words;
}

Difference runDifference(const CacheInfo& one, const CacheInfo& other)
{
    const CacheRange& a = *one.header.range;
    const CacheRange& b = *other.header.range;
    const auto store = [](const CacheInfo& info) { return std::string(numberTypeName(info.embeddings.front().type)); };
    const Difference all[] = {
        settingsDifference(a.settings, b.settings),
        textDifference("set of stored vectors", blockWords(blocksOfCache(one)), blockWords(blocksOfCache(other))),
        textDifference("--store", store(one), store(other)),
        textDifference("the number of documents of the whole run", std::to_string(a.documents),
                       std::to_string(b.documents)),
        textDifference("the digest of all ids, texts and labels", a.inputs, b.inputs),
        textDifference("the list of label columns", fmt::format("{}", fmt::join(a.labelColumns, ", ")),
                       fmt::format("{}", fmt::join(b.labelColumns, ", "))),
    };
    for (const Difference& each : all)
    {
        if (!each.what.empty())
            return each;
    }
    return {};
}

} // namespace headscope
