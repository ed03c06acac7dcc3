// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace headscope::shell
{

/// Which program does a verb's work.
enum class VerbHome
{
    Headscope, ///< headscope itself: it needs no model
    Engine,    ///< headscope-engine, which headscope hands the words to
};

/// Whether `headscope-engine serve` answers requests for a verb, and how.
enum class Served
{
    No,
    Verb,  ///< as the verb does, by the model that stays in memory
    Alone, ///< as the verb does, after that model was released: the verb's own takes the memory
    Form,  ///< by a form of its own: the parameters or the answer differ from those of the verb
};

/// A verb of the command line.
struct VerbName
{
    std::string_view name;
    VerbHome home;
    std::string_view summary; ///< what it gives, for the list of verbs
    Served served = Served::No;
};

/// The list of all verbs, in the order in which --help shows them; all others are made from it. A line has the stem of
/// its names in the code, its name and its summary; where the engine runs it, also whether it is Served.
/// `ProbeCommand` (app/commands) is what is typed; `cli::makeProbeVerb()` runs it where it is done by headscope itself,
/// `engine::declareExtract()` where it needs a model, and `engine::declareServedTokenize()` is a form of `serve`.
/// @param OWN    macro for those of headscope
/// @param MODEL  macro for those of headscope-engine
/// @param BOTH   macro for those of both: headscope reads caches, and hands models to the engine
#define HEADSCOPE_VERBS(OWN, MODEL, BOTH) \
    BOTH(Inspect, "inspect", "list the contents of a model or a cache, and report problems", Verb) \
    MODEL(Tokenize, "tokenize", "turn texts into token ids (JSONL in, JSONL out)", Form) \
    MODEL(Extract, "extract", "extract the head vectors of documents and topic names into a cache", Alone) \
    MODEL(Attention, "attention", "compute attention: weights of all heads, queries, keys and values, statistics", \
          Form) \
    MODEL(Importance, "importance", "ablate heads in the running model and measure what is lost", Verb) \
    MODEL(Contributions, "contributions", "split the vectors of documents into what every head and MLP adds", Verb) \
    MODEL(Composition, "composition", "measure, from the weights, how much each head can read from earlier heads", \
          Verb) \
    MODEL(Lens, "lens", "decode what heads add, or their weights, into tokens of the vocabulary", Verb) \
    MODEL(Merge, "merge", "merge the caches of all ranges of a run into one cache", No) \
    MODEL(Status, "status", "show the progress of a run, and ranges that no process works on", No) \
    MODEL(Serve, "serve", "keep one model loaded and answer requests (lines of JSON)", No) \
    OWN(Tsne, "tsne", "compute a t-SNE map of head vectors") \
    OWN(Neighbors, "neighbors", "find nearest neighbours, exactly or approximately") \
    OWN(Quality, "quality", "measure neighbourhood preservation and divergence of a map") \
    OWN(Probe, "probe", "train a linear probe to predict the head (or segment) of a vector") \
    OWN(LabelProbe, "label-probe", "train a linear probe per head to predict a label of the documents") \
    OWN(Heatmap, "heatmap", "show the cosine similarity of each head vector with its document's topic vector") \
    OWN(Similarity, "similarity", "compute the similarity of topics") \
    OWN(Match, "match", "measure how often the true topic is among the k nearest topic vectors") \
    OWN(Heads, "heads", "compute statistics of heads and the similarity of heads") \
    OWN(Card, "card", "describe a head, or every head, on a page of sentences and small charts") \
    OWN(Layers, "layers", "compare layers and stages: probe accuracy, topic purity, redundancy") \
    OWN(Circuits, "circuits", "show what contributions, composition or lens wrote: as a table or a figure") \
    OWN(Evaluate, "evaluate", "evaluate every head on labelled queries, pairs and topics") \
    OWN(Retrieve, "retrieve", "find documents by the votes of heads") \
    OWN(Name, "name", "choose the texts whose vectors explain the variance of each head") \
    OWN(Prune, "prune", "measure what changes when heads are removed from the cached vectors") \
    OWN(Export, "export", "export head vectors in other formats") \
    OWN(Figure, "figure", "redraw a figure from its recipe") \
    OWN(Report, "report", "write all figures and tables of a cache as an HTML page and a LaTeX document") \
    OWN(Doctor, "doctor", "check this machine, and report problems and how to fix them")

/// For the kinds of verbs that somebody passes over.
#define HEADSCOPE_NO_VERB(stem, name, summary, ...)

/// Every verb, in the order of the list. `inspect` is under Headscope.
[[nodiscard]] std::span<const VerbName> allVerbs();
/// @return null: there is no such verb
[[nodiscard]] const VerbName* findVerb(std::string_view name);

} // namespace headscope::shell
