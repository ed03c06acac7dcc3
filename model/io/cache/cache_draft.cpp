// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/cache/cache_draft.h"

#include "model/base/assert.h"
#include "model/io/cache/cache_schema.h"
#include "model/io/hdf5/hdf5_writer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace headscope
{

static_assert(std::endian::native == std::endian::little, "rows are written as they lie in memory");

CacheDraft::CacheDraft(OutputFile output, std::vector<VectorsInfo> vectors, std::vector<std::uint64_t> offsets)
    : m_output(std::move(output)), m_vectors(std::move(vectors)), m_offsets(std::move(offsets))
{}

Result<CacheDraft> CacheDraft::create(const std::filesystem::path& target, const std::vector<VectorsInfo>& vectors)
{
    HEADSCOPE_TRY(OutputFile output, OutputFile::create(target));
    return makeRoom(std::move(output), vectors);
}

Result<CacheDraft> CacheDraft::createAt(const std::filesystem::path& target, const std::filesystem::path& part,
                                        const std::vector<VectorsInfo>& vectors)
{
    HEADSCOPE_TRY(OutputFile output, OutputFile::createAt(target, part));
    return makeRoom(std::move(output), vectors);
}

Result<CacheDraft> CacheDraft::makeRoom(OutputFile output, const std::vector<VectorsInfo>& vectors)
{
    HEADSCOPE_TRY(Hdf5Writer file, Hdf5Writer::create(std::move(output)));
    std::vector<std::uint64_t> offsets;
    for (const VectorsInfo& each : vectors)
    {
        const auto shape = schema::vectorsShape(each.stage, each.documents, each.heads, each.dims);
        HEADSCOPE_TRY(const std::uint64_t offset,
                      file.reserveDataset(schema::vectorsPath(each.layer, each.stage), shape, each.type));
        offsets.push_back(offset);
    }
    HEADSCOPE_TRY(OutputFile closed, file.handOver());
    return CacheDraft(std::move(closed), vectors, std::move(offsets));
}

Status CacheDraft::writeRows(LayerIndex layer, Stage stage, std::int64_t begin, std::int64_t count,
                             std::span<const std::byte> raw)
{
    const auto found = std::find_if(m_vectors.begin(), m_vectors.end(), [&](const VectorsInfo& each) {
        return each.layer == layer && each.stage == stage;
    });
    const auto wrong = [this] {
        return Error{ErrorCode::ShapeMismatch,
                     "expected rows that fit the documents and sizes of the cache, found rows that do not",
                     m_output.target().string(),
                     {}};
    };
    HEADSCOPE_EXPECT(found != m_vectors.end(), return wrong());
    const auto rowBytes = static_cast<std::uint64_t>(found->heads * found->dims) * numberBytes(found->type);
    // What lies beside the dataset is not ours: nothing may be written there.
    HEADSCOPE_EXPECT(begin >= 0 && count >= 0 && begin <= found->documents - count, return wrong());
    HEADSCOPE_EXPECT(raw.size() == static_cast<std::uint64_t>(count) * rowBytes, return wrong());
    const std::uint64_t offset = m_offsets[static_cast<std::size_t>(found - m_vectors.begin())];
    return m_output.writeAt(offset + static_cast<std::uint64_t>(begin) * rowBytes, raw);
}

} // namespace headscope
