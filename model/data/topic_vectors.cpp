// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/topic_vectors.h"

#include "model/base/fields/fields.h"

#include <array>

namespace headscope
{
namespace
{

constexpr std::array kKindWords = {FieldWord{"names", "Topics: names"},
                                   FieldWord{"centroids", "Topics: class centroids"}};

} // namespace

void fields(Fields& f, TopicVectorChoice& o)
{
    f("topic_vectors", o.kind, kKindWords, "--topic-vectors",
      "vector of a topic: its embedded name, or the mean of its documents, without the compared document")
        .label("Topic vectors", "Vector of a topic: its embedded name (in a decoder, one token shows little), or the "
                                "mean of its documents, without the compared document.");
    f("center", o.centred, "--center",
      "subtract the mean over documents from documents, and the mean over topics from topics")
        .label("Centre", "Subtract the mean over documents from documents, and over topics from topics. Otherwise, "
                         "what all vectors share makes every cosine large.");
}

} // namespace headscope
