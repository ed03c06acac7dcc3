// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/formats/safetensors.h"

#include "model/formats/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace headscope
{
namespace
{

constexpr std::size_t kMaxProblems = 100; ///< more than anyone reads; a hostile index could name millions

/// Shard name to the names of the tensors that the index puts there.
using WeightMap = std::map<std::string, std::vector<std::string>, std::less<>>;

/// A name that cannot lead out of the folder.
bool isPlainName(std::string_view name)
{
    return !name.empty() && name != "." && name != ".." &&
           name.find_first_of(std::string_view("/\\\0", 3)) == std::string_view::npos;
}

class IndexReader
{
public:
    IndexReader(std::filesystem::path path, std::vector<Error>& problems)
        : m_path(std::move(path)), m_problems(problems)
    {}

    TensorDirectory read()
    {
        auto weightMap = readWeightMap();
        for (auto& [shard, names] : weightMap)
        {
            if (m_problems.size() >= kMaxProblems)
                break;
            readShard(shard, std::move(names));
        }
        auto& tensors = m_directory.tensors;
        std::sort(tensors.begin(), tensors.end(),
                  [](const TensorInfo& a, const TensorInfo& b) { return a.name < b.name; });
        return std::move(m_directory);
    }

private:
    void problem(Error error)
    {
        if (m_problems.size() < kMaxProblems)
            m_problems.push_back(std::move(error));
    }

    void problem(std::string message, const std::filesystem::path& file, std::string_view place)
    {
        problem({ErrorCode::BadFormat, std::move(message), file.string(), std::string(place)});
    }

    WeightMap readWeightMap()
    {
        WeightMap result;
        JsonOptions options;
        options.maxDepth = 16;
        options.rejectDuplicateKeys = true;
        auto document = JsonDocument::parseFile(m_path, options);
        if (!document)
        {
            problem(std::move(document).error());
            return result;
        }
        const auto map = document->root().find("weight_map");
        if (!map || !map->isObject())
        {
            problem(fmt::format("expected an object, found {}", map ? jsonKindName(map->kind()) : "none"), m_path,
                    "weight_map");
            return result;
        }
        for (const auto& [name, file] : map->members())
        {
            const auto shard = file.asString();
            if (!shard)
                problem(shard.error().message, m_path, printableName(name));
            else if (!isPlainName(*shard))
                problem(fmt::format("expected the plain name of a file in the same folder as the index, found \"{}\"",
                                    printableName(*shard)),
                        m_path, printableName(name));
            else
                result[std::string(*shard)].emplace_back(name);
        }
        if (result.empty() && m_problems.empty())
            problem("expected at least one tensor, found none", m_path, "weight_map");
        return result;
    }

    void readShard(const std::string& shard, std::vector<std::string> names)
    {
        const auto path = m_path.parent_path() / shard;
        auto opened = openSafetensors(path);
        if (!opened)
        {
            problem(std::move(opened).error());
            return;
        }
        const auto index = static_cast<std::int32_t>(m_directory.files.size());
        if (index == 0)
            m_directory.metadata = std::move(opened->metadata);
        m_directory.files.push_back(opened->files.front());
        for (const auto& name : names)
            if (opened->find(name) == nullptr)
                problem("this tensor is missing, although the index lists it in this file", path, printableName(name));
        std::sort(names.begin(), names.end());
        std::size_t unlisted = 0;
        for (auto& tensor : opened->tensors)
        {
            const auto [other, isNew] = m_shardOf.emplace(tensor.name, index);
            if (!isNew)
            {
                const auto& first = m_directory.files[static_cast<std::size_t>(other->second)].path;
                problem(fmt::format("expected this tensor in only one shard, found it also in {}",
                                    first.filename().string()),
                        path, printableName(tensor.name));
                continue;
            }
            unlisted += std::binary_search(names.begin(), names.end(), tensor.name) ? 0U : 1U;
            tensor.file = index;
            m_directory.tensors.push_back(std::move(tensor));
        }
        if (unlisted > 0)
            m_directory.warnings.push_back(
                fmt::format("{}: {} tensors are not listed in the index", path.string(), unlisted));
    }

    std::filesystem::path m_path;
    std::vector<Error>& m_problems;
    TensorDirectory m_directory;
    std::unordered_map<std::string, std::int32_t> m_shardOf;
};

} // namespace

TensorDirectory openSafetensorsIndex(const std::filesystem::path& path, std::vector<Error>& problems)
{
    return IndexReader(path, problems).read();
}

Result<TensorDirectory> openSafetensorsIndex(const std::filesystem::path& path)
{
    std::vector<Error> problems;
    auto directory = openSafetensorsIndex(path, problems);
    if (!problems.empty())
        return combinedError(problems, path.string());
    return directory;
}

} // namespace headscope
