// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/attention/head_statistics_file.h"

#include "model/io/records/record_hdf5.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace headscope
{
namespace
{

constexpr const char* kGroup = "/statistics";
constexpr const char* kLayers = "/attention/layers";
constexpr std::int64_t kMaxRows = 4096; ///< layers, or heads of a layer
constexpr std::size_t kMaxTables = 256;
constexpr std::size_t kLongestName = 80;

Error bad(const Hdf5Reader& file, std::string message, std::string place)
{
    return {ErrorCode::BadFormat, std::move(message), file.path().string(), std::move(place)};
}

Status checkShape(const Hdf5Reader& file, const DatasetInfo& info, const std::string& place)
{
    if (!info.number || info.shape.size() != 2 || info.shape[0] < 1 || info.shape[1] < 1)
        return bad(file, fmt::format("expected numbers [layers, heads], found {}", info.describe()), place);
    if (info.shape[0] > kMaxRows || info.shape[1] > kMaxRows)
        return Error{ErrorCode::Unsupported,
                     fmt::format("expected at most {0} layers of {0} heads, found {1}", kMaxRows, info.describe()),
                     file.path().string(), place};
    return {};
}

Status readTables(const Hdf5Reader& file, HeadStatisticsFile& found)
{
    const std::vector<std::string> names = file.names(kGroup);
    if (names.size() > kMaxTables)
        return Error{ErrorCode::Unsupported,
                     fmt::format("expected at most {} statistics, found {}", kMaxTables, names.size()),
                     file.path().string(), kGroup};
    for (const std::string& name : names)
    {
        const std::string place = fmt::format("{}/{}", kGroup, name);
        if (!file.isDataset(place))
            continue;
        if (name.size() > kLongestName)
            return bad(file, fmt::format("expected names of at most {} bytes, found a longer one", kLongestName),
                       kGroup);
        HEADSCOPE_TRY(const DatasetInfo info, file.describe(place));
        HEADSCOPE_CHECK(checkShape(file, info, place));
        if (found.tables.empty())
            found.heads = info.shape[1];
        else if (info.shape[0] != found.tables.front().values.rows() || info.shape[1] != found.heads)
            return bad(file,
                       fmt::format("expected [{}, {}] as in the other statistics, found {}",
                                   found.tables.front().values.rows(), found.heads, info.describe()),
                       place);
        HEADSCOPE_TRY(auto values, readNumbers<double>(file, place));
        found.tables.push_back({name, MatrixD(info.shape[0], info.shape[1], std::move(values))});
    }
    if (found.tables.empty())
        return bad(file, "expected statistics of heads, found none", kGroup);
    return {};
}

Status readLayers(const Hdf5Reader& file, HeadStatisticsFile& found)
{
    const std::int64_t rows = found.tables.front().values.rows();
    if (!file.isDataset(kLayers))
    {
        for (std::int64_t layer = 0; layer < rows; ++layer)
            found.layers.push_back(layer);
        return {};
    }
    HEADSCOPE_TRY(const DatasetInfo info, file.describe(kLayers));
    if (info.shape.size() != 1 || info.shape[0] != rows || !info.number)
        return bad(file, fmt::format("expected the numbers of {} layers, found {}", rows, info.describe()), kLayers);
    HEADSCOPE_TRY(const auto layers, readNumbers<std::int32_t>(file, kLayers));
    std::int64_t before = -1;
    for (const std::int32_t layer : layers)
    {
        if (layer <= before || layer >= kMaxRows)
            return bad(file, fmt::format("expected layers that ascend from 0, found {}", layer), kLayers);
        found.layers.push_back(before = layer);
    }
    return {};
}

/// What a file says of its model, which another program may have written: as far as it does.
RecordFields modelOf(HeadStatisticsFile& found)
{
    RecordFields record;
    record("name", found.model.name);
    record("kv_heads", found.model.kvHeads);
    record("ablated", found.model.changes.ablated);
    record("ablation", found.model.changes.ablation);
    record("reference", found.model.changes.reference);
    record("regrouped_from", found.model.changes.regroupedFrom);
    record.names("sha256", found.model.sha256);
    return record;
}

} // namespace

Result<HeadStatisticsFile> readHeadStatistics(const std::filesystem::path& path, JobContext& job)
{
    HEADSCOPE_TRY(const Hdf5Reader file, Hdf5Reader::open(path, job));
    HeadStatisticsFile found;
    HEADSCOPE_CHECK(readTables(file, found));
    HEADSCOPE_CHECK(readLayers(file, found));
    if (file.has("/model"))
        HEADSCOPE_CHECK(readRecord(file, "/model", modelOf(found)));
    if (file.has("/attention"))
        found.documents = std::max<std::int64_t>(0, file.integerAttribute("/attention", "documents").value_or(0));
    return found;
}

bool isHeadStatistics(const std::filesystem::path& path, JobContext& job)
{
    const auto file = Hdf5Reader::open(path, job);
    return file && file->has(kGroup) && !file->has("/embeddings");
}

} // namespace headscope
