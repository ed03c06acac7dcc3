// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/run/token_means.h"

#include "model/base/hash.h"
#include "model/base/numbers/all_finite.h"
#include "model/net/run/extraction_run.h"

#include <algorithm>
#include <map>
#include <utility>

namespace headscope
{
namespace
{

/// Adds up the documents in their order, in whichever they come.
class MeanSink : public HeadVectorSink
{
public:
    explicit MeanSink(std::int64_t values) : m_sums(static_cast<std::size_t>(values), 0.0) {}

    Status add(std::span<const ExtractedDocument> documents) override
    {
        for (const ExtractedDocument& document : documents)
            m_waiting.emplace(document.index, document);
        for (auto next = m_waiting.begin(); next != m_waiting.end() && next->first == m_next; ++m_next)
        {
            addOne(next->second);
            next = m_waiting.erase(next);
        }
        return {};
    }

    [[nodiscard]] std::int64_t documents() const { return m_documents; }
    [[nodiscard]] std::int64_t tokens() const { return m_tokens; }
    [[nodiscard]] std::vector<float> means() const
    {
        std::vector<float> means;
        for (const double sum : m_sums)
            means.push_back(static_cast<float>(sum / static_cast<double>(m_tokens)));
        return means;
    }

private:
    void addOne(const ExtractedDocument& document)
    {
        if (document.tokens == 0)
            return;
        const auto tokens = static_cast<double>(document.tokens);
        std::ranges::transform(m_sums, document.values, m_sums.begin(),
                               [tokens](double sum, float mean) { return sum + tokens * static_cast<double>(mean); });
        ++m_documents;
        m_tokens += document.tokens;
    }

    std::vector<double> m_sums;
    std::map<std::int64_t, ExtractedDocument> m_waiting; ///< that came before one in front of them
    std::int64_t m_next = 0;
    std::int64_t m_documents = 0;
    std::int64_t m_tokens = 0;
};

void addIds(Xxh3& digest, std::span<const std::int32_t> ids)
{
    const std::uint64_t count = ids.size();
    digest.update(std::as_bytes(std::span(&count, 1)));
    digest.update(std::as_bytes(ids));
}

} // namespace

std::vector<float> TokenMeans::of(std::int64_t layer, std::span<const HeadIndex> heads, std::int64_t headDim) const
{
    std::vector<float> values;
    const auto found = std::ranges::find(layers, layer);
    if (found == layers.end())
        return values;
    const std::span<const float> row = means.row(found - layers.begin());
    for (const HeadIndex head : heads)
    {
        const auto part =
            row.subspan(head.index() * static_cast<std::size_t>(headDim), static_cast<std::size_t>(headDim));
        values.insert(values.end(), part.begin(), part.end());
    }
    return values;
}

ExtractionOptions optionsForMeans(const ExtractionOptions& like, std::vector<std::int64_t> layers)
{
    ExtractionOptions options = like;
    options.stages = {Stage::HeadOutput};
    options.layers = std::move(layers);
    options.pooling = Pooling::Mean;
    options.edit.off.clear();
    options.keepsPass = false;
    return options;
}

Result<TokenMeans> measureTokenMeans(const HeadExtractor& extractor, const TokenStream& stream,
                                     std::uint64_t documentCount, JobContext& job)
{
    MeanSink sink(valuesPerDocument(extractor.blocks()));
    Xxh3 digest;
    const TokenStream whole = [&]() -> Result<std::optional<TokenizedDocument>> {
        HEADSCOPE_TRY(auto document, stream());
        if (document)
        {
            document->promptTokens = 0; // the mean of every document is that of all its tokens
            addIds(digest, document->ids);
        }
        return document;
    };
    HEADSCOPE_TRY(const auto report, extractor.run(whole, sink, documentCount, job));
    if (sink.tokens() == 0)
        return Error{ErrorCode::InvalidArgument,
                     "expected a reference with at least one token for the mean of the heads, found none",
                     {},
                     "--reference"};
    TokenMeans found;
    for (const ExtractionBlock& block : extractor.blocks())
        found.layers.push_back(block.layer.value());
    auto means = sink.means();
    if (report.nonFinite > 0 || !allFinite(means))
        return Error{ErrorCode::InvalidArgument,
                     "expected a reference with finite head vectors, found NaN or infinity in them",
                     {},
                     "--reference"};
    const auto rows = static_cast<std::int64_t>(found.layers.size());
    const std::int64_t width = std::ssize(means) / rows;
    found.means = MatrixF(rows, width, std::move(means));
    found.documents = sink.documents();
    found.tokens = sink.tokens();
    found.digest = digest.hex();
    return found;
}

} // namespace headscope
