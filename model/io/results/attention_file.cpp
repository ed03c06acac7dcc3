// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/attention_file.h"

#include "model/base/assert.h"
#include "model/data/application_name.h"
#include "model/io/hdf5/hdf5_writer.h"

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

std::uint64_t bytesOf(const AttentionBlock& block)
{
    return std::accumulate(
        block.shape.begin(), block.shape.end(), std::uint64_t{sizeof(float)},
        [](std::uint64_t size, std::int64_t extent) { return size * static_cast<std::uint64_t>(extent); });
}

std::string pathOf(const AttentionBlock& block)
{
    return (block.name == kWeights ? "/attention/" : "/qkv/") + block.name;
}

Status writeOrigin(Hdf5Writer& file, const AttentionShapes& shapes, const AttentionOrigin& origin)
{
    const std::array tokens = {shapes.tokens};
    const std::array layers = {std::ssize(shapes.layers)};
    const std::vector<std::int32_t> numbers(shapes.layers.begin(), shapes.layers.end());
    HEADSCOPE_CHECK(file.write("/attention/layers", layers, NumberType::I32, std::as_bytes(std::span(numbers))));
    if (origin.documents > 0)
        HEADSCOPE_CHECK(file.setAttribute("/attention", "documents", origin.documents));
    else
    {
        HEADSCOPE_CHECK(file.write("/attention/ids", tokens, NumberType::I32, std::as_bytes(std::span(origin.ids))));
        HEADSCOPE_CHECK(file.writeStrings("/attention/tokens", origin.tokens));
    }
    const std::pair<const char*, std::string> texts[] = {{"application", "Headscope " HEADSCOPE_VERSION},
                                                         {"command", origin.command},
                                                         {"tokenizer_sha256", origin.tokenizerSha256}};
    for (const auto& [name, value] : texts)
        HEADSCOPE_CHECK(file.setAttribute("/", name, value));
    HEADSCOPE_CHECK(file.makeGroup("/model/sha256"));
    HEADSCOPE_CHECK(file.setAttribute("/model", "name", origin.model.name));
    for (const auto& [name, digest] : origin.model.sha256)
        HEADSCOPE_CHECK(file.setAttribute("/model/sha256", name, digest));
    HEADSCOPE_CHECK(file.setAttribute("/attention", "causal", std::int64_t{origin.causal ? 1 : 0}));
    HEADSCOPE_CHECK(file.setAttribute("/attention", "kv_heads", shapes.kvHeads));
    if (!shapes.vectorLayer)
        return {};
    HEADSCOPE_CHECK(file.makeGroup("/qkv"));
    return file.setAttribute("/qkv", "layer", *shapes.vectorLayer);
}

} // namespace

std::uint64_t AttentionShapes::bytes() const
{
    const auto product = [](std::initializer_list<std::int64_t> extents) {
        return std::accumulate(extents.begin(), extents.end(), std::uint64_t{sizeof(float)},
                               [](std::uint64_t size, std::int64_t n) { return size * static_cast<std::uint64_t>(n); });
    };
    return (weights ? product({std::ssize(layers), heads, tokens, tokens}) : 0) +
           (vectorLayer ? product({2 * (heads + kvHeads), tokens, headDim}) : 0);
}

std::vector<AttentionBlock> AttentionFile::blocksOf(const AttentionShapes& shapes)
{
    std::vector<AttentionBlock> blocks;
    if (shapes.weights)
        blocks.push_back({kWeights, {std::ssize(shapes.layers), shapes.heads, shapes.tokens, shapes.tokens}, 0});
    if (shapes.vectorLayer)
        for (const auto& [name, heads] : {std::pair("q", shapes.heads), std::pair("k", shapes.kvHeads),
                                          std::pair("v", shapes.kvHeads), std::pair("z", shapes.heads)})
            blocks.push_back({name, {heads, shapes.tokens, shapes.headDim}, 0});
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

Status AttentionFile::addRows(LayerIndex layer, HeadIndex head, TokenIndex first, ConstMatrixView rows)
{
    const auto place = std::ranges::find(m_shapes.layers, layer.value());
    const AttentionBlock* const weights = block(kWeights);
    const auto wrong = [this] {
        return Error{ErrorCode::ShapeMismatch,
                     "expected rows that the file has room for, found others",
                     m_output.target().string(),
                     {}};
    };
    // What lies beside the array is not ours: nothing may be written there.
    HEADSCOPE_EXPECT(weights != nullptr && place != m_shapes.layers.end() && rows.cols() == m_shapes.tokens &&
                         rows.contiguous() && head.value() >= 0 && head.value() < m_shapes.heads &&
                         first.value() >= 0 && first.value() + rows.rows() <= m_shapes.tokens,
                     return wrong());
    const std::int64_t row =
        ((place - m_shapes.layers.begin()) * m_shapes.heads + head.value()) * m_shapes.tokens + first.value();
    const std::span numbers(rows.data(), static_cast<std::size_t>(rows.rows() * rows.cols()));
    return m_output.writeAt(weights->offset + static_cast<std::uint64_t>(row * m_shapes.tokens) * sizeof(float),
                            std::as_bytes(numbers));
}

Status AttentionFile::addVectors(const std::string& name, ConstMatrixView vectors)
{
    const AttentionBlock* const place = block(name);
    HEADSCOPE_EXPECT(place != nullptr && vectors.rows() == m_shapes.tokens &&
                         vectors.cols() == place->shape[0] * m_shapes.headDim,
                     return Error(ErrorCode::ShapeMismatch, "expected vectors that the file has room for, found others",
                                  m_output.target().string(), name));
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
    return file.publish();
}

} // namespace headscope
