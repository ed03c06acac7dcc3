// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/attention/attention_file.h"

#include "model/base/assert.h"
#include "model/io/frames/frame_file.h"
#include "model/io/records/record_hdf5.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <numeric>
#include <span>

namespace headscope
{
namespace
{

static_assert(std::endian::native == std::endian::little, "rows are written as they lie in memory");

constexpr const char* kWeights = "weights";
constexpr const char* kThumbnails = "thumbnails";
constexpr const char* kBias = "bias";

std::uint64_t bytesOf(const AttentionBlock& block)
{
    return std::accumulate(
        block.shape.begin(), block.shape.end(), std::uint64_t{sizeof(float)},
        [](std::uint64_t size, std::int64_t extent) { return size * static_cast<std::uint64_t>(extent); });
}

std::string pathOf(const AttentionBlock& block)
{
    return (block.name == kWeights || block.name == kThumbnails ? "/attention/" : "/qkv/") + block.name;
}

Status writeNumbers(Hdf5Writer& file, const char* dataset, std::span<const std::int64_t> values)
{
    const std::array shape = {std::ssize(values)};
    const std::vector<std::int32_t> numbers(values.begin(), values.end());
    return file.write(dataset, shape, NumberType::I32, std::as_bytes(std::span(numbers)));
}

Status writeOrigin(Hdf5Writer& file, const AttentionShapes& shapes, const AttentionOrigin& origin)
{
    HEADSCOPE_CHECK(writeNumbers(file, "/attention/layers", shapes.layers));
    if (shapes.weights && !shapes.weightHeads.empty())
        HEADSCOPE_CHECK(writeNumbers(file, "/attention/heads", shapes.weightHeads));
    if (origin.documents > 0)
        HEADSCOPE_CHECK(writeFacts(file, "/attention", {{"documents", origin.documents}}));
    else
    {
        const std::array tokens = {shapes.tokens};
        HEADSCOPE_CHECK(file.write("/attention/ids", tokens, NumberType::I32, std::as_bytes(std::span(origin.ids))));
        HEADSCOPE_CHECK(file.writeStrings("/attention/tokens", origin.tokens));
        if (!origin.text.empty())
            HEADSCOPE_CHECK(file.writeStrings("/attention/text", std::array{origin.text}));
    }
    HEADSCOPE_CHECK(writeFormat(file, {"headscope-attention", 1, "the attention of a text"}));
    HEADSCOPE_CHECK(writeFacts(file, "/", {{"command", origin.command}, {"tokenizer_sha256", origin.tokenizerSha256}}));
    ModelInfo model = origin.model;
    model.path.clear(); // where it lies is of no use elsewhere
    HEADSCOPE_CHECK(writeRecord(file, "/model", recordOf(model)));
    HEADSCOPE_CHECK(writeFacts(file, "/attention",
                               {{"causal", origin.causal},
                                {"kv_heads", shapes.kvHeads},
                                {"score_scalar", origin.scores.scalar},
                                {"softcap", origin.scores.softcap}}));
    if (!shapes.vectorLayer)
        return {};
    HEADSCOPE_CHECK(file.makeGroup("/qkv"));
    return writeFacts(file, "/qkv", {{"layer", *shapes.vectorLayer}});
}

} // namespace

std::uint64_t AttentionShapes::bytes() const
{
    const auto product = [](std::initializer_list<std::int64_t> extents) {
        return std::accumulate(extents.begin(), extents.end(), std::uint64_t{sizeof(float)},
                               [](std::uint64_t size, std::int64_t n) { return size * static_cast<std::uint64_t>(n); });
    };
    return (weights ? product({std::ssize(layers), headsWithWeights(), tokens, tokens}) : 0) +
           product({std::ssize(layers), heads, thumbnailSide, thumbnailSide}) +
           (vectorLayer ? product({2 * (heads + kvHeads), tokens, headDim}) + product({heads, distances}) : 0);
}

std::optional<std::int64_t> AttentionShapes::placeOf(HeadIndex head) const
{
    if (weightHeads.empty())
        return head.value();
    const auto found = std::ranges::lower_bound(weightHeads, head.value());
    if (found == weightHeads.end() || *found != head.value())
        return std::nullopt;
    return found - weightHeads.begin();
}

std::vector<AttentionBlock> AttentionFile::blocksOf(const AttentionShapes& shapes)
{
    std::vector<AttentionBlock> blocks;
    if (shapes.weights)
        blocks.push_back(
            {kWeights, {std::ssize(shapes.layers), shapes.headsWithWeights(), shapes.tokens, shapes.tokens}, 0});
    if (const std::int64_t side = shapes.thumbnailSide; side > 0)
        blocks.push_back({kThumbnails, {std::ssize(shapes.layers), shapes.heads, side, side}, 0});
    if (shapes.vectorLayer)
        for (const auto& [name, heads] : {std::pair("q", shapes.heads), std::pair("k", shapes.kvHeads),
                                          std::pair("v", shapes.kvHeads), std::pair("z", shapes.heads)})
            blocks.push_back({name, {heads, shapes.tokens, shapes.headDim}, 0});
    if (shapes.vectorLayer && shapes.distances > 0)
        blocks.push_back({kBias, {shapes.heads, shapes.distances}, 0});
    return blocks;
}

AttentionFile::AttentionFile(OutputFile output, AttentionShapes shapes, std::vector<AttentionBlock> blocks, bool plain)
    : m_output(std::move(output)), m_shapes(std::move(shapes)), m_blocks(std::move(blocks)), m_plain(plain)
{}

Result<AttentionFile> AttentionFile::create(const std::filesystem::path& target, AttentionShapes shapes,
                                            const AttentionOrigin& origin)
{
    HEADSCOPE_TRY(Hdf5Writer file, Hdf5Writer::create(target));
    HEADSCOPE_CHECK(writeOrigin(file, shapes, origin));
    auto blocks = blocksOf(shapes);
    for (AttentionBlock& each : blocks)
    {
        HEADSCOPE_TRY(each.offset, file.reserveDataset(pathOf(each), each.shape, NumberType::F32));
    }
    HEADSCOPE_TRY(OutputFile closed, file.handOver());
    return AttentionFile(std::move(closed), std::move(shapes), std::move(blocks), false);
}

Result<AttentionFile> AttentionFile::createPlain(const std::filesystem::path& target, AttentionShapes shapes)
{
    HEADSCOPE_TRY(OutputFile output, OutputFile::create(target));
    auto blocks = blocksOf(shapes);
    std::uint64_t offset = 0;
    for (AttentionBlock& each : blocks)
        offset = (each.offset = offset) + bytesOf(each);
    return AttentionFile(std::move(output), std::move(shapes), std::move(blocks), true);
}

const AttentionBlock* AttentionFile::block(const std::string& name) const
{
    const auto found =
        std::find_if(m_blocks.begin(), m_blocks.end(), [&](const AttentionBlock& each) { return each.name == name; });
    return found == m_blocks.end() ? nullptr : &*found;
}

std::optional<std::int64_t> AttentionFile::placeOf(LayerIndex layer) const
{
    const auto found = std::ranges::find(m_shapes.layers, layer.value());
    if (found == m_shapes.layers.end())
        return std::nullopt;
    return found - m_shapes.layers.begin();
}

Error AttentionFile::noRoom(const char* what, std::string place) const
{
    return {
        ErrorCode::ShapeMismatch,
        fmt::format(
            "expected {} of a layer, head and size that the file was created for, found another layer, head or size",
            what),
        m_output.target().string(), std::move(place)};
}

// What lies beside an array is not ours: nothing may be written there.

Status AttentionFile::addRows(LayerIndex layer, HeadIndex head, TokenIndex first, ConstMatrixView rows)
{
    const auto place = placeOf(layer);
    const AttentionBlock* const weights = block(kWeights);
    const bool known = head.value() >= 0 && head.value() < m_shapes.heads;
    const auto headPlace = known ? m_shapes.placeOf(head) : std::nullopt;
    HEADSCOPE_EXPECT(weights != nullptr && place && headPlace && rows.cols() == m_shapes.tokens && rows.contiguous() &&
                         first.value() >= 0 && first.value() + rows.rows() <= m_shapes.tokens,
                     return noRoom("rows", {}));
    const std::int64_t row = (*place * m_shapes.headsWithWeights() + *headPlace) * m_shapes.tokens + first.value();
    const std::span numbers(rows.data(), static_cast<std::size_t>(rows.rows() * rows.cols()));
    return m_output.writeAt(weights->offset + static_cast<std::uint64_t>(row * m_shapes.tokens) * sizeof(float),
                            std::as_bytes(numbers));
}

Status AttentionFile::addThumbnails(LayerIndex layer, ConstMatrixView thumbnails)
{
    const auto place = placeOf(layer);
    const AttentionBlock* const pictures = block(kThumbnails);
    HEADSCOPE_EXPECT(pictures != nullptr && place && thumbnails.rows() == m_shapes.heads && thumbnails.contiguous() &&
                         thumbnails.cols() == m_shapes.thumbnailSide * m_shapes.thumbnailSide,
                     return noRoom("thumbnails", {}));
    const std::span numbers(thumbnails.data(), static_cast<std::size_t>(thumbnails.rows() * thumbnails.cols()));
    return m_output.writeAt(pictures->offset + static_cast<std::uint64_t>(*place) * numbers.size_bytes(),
                            std::as_bytes(numbers));
}

Status AttentionFile::addVectors(const std::string& name, ConstMatrixView vectors)
{
    const AttentionBlock* const place = block(name);
    HEADSCOPE_EXPECT(place != nullptr && vectors.rows() == m_shapes.tokens &&
                         vectors.cols() == place->shape[0] * m_shapes.headDim,
                     return noRoom("vectors", name));
    const auto dims = static_cast<std::size_t>(m_shapes.headDim);
    std::vector<float> ofHead(static_cast<std::size_t>(m_shapes.tokens) * dims); // [T, Dh]
    for (std::int64_t head = 0; head < place->shape[0]; ++head)
    {
        for (std::int64_t t = 0; t < m_shapes.tokens; ++t)
            std::ranges::copy(vectors.row(t).subspan(static_cast<std::size_t>(head) * dims, dims),
                              ofHead.begin() + t * m_shapes.headDim);
        const auto bytes = std::as_bytes(std::span(ofHead));
        HEADSCOPE_CHECK(m_output.writeAt(place->offset + static_cast<std::uint64_t>(head) * bytes.size(), bytes));
    }
    return {};
}

Status AttentionFile::addDistanceBias(ConstMatrixView bias)
{
    const AttentionBlock* const place = block(kBias);
    HEADSCOPE_EXPECT(place != nullptr && bias.rows() == place->shape[0] && bias.cols() == place->shape[1] &&
                         bias.contiguous(),
                     return noRoom("a bias", kBias));
    const std::span numbers(bias.data(), static_cast<std::size_t>(bias.rows() * bias.cols()));
    return m_output.writeAt(place->offset, std::as_bytes(numbers));
}

Status AttentionFile::publish(const std::vector<AttentionTable>& tables, const std::vector<AttentionArray>& arrays)
{
    if (m_plain)
        return m_output.publish();
    HEADSCOPE_TRY(Hdf5Writer file, Hdf5Writer::goOn(std::move(m_output)));
    for (const AttentionTable& table : tables)
    {
        const std::array shape = {table.values.rows(), table.values.cols()};
        HEADSCOPE_CHECK(file.write("/statistics/" + table.name, shape, NumberType::F64,
                                   std::as_bytes(std::span(table.values.values()))));
    }
    for (const AttentionArray& each : arrays)
        HEADSCOPE_CHECK(file.write(each.path, each.shape, NumberType::F64, std::as_bytes(std::span(each.values))));
    return publishSealed(file);
}

} // namespace headscope
