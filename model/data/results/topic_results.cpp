// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/results/topic_results.h"

#include "model/base/fields/fields.h"

#include <array>

namespace headscope
{
namespace
{

constexpr std::array kChoiceWords = {FieldWord{"first", "the first ones"},
                                     FieldWord{"best", "the nearest to the topic"},
                                     FieldWord{"sample", "a sample (seed 1)"}};

} // namespace

std::string_view choiceName(HeatmapChoice choice)
{
    return kChoiceWords[static_cast<std::size_t>(choice)].word;
}

void fields(Fields& f, HeatmapOptions& o)
{
    f("per_topic", o.perTopic, "--per-topic", "maximum number of documents of each topic")
        .label("Documents per topic", "Maximum number of documents of each topic.")
        .countFrom(1)
        .offers(1, 100'000)
        .unit("per topic");
    f("choose", o.choice, kChoiceWords, "--choose",
      "which documents of a topic to use: the first by row, the nearest to the topic, or a random sample")
        .label("Selection of documents", "Which documents to use where a topic has more: the first by index, those "
                                         "whose full vector is nearest to the topic’s, or a random sample.");
    f("seed", o.seed).label("Seed").but(kFormUse); // typed among the options of every verb
}

void fields(Fields& f, NullOptions& o)
{
    f("permutations", o.permutations, "--permutations", "number of permutations of the labels for p; 0: none")
        .label("Permutations")
        .countFrom(0);
    f("seed", o.seed).label("Seed").but(kFormUse); // typed among the options of every verb
}

void fields(Fields& f, MatchOptions& o)
{
    f("k", o.k, "--k", "number of nearest topics among which the true topic counts as a match")
        .label("Nearest topics")
        .countFrom(1)
        .separatedBy(',');
}

} // namespace headscope
