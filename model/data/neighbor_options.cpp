// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/neighbor_options.h"

#include "model/base/fields/fields.h"

#include <array>

namespace headscope
{
namespace
{

constexpr std::array kMetricWords = {FieldWord{"euclidean", "Euclidean"}, FieldWord{"cosine", "Cosine"}};
constexpr std::array kMethodWords = {FieldWord{"auto", "automatic"}, FieldWord{"exact", "exact"},
                                     FieldWord{"approximate", "approximate"}};
constexpr std::array kSpaceWords = {FieldWord{"full", "by full vector"}, FieldWord{"head", "by head"}};

} // namespace

std::string_view metricName(Metric metric)
{
    return kMetricWords[static_cast<std::size_t>(metric)].word;
}

Field& metricField(Fields& f, Metric& metric)
{
    return f("metric", metric, kMetricWords, "--metric", "distance between vectors")
        .label("Metric", "Cosine compares only directions; Euclidean also lengths.");
}

std::string_view methodName(NeighborMethod method)
{
    return kMethodWords[static_cast<std::size_t>(method)].word;
}

void fields(Fields& f, NeighborOptions& o)
{
    f("k", o.k, "-k", "neighbours of each point").label("Neighbours").countFrom(1);
    metricField(f, o.metric);
    f("method", o.method, kMethodWords, "--method", "auto: exact up to 100,000 points").label("Method");
    f("recall", o.recall, "--recall",
      "fraction of true neighbours that the approximate method aims to find, measured on a sample")
        .label("Recall")
        .within({0, 1, true});
    f("seed", o.seed).label("Seed"); // typed among the options of every verb
}

void fields(Fields& f, GrowOptions& o)
{
    f("neighbors", o.neighbors)
        .label("Neighbours of each selected document",
               "Add this number of nearest neighbours of each selected document to the selection.")
        .countFrom(1)
        .offers(1, 100);
    f("space", o.space, kSpaceWords)
        .label("Similarity by the full vector, or by one head or segment",
               "Vectors that determine the neighbours. A click on a point of the map sets the head or segment.");
}

} // namespace headscope
