// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/circuits/composition.h"

#include "model/analysis/circuits/head_factors.h"
#include "model/base/assert.h"
#include "model/base/parallel.h"
#include "model/kernels/gemm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope
{
namespace
{

/// Rows of a head.
ConstMatrixView rowsOf(ConstMatrixView all, std::int64_t head, std::int64_t headDim)
{
    return {all.data() + head * headDim * all.stride(), headDim, all.cols(), all.stride()};
}

constexpr std::int64_t kDirections = 3; ///< of a head

constexpr std::size_t indexOf(CompositionKind kind)
{
    return static_cast<std::size_t>(kind);
}

bool isTurned(const std::vector<double>& direction)
{
    const auto size = [](double value) { return std::abs(value); };
    return *std::ranges::max_element(direction, {}, size) < 0;
}

/// A copy of rows times the gain of their input, and of each row's own.
MatrixF folded(ConstMatrixView weights, std::span<const float> inputGain, const std::vector<double>& rowGain)
{
    MatrixF out(weights.rows(), weights.cols());
    const auto dims = static_cast<std::int64_t>(rowGain.size());
    for (std::int64_t row = 0; row < out.rows(); ++row)
    {
        const double own = dims == 0 ? 1 : rowGain[static_cast<std::size_t>(row % dims)];
        const auto from = weights.row(row);
        const auto to = out.row(row);
        for (std::size_t i = 0; i < to.size(); ++i)
            to[i] = static_cast<float>(own * static_cast<double>(from[i]) *
                                       (inputGain.empty() ? 1 : static_cast<double>(inputGain[i])));
    }
    return out;
}

/// Gains of the norms of queries and keys, [Dh] or empty.
std::vector<double> keyGainOf(const CompositionLayer& layer)
{
    std::vector<double> gain;
    for (std::size_t d = 0; d < layer.queryNorm.size(); ++d)
        gain.push_back(static_cast<double>(layer.queryNorm[d]) * static_cast<double>(layer.keyNorm[d]));
    return gain;
}

/// The squares of a block's numbers.
double squaresOf(const float* first, std::int64_t rows, std::int64_t cols, std::int64_t stride)
{
    double sum = 0;
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t col = 0; col < cols; ++col)
        {
            const auto value = static_cast<double>(first[row * stride + col]);
            sum += value * value;
        }
    return sum;
}

double shareOf(double product, double first, double second)
{
    return first > 0 && second > 0 ? product / (first * second) : 0;
}

} // namespace

double CompositionOptions::bytes() const
{
    const auto width = static_cast<double>(heads * headDim);
    const auto both = static_cast<double>((heads + 2 * kvHeads) * headDim);
    const auto all = static_cast<double>(layers * heads);
    const double written = 4 * static_cast<double>(layers) * width * static_cast<double>(modelDim);
    const double left = 4 * 2 * both * static_cast<double>(modelDim);
    const double scores =
        8 * all * ((1 + kDirections) * all * static_cast<double>(kinds.size()) + 2 * static_cast<double>(headDim));
    const double directions = 4 * 3 * kDirections * all * static_cast<double>(modelDim);
    return written + left + scores + directions +
           4 * static_cast<double>(threads) * both * 4 * static_cast<double>(headDim);
}

/// What of the layer that is added all pairs with earlier heads share.
struct CompositionRun::Factors
{
    MatrixF left;                            ///< [(KV + KV + H) Dh, Dm] K, V and S_K Q, one below the other
    std::vector<std::vector<float>> queries; ///< [H][Dh, Dh] S_Q
    std::vector<std::vector<float>> outputs; ///< [H][Dh, Dh] S_O
    std::vector<double> readNorms;           ///< [H] of W_QK
    std::vector<double> moveNorms;           ///< [H] of W_OV
    /// [H] of each kind, Q first, the directions that a head reads; only of the later layer of a pair.
    std::vector<std::array<Directions, 3>> reads;

    void resize(std::size_t heads)
    {
        queries.resize(heads);
        outputs.resize(heads);
        readNorms.resize(heads);
        moveNorms.resize(heads);
        reads.resize(heads);
    }
};

