// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/importance/mask_runs.h"

#include "model/base/free_memory.h"
#include "model/net/run/edited_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace headscope::engine
{
namespace
{

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double dot(std::span<const float> a, std::span<const float> b)
{
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0, std::plus(),
                              [](float x, float y) { return static_cast<double>(x) * static_cast<double>(y); });
}

/// NaN where one of them is zero.
double cosine(std::span<const float> a, std::span<const float> b)
{
    return dot(a, b) / std::sqrt(dot(a, a) * dot(b, b));
}

/// The topics of some edits, as they came.
class TopicTable
{
public:
    TopicTable(std::size_t edits, std::size_t topics) : m_topics(topics), m_vectors(edits * topics) {}

    void put(const EditedVector& vector)
    {
        m_vectors[vector.edit * m_topics + vector.document].assign(vector.values.begin(), vector.values.end());
    }
    /// The nearest topic of a vector by the same edit; equal ones: the lower index. -1: none is finite.
    [[nodiscard]] std::int32_t nearest(std::size_t edit, std::span<const float> vector) const
    {
        std::int32_t best = -1;
        double highest = -std::numeric_limits<double>::infinity();
        for (std::size_t topic = 0; topic < m_topics; ++topic)
        {
            const auto& other = m_vectors[edit * m_topics + topic];
            if (other.empty())
                continue; // a name without a token
            if (const double value = cosine(vector, other); value > highest)
            {
                highest = value;
                best = static_cast<std::int32_t>(topic);
            }
        }
        return best;
    }

private:
    std::size_t m_topics;
    std::vector<std::vector<float>> m_vectors; ///< [edits * topics]
};

/// Edits whose topics are in memory at once.
std::size_t editsAtOnce(std::size_t topics, std::size_t dims)
{
    constexpr std::size_t kMaxBytes = std::size_t{256} << 20;
    constexpr std::size_t kFewest = 32;
    return std::max(kFewest, kMaxBytes / std::max<std::size_t>(1, topics * dims * sizeof(float)));
}

} // namespace

Result<MaskOutcome> runMasks(const HeadExtractor& extractor, const MaskTexts& texts, std::span<const ModelEdit> edits,
                             JobContext& job)
{
    const auto rows = std::ssize(edits);
    const auto documents = std::ssize(texts.documents);
    const bool matches = !texts.topics.empty();
    // A measure's values of all runs, and once more without the documents that are left out.
    const double bytes = 16.0 * static_cast<double>(rows) * static_cast<double>(documents) * (matches ? 2 : 1);
    HEADSCOPE_CHECK(
        headscope::checkMemory({bytes, fmt::format("the importance from {} runs of {} documents", rows, documents),
                                "use fewer --masks or documents"}));
    MaskOutcome found{MatrixD(rows, documents), matches ? MatrixD(rows, documents) : MatrixD()};
    std::ranges::fill(found.cosine.values(), kNan);
    std::ranges::fill(found.match.values(), kNan);
    std::vector<std::vector<float>> whole(texts.documents.size()); // embeddings of the first edit
    const ExtractionBlock& block = extractor.blocks().front();
    const auto dims = static_cast<std::size_t>(block.heads * block.dims);
    const std::size_t most = editsAtOnce(texts.topics.size(), dims);
    for (std::size_t first = 0; first < edits.size(); first += most)
    {
        const auto some = edits.subspan(first, std::min(most, edits.size() - first));
        TopicTable topics(some.size(), texts.topics.size());
        JobContext quiet(job.stopToken()); // progress is that of the documents
        HEADSCOPE_CHECK(extractor.runEdits(
            texts.topics, some, [&topics](const EditedVector& vector) { topics.put(vector); }, quiet));
        HEADSCOPE_CHECK(extractor.runEdits(
            texts.documents, some,
            [&](const EditedVector& vector) {
                const std::size_t edit = first + vector.edit;
                auto& own = whole[vector.document];
                if (edit == 0)
                    own.assign(vector.values.begin(), vector.values.end());
                const auto row = static_cast<std::int64_t>(edit);
                const auto column = static_cast<std::int64_t>(vector.document);
                found.cosine(row, column) = edit == 0 && dot(own, own) > 0 ? 1 : cosine(vector.values, own);
                const std::int32_t label = matches ? texts.labels[vector.document] : -1;
                if (label >= 0)
                    found.match(row, column) = topics.nearest(vector.edit, vector.values) == label ? 1 : 0;
            },
            job));
    }
    return found;
}

} // namespace headscope::engine
