// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/attention/attention_reader.h"

#include "model/base/utf8.h"
#include "model/io/records/record_hdf5.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace headscope
{
namespace
{

constexpr std::int64_t kMaxOfAnything = 1'000'000;
/// Of the text, and of its tokens: as long as a record of texts may be.
constexpr std::uint64_t kMostTextBytes = std::uint64_t{64} << 20;
constexpr std::int64_t kMaxSide = 512;
constexpr std::size_t kMaxStatistics = 64;
/// What a weight may be above 1, as float32 rounds.
constexpr float kMaxWeight = 1.001F;

/// Reads the parts of one file, each with its checks.
class AttentionParts
{
public:
    explicit AttentionParts(const Hdf5Reader& file) : m_file(file) {}

    Status readHeader();
    Status readModel();
    Status readTokens();
    Status readLayers();
    Status readWeights();
    Status readThumbnails();
    Status readStatistics();
    Status readVectors();
    [[nodiscard]] AttentionRun take() { return std::move(m_run); }

private:
    [[nodiscard]] Error bad(std::string place, std::string message) const
    {
        return {ErrorCode::BadFormat, std::move(message), m_file.path().string(), std::move(place)};
    }
    [[nodiscard]] std::int64_t heads() const { return m_run.model.heads; }
    [[nodiscard]] std::int64_t layerCount() const { return std::ssize(m_run.layers); }
    /// Whether a dataset has this shape.
    [[nodiscard]] Status expectShape(const std::string& dataset, const std::vector<std::int64_t>& shape) const;
    /// Ascending numbers from 0 up to below `end`.
    [[nodiscard]] Result<std::vector<std::int64_t>> ascending(const std::string& dataset, const char* what,
                                                              std::int64_t end) const;
    /// The same, of numbers that will be read, and that are not too many.
    [[nodiscard]] Status expectRoom(const std::string& dataset, const std::vector<std::int64_t>& shape);
    /// [shape] of finite numbers.
    [[nodiscard]] Result<std::vector<float>> finite(const std::string& dataset, const std::vector<std::int64_t>& shape);
    /// [shape] of numbers that may be weights.
    [[nodiscard]] Result<std::vector<float>> weights(const std::string& dataset,
                                                     const std::vector<std::int64_t>& shape);
    [[nodiscard]] Result<MatrixF> vectorsOf(const char* name, std::int64_t count, std::int64_t dims);

    const Hdf5Reader& m_file;
    AttentionRun m_run;
    double m_bytes = 0; ///< of what was read so far
    std::vector<HeadIndex> m_weightHeads;
};

Status AttentionParts::expectShape(const std::string& dataset, const std::vector<std::int64_t>& shape) const
{
    HEADSCOPE_TRY(const DatasetInfo info, m_file.describe(dataset));
    if (!info.number || info.shape != shape)
        return bad(dataset, fmt::format("expected numbers [{}], found {}", fmt::join(shape, ", "), info.describe()));
    return {};
}

Result<std::vector<std::int64_t>> AttentionParts::ascending(const std::string& dataset, const char* what,
                                                            std::int64_t end) const
{
    HEADSCOPE_TRY(const DatasetInfo info, m_file.describe(dataset));
    if (!info.number || info.shape.size() != 1 || info.rows() < 1 || info.rows() > end)
        return bad(dataset, fmt::format("expected 1 to {} {}, found {}", end, what, info.describe()));
    HEADSCOPE_TRY(auto numbers, readNumbers<std::int64_t>(m_file, dataset));
    for (std::size_t i = 0; i < numbers.size(); ++i)
        if (numbers[i] < 0 || numbers[i] >= end || (i > 0 && numbers[i] <= numbers[i - 1]))
            return bad(dataset, fmt::format("expected {} from 0 to {}, ascending, found {} at position {}", what,
                                            end - 1, numbers[i], i));
    return numbers;
}

Status AttentionParts::expectRoom(const std::string& dataset, const std::vector<std::int64_t>& shape)
{
    HEADSCOPE_CHECK(expectShape(dataset, shape));
    double size = sizeof(float); // exact far beyond the limit
    for (const std::int64_t extent : shape)
        size *= static_cast<double>(extent);
    m_bytes += size;
    if (m_bytes > static_cast<double>(kMaxAttentionBytes))
        return Error{ErrorCode::Unsupported,
                     fmt::format("expected at most {} MiB of weights and vectors, found more; use fewer layers or "
                                 "heads (--layers, --heads), or --no-weights with --thumbnails",
                                 kMaxAttentionBytes >> 20),
                     m_file.path().string(), dataset};
    return {};
}

Result<std::vector<float>> AttentionParts::finite(const std::string& dataset, const std::vector<std::int64_t>& shape)
{
    HEADSCOPE_CHECK(expectRoom(dataset, shape));
    HEADSCOPE_TRY(auto numbers, readNumbers<float>(m_file, dataset));
    const auto wrong = std::ranges::find_if(numbers, [](float value) { return !std::isfinite(value); });
    if (wrong != numbers.end())
        return bad(dataset,
                   fmt::format("expected finite numbers, found {} at position {}", *wrong, wrong - numbers.begin()));
    return numbers;
}

Result<std::vector<float>> AttentionParts::weights(const std::string& dataset, const std::vector<std::int64_t>& shape)
{
    HEADSCOPE_CHECK(expectRoom(dataset, shape));
    HEADSCOPE_TRY(auto numbers, readNumbers<float>(m_file, dataset));
    const auto wrong = std::ranges::find_if(numbers, [](float value) { return !(value >= 0 && value <= kMaxWeight); });
    if (wrong != numbers.end())
        return bad(dataset, fmt::format("expected weights from 0 to 1, found {} at position {}", *wrong,
                                        wrong - numbers.begin()));
    return numbers;
}

Status AttentionParts::readHeader()
{
    if (!m_file.isDataset("/attention/layers"))
        return bad("/attention/layers", "the layers are missing: this is not an attention file");
    if (const auto version = m_file.integerAttribute("/", "version"); version && *version > 1)
        return Error{ErrorCode::Unsupported,
                     fmt::format("expected version 1, found {}: a newer Headscope wrote it", *version),
                     m_file.path().string(), "/@version"};
    if (const auto documents = m_file.integerAttribute("/attention", "documents"))
        return Error{ErrorCode::Unsupported,
                     fmt::format("expected the attention of one text, found statistics over {} documents", *documents),
                     m_file.path().string(), "/attention"};
    m_run.maker = AttentionMaker::Stored;
    m_run.causal = m_file.integerAttribute("/attention", "causal").value_or(1) != 0;
    m_run.scores = {m_file.numberAttribute("/attention", "score_scalar").value_or(0),
                    m_file.numberAttribute("/attention", "softcap").value_or(0)};
    return {};
}

Status AttentionParts::readModel()
{
    ModelInfo& model = m_run.model;
    HEADSCOPE_CHECK(readRecord(m_file, "/model", recordOf(model)));
    if (auto checked = checkHeads(model); !checked)
        return std::move(checked).error().inFile(m_file.path().string()).atPlace("/model@kv_heads");
    for (const std::string* each :
         {&model.name, &model.family, &model.changes.ablated, &model.changes.ablation, &model.changes.reference})
        if (!isValidUtf8(*each))
            return bad("/model", "expected texts in UTF-8, found other bytes");
    return {};
}

Status AttentionParts::readTokens()
{
    HEADSCOPE_TRY(const DatasetInfo info, m_file.describe("/attention/ids"));
    if (!info.number || info.shape.size() != 1 || info.rows() < 1 || info.rows() > kMaxOfAnything)
        return bad("/attention/ids",
                   fmt::format("expected 1 to {} token ids, found {}", kMaxOfAnything, info.describe()));
    HEADSCOPE_TRY(m_run.ids, readNumbers<std::int32_t>(m_file, "/attention/ids"));
    HEADSCOPE_TRY(const DatasetInfo tokens, m_file.describe("/attention/tokens"));
    if (!tokens.text || tokens.shape != info.shape)
        return bad("/attention/tokens",
                   fmt::format("expected the texts of {} tokens, found {}", info.rows(), tokens.describe()));
    HEADSCOPE_TRY(m_run.tokens, m_file.readStrings("/attention/tokens", 0, info.rows(), kMostTextBytes));
    const auto wrong = std::ranges::find_if_not(m_run.tokens, [](const auto& token) { return isValidUtf8(token); });
    if (wrong != m_run.tokens.end())
        return bad("/attention/tokens",
                   fmt::format("expected UTF-8, found other bytes in token {}", wrong - m_run.tokens.begin()));
    if (!m_file.isDataset("/attention/text"))
    {
        m_run.text = std::accumulate(m_run.tokens.begin(), m_run.tokens.end(), std::string());
        return {};
    }
    HEADSCOPE_TRY(const DatasetInfo text, m_file.describe("/attention/text"));
    if (!text.text || text.shape != std::vector<std::int64_t>{1})
        return bad("/attention/text", fmt::format("expected one text, found {}", text.describe()));
    HEADSCOPE_TRY(const auto texts, m_file.readStrings("/attention/text", 0, 1, kMostTextBytes));
    if (!isValidUtf8(texts.front()))
        return bad("/attention/text", "expected UTF-8, found other bytes");
    m_run.text = texts.front();
    return {};
}

Status AttentionParts::readLayers()
{
    HEADSCOPE_TRY(const auto layers, ascending("/attention/layers", "layers", m_run.model.layers));
    if (std::ssize(layers) > kMaxOfAnything / heads())
        return bad("/attention/layers",
                   fmt::format("expected at most {} heads in all layers, found {} layers of {} heads", kMaxOfAnything,
                               layers.size(), heads()));
    for (const std::int64_t layer : layers)
        m_run.layers.emplace_back(layer);
    m_run.origin = attentionOrigin(m_run.model, m_run.ids);
    return {};
}

Status AttentionParts::readWeights()
{
    if (!m_file.isDataset("/attention/weights"))
        return {};
    std::vector<std::int64_t> chosen(static_cast<std::size_t>(heads()));
    std::iota(chosen.begin(), chosen.end(), std::int64_t{0});
    if (m_file.isDataset("/attention/heads"))
    {
        HEADSCOPE_TRY(chosen, ascending("/attention/heads", "heads", heads()));
    }
    const std::int64_t tokens = m_run.tokenCount();
    HEADSCOPE_TRY(const auto numbers,
                  weights("/attention/weights", {layerCount(), std::ssize(chosen), tokens, tokens}));
    const auto size = static_cast<std::ptrdiff_t>(tokens * tokens);
    auto from = numbers.begin();
    for (const LayerIndex layer : m_run.layers)
        for (const std::int64_t head : chosen)
        {
            auto rows = std::make_shared<const MatrixF>(tokens, tokens, std::vector<float>(from, from + size));
            m_run.weights.push_back({layer, HeadIndex(head), std::move(rows)});
            from += size;
        }
    for (const std::int64_t head : chosen)
        m_weightHeads.emplace_back(head);
    return {};
}

Status AttentionParts::readThumbnails()
{
    const std::int64_t pictures = layerCount() * heads();
    if (m_file.isDataset("/attention/thumbnails"))
    {
        HEADSCOPE_TRY(const DatasetInfo info, m_file.describe("/attention/thumbnails"));
        const std::int64_t side = info.shape.empty() ? 0 : info.shape.back();
        if (side < 1 || side > std::min(kMaxSide, m_run.tokenCount()))
            return bad("/attention/thumbnails", fmt::format("expected thumbnails of 1 to {} pixels a side, found {}",
                                                            std::min(kMaxSide, m_run.tokenCount()), info.describe()));
        HEADSCOPE_TRY(auto numbers, weights("/attention/thumbnails", {layerCount(), heads(), side, side}));
        m_run.thumbnailSide = side;
        m_run.thumbnails = MatrixF(pictures, side * side, std::move(numbers));
        return {};
    }
    const std::int64_t side = m_run.tokenCount();
    if (std::ssize(m_weightHeads) != heads() || side > kMaxSide)
        return bad("/attention/thumbnails",
                   fmt::format("expected thumbnails of all heads (--thumbnails), or the weights of all heads of a text "
                               "of at most {} tokens, found neither",
                               kMaxSide));
    m_run.thumbnailSide = side;
    m_run.thumbnails = MatrixF(pictures, side * side);
    for (std::int64_t at = 0; at < pictures; ++at) // in the order of the pictures
        std::ranges::copy(m_run.weights[static_cast<std::size_t>(at)].rows->values(), m_run.thumbnails.row(at).begin());
    return {};
}

Status AttentionParts::readStatistics()
{
    const auto names = m_file.names("/statistics");
    if (names.size() > kMaxStatistics)
        return bad("/statistics",
                   fmt::format("expected at most {} statistics, found {}", kMaxStatistics, names.size()));
    for (const std::string& name : names)
    {
        const std::string dataset = "/statistics/" + name;
        if (!isValidUtf8(name))
            return bad("/statistics", "expected names in UTF-8, found other bytes");
        HEADSCOPE_CHECK(expectShape(dataset, {layerCount(), heads()}));
        HEADSCOPE_TRY(auto values, readNumbers<double>(m_file, dataset));
        if (std::ranges::any_of(values, [](double value) { return std::isinf(value); }))
            return bad(dataset, "expected numbers, or NaN for missing values, found infinity");
        m_run.statistics[name] = MatrixD(layerCount(), heads(), std::move(values));
    }
    return {};
}

/// [count, T, Dh] in the file, [T, count Dh] here.
Result<MatrixF> AttentionParts::vectorsOf(const char* name, std::int64_t count, std::int64_t dims)
{
    const std::int64_t tokens = m_run.tokenCount();
    HEADSCOPE_TRY(const auto numbers, finite(fmt::format("/qkv/{}", name), {count, tokens, dims}));
    MatrixF vectors(tokens, count * dims);
    auto from = numbers.begin();
    for (std::int64_t head = 0; head < count; ++head)
        for (std::int64_t token = 0; token < tokens; ++token, from += dims)
            std::copy(from, from + dims, vectors.row(token).begin() + head * dims);
    return vectors;
}

Status AttentionParts::readVectors()
{
    if (!m_file.has("/qkv"))
        return {};
    const std::int64_t layer = m_file.integerAttribute("/qkv", "layer").value_or(-1);
    if (layer < 0 || layer >= m_run.model.layers)
        return bad("/qkv@layer", fmt::format("expected a layer from 0 to {}, found {}", m_run.model.layers - 1,
                                             layer < 0 ? "none" : std::to_string(layer)));
    HEADSCOPE_TRY(const DatasetInfo info, m_file.describe("/qkv/q"));
    const std::int64_t dims = info.shape.empty() ? 0 : info.shape.back();
    if (dims < 1 || dims > kMaxOfAnything || (m_run.model.headDim > 0 && dims != m_run.model.headDim))
        return bad("/qkv/q", m_run.model.headDim > 0
                                 ? fmt::format("expected vectors of the head dimension {}, found {}",
                                               m_run.model.headDim, info.describe())
                                 : fmt::format("expected vectors, found {}", info.describe()));
    m_run.model.headDim = dims;
    auto vectors = std::make_shared<LayerVectors>();
    vectors->layer = LayerIndex(layer);
    HEADSCOPE_TRY(vectors->q, vectorsOf("q", heads(), dims));
    HEADSCOPE_TRY(vectors->k, vectorsOf("k", m_run.model.kvHeads, dims));
    HEADSCOPE_TRY(vectors->v, vectorsOf("v", m_run.model.kvHeads, dims));
    HEADSCOPE_TRY(vectors->z, vectorsOf("z", heads(), dims));
    if (m_file.isDataset("/qkv/bias"))
    {
        HEADSCOPE_TRY(const DatasetInfo bias, m_file.describe("/qkv/bias"));
        const std::int64_t distances = bias.shape.size() == 2 ? bias.shape[1] : 0;
        if (distances % 2 != 1 || distances > kMaxOfAnything)
            return bad("/qkv/bias",
                       fmt::format("expected a column for every distance from -D to D, found {}", bias.describe()));
        HEADSCOPE_TRY(auto numbers, finite("/qkv/bias", {heads(), distances}));
        vectors->bias = MatrixF(heads(), distances, std::move(numbers));
    }
    m_run.vectors.push_back(std::move(vectors));
    return {};
}

} // namespace

Result<AttentionRun> readAttentionRun(const std::filesystem::path& path, JobContext& job)
{
    HEADSCOPE_TRY(const Hdf5Reader file, Hdf5Reader::open(path, job));
    AttentionParts parts(file);
    HEADSCOPE_CHECK(parts.readHeader());
    HEADSCOPE_CHECK(parts.readModel());
    HEADSCOPE_CHECK(parts.readTokens());
    HEADSCOPE_CHECK(parts.readLayers());
    HEADSCOPE_CHECK(job.checkStop());
    HEADSCOPE_CHECK(parts.readWeights());
    HEADSCOPE_CHECK(job.checkStop());
    HEADSCOPE_CHECK(parts.readThumbnails());
    HEADSCOPE_CHECK(parts.readStatistics());
    HEADSCOPE_CHECK(parts.readVectors());
    return parts.take();
}

} // namespace headscope