/// Columns that an earlier layer wrote, of as many heads or directions, each `width` wide, and where their scores go.
struct CompositionRun::Columns
{
    const MatrixF& written;                     ///< [Dm, all of the layer's]
    std::int64_t first = 0;                     ///< column
    std::int64_t count = 0;                     ///< heads, or directions
    std::int64_t width = 0;                     ///< Dh, or 1
    std::int64_t firstScore = 0;                ///< row of the scores
    std::array<std::vector<double>, 3>& scores; ///< of each kind [rows, L H]
};

CompositionRun::CompositionRun(const CompositionOptions& options) : m_options(options)
{
    m_scores.layers = options.layers;
    m_scores.heads = options.heads;
    m_scores.kvHeads = options.kvHeads;
    m_scores.headDim = options.headDim;
    m_scores.baseline = 1 / std::sqrt(static_cast<double>(options.modelDim));
    const auto all = static_cast<std::size_t>(options.layers * options.heads);
    m_scores.modelDim = options.modelDim;
    m_scores.directions = std::min(kDirections, options.headDim);
    const std::size_t directions = all * static_cast<std::size_t>(m_scores.directions);
    for (const CompositionKind kind : options.kinds)
    {
        m_scores.scores[static_cast<std::size_t>(kind)].resize(all * all);
        m_scores.components[static_cast<std::size_t>(kind)].resize(directions * all);
    }
    m_scores.ovWrite.resize(directions * static_cast<std::size_t>(options.modelDim));
    m_scores.ovRead.resize(m_scores.ovWrite.size());
    m_scores.ovSingular.resize(all * static_cast<std::size_t>(options.headDim));
    m_scores.qkSingular.resize(m_scores.ovSingular.size());
    m_scores.pairLayers = options.pairLayers;
}

void CompositionRun::keepDirection(std::int64_t column, const std::vector<double>& write,
                                   const std::vector<double>& read)
{
    const double sign = isTurned(write) ? -1 : 1;
    MatrixF& directions = m_directions.back();
    const std::size_t row = static_cast<std::size_t>(m_layer * directions.cols() + column) * write.size();
    for (std::size_t d = 0; d < write.size(); ++d)
    {
        const auto value = static_cast<float>(sign * write[d]);
        directions(static_cast<std::int64_t>(d), column) = value;
        m_scores.ovWrite[row + d] = value;
        m_scores.ovRead[row + d] = static_cast<float>(sign * read[d]);
    }
}

Status CompositionRun::checkFinite(const Factors& factors) const
{
    for (std::size_t head = 0; head < factors.readNorms.size(); ++head)
        if (!std::isfinite(factors.readNorms[head]) || !std::isfinite(factors.moveNorms[head]))
            return Error{
                ErrorCode::InvalidArgument,
                fmt::format("expected finite weights, found NaN or infinity in layer {}, head {}", m_layer, head + 1),
                {},
                {}};
    return {};
}

