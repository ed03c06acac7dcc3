// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/clouds.h"

#include "model/base/random.h"

#include <algorithm>
#include <cmath>

namespace headscope::test
{
namespace
{

constexpr std::int64_t kLatent = 24;
constexpr std::int64_t kTopics = 40;

/// Independent streams of one seed.
enum Stream : std::uint64_t
{
    Centres = 1,
    Documents,
    TopicOf,
    Means,
    Mixing,
    Strengths,
    Basis,
    Noise,
};

MatrixD normals(std::int64_t rows, std::int64_t cols, std::uint64_t seed, std::uint64_t stream)
{
    const CounterRandom random(seed, stream);
    MatrixD values(rows, cols);
    for (std::size_t i = 0; i < values.values().size(); ++i)
        values.values()[i] = random.normal(i);
    return values;
}

/// A random orthogonal basis, by Gram-Schmidt in double.
MatrixD orthogonalBasis(std::int64_t dims, std::uint64_t seed)
{
    MatrixD basis = normals(dims, dims, seed, Basis);
    for (std::int64_t i = 0; i < dims; ++i)
    {
        for (std::int64_t j = 0; j < i; ++j)
        {
            double dot = 0;
            for (std::int64_t k = 0; k < dims; ++k)
                dot += basis(i, k) * basis(j, k);
            for (std::int64_t k = 0; k < dims; ++k)
                basis(i, k) -= dot * basis(j, k);
        }
        double norm = 0;
        for (std::int64_t k = 0; k < dims; ++k)
            norm += basis(i, k) * basis(i, k);
        for (std::int64_t k = 0; k < dims; ++k)
            basis(i, k) /= std::sqrt(norm);
    }
    return basis;
}

/// Up to this many dimensions the noise has a random orthogonal basis; above, where forming and
/// applying one takes minutes, a Hadamard matrix with random signs (powers of two only).
constexpr std::int64_t kLargestBasis = 1024;

bool isWide(std::int64_t dims)
{
    return dims > kLargestBasis && (dims & (dims - 1)) == 0;
}

double noiseScale(std::int64_t k)
{
    return std::pow(static_cast<double>(k + 1), -0.3);
}

/// values = H values / sqrt(n), H the Hadamard matrix of n = values.size(), a power of two.
void hadamard(std::vector<double>& values)
{
    for (std::size_t half = 1; half < values.size(); half *= 2)
    {
        for (std::size_t begin = 0; begin < values.size(); begin += 2 * half)
        {
            for (std::size_t i = begin; i < begin + half; ++i)
            {
                const double a = values[i];
                const double b = values[i + half];
                values[i] = a + b;
                values[i + half] = a - b;
            }
        }
    }
    for (double& value : values)
        value /= std::sqrt(static_cast<double>(values.size()));
}

/// What the clouds of one seed share.
struct CloudModel
{
    CloudModel(std::int64_t numDims, std::int64_t numHeads, std::int64_t sharedMeans, std::uint64_t cloudSeed)
        : dims(numDims), seed(cloudSeed), means(normals(numHeads / sharedMeans + 1, numDims, cloudSeed, Means)),
          mixing(numHeads * kLatent, numDims), noiseBasis(isWide(numDims) ? 0 : numDims, numDims)
    {
        const double scale = 1.0 / std::sqrt(static_cast<double>(dims));
        const MatrixD draws = normals(numHeads * kLatent, dims, seed, Mixing);
        for (std::size_t i = 0; i < draws.values().size(); ++i)
            mixing.values()[i] = draws.values()[i] * scale;
        if (isWide(dims))
        {
            for (std::int64_t k = 0; k < dims; ++k)
                signs.push_back(CounterRandom(seed, Basis).uniform(static_cast<std::uint64_t>(k)) < 0.5 ? -1.0 : 1.0);
            return;
        }
        noiseBasis = orthogonalBasis(dims, seed);
        for (std::int64_t k = 0; k < dims; ++k) // noise with falling variances along a random basis
        {
            for (std::int64_t j = 0; j < dims; ++j)
                noiseBasis(k, j) *= noiseScale(k);
        }
    }

    /// Adds the noise of one row of the cloud.
    void addNoise(const CounterRandom& noise, std::int64_t row, std::vector<double>& sum) const
    {
        const auto draw = [&](std::int64_t l) {
            return 0.35 * noise.normal(static_cast<std::uint64_t>(row * dims + l));
        };
        if (!signs.empty())
        {
            std::vector<double> values;
            for (std::int64_t l = 0; l < dims; ++l)
                values.push_back(draw(l) * noiseScale(l));
            hadamard(values);
            for (std::size_t k = 0; k < sum.size(); ++k)
                sum[k] += signs[k] * values[k];
            return;
        }
        for (std::int64_t l = 0; l < dims; ++l)
        {
            const double drawn = draw(l);
            for (std::int64_t k = 0; k < dims; ++k)
                sum[static_cast<std::size_t>(k)] += drawn * noiseBasis(l, k);
        }
    }

