// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/circuits/contributions.h"

#include "model/base/parallel.h"
#include "model/kernels/gemm_f64.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace headscope
{
namespace
{

/// For each norm and token: 1/R over the divisors of this norm and all behind it, [K + 1, R]. The last row is 1/R.
MatrixD weightsAhead(const ResidualModel& model, const ResidualTrace& trace)
{
    const auto tokens = trace.start.rows();
    const auto norms = std::ssize(model.norms);
    const auto inputOf = [&](std::size_t norm) -> const MatrixF& {
        if (!model.normsBehind())
            return trace.layers.back().mlp;
        const ResidualTrace::Layer& layer = trace.layers[norm / 2];
        return norm % 2 == 0 ? layer.attention : layer.mlp;
    };
    MatrixD weights(norms + 1, tokens);
    for (std::int64_t t = 0; t < tokens; ++t)
    {
        double weight = 1 / static_cast<double>(tokens);
        weights(norms, t) = weight;
        for (std::int64_t k = norms; k-- > 0;)
        {
            const auto at = static_cast<std::size_t>(k);
            weight /= model.norms[at].divisor(inputOf(at).row(t));
            weights(k, t) = weight;
        }
    }
    return weights;
}

/// Sum of rows, each by its weight.
void pool(const MatrixF& rows, std::span<const double> weights, std::span<double> into)
{
    std::ranges::fill(into, 0);
    for (std::int64_t t = 0; t < rows.rows(); ++t)
    {
        const auto row = rows.row(t);
        const double weight = weights[static_cast<std::size_t>(t)];
        for (std::size_t i = 0; i < into.size(); ++i)
            into[i] += weight * static_cast<double>(row[i]);
    }
}

double sumOf(std::span<const double> values)
{
    return std::accumulate(values.begin(), values.end(), 0.0);
}

void round(std::span<const double> from, std::span<float> into)
{
    std::ranges::transform(from, into.begin(), [](double value) { return static_cast<float>(value); });
}

/// What the MLP of a layer wrote at the tokens: the stream behind its sum without what was in front of it.
MatrixF writtenByMlp(const ResidualModel& model, const ResidualTrace::Layer& layer, std::size_t index)
{
    MatrixF written = layer.mlp;
    for (std::int64_t t = 0; t < written.rows(); ++t)
    {
        const auto before = layer.attention.row(t);
        std::vector<double> x(before.begin(), before.end());
        if (model.normsBehind())
        {
            const FrozenNorm& norm = model.norms[model.normAfterAttention(index)];
            const double divisor = norm.divisor(before);
            norm.carry(x);
            for (std::size_t i = 0; i < x.size(); ++i)
                x[i] = x[i] / divisor + (norm.bias.empty() ? 0 : static_cast<double>(norm.bias[i]));
        }
        const auto row = written.row(t);
        for (std::size_t i = 0; i < x.size(); ++i)
            row[i] = static_cast<float>(static_cast<double>(row[i]) - x[i]);
    }
    return written;
}

template <class T>
void addTo(MeanSummands& mean, const Summands<T>& own, double weight)
{
    const auto add = [weight](auto& into, const auto& values) {
        into.resize(values.size());
        std::ranges::transform(into, values, into.begin(),
                               [weight](double sum, auto value) { return sum + weight * static_cast<double>(value); });
    };
    const auto addMatrix = [&add](MatrixD& into, const auto& matrix) {
        if (into.empty())
            into = MatrixD(matrix.rows(), matrix.cols());
        add(into.values(), matrix.values());
    };
    add(mean.token, own.token);
    addMatrix(mean.heads, own.heads);
    add(mean.outputBias, own.outputBias);
    addMatrix(mean.mlp, own.mlp);
    addMatrix(mean.normBias, own.normBias);
    add(mean.embedding, own.embedding);
}

/// Effects of a few documents that share their products with o_proj.
class EffectsBlock
{
public:
    /// @param mean  null: nothing is subtracted
    EffectsBlock(const ResidualModel& model, std::span<const PooledSummands> documents, const MeanSummands* mean)
        : m_model(model), m_documents(documents), m_mean(mean), m_size(std::ssize(documents)),
          m_directions(m_size, model.modelDim)
    {}

    void run(const MatrixD& directions, std::int64_t first, std::span<PartValues> found)
    {
        for (std::int64_t i = 0; i < m_size; ++i)
        {
            std::ranges::copy(directions.row(first + i), m_directions.row(i).begin());
            found[static_cast<std::size_t>(i)] = empty();
        }
        if (!m_model.normsBehind())
            carryBack(m_model.norms.front());
        for (std::size_t layer = m_model.layers.size(); layer-- > 0;)
            addLayer(layer, found);
        for (std::int64_t i = 0; i < m_size; ++i)
            found[static_cast<std::size_t>(i)].token =
                along(documentOf(i).token, m_mean != nullptr ? std::span(m_mean->token) : std::span<const double>(), i);
    }

private:
    [[nodiscard]] PartValues empty() const
    {
        const std::int64_t layers = m_model.numLayers();
        const auto size = static_cast<std::size_t>(layers);
        return {0, MatrixD(layers, m_model.heads), std::vector<double>(size), std::vector<double>(size),
                m_model.hasNormBias() && m_model.normsBehind() ? MatrixD(layers, 2) : MatrixD()};
    }
    [[nodiscard]] const PooledSummands& documentOf(std::int64_t i) const
    {
        return m_documents[static_cast<std::size_t>(i)];
    }

    void addLayer(std::size_t layer, std::span<PartValues> found)
    {
        const auto row = static_cast<std::int64_t>(layer);
        if (m_model.normsBehind())
            passNorm(m_model.normAfterMlp(layer), row, 1, found);
        for (std::int64_t i = 0; i < m_size; ++i)
            found[static_cast<std::size_t>(i)].mlp[layer] = along(
                documentOf(i).mlp.row(row), m_mean != nullptr ? m_mean->mlp.row(row) : std::span<const double>(), i);
        if (m_model.normsBehind())
            passNorm(m_model.normAfterAttention(layer), row, 0, found);
        addBias(
            m_model.layers[layer].outputBias, found,
            [layer](const auto& summands) { return summands.outputBias[layer]; },
            [layer](PartValues& values) -> double& { return values.outputBias[layer]; });
        addHeads(layer, found);
    }

    /// The bias of a norm is a summand of its own, which does not pass it.
    void passNorm(std::size_t norm, std::int64_t layer, std::int64_t which, std::span<PartValues> found)
    {
        addBias(
            m_model.norms[norm].bias, found,
            [layer, which](const auto& summands) { return summands.normBias(layer, which); },
            [layer, which](PartValues& values) -> double& { return values.normBias(layer, which); });
        carryBack(m_model.norms[norm]);
    }

    template <class Times, class Place>
    void addBias(std::span<const float> bias, std::span<PartValues> found, const Times& times, const Place& place)
    {
        if (bias.empty())
            return;
        for (std::int64_t i = 0; i < m_size; ++i)
        {
            const double count = times(documentOf(i)) - (m_mean != nullptr ? times(*m_mean) : 0);
            place(found[static_cast<std::size_t>(i)]) = count * along(bias, {}, i);
        }
    }

    void addHeads(std::size_t layer, std::span<PartValues> found)
    {
        const ConstMatrixView output = m_model.layers[layer].output; // [Dm, H Dh]
        MatrixD columns(m_model.modelDim, m_size);                   // directions, one a column
        for (std::int64_t i = 0; i < m_size; ++i)
            for (std::int64_t d = 0; d < m_model.modelDim; ++d)
                columns(d, i) = m_directions(i, d);
        MatrixD back(output.cols(), m_size); // [H Dh, n] o_proj^T times the directions
        addProductInDouble(output.cols(), m_size, output.rows(), output.data(), 1, output.stride(), columns.data(),
                           m_size, back.data(), m_size);
        const auto row = static_cast<std::int64_t>(layer);
        for (std::int64_t i = 0; i < m_size; ++i)
            for (std::int64_t at = 0; at < output.cols(); ++at)
            {
                const double z = static_cast<double>(documentOf(i).heads(row, at)) -
                                 (m_mean != nullptr ? m_mean->heads(row, at) : 0);
                found[static_cast<std::size_t>(i)].heads(row, at / m_model.headDim) += z * back(at, i);
            }
    }

    void carryBack(const FrozenNorm& norm)
    {
        for (std::int64_t i = 0; i < m_size; ++i)
            norm.carryBack(m_directions.row(i));
    }

    [[nodiscard]] double along(std::span<const float> values, std::span<const double> mean, std::int64_t i) const
    {
        const auto direction = m_directions.row(i);
        double sum = 0;
        for (std::size_t d = 0; d < values.size(); ++d)
            sum += (static_cast<double>(values[d]) - (mean.empty() ? 0 : mean[d])) * direction[d];
        return sum;
    }

    const ResidualModel& m_model;
    std::span<const PooledSummands> m_documents;
    const MeanSummands* m_mean;
    std::int64_t m_size;
    MatrixD m_directions; ///< [n, Dm] as they are in front of the norms that were passed
};

} // namespace

double PartValues::sum() const
{
    return token + sumOf(heads.values()) + sumOf(outputBias) + sumOf(mlp) + sumOf(normBias.values());
}

std::vector<double> PartValues::inOrder() const
{
    std::vector<double> all = {token};
    for (const auto* values : {&heads.values(), &outputBias, &mlp, &normBias.values()})
        all.insert(all.end(), values->begin(), values->end());
    return all;
}

PooledSummands poolSummands(const ResidualModel& model, const ResidualTrace& trace)
{
    const MatrixD weights = weightsAhead(model, trace); // [K + 1, R]
    const std::int64_t layers = model.numLayers();
    const auto dims = static_cast<std::size_t>(model.modelDim);
    PooledSummands pooled{std::vector<float>(dims),
                          MatrixF(layers, model.heads * model.headDim),
                          std::vector<double>(static_cast<std::size_t>(layers)),
                          MatrixF(layers, model.modelDim),
                          model.normsBehind() && model.hasNormBias() ? MatrixD(layers, 2) : MatrixD(),
                          trace.embedding};
    std::vector<double> sums(dims);
    pool(trace.start, weights.row(0), sums);
    round(sums, pooled.token);
    std::vector<double> headSums(static_cast<std::size_t>(pooled.heads.cols()));
    for (std::int64_t l = 0; l < layers; ++l)
    {
        const auto layer = static_cast<std::size_t>(l);
        const auto attention = weights.row(static_cast<std::int64_t>(model.normAfterAttention(layer)));
        const auto mlp = weights.row(static_cast<std::int64_t>(model.normAfterMlp(layer)));
        pool(trace.layers[layer].heads, attention, headSums);
        round(headSums, pooled.heads.row(l));
        pooled.outputBias[layer] = sumOf(attention);
        pool(writtenByMlp(model, trace.layers[layer], layer), mlp, sums);
        round(sums, pooled.mlp.row(l));
        if (pooled.normBias.empty())
            continue;
        pooled.normBias(l, 0) = sumOf(mlp);
        pooled.normBias(l, 1) = sumOf(weights.row(2 * l + 2));
    }
    return pooled;
}

MeanSummands meanSummands(std::span<const PooledSummands> documents)
{
    MeanSummands mean;
    for (const PooledSummands& document : documents)
        addTo(mean, document, 1 / static_cast<double>(documents.size()));
    return mean;
}

PooledSummands centredSummands(const PooledSummands& own, const MeanSummands& mean)
{
    PooledSummands centred = own;
    const auto subtract = [](auto& from, const auto& values) {
        using T = typename std::remove_cvref_t<decltype(from)>::value_type;
        std::ranges::transform(from, values, from.begin(),
                               [](T value, double less) { return static_cast<T>(static_cast<double>(value) - less); });
    };
    subtract(centred.token, mean.token);
    subtract(centred.heads.values(), mean.heads.values());
    subtract(centred.outputBias, mean.outputBias);
    subtract(centred.mlp.values(), mean.mlp.values());
    subtract(centred.normBias.values(), mean.normBias.values());
    subtract(centred.embedding, mean.embedding);
    return centred;
}

Result<std::vector<PartValues>> effectsAlong(const ResidualModel& model, std::span<const PooledSummands> documents,
                                             const MatrixD& directions, const MeanSummands* mean, int threads,
                                             JobContext& job)
{
    constexpr std::int64_t kBlock = 16; // documents that share their products
    std::vector<PartValues> found(documents.size());
    parallelForBlocks(threads, std::ssize(documents), kBlock, [&](const Block& block, int /*worker*/) {
        if (job.stopRequested())
            return;
        const auto first = static_cast<std::size_t>(block.begin);
        const auto count = static_cast<std::size_t>(block.end - block.begin);
        EffectsBlock effects(model, documents.subspan(first, count), mean);
        effects.run(directions, block.begin, std::span(found).subspan(first, count));
    });
    HEADSCOPE_CHECK(job.checkStop());
    return found;
}

MatrixD parts(const ResidualModel& model, const PooledSummands& summands)
{
    const std::int64_t layers = model.numLayers();
    const bool hasNormBias = !summands.normBias.empty();
    const std::int64_t biases = 1 + layers * model.heads;
    const std::int64_t mlps = biases + layers;
    const std::int64_t normBiases = mlps + layers;
    MatrixD all(normBiases + (hasNormBias ? 2 * layers : 0), model.modelDim);
    const auto carryFrom = [&](std::int64_t row, std::size_t norm) {
        for (; norm < model.norms.size(); ++norm)
            model.norms[norm].carry(all.row(row));
    };
    const auto set = [&](std::int64_t row, std::span<const float> values, double times, std::size_t norm) {
        const auto into = all.row(row);
        for (std::size_t d = 0; d < values.size(); ++d)
            into[d] = times * static_cast<double>(values[d]);
        carryFrom(row, norm);
    };
    set(0, summands.token, 1, 0);
    for (std::int64_t l = 0; l < layers; ++l)
    {
        const auto layer = static_cast<std::size_t>(l);
        const ResidualModel::Layer& weights = model.layers[layer];
        const auto z = summands.heads.row(l);
        for (std::int64_t d = 0; d < model.modelDim; ++d)
        {
            const auto outputs = weights.output.row(d);
            for (std::size_t at = 0; at < z.size(); ++at)
                all(1 + l * model.heads + static_cast<std::int64_t>(at) / model.headDim, d) +=
                    static_cast<double>(outputs[at]) * static_cast<double>(z[at]);
        }
        for (std::int64_t head = 0; head < model.heads; ++head)
            carryFrom(1 + l * model.heads + head, model.normAfterAttention(layer));
        set(biases + l, weights.outputBias, summands.outputBias[layer], model.normAfterAttention(layer));
        set(mlps + l, summands.mlp.row(l), 1, model.normAfterMlp(layer));
        for (std::int64_t which = 0; hasNormBias && which < 2; ++which)
        {
            const std::size_t norm = static_cast<std::size_t>(2 * l + which);
            set(normBiases + 2 * l + which, model.norms[norm].bias, summands.normBias(l, which), norm + 1);
        }
    }
    return all;
}

RawSummands rawSummands(const ResidualModel& model, const PooledSummands& summands)
{
    const auto dims = static_cast<std::size_t>(model.modelDim);
    RawSummands raw{std::vector<double>(dims), MatrixD(model.numLayers() * model.heads, model.modelDim),
                    MatrixD(model.numLayers(), model.modelDim), std::vector<double>(dims),
                    1 / summands.outputBias.front()};
    for (std::size_t d = 0; d < dims; ++d)
        raw.sum[d] = raw.token[d] = raw.rms * static_cast<double>(summands.token[d]);
    for (std::int64_t l = 0; l < model.numLayers(); ++l)
    {
        const ResidualModel::Layer& weights = model.layers[static_cast<std::size_t>(l)];
        const auto z = summands.heads.row(l);
        for (std::size_t d = 0; d < dims; ++d)
        {
            const auto row = static_cast<std::int64_t>(d);
            const auto outputs = weights.output.row(row);
            for (std::int64_t head = 0; head < model.heads; ++head)
            {
                const auto first = static_cast<std::size_t>(head * model.headDim);
                double own = 0;
                for (std::size_t at = first; at < first + static_cast<std::size_t>(model.headDim); ++at)
                    own += static_cast<double>(outputs[at]) * static_cast<double>(z[at]);
                raw.sum[d] += raw.heads(l * model.heads + head, row) = raw.rms * own;
            }
            raw.sum[d] += raw.mlp(l, row) = raw.rms * static_cast<double>(summands.mlp(l, row));
            raw.sum[d] += weights.outputBias.empty() ? 0 : static_cast<double>(weights.outputBias[d]);
        }
    }
    return raw;
}

Result<MatrixD> pairContributions(const MatrixD& partsOfFirst, const MatrixD& partsOfSecond, double firstNorm,
                                  double secondNorm, int threads, JobContext& job)
{
    MatrixD found(partsOfFirst.rows(), partsOfSecond.rows());
    parallelFor(threads, found.rows(), 8, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end && !job.stopRequested(); ++i)
            for (std::int64_t k = 0; k < found.cols(); ++k)
            {
                const auto a = partsOfFirst.row(i);
                const auto b = partsOfSecond.row(k);
                found(i, k) = std::inner_product(a.begin(), a.end(), b.begin(), 0.0) / (firstNorm * secondNorm);
            }
    });
    HEADSCOPE_CHECK(job.checkStop());
    return found;
}

} // namespace headscope
