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
      "what stands for a topic: its embedded name, or the mean of its documents, of which the one that is compared is "
      "left out")
        .label("Topic vectors", "What stands for a topic: its embedded name (in a decoder a name of one token says "
                                "little), or the mean of its documents, from which the document that is compared is "
                                "left out.");
    f("center", o.centred, "--center",
      "take the mean over documents away from documents, and that over topics from topics")
        .label("Centre", "Take the mean over the documents away from documents, and that over topics from topics: what "
                         "all share makes every cosine large.");
}

} // namespace headscope
