// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/attention_runs.h"

#include <algorithm>
#include <cmath>

namespace headscope::test
{
namespace
{

/// A number in -1 .. 1 that depends on its place alone.
float noise(std::int64_t stream, std::int64_t place)
{
    auto x = static_cast<std::uint64_t>(stream) * 0x9E3779B97F4A7C15ULL + static_cast<std::uint64_t>(place) + 1;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return static_cast<float>(static_cast<double>((x ^ (x >> 31)) >> 11) * 0x1.0p-52 - 1.0);
}

/// How much a head of this kind wants to read `key` from `query`.
double wish(std::int64_t kind, std::int64_t query, std::int64_t key)
{
    const double near = -0.6 * std::abs(static_cast<double>(query - key));
    switch (kind)
    {
    case 0: // rests on the first token
        return key == 0 ? 3.5 : near;
    case 1: // reads the token before
        return key == query - 1 ? 4 : key == 0 ? 1.5 : 0;
    case 2: // all alike
        return 0;
    default: // every fourth token
        return (key % 4 == query % 4 ? 2.2 : 0) + 0.5 * near;
    }
}

void softmaxRow(MatrixF& rows, const std::vector<double>& scores, std::int64_t query, std::int64_t end)
{
    double most = scores[0];
    for (std::int64_t key = 0; key < end; ++key)
        most = std::max(most, scores[static_cast<std::size_t>(key)]);
    double sum = 0;
    for (std::int64_t key = 0; key < end; ++key)
        sum += std::exp(scores[static_cast<std::size_t>(key)] - most);
    for (std::int64_t key = 0; key < end; ++key)
        rows(query, key) = static_cast<float>(std::exp(scores[static_cast<std::size_t>(key)] - most) / sum);
}

MatrixF randomMatrix(std::int64_t rows, std::int64_t cols, std::int64_t stream, float scale)
{
    MatrixF matrix(rows, cols);
    for (std::size_t i = 0; i < matrix.values().size(); ++i)
        matrix.values()[i] = scale * noise(stream, static_cast<std::int64_t>(i));
    return matrix;
}

/// Weights of a head from queries and keys, and its outputs.
MatrixF attend(LayerVectors& vectors, const AttentionRunShape& shape, std::int64_t head)
{
    const std::int64_t group = head / (shape.heads / shape.kvHeads);
    MatrixF rows(shape.tokens, shape.tokens);
    std::vector<double> scores(static_cast<std::size_t>(shape.tokens));
    for (std::int64_t query = 0; query < shape.tokens; ++query)
    {
        const std::int64_t end = shape.causal ? query + 1 : shape.tokens;
        for (std::int64_t key = 0; key < end; ++key)
        {
            double sum = 0;
            for (std::int64_t i = 0; i < shape.headDim; ++i)
                sum += static_cast<double>(vectors.q(query, head * shape.headDim + i)) *
                       static_cast<double>(vectors.k(key, group * shape.headDim + i));
            scores[static_cast<std::size_t>(key)] = sum / std::sqrt(static_cast<double>(shape.headDim));
        }
        softmaxRow(rows, scores, query, end);
        for (std::int64_t i = 0; i < shape.headDim; ++i)
        {
            double sum = 0;
            for (std::int64_t key = 0; key < end; ++key)
                sum += static_cast<double>(rows(query, key)) *
                       static_cast<double>(vectors.v(key, group * shape.headDim + i));
            vectors.z(query, head * shape.headDim + i) = static_cast<float>(sum);
        }
    }
    return rows;
}

/// The thumbnail of a head: means of what the head may see.
void addThumbnail(AttentionRun& run, const MatrixF& rows, std::int64_t place, bool causal)
{
    const std::int64_t side = run.thumbnailSide;
    const std::int64_t count = rows.rows();
    for (std::int64_t y = 0; y < side; ++y)
        for (std::int64_t x = 0; x < side; ++x)
        {
            double sum = 0;
            std::int64_t seen = 0;
            for (std::int64_t query = y * count / side; query < (y + 1) * count / side; ++query)
                for (std::int64_t key = x * count / side; key < (x + 1) * count / side; ++key)
                    if (!causal || key <= query)
                    {
                        sum += static_cast<double>(rows(query, key));
                        ++seen;
                    }
            run.thumbnails(place, y * side + x) = seen > 0 ? static_cast<float>(sum / static_cast<double>(seen)) : 0.0F;
        }
}

void addStatistics(AttentionRun& run, const MatrixF& rows, std::int64_t layer, std::int64_t head)
{
    double first = 0;
    double previous = 0;
    double entropy = 0;
    for (std::int64_t query = 0; query < rows.rows(); ++query)
    {
        if (query > 0)
        {
            first += static_cast<double>(rows(query, 0));
            previous += static_cast<double>(rows(query, query - 1));
        }
        for (const float weight : rows.row(query))
            entropy -= weight > 0 ? static_cast<double>(weight) * std::log(static_cast<double>(weight)) : 0;
    }
    const auto after = static_cast<double>(std::max<std::int64_t>(1, rows.rows() - 1));
    const bool any = rows.rows() > 1;
    run.statistics.at("first_token")(layer, head) = any ? first / after : std::nan("");
    run.statistics.at("previous_token")(layer, head) = any ? previous / after : std::nan("");
    run.statistics.at("entropy")(layer, head) = entropy / static_cast<double>(rows.rows());
    run.statistics.at("induction")(layer, head) = std::nan("");
}

} // namespace

MatrixF attentionPattern(const AttentionRunShape& shape, std::int64_t layer, std::int64_t head)
{
    MatrixF rows(shape.tokens, shape.tokens);
    std::vector<double> scores(static_cast<std::size_t>(shape.tokens));
    for (std::int64_t query = 0; query < shape.tokens; ++query)
    {
        const std::int64_t end = shape.causal ? query + 1 : shape.tokens;
        for (std::int64_t key = 0; key < end; ++key)
            scores[static_cast<std::size_t>(key)] =
                wish((layer + head) % 4, query, key) +
                static_cast<double>(noise(layer * 97 + head, query * shape.tokens + key));
        softmaxRow(rows, scores, query, end);
    }
    return rows;
}

std::shared_ptr<AttentionRun> makeAttentionRun(const AttentionRunShape& shape)
{
    static const std::vector<std::string> kWords = {"The",   " queries", " of",        " one",    " group", " read",
                                                    " the",  " same",    " keys",      ",",       " but",   " they",
                                                    " look", " for",     " different", " things", "."};
    auto run = std::make_shared<AttentionRun>();
    run->origin.hash = "run of " + std::to_string(shape.tokens);
    run->model.name = "made-up model";
    run->model.layers = shape.layers;
    run->model.heads = shape.heads;
    run->model.kvHeads = shape.kvHeads;
    run->model.headDim = shape.headDim;
    run->model.modelDim = shape.heads * shape.headDim;
    run->causal = shape.causal;
    run->seconds = 0.21;
    for (std::int64_t token = 0; token < shape.tokens; ++token)
    {
        run->ids.push_back(static_cast<std::int32_t>(token));
        run->tokens.push_back(kWords[static_cast<std::size_t>(token) % kWords.size()]);
        run->text += run->tokens.back();
    }
    run->thumbnailSide = std::min(shape.tokens, shape.thumbnailSide);
    run->thumbnails = MatrixF(shape.layers * shape.heads, run->thumbnailSide * run->thumbnailSide);
    for (const char* name : {"first_token", "previous_token", "entropy", "induction"})
        run->statistics.emplace(name, MatrixD(shape.layers, shape.heads));
    for (std::int64_t layer = 0; layer < shape.layers; ++layer)
    {
        run->layers.emplace_back(layer);
        std::shared_ptr<LayerVectors> vectors;
        if (std::find(shape.vectorLayers.begin(), shape.vectorLayers.end(), layer) != shape.vectorLayers.end())
        {
            vectors = std::make_shared<LayerVectors>();
            vectors->layer = LayerIndex(layer);
            vectors->q = randomMatrix(shape.tokens, shape.heads * shape.headDim, layer * 5 + 1, 2.5F);
            vectors->k = randomMatrix(shape.tokens, shape.kvHeads * shape.headDim, layer * 5 + 2, 2.5F);
            vectors->v = randomMatrix(shape.tokens, shape.kvHeads * shape.headDim, layer * 5 + 3, 1.0F);
            vectors->z = MatrixF(shape.tokens, shape.heads * shape.headDim);
        }
        for (std::int64_t head = 0; head < shape.heads; ++head)
        {
            const std::int64_t place = layer * shape.heads + head;
            auto rows = std::make_shared<const MatrixF>(vectors != nullptr ? attend(*vectors, shape, head)
                                                                           : attentionPattern(shape, layer, head));
            addThumbnail(*run, *rows, place, shape.causal);
            addStatistics(*run, *rows, layer, head);
            if (shape.held.empty() || std::find(shape.held.begin(), shape.held.end(), place) != shape.held.end())
                run->weights.push_back({LayerIndex(layer), HeadIndex(head), std::move(rows)});
        }
        if (vectors != nullptr)
            run->vectors.push_back(std::move(vectors));
    }
    return run;
}

} // namespace headscope::test