Status CompositionRun::measureLayer(const CompositionLayer& layer, Factors& factors, JobContext& job)
{
    const std::int64_t headDim = m_options.headDim;
    const std::int64_t dims = m_options.modelDim;
    const std::int64_t heads = m_options.heads;
    const std::int64_t group = heads / m_options.kvHeads;
    const MatrixF query = folded(layer.query, layer.inputGain, {});
    const MatrixF key = folded(layer.key, layer.inputGain, keyGainOf(layer));
    const MatrixF value = folded(layer.value, layer.inputGain, {});
    factors.left = MatrixF(2 * key.rows() + query.rows(), dims);
    std::ranges::copy(key.values(), factors.left.data());
    std::ranges::copy(value.values(), factors.left.data() + key.values().size());
    float* const queries = factors.left.data() + 2 * key.values().size();
    factors.resize(static_cast<std::size_t>(heads));
    MatrixF& written = m_written.emplace_back(dims, heads * headDim);
    m_directions.emplace_back(dims, heads * m_scores.directions);
    const ConstMatrixView output = layer.output;
    const bool isLater = m_options.pairLayers && m_options.pairLayers->second == m_layer;
    parallelFor(m_options.threads, heads, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t head = begin; head < end && !job.stopRequested(); ++head)
        {
            const auto at = static_cast<std::size_t>(head);
            HeadFactors own = headFactors({rowsOf(query.view(), head, headDim),
                                           rowsOf(key.view(), head / group, headDim),
                                           rowsOf(value.view(), head / group, headDim),
                                           {output.data() + head * headDim, dims, headDim, output.stride()}},
                                          m_scores.directions, isLater);
            const auto place = static_cast<std::size_t>((m_layer * heads + head) * headDim);
            std::ranges::copy(own.ovSingular, m_scores.ovSingular.begin() + static_cast<std::ptrdiff_t>(place));
            std::ranges::copy(own.qkSingular, m_scores.qkSingular.begin() + static_cast<std::ptrdiff_t>(place));
            for (std::int64_t c = 0; c < m_scores.directions; ++c)
                keepDirection(head * m_scores.directions + c, own.writes[static_cast<std::size_t>(c)],
                              own.reads[static_cast<std::size_t>(c)]);
            gemmNN(headDim, dims, headDim, 1, own.keyRoot.data(), headDim, query.data() + head * headDim * dims, dims,
                   0, queries + head * headDim * dims, dims);
            gemmNN(dims, headDim, headDim, 1, output.data() + head * headDim, output.stride(), own.valueRoot.data(),
                   headDim, 0, written.data() + head * headDim, written.cols());
            factors.queries[at] = std::move(own.queryRoot);
            factors.outputs[at] = std::move(own.outputRoot);
            factors.readNorms[at] = own.readNorm;
            factors.moveNorms[at] = own.moveNorm;
            if (isLater)
                factors.reads[at] = {std::move(own.queryReads), std::move(own.keyReads), std::move(own.reads)};
        }
    });
    HEADSCOPE_CHECK(job.checkStop());
    return checkFinite(factors);
}

void CompositionRun::compare(const Columns& columns, const Factors& factors)
{
    using enum CompositionKind;
    const std::int64_t headDim = m_options.headDim;
    const std::int64_t group = m_options.heads / m_options.kvHeads;
    const std::int64_t keyRows = m_options.kvHeads * headDim;
    const std::int64_t width = columns.width;
    const std::int64_t cols = columns.count * width;
    const MatrixF& written = columns.written;
    const float* const from = written.data() + columns.first;
    const auto asked = [this](CompositionKind kind) {
        return std::ranges::find(m_options.kinds, kind) != m_options.kinds.end();
    };
    std::vector<double> norms;
    for (std::int64_t at = 0; at < columns.count; ++at)
        norms.push_back(std::sqrt(squaresOf(from + at * width, written.rows(), width, written.cols())));
    MatrixF product(std::max(keyRows, m_options.heads * headDim), cols);
    MatrixF turned(headDim, cols);
    const auto multiply = [&](std::int64_t row, std::int64_t rows) {
        gemmNN(rows, cols, m_options.modelDim, 1, factors.left.data() + row * m_options.modelDim, m_options.modelDim,
               from, written.cols(), 0, product.data(), cols);
    };
    const std::int64_t all = m_options.layers * m_options.heads;
    const auto keep = [&](CompositionKind kind, std::int64_t to, const float* rows, double norm) {
        for (std::int64_t at = 0; at < columns.count; ++at)
            columns.scores[static_cast<std::size_t>(kind)]
                          [static_cast<std::size_t>((columns.firstScore + at) * all + m_layer * m_options.heads + to)] =
                shareOf(std::sqrt(squaresOf(rows + at * width, headDim, width, cols)), norm,
                        norms[static_cast<std::size_t>(at)]);
    };
    const auto keepTurned = [&](CompositionKind kind, const std::vector<std::vector<float>>& roots,
                                const std::vector<double>& ownNorms) {
        for (std::int64_t to = 0; to < m_options.heads; ++to)
        {
            const auto at = static_cast<std::size_t>(to);
            gemmNN(headDim, cols, headDim, 1, roots[at].data(), headDim, product.data() + to / group * headDim * cols,
                   cols, 0, turned.data(), cols);
            keep(kind, to, turned.data(), ownNorms[at]);
        }
    };
    if (asked(K))
    {
        multiply(0, keyRows);
        keepTurned(K, factors.queries, factors.readNorms);
    }
    if (asked(V))
    {
        multiply(keyRows, keyRows);
        keepTurned(V, factors.outputs, factors.moveNorms);
    }
    if (!asked(Q))
        return;
    multiply(2 * keyRows, m_options.heads * headDim);
    for (std::int64_t to = 0; to < m_options.heads; ++to)
        keep(Q, to, product.data() + to * headDim * cols, factors.readNorms[static_cast<std::size_t>(to)]);
}

