// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/maps/tsne_options.h"

#include "model/base/fields/fields.h"
#include "model/data/neighbor_options.h"

#include <algorithm>
#include <array>

namespace headscope
{

namespace
{

constexpr std::array kStartWords = {FieldWord{"pca", "PCA"}, FieldWord{"random", "Random"},
                                    FieldWord{"given", "Current map", "present"}};
constexpr std::array kAffinityWords = {FieldWord{"sparse", "Sparse"}, FieldWord{"dense", "Dense"}};
// What forms offer.
constexpr double kSmallestPerplexity = 2;
constexpr double kLongestRun = 100'000;
constexpr double kLargestSeedOffered = 2'000'000'000;

/// The course of a run: it may go on with another one.
void courseFields(Fields& f, TsneOptions& o)
{
    constexpr NumberRange kFactors{0, 1e6, true};
    f("iterations", o.iterations, "--iterations", "iterations, including early exaggeration")
        .label("Iterations", "Steps of the optimiser. A finished map can be continued.")
        .countFrom(0)
        .offers(10, kLongestRun)
        .but(kIdentityUse);
    f("exaggeration", o.exaggeration, "--exaggeration", "early exaggeration factor")
        .label("Exaggeration", "Multiplies the attraction between neighbours at first, so that clusters form.")
        .within(kFactors)
        .offers(1, 100)
        .but(kIdentityUse);
    f("exaggeration_iterations", o.exaggerationIterations, "--exaggeration-iterations",
      "number of iterations with early exaggeration")
        .label("Exaggeration iterations", "Number of iterations with early exaggeration.")
        .countFrom(0)
        .offers(0, kLongestRun)
        .when(o.exaggeration != 1)
        .but(kIdentityUse);
    f("late_exaggeration", o.lateExaggeration, "--late-exaggeration", "exaggeration after the early phase")
        .label("Late exaggeration", "1 is plain t-SNE; 1.5 to 4 keeps clusters of very many points together.")
        .within(kFactors)
        .offers(0.5, 20)
        .but(kIdentityUse);
    f("learning_rate", o.learningRate, "--learning-rate",
      "learning rate; 0: points / exaggeration in the early phase, then points / 3")
        .label("Learning rate", "Step size. The automatic value grows with the number of points.")
        .within(0, 1e12)
        .offers(0, 1e7)
        .leastMeans("automatic")
        .but(kIdentityUse);
    f("momentum", o.momentum, "--momentum", "momentum: fraction of the last step that is added to the next")
        .label("Momentum", "Momentum: fraction of the last step that is added to the next.")
        .within({0, 1, false, true})
        .offers(0, 0.99)
        .but(kIdentityUse);
    f("max_step", o.maxStep).label("Longest step").within({0, 1e9, true}).only(kRecordUse);
    f("degrees_of_freedom", o.degreesOfFreedom, "--dof",
      "degrees of freedom of the kernel; smaller values give finer clusters")
        .label("Degrees of freedom", "Degrees of freedom of the kernel. Values below 1 separate finer clusters.")
        .within(kMinDegrees, kMaxDegrees)
        .offers(kMinDegrees, kMaxDegrees)
        .but(kIdentityUse);
    f("auto_stop", o.autoStop, "--auto-stop",
      "stop when the divergence no longer decreases; --iterations is then the maximum")
        .label("Stop automatically", "Stop when the KL divergence no longer decreases. Iterations becomes the maximum.")
        .but(kIdentityUse);
}

} // namespace

std::string_view startName(TsneStart start)
{
    return kStartWords[static_cast<std::size_t>(start)].word;
}

std::string_view affinitiesName(TsneAffinities affinities)
{
    return kAffinityWords[static_cast<std::size_t>(affinities)].word;
}

void fields(Fields& f, TsneOptions& o, const TsneLimits& limits)
{
    f("perplexity", o.perplexities, "--perplexity", "effective number of neighbours; 30,300: multiscale")
        .label("Perplexity",
               "Effective number of neighbours of a point. Small values show detail, large values the overall layout.")
        .within(1, kMaxCount)
        .offersWhole(kSmallestPerplexity, std::max(kSmallestPerplexity, limits.perplexity))
        .separatedBy(',');
    f("affinities", o.affinities, kAffinityWords, "--affinities",
      "sparse: 3 x perplexity neighbours of each point; dense: all pairs")
        .label("Affinities", "Sparse: 3 × perplexity neighbours attract a point. Dense: all points, for comparisons.");
    courseFields(f, o);
    metricField(f, o.metric);
    f("init", o.start, kStartWords, "--init", "pca, random or FILE.h5:/path")
        .label("Start", "PCA (principal components) keeps the large-scale layout and uses no randomness.")
        .valueName("START")
        .keptAs("start");
    f("start_jitter", o.startJitter, "--jitter",
      "noise added to a pca or given initialization, as a fraction of its spread; depends on the seed")
        .label("Jitter")
        .within(0, 1)
        .but(kFormUse);
    f("seed", o.seed) // typed among the options of every verb
        .label("Seed", "Seed of a random initialization, of noise and of the split of a probe. A PCA initialization "
                       "does not use it.")
        .offersWhole(0, kLargestSeedOffered);
    f("exact_below", o.exactBelow).label("Exact repulsion up to").only(kIdentityUse);
    f("exact_neighbors_below", o.exactNeighborsBelow).label("Exact neighbours up to").only(kIdentityUse);
}

std::int64_t affinityNeighbors(std::span<const double> perplexities, std::int64_t points)
{
    double largest = 0;
    for (const double perplexity : perplexities)
        largest = std::max(largest, perplexity);
    const auto others = std::max<std::int64_t>(0, points - 1);
    return 3 * largest >= static_cast<double>(others) ? others : static_cast<std::int64_t>(3 * largest);
}

bool seedMatters(const TsneOptions& options, std::int64_t points)
{
    if (options.start == TsneStart::Random || options.startJitter > 0)
        return true;
    return options.affinities == TsneAffinities::Sparse && points > options.exactNeighborsBelow;
}

} // namespace headscope
