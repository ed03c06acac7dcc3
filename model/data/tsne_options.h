// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace headscope
{

enum class Metric
{
    Euclidean,
    Cosine, ///< rows are scaled to unit length first; zero rows stay zero
};

[[nodiscard]] std::string_view metricName(Metric metric);

enum class TsneStart
{
    Pca,    ///< first two principal components, scaled so that the first has sd 1e-4
    Random, ///< normal numbers of sd 1e-4 from the seed
    Given,  ///< positions handed in beside the options
};

/// Everything that decides a t-SNE map beside its input. Same options, input, build and kind of
/// CPU: the same map, bit for bit, on any number of threads.
struct TsneOptions
{
    /// Effective number of neighbours, or several for multiscale affinities (their mean is used).
    /// Needs perplexity < points; 3 x the largest neighbours are kept above `exactBelow` points.
    /// Default 30: scikit-learn, openTSNE and Rtsne agree on it.
    std::vector<double> perplexities = {30.0};

    /// Iterations in all, exaggeration included. 250 + 500 is openTSNE's default.
    int iterations = 750;

    /// Factor on the affinities during the first `exaggerationIterations`; 12 since van der Maaten 2014.
    double exaggeration = 12.0;
    int exaggerationIterations = 250;

    /// Factor on the affinities afterwards; 1 is plain t-SNE.
    double lateExaggeration = 1.0;

    /// Learning rate; 0 = automatic: points / exaggeration first (Belkina et al. 2019), then
    /// points / 3 (facts: best exact KL on three data sets), never below 50.
    double learningRate = 0.0;

    double momentum = 0.8;

    /// Longest step of one point in one iteration. Without it hubs fly off in early exaggeration.
    double maxStep = 5.0;

    Metric metric = Metric::Euclidean;
    TsneStart start = TsneStart::Pca;
    std::uint64_t seed = 1;

    /// Up to this many points repulsion is summed over all pairs; above, on a particle mesh.
    std::int64_t exactBelow = 4000;
    /// Up to this many points neighbours are exact.
    std::int64_t exactNeighborsBelow = 100'000;
};

} // namespace headscope