    std::int64_t dims;
    std::uint64_t seed;
    MatrixD means;
    MatrixD mixing;
    MatrixD noiseBasis;
    std::vector<double> signs; ///< of the columns of a wide cloud's noise
};

/// Latent position of a document: its topic's centre and a bit of its own.
std::vector<double> latent(std::int64_t document, std::int64_t topic, std::uint64_t seed)
{
    const CounterRandom centres(seed, Centres);
    const CounterRandom own(seed, Documents);
    std::vector<double> z(kLatent);
    for (std::size_t k = 0; k < z.size(); ++k)
    {
        z[k] = 1.5 * centres.normal(static_cast<std::uint64_t>(topic) * kLatent + k) +
               0.6 * own.normal(static_cast<std::uint64_t>(document) * kLatent + k);
    }
    return z;
}

HeadClouds makeClouds(std::int64_t rows, std::int64_t dims, std::int64_t heads, std::int64_t sharedMeans,
                      double meanScale, std::uint64_t seed)
{
    const std::int64_t documents = rows / heads;
    const CloudModel model(dims, heads, sharedMeans, seed);
    const CounterRandom strengths(seed, Strengths);
    const CounterRandom topics(seed, TopicOf);
    const CounterRandom noise(seed, Noise);
    HeadClouds clouds;
    clouds.vectors = MatrixF(documents * heads, dims);
    std::vector<double> sum(static_cast<std::size_t>(dims));
    for (std::int64_t document = 0; document < documents; ++document)
    {
        const auto topic = static_cast<std::int64_t>(topics.below(static_cast<std::uint64_t>(document), kTopics));
        const std::vector<double> z = latent(document, topic, seed);
        for (std::int64_t h = 0; h < heads; ++h)
        {
            const double gain = std::exp(0.5 * strengths.normal(static_cast<std::uint64_t>(2 * h)));
            const double spread = 0.1 + 0.9 * strengths.uniform(static_cast<std::uint64_t>(2 * h + 1));
            for (std::int64_t k = 0; k < dims; ++k)
                sum[static_cast<std::size_t>(k)] = meanScale * model.means(h / sharedMeans, k);
            for (std::int64_t l = 0; l < kLatent; ++l)
            {
                for (std::int64_t k = 0; k < dims; ++k)
                    sum[static_cast<std::size_t>(k)] +=
                        0.8 * spread * z[static_cast<std::size_t>(l)] * model.mixing(h * kLatent + l, k);
            }
            const std::int64_t row = document * heads + h;
            model.addNoise(noise, row, sum);
            for (std::int64_t k = 0; k < dims; ++k)
                clouds.vectors(row, k) = static_cast<float>(gain * sum[static_cast<std::size_t>(k)]);
            clouds.head.push_back(static_cast<std::int32_t>(h));
            clouds.document.push_back(static_cast<std::int32_t>(document));
            clouds.topic.push_back(static_cast<std::int32_t>(topic));
        }
    }
    return clouds;
}

} // namespace

HeadClouds headLikeClouds(std::int64_t rows, std::int64_t dims, std::int64_t heads, std::uint64_t seed)
{
    return makeClouds(rows, dims, heads, 1, 0.35, seed);
}

HeadClouds overlappingClouds(std::int64_t rows, std::int64_t dims, std::int64_t heads, std::uint64_t seed)
{
    return makeClouds(rows, dims, heads, 4, 0.35, seed);
}

MatrixF hardCloud(std::int64_t rows, std::int64_t dims, std::uint64_t seed)
{
    const MatrixD mixing = normals(kLatent, dims, seed, Mixing);
    const CounterRandom latents(seed, Documents);
    const CounterRandom noise(seed, Noise);
    MatrixF cloud(rows, dims);
    std::vector<double> z(kLatent);
    for (std::int64_t i = 0; i < rows; ++i)
    {
        for (std::size_t l = 0; l < z.size(); ++l)
            z[l] = std::pow(static_cast<double>(l + 1), -0.4) *
                   latents.normal(static_cast<std::uint64_t>(i) * kLatent + l);
        for (std::int64_t k = 0; k < dims; ++k)
        {
            double sum = 0.1 * noise.normal(static_cast<std::uint64_t>(i * dims + k));
            for (std::int64_t l = 0; l < kLatent; ++l)
                sum += z[static_cast<std::size_t>(l)] * mixing(l, k);
            cloud(i, k) = static_cast<float>(sum);
        }
    }
    return cloud;
}

MatrixF duplicatedCloud(std::int64_t rows, std::int64_t dims, std::uint64_t seed)
{
    MatrixF cloud = hardCloud(rows, dims, seed);
    for (std::int64_t i = (rows + 1) / 2; i < rows; ++i)
        std::copy_n(cloud.row(i - (rows + 1) / 2).begin(), dims, cloud.row(i).begin());
    return cloud;
}

MatrixF outlierCloud(std::int64_t rows, std::int64_t dims, std::uint64_t seed)
{
    MatrixF cloud = hardCloud(rows, dims, seed);
    for (float& value : cloud.row(rows - 1))
        value = 1e6F;
    return cloud;
}

} // namespace headscope::test
