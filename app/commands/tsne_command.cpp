// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/tsne_command.h"

#include "app/commands/value_checks.h"
#include "model/base/fields/fields.h"

namespace headscope::commands
{
namespace
{

constexpr NumberRange kFactors{0, 1e6, true};
constexpr double kMostPerplexity = kMaxCount;
constexpr std::int64_t kMostSeeds = 100;

} // namespace

void TsneCommand::declare(Fields& table)
{
    input.declareCache(table, false);
    input.declareMatrix(table, false);
    table.option("--perplexity", perplexities, "effective neighbours; 30,300: multiscale")
        .within(1, kMostPerplexity)
        .separatedBy(',');
    table.option("--affinities", affinities, "sparse: 3 x perplexity neighbours of each point; dense: all pairs")
        .oneOf({"sparse", "dense"});
    table.option("--iterations", iterations, "iterations, exaggeration included").countFrom(0);
    table.option("--exaggeration", exaggeration, "factor of the first iterations").within(kFactors);
    table.option("--exaggeration-iterations", exaggerationIterations, "how many of them").countFrom(0);
    table.option("--late-exaggeration", lateExaggeration, "factor afterwards").within(kFactors);
    table.option("--learning-rate", learningRate, "0: points / exaggeration, then points / 3").within(0, 1e12);
    table.option("--momentum", momentum, "share of the last step in the next").within(NumberRange{0, 1, false, true});
    table.option("--dof", degreesOfFreedom, "degrees of freedom of the kernel; less: finer clusters")
        .within(kFewestDegrees, kMostDegrees);
    table.flag("--auto-stop", autoStop, "end when the divergence hardly falls, at --iterations at the latest");
    table.option("--metric", metric, "distance between vectors").oneOf({"euclidean", "cosine"});
    table.option("--init", init, "pca, random or FILE.h5:/path").checkedBy(startFault, "random").valueName("START");
    table.option("--jitter", jitter, "noise on a pca or given start, as a share of its spread, drawn by the seed")
        .within(0, 1);
    table
        .option("--seeds", seeds,
                "so many maps from jittered starts (0.01 unless --jitter says more), and how far they agree")
        .within(1, kMostSeeds);
    table.option("--name", name, "name of the map below /maps").valueName("NAME");
    table.option("--save", save, "put the map into the cache under this name").valueName("NAME");
    table.option("-o,--output", output, ".h5, .csv, .png, .pdf or .svg").valueName("FILE");
    declarePlainCsv(table, plainCsv);
    table.option("--color", color, "head, strength or a label, for pictures").valueName("WHAT");
    table.option("--palette", palette, "colours of labels; shapes tell apart those that not all eyes do")
        .oneOf({"standard", "colorblind", "contrast", "grey"});
    table.option("--show-heads", showHeads, "for pictures: these heads of the whole map, its axes fitted to them")
        .valueName("1-4,9");
    table.option("--panels", panels, "for pictures: one panel a head, all with the same axes").oneOf({"none", "heads"});
    table
        .option("--inset", inset,
                "for pictures: a part of the map, enlarged in a corner: heads:3,5, or two of its corners on the map, "
                "X,Y,X,Y")
        .checkedBy(insetFault, "heads:1-3")
        .valueName("PART")
        .defaultMeans("none");
    figure.declare(table);
    table.option("--state", state, "file that keeps the run: written on stop, read to go on").valueName("FILE");
    table.flag("--quality", quality, "measure how many neighbours the map keeps, and its exact divergence");
    table
        .option("--noise-floor", noiseFloor,
                "maps of the same vectors with noise of 1e-4, to compare with; a verdict takes 3; 0: none")
        .countFrom(0);
    table.flag(
        "--aligned", aligned,
        "a map of the full vector and one per head, at stages 2 and 3 per segment, from a common start, aligned");
    table.option("--map", map, "draw this map of the cache's vectors instead of computing one: FILE.h5:/maps/NAME/xy")
        .valueName("MAP");
}

TsneOptions TsneCommand::options(std::uint64_t seed) const
{
    TsneOptions options;
    options.perplexities = perplexities;
    options.affinities =
        affinities == affinitiesName(TsneAffinities::Dense) ? TsneAffinities::Dense : TsneAffinities::Sparse;
    options.iterations = iterations;
    options.exaggeration = exaggeration;
    options.exaggerationIterations = exaggerationIterations;
    options.lateExaggeration = lateExaggeration;
    options.learningRate = learningRate;
    options.momentum = momentum;
    options.degreesOfFreedom = degreesOfFreedom;
    options.autoStop = autoStop;
    options.metric = metric == metricName(Metric::Cosine) ? Metric::Cosine : Metric::Euclidean;
    options.start = init == "pca" ? TsneStart::Pca : init == "random" ? TsneStart::Random : TsneStart::Given;
    options.seed = seed;
    options.startJitter = options.start == TsneStart::Random ? 0.0 : seeds > 1 && jitter == 0 ? kSeedsJitter : jitter;
    return options;
}

void TsneCommand::setOptions(const TsneOptions& options)
{
    perplexities = options.perplexities;
    affinities = affinitiesName(options.affinities);
    iterations = options.iterations;
    exaggeration = options.exaggeration;
    exaggerationIterations = options.exaggerationIterations;
    lateExaggeration = options.lateExaggeration;
    learningRate = options.learningRate;
    momentum = options.momentum;
    degreesOfFreedom = options.degreesOfFreedom;
    autoStop = options.autoStop;
    metric = metricName(options.metric);
    if (options.start != TsneStart::Given)
        init = options.start == TsneStart::Random ? "random" : "pca";
    jitter = options.startJitter;
}

} // namespace headscope::commands
