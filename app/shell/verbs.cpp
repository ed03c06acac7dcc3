// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/verbs.h"

#include <algorithm>
#include <array>

namespace headscope::shell
{
namespace
{

constexpr std::array kVerbs = {
    VerbName{"inspect", VerbHome::Headscope, "what a model or a cache holds, and every problem found in it"},
    VerbName{"tokenize", VerbHome::Engine, "texts to token ids: JSONL with text in, JSONL with ids out"},
    VerbName{"extract", VerbHome::Engine, "head vectors of documents and of their topics' names, into a cache"},
    VerbName{"attention", VerbHome::Engine,
             "attention of one text: weights of all heads, what they attend with, statistics"},
    VerbName{"importance", VerbHome::Engine,
             "what the running model loses without heads: without each, without all others, without random sets"},
    VerbName{"merge", VerbHome::Engine, "one cache of the caches of all ranges of a run"},
    VerbName{"status", VerbHome::Engine, "how far a run has come, and what of it nobody works on"},
    VerbName{"serve", VerbHome::Engine,
             "an engine that stays: requests and answers as lines of JSON, one model in memory"},
    VerbName{"tsne", VerbHome::Headscope, "a map of head vectors"},
    VerbName{"neighbors", VerbHome::Headscope, "nearest neighbours, exact or approximate"},
    VerbName{"quality", VerbHome::Headscope, "how many neighbours a map keeps, and its divergence"},
    VerbName{"probe", VerbHome::Headscope, "can a linear probe tell the head, or the slice, from one vector?"},
    VerbName{"label-probe", VerbHome::Headscope, "a label of the documents, told by a linear probe from each head"},
    VerbName{"heatmap", VerbHome::Headscope, "heads by documents: cosine with the vector of the own topic"},
    VerbName{"similarity", VerbHome::Headscope, "similarity of topics"},
    VerbName{"match", VerbHome::Headscope, "how often the own topic is among the k nearest topic vectors"},
    VerbName{"heads", VerbHome::Headscope, "statistics of heads, and how alike their vectors are"},
    VerbName{"layers", VerbHome::Headscope, "probe, topic purity and redundancy over layers and stages"},
    VerbName{"retrieve", VerbHome::Headscope, "documents found by the votes of heads"},
    VerbName{"prune", VerbHome::Headscope, "how a measure of the cached vectors changes without some heads"},
    VerbName{"export", VerbHome::Headscope, "chosen head vectors in other formats"},
    VerbName{"figure", VerbHome::Headscope, "a figure again, from its recipe"},
    VerbName{"report", VerbHome::Headscope, "all figures and tables of a cache, as a page and a document"},
    VerbName{"doctor", VerbHome::Headscope, "what this machine offers, problems found and how to mend them"},
};

} // namespace

std::span<const VerbName> allVerbs()
{
    return kVerbs;
}

const VerbName* findVerb(std::string_view name)
{
    const auto found = std::find_if(kVerbs.begin(), kVerbs.end(), [&](const VerbName& v) { return v.name == name; });
    return found == kVerbs.end() ? nullptr : &*found;
}

} // namespace headscope::shell
