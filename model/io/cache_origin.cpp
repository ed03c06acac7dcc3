// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/cache_origin.h"

#include "model/base/hash.h"
#include "model/data/point_range.h"
#include "model/io/cache_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace headscope
{
namespace
{

constexpr std::string_view kDocuments = "/documents";

void add(Xxh3& hash, std::string_view text)
{
    hash.update(std::as_bytes(std::span(text)));
    hash.update(std::as_bytes(std::span("\n", 1)));
}

bool isPartOf(std::string_view name, std::string_view group)
{
    return name.starts_with(group) &&
           (name.size() == group.size() || name[group.size()] == '/' || name[group.size()] == '@');
}

/// Vectors without a checksum could be any.
bool coversVectors(const CacheInfo& info, const ChecksumTable& checksums)
{
    const auto counted = std::count_if(checksums.begin(), checksums.end(), [](const auto& entry) {
        return isPartOf(entry.first, schema::kEmbeddings) && !entry.first.ends_with('@');
    });
    return counted > 0 && counted >= std::ssize(info.embeddings);
}

std::int64_t mostHeads(const CacheInfo& info)
{
    std::int64_t heads = std::max<std::int64_t>(1, info.header.model.heads);
    for (const VectorsInfo& vectors : info.embeddings)
        heads = std::max(heads, vectors.heads);
    return heads;
}

} // namespace

Origin originOf(const std::filesystem::path& path, const CacheInfo& info, const ChecksumTable& checksums)
{
    Xxh3 hash;
    for (const auto& [name, digest] : checksums)
    {
        const std::array<std::string_view, 4> parts = {schema::kModel, kDocuments, schema::kEmbeddings,
                                                       schema::kTopics};
        if (std::ranges::any_of(parts, [&name = name](std::string_view part) { return isPartOf(name, part); }))
            add(hash, name + " " + digest);
    }
    add(hash, fmt::format("{} documents of {}", info.documents, info.header.model.name));
    if (coversVectors(info, checksums))
        return {hash.hex()};
    std::error_code unknown;
    const auto changed = std::filesystem::last_write_time(path, unknown);
    add(hash, fmt::format("{} {} {}", std::filesystem::weakly_canonical(path, unknown).string(), info.fileBytes,
                          changed.time_since_epoch().count()));
    return {hash.hex()};
}

Status expectPointsIn(const CacheInfo& info, const HeadMap& map, const std::filesystem::path& path)
{
    if (map.points == nullptr)
        return {};
    Status checked = expectPointsOf(*map.points, info.documents, mostHeads(info), map.name);
    if (checked)
        return {};
    Error error = checked.error();
    error.code = ErrorCode::BadFormat;
    return std::move(error).inFile(path.string());
}

} // namespace headscope
