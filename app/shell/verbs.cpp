// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/verbs.h"

#include <algorithm>
#include <array>

namespace headscope::shell
{
namespace
{

constexpr std::array kVerbs = {
    VerbName{"inspect", VerbHome::Headscope, "what a model or a cache holds, and every problem of it"},
    VerbName{"tokenize", VerbHome::Engine, "texts to token ids: JSONL with text in, JSONL with ids out"},
    VerbName{"extract", VerbHome::Engine, "head vectors of documents and of their topics' names, into a cache"},
    VerbName{"attention", VerbHome::Later, "attention of one text"},
    VerbName{"merge", VerbHome::Later, "verify shards and merge them"},
    VerbName{"tsne", VerbHome::Headscope, "a map of head vectors"},
    VerbName{"neighbors", VerbHome::Headscope, "nearest neighbours, exact or approximate"},
    VerbName{"quality", VerbHome::Headscope, "how far a map can be trusted"},
    VerbName{"probe", VerbHome::Headscope, "can the head be told from its vector?"},
    VerbName{"heatmap", VerbHome::Headscope, "heads by documents: similarity to the own topic"},
    VerbName{"similarity", VerbHome::Headscope, "similarity of topics"},
    VerbName{"match", VerbHome::Headscope, "how often the own topic is among the nearest"},
    VerbName{"heads", VerbHome::Headscope, "statistics of heads, and how alike they are"},
    VerbName{"layers", VerbHome::Headscope, "where in the model heads and topics part"},
    VerbName{"retrieve", VerbHome::Headscope, "documents found by the votes of heads"},
    VerbName{"prune", VerbHome::Headscope, "what a head is worth"},
    VerbName{"export", VerbHome::Headscope, "chosen head vectors in other formats"},
    VerbName{"figure", VerbHome::Later, "a figure again, from its recipe"},
    VerbName{"report", VerbHome::Later, "all tables and figures of a cache"},
    VerbName{"serve", VerbHome::Later, "the engine as a process that stays, for the window"},
    VerbName{"doctor", VerbHome::Headscope, "what this machine offers, what is wrong and how to mend it"},
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
