// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/topics/similarity_frame.h"

namespace headscope
{
namespace
{

constexpr ColumnInfo kSimilarityColumns[] = {
    {"topic", "Topic", "", "Name of the topic", "", Shown::Text},
    {"cosine", "Cosine", "", "Cosine of the vector of the row's topic with the vector of the column's topic, -1 to 1",
     "Topic vectors share a direction: compare the cosine with the mean over pairs, not with 0"},
};

} // namespace

constinit const FrameInfo kSimilarityFrame = {.key = "similarity", .columns = kSimilarityColumns};

Frame similarityFrame(const TopicSimilarity& similarity)
{
    Frame frame(kSimilarityFrame);
    frame.add("topic", similarity.names);
    for (std::size_t other = 0; other < similarity.names.size(); ++other)
    {
        Column::Reals cosines;
        for (std::int64_t topic = 0; topic < similarity.values.rows(); ++topic)
            cosines.push_back(similarity.values(topic, static_cast<std::int64_t>(other)));
        frame.add("cosine", std::move(cosines)).named(similarity.names[other]);
    }
    return frame;
}

} // namespace headscope
