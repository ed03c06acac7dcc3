// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace headscope
{

class Fields;

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

/// Which pairs of points attract each other: where P of the objective is above 0.
enum class TsneAffinities
{
    Sparse, ///< of each point its nearest neighbours, as many as affinityNeighbors says
    Dense,  ///< all pairs: for comparisons with programs and maps that were made so
};

/// "pca", "random" or "given".
[[nodiscard]] std::string_view startName(TsneStart start);
/// "sparse" or "dense".
[[nodiscard]] std::string_view affinitiesName(TsneAffinities affinities);

/// What TsneOptions::degreesOfFreedom may be.
inline constexpr double kMinDegrees = 0.1;
inline constexpr double kMaxDegrees = 100.0;

/// Everything that decides a t-SNE map beside its input. Same options, input, build and kind of
/// CPU: the same map, bit for bit, on any number of threads.
struct TsneOptions
{
    /// Effective number of neighbours, or several for multiscale affinities (their mean is used).
    /// Needs perplexity < points.
    /// Default 30: scikit-learn, openTSNE and Rtsne agree on it.
    std::vector<double> perplexities = {30.0};

    /// The same objective at every number of points. Sparse is what openTSNE and FIt-SNE minimise, and
    /// scikit-learn but for one neighbour more; dense
    /// weighs far pairs, too, and keeps fewer of the nearest neighbours.
    TsneAffinities affinities = TsneAffinities::Sparse;

    /// Iterations in all, exaggeration included. 250 + 500 is openTSNE's default.
    int iterations = 750;

    /// Factor on the affinities during the first `exaggerationIterations`; 12 since van der Maaten 2014
    /// (JMLR 15, 3221-3245).
    double exaggeration = 12.0;
    int exaggerationIterations = 250;

    /// Factor on the affinities afterwards; 1 is plain t-SNE. 1.5 to 4 keep clusters of very many
    /// points together (Kobak & Berens 2019, doi 10.1038/s41467-019-13056-x; openTSNE shows 4 at 1.3 million).
    double lateExaggeration = 1.0;

    /// Learning rate; 0 = automatic: points / exaggeration first (Belkina et al. 2019, doi
    /// 10.1038/s41467-019-13055-y), then points / 3 (lower exact KL than points / 12 on each of three
    /// sets of 32,000 to 341,000 vectors), never below 50.
    double learningRate = 0.0;

    /// Share of the last step that goes into the next, from 0 to below 1. 0.8 throughout, as
    /// openTSNE; 0.5 first and 0.8 later (van der Maaten 2014) ends at the same divergence.
    double momentum = 0.8;

    /// Longest step of one point in one iteration. Without it hubs fly off in early exaggeration;
    /// 5 as FIt-SNE and openTSNE.
    double maxStep = 5.0;

    /// Degrees of freedom a of the Student kernel (1 + r^2 / a)^-a between points of the map; from
    /// 0.1 to 100. 1 is t-SNE; below, tails are heavier and finer clusters come apart; large values
    /// approach the Gaussian of SNE. Defined as in Kobak et al. 2019, "Heavy-tailed kernels reveal a
    /// finer cluster structure in t-SNE visualisations", FIt-SNE (df) and openTSNE (dof).
    double degreesOfFreedom = 1.0;

    /// Whether the run decides itself how long it is: exaggeration ends once the divergence falls
    /// more slowly than before, the run when it falls by less than 1/5000 of itself an iteration
    /// (opt-SNE: Belkina et al. 2019). The iterations above are then the most there will be. Off by
    /// default: a fixed number makes maps and times comparable.
    bool autoStop = false;

    Metric metric = Metric::Euclidean;
    /// Principal components keep the large-scale layout and make runs alike (Kobak & Berens 2019).
    TsneStart start = TsneStart::Pca;
    /// Normal noise on a start from components or given, as a share of the start's standard deviation along its wider
    /// coordinate; drawn by the seed. 0: none. Maps from several seeds show what hangs on the start.
    double startJitter = 0.0;
    /// Of a random start, of jitter, and of neighbours that are searched approximately; a run without
    /// them does not depend on it (seedMatters).
    std::uint64_t seed = 1;

    /// Up to this many points repulsion is summed over all pairs; above, on a particle mesh, which
    /// approximates the same sum. 4000: there both take about 2 ms, and all pairs have no error. Dense
    /// affinities need all pairs anyway, at every number of points.
    std::int64_t exactBelow = 4000;
    /// Up to this many points neighbours are exact: some 10 s on two cores.
    std::int64_t exactNeighborsBelow = 100'000;

    friend bool operator==(const TsneOptions&, const TsneOptions&) = default;
};

/// What the data allow of the options of a map.
struct TsneLimits
{
    double perplexity = 10'000; ///< the largest
};

/// Declares the options of a map, for command, forms, settings, files and what says how a map was made.
void fields(Fields& f, TsneOptions& o, const TsneLimits& limits = {});

/// How many nearest neighbours of each point sparse affinities hold: three times the largest perplexity,
/// rounded down, and at most all other points.
[[nodiscard]] std::int64_t affinityNeighbors(std::span<const double> perplexities, std::int64_t points);

/// Whether another seed could give another map of these points: with a random or jittered start, and with
/// neighbours that are searched approximately.
[[nodiscard]] bool seedMatters(const TsneOptions& options, std::int64_t points);

/// How far a run with autoStop has come; part of its checkpoint.
struct TsnePhase
{
    int exaggerationEnd = -1; ///< iteration before which exaggeration ended; negative while it goes on
    bool finished = false;
    double kl = 0;      ///< at the last check; 0 before the first
    double fastest = 0; ///< largest share of itself that the divergence fell between two checks
    int slower = 0;     ///< checks in a row that fell more slowly
};

} // namespace headscope
