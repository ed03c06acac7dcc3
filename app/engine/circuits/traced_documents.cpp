// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/circuits/traced_documents.h"

#include "app/engine/circuits/residual_weights.h"
#include "app/engine/extraction_steps.h"
#include "model/base/free_memory.h"
#include "model/net/run/extraction_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope::engine
{
namespace
{

/// Refuses what does not fit, once it is known how much there is.
Status checkSizes(const CircuitTexts& texts, const ResidualModel& model, const ExtractionOptions& options)
{
    std::int64_t longest = stepTokensOf(options);
    for (const TokenizedDocument& document : texts.documents)
        longest = std::max(longest, std::ssize(document.ids));
    const auto documents = static_cast<double>(texts.documents.size());
    const auto layers = static_cast<double>(model.numLayers());
    const auto width = static_cast<double>(model.heads * model.headDim);
    const auto dims = static_cast<double>(model.modelDim);
    const double own = 4 * layers * (width + dims) + 28 * dims + 32 * layers * static_cast<double>(model.heads + 5);
    const double pooledTokens = options.pooling == Pooling::Mean ? static_cast<double>(2 * longest) : 2;
    const double traces = 4 * layers * (width + 2 * dims) * pooledTokens * static_cast<double>(workersOf(options));
    return headscope::checkMemory({documents * own + traces,
                                   fmt::format("the contributions to the vectors of {} documents", documents),
                                   "use fewer or shorter documents, or fewer --threads"});
}

/// Runs the documents, and drops those whose vectors are not finite or zero.
Status traceAll(const CircuitTexts& texts, const HeadExtractor& extractor, TracedDocuments& found, JobContext& job)
{
    std::vector<PooledSummands> all(texts.documents.size());
    HEADSCOPE_CHECK(extractor.traceDocuments(
        texts.documents,
        [&](std::size_t document, const ResidualTrace& trace) -> Status {
            all[document] = poolSummands(found.model, trace);
            return {};
        },
        job));
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        const std::vector<double> embedding(all[i].embedding.begin(), all[i].embedding.end());
        const double norm = std::sqrt(std::inner_product(embedding.begin(), embedding.end(), embedding.begin(), 0.0));
        if (!std::isfinite(norm) || norm == 0)
        {
            ++found.nonFinite;
            continue;
        }
        found.ids.push_back(texts.ids[i]);
        found.beginnings.push_back(texts.beginnings[i]);
        found.norms.push_back(norm);
        found.summands.push_back(std::move(all[i]));
    }
    if (found.nonFinite > 0)
        found.notices.push_back(
            fmt::format("excluded {} documents whose vectors have NaN, infinity or only zeros", found.nonFinite));
    return {};
}

} // namespace

Result<TracedDocuments> traceTexts(const commands::DocumentsRun& command, const shell::CommonOptions& common,
                                   const OpenedModel& model, const HeadExtractor& extractor,
                                   const ExtractionOptions& options, std::int64_t maxTokens,
                                   const DocumentChoice& choice, JobContext& job)
{
    TracedDocuments found;
    HEADSCOPE_TRY(found.model, residualModel(extractor.weights()));
    HEADSCOPE_TRY(const auto encoder, makeEncoder(command, model, maxTokens));
    HEADSCOPE_TRY(const CircuitTexts texts, readCircuitTexts(command, common, encoder, choice.wanted, job));
    if (choice.check)
        HEADSCOPE_CHECK(choice.check(texts.ids)); // before the model runs
    HEADSCOPE_CHECK(checkSizes(texts, found.model, options));
    found.tokens = texts.tokens;
    found.empty = texts.empty;
    found.truncated = texts.truncated;
    found.notices = texts.notices;
    found.hashes = hashesOf(model.card);
    HEADSCOPE_CHECK(traceAll(texts, extractor, found, job));
    return found;
}

} // namespace headscope::engine