void CompositionRun::compareDirections(std::int64_t earlier, const Factors& factors)
{
    const std::int64_t count = m_options.heads * m_scores.directions;
    compare({m_directions[static_cast<std::size_t>(earlier)], 0, count, 1, earlier * count, m_scores.components},
            factors);
}

void CompositionRun::comparePairs(const Factors& factors)
{
    const MatrixF& written = m_directions[static_cast<std::size_t>(m_options.pairLayers->first)];
    const auto count = static_cast<std::size_t>(written.cols());
    const auto each = static_cast<std::size_t>(m_scores.directions);
    for (const CompositionKind kind : m_options.kinds)
    {
        std::vector<double>& scores = m_scores.pairs[indexOf(kind)];
        scores.resize(count * count);
        for (std::int64_t from = 0; from < written.cols(); ++from)
        {
            const double norm = std::sqrt(squaresOf(written.data() + from, written.rows(), 1, written.cols()));
            for (std::size_t to = 0; to < count; ++to)
            {
                const std::vector<double>& read = factors.reads[to / each][indexOf(kind)][to % each];
                double sum = 0;
                for (std::int64_t d = 0; d < written.rows(); ++d)
                    sum += static_cast<double>(written(d, from)) * read[static_cast<std::size_t>(d)];
                scores[static_cast<std::size_t>(from) * count + to] = shareOf(std::abs(sum), norm, 1);
            }
        }
    }
}

void CompositionRun::carryWritten(const CompositionLayer& layer)
{
    std::vector<MatrixF*> all;
    for (std::vector<MatrixF>* kept : {&m_written, &m_directions})
        for (MatrixF& each : *kept)
            all.push_back(&each);
    for (MatrixF* const columns : all)
        parallelFor(m_options.threads, columns->cols(), 64, [&](std::int64_t begin, std::int64_t end) {
            std::vector<double> column(static_cast<std::size_t>(columns->rows()));
            for (std::int64_t col = begin; col < end; ++col)
            {
                for (std::int64_t row = 0; row < columns->rows(); ++row)
                    column[static_cast<std::size_t>(row)] = static_cast<double>((*columns)(row, col));
                for (const FrozenNorm& norm : layer.behind)
                    norm.carry(column);
                for (std::int64_t row = 0; row < columns->rows(); ++row)
                    (*columns)(row, col) = static_cast<float>(column[static_cast<std::size_t>(row)]);
            }
        });
}

Status CompositionRun::add(const CompositionLayer& layer, JobContext& job)
{
    HEADSCOPE_ASSERT(m_layer < m_options.layers);
    constexpr std::int64_t kHeadsAtOnce = 4; // of an earlier layer, a piece of work
    Factors factors;
    HEADSCOPE_CHECK(measureLayer(layer, factors, job));
    const std::int64_t pieces = blockCount(m_options.heads, kHeadsAtOnce);
    parallelForBlocks(m_options.threads, m_layer * pieces, 1, [&](const Block& block, int /*worker*/) {
        if (job.stopRequested())
            return;
        const std::int64_t earlier = block.index / pieces;
        const std::int64_t first = block.index % pieces * kHeadsAtOnce;
        compare({m_written[static_cast<std::size_t>(earlier)], first * m_options.headDim,
                 std::min(kHeadsAtOnce, m_options.heads - first), m_options.headDim, earlier * m_options.heads + first,
                 m_scores.scores},
                factors);
        if (first == 0)
            compareDirections(earlier, factors);
    });
    HEADSCOPE_CHECK(job.checkStop());
    if (m_options.pairLayers && m_options.pairLayers->second == m_layer)
        comparePairs(factors);
    if (!layer.behind.empty())
        carryWritten(layer);
    ++m_layer;
    return {};
}

} // namespace headscope
