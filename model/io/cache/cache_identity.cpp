// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/cache/cache_identity.h"

#include "model/base/hash.h"
#include "model/io/cache/cache_reader.h"
#include "model/io/cache/cache_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <system_error>

namespace headscope
{
namespace
{

void add(Xxh3& hash, const std::string& line)
{
    hash.update(std::as_bytes(std::span(line)));
}

Xxh3 begin(const CacheInfo& info)
{
    Xxh3 hash;
    const ModelInfo& model = info.header.model;
    add(hash, fmt::format("documents={} layers={} heads={} kv_heads={}\n", info.documents, model.layers, model.heads,
                          model.kvHeads));
    return hash;
}

/// Shape and some rows of a dataset without a checksum.
std::string sampleOf(const Hdf5Reader& file, const std::string& dataset)
{
    constexpr std::int64_t kRows = 64;
    const auto info = file.has(dataset) ? file.describe(dataset) : Result<DatasetInfo>(Error{});
    if (!info)
        return "none";
    Xxh3 hash;
    add(hash, info->describe());
    const std::int64_t count = std::min(kRows, info->rows());
    const auto rowAt = [&](std::int64_t i) { return count == 1 ? 0 : i * (info->rows() - 1) / (count - 1); };
    if (info->number)
    {
        std::vector<std::byte> row(static_cast<std::size_t>(info->rowSize()) * numberBytes(*info->number));
        for (std::int64_t i = 0; i < count; ++i)
            if (file.readRows(dataset, rowAt(i), 1, *info->number, row))
                hash.update(row);
    }
    else if (info->text && info->shape.size() == 1)
    {
        if (const auto values = file.readStrings(dataset, 0, info->rows()))
            add(hash, digestOfStrings(*values));
    }
    return hash.hex();
}

std::string digestFor(const Hdf5Reader& file, const ChecksumTable& checksums, const std::string& dataset)
{
    const auto known = checksums.find(dataset);
    return known == checksums.end() ? sampleOf(file, dataset) : known->second;
}

/// The checksums of a cache that has one of every vector; else none.
Result<ChecksumTable> coveringChecksums(const CacheReader& cache, JobContext& job)
{
    if (!cache.info().hasChecksums)
        return ChecksumTable();
    HEADSCOPE_TRY(const Hdf5Reader file, Hdf5Reader::open(cache.path(), job));
    return coversVectors(cache.info(), file.checksums()) ? file.checksums() : ChecksumTable();
}

bool isPartOf(std::string_view name, std::string_view group)
{
    return name.starts_with(group) &&
           (name.size() == group.size() || name[group.size()] == '/' || name[group.size()] == '@');
}

} // namespace

bool coversVectors(const CacheInfo& info, const ChecksumTable& checksums)
{
    const auto counted = std::count_if(checksums.begin(), checksums.end(), [](const auto& entry) {
        return isPartOf(entry.first, schema::kEmbeddings) && !entry.first.ends_with('@');
    });
    return counted > 0 && counted >= std::ssize(info.embeddings);
}

std::string identityOf(const Hdf5Reader& file, const ChecksumTable& checksums, const CacheInfo& info)
{
    Xxh3 hash = begin(info);
    for (const char* dataset : {schema::kIds, schema::kTexts})
        if (file.has(dataset))
            add(hash, fmt::format("{}={}\n", dataset, digestFor(file, checksums, dataset)));
    for (const VectorsInfo& vectors : info.embeddings)
    {
        const std::string dataset = schema::vectorsPath(vectors.layer, vectors.stage);
        add(hash, fmt::format("{}={}\n", dataset, digestFor(file, checksums, dataset)));
    }
    return hash.hex();
}

std::string identityOf(const CacheInfo& info, const DocumentSet& documents,
                       const std::vector<std::shared_ptr<const HeadVectors>>& vectors)
{
    Xxh3 hash = begin(info);
    add(hash, fmt::format("{}={}\n", schema::kIds, digestOfStrings(documents.ids)));
    add(hash, fmt::format("{}={}\n", schema::kTexts, digestOfStrings(documents.texts)));
    for (const auto& each : vectors)
    {
        add(hash, fmt::format("{}=", schema::vectorsPath(each->layer(), each->stage())));
        hash.update(std::as_bytes(each->values()));
    }
    return hash.hex();
}

Result<InputDigest> digestOf(const CacheReader& cache, JobContext& job)
{
    HEADSCOPE_TRY(const ChecksumTable checksums, coveringChecksums(cache, job));
    if (checksums.empty())
        return InputDigest::ofFile(cache.path(), job);
    Xxh3 hash;
    for (const auto& [name, digest] : checksums)
        if (!isPartOf(name, schema::kMaps))
            add(hash, fmt::format("{} {}\n", name, digest));
    const CacheHeader& header = cache.info().header; // what of it no checksum is taken of
    for (const std::string* text : {&header.prompt, &header.specialTokens, &header.topicTemplate, &header.sample})
        add(hash, fmt::format("{} {}\n", text->size(), *text));
    return InputDigest("cache:" + hash.hex());
}

Result<CacheInfo> infoOfContents(CacheReader& cache, JobContext& job)
{
    CacheInfo info = cache.info();
    HEADSCOPE_TRY(const ChecksumTable checksums, coveringChecksums(cache, job));
    if (!checksums.empty())
        return info;
    HEADSCOPE_TRY(const auto documents, cache.documents(job));
    Xxh3 hash;
    add(hash, digestOfStrings(documents->ids));
    add(hash, digestOfStrings(documents->texts));
    for (const VectorsInfo& each : info.embeddings)
    {
        HEADSCOPE_TRY(const auto vectors, cache.load(each.layer, each.stage, {}, job));
        hash.update(std::as_bytes(vectors->values()));
    }
    info.identity += "-" + hash.hex();
    return info;
}

Origin originOf(const std::filesystem::path& path, const CacheInfo& info, const ChecksumTable& checksums)
{
    constexpr std::array<std::string_view, 4> kParts = {schema::kModel, "/documents", schema::kEmbeddings,
                                                        schema::kTopics};
    Xxh3 hash;
    add(hash, fmt::format("{} {}\n", info.identity, info.header.model.name));
    for (const auto& [name, digest] : checksums)
        if (std::ranges::any_of(kParts, [&name = name](std::string_view part) { return isPartOf(name, part); }))
            add(hash, fmt::format("{} {}\n", name, digest));
    if (coversVectors(info, checksums))
        return {hash.hex()};
    std::error_code unknown;
    const auto changed = std::filesystem::last_write_time(path, unknown);
    add(hash, fmt::format("{} {} {}\n", std::filesystem::weakly_canonical(path, unknown).string(), info.fileBytes,
                          changed.time_since_epoch().count()));
    return {hash.hex()};
}

} // namespace headscope
