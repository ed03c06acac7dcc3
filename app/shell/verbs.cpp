// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/verbs.h"

#include <algorithm>
#include <array>

namespace headscope::shell
{
namespace
{

constexpr std::array kVerbs = {
    VerbName{"inspect", VerbHome::Headscope, "list the contents of a model or a cache, and report problems"},
    VerbName{"tokenize", VerbHome::Engine, "turn texts into token ids (JSONL in, JSONL out)"},
    VerbName{"extract", VerbHome::Engine, "extract the head vectors of documents and topic names into a cache"},
    VerbName{"attention", VerbHome::Engine,
             "compute attention: weights of all heads, queries, keys and values, statistics"},
    VerbName{"importance", VerbHome::Engine, "ablate heads in the running model and measure what is lost"},
    VerbName{"merge", VerbHome::Engine, "merge the caches of all ranges of a run into one cache"},
    VerbName{"status", VerbHome::Engine, "show the progress of a run, and ranges that no process works on"},
    VerbName{"serve", VerbHome::Engine, "keep one model loaded and answer requests (lines of JSON)"},
    VerbName{"tsne", VerbHome::Headscope, "compute a t-SNE map of head vectors"},
    VerbName{"neighbors", VerbHome::Headscope, "find nearest neighbours, exactly or approximately"},
    VerbName{"quality", VerbHome::Headscope, "measure neighbourhood preservation and divergence of a map"},
    VerbName{"probe", VerbHome::Headscope, "train a linear probe to predict the head (or segment) of a vector"},
    VerbName{"label-probe", VerbHome::Headscope, "train a linear probe per head to predict a label of the documents"},
    VerbName{"heatmap", VerbHome::Headscope,
             "show the cosine similarity of each head vector with its document's topic vector"},
    VerbName{"similarity", VerbHome::Headscope, "compute the similarity of topics"},
    VerbName{"match", VerbHome::Headscope, "measure how often the true topic is among the k nearest topic vectors"},
    VerbName{"heads", VerbHome::Headscope, "compute statistics of heads and the similarity of heads"},
    VerbName{"layers", VerbHome::Headscope, "compare layers and stages: probe accuracy, topic purity, redundancy"},
    VerbName{"retrieve", VerbHome::Headscope, "find documents by the votes of heads"},
    VerbName{"prune", VerbHome::Headscope, "measure what changes when heads are removed from the cached vectors"},
    VerbName{"export", VerbHome::Headscope, "export head vectors in other formats"},
    VerbName{"figure", VerbHome::Headscope, "make a figure again from its recipe"},
    VerbName{"report", VerbHome::Headscope,
             "write all figures and tables of a cache as an HTML page and a LaTeX document"},
    VerbName{"doctor", VerbHome::Headscope, "check this machine, and report problems with their remedies"},
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
