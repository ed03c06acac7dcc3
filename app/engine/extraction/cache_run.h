// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/engine/ablation/ablation.h"
#include "app/engine/document_feed.h"
#include "app/engine/extraction/run_extraction.h"
#include "app/engine/model_source.h"
#include "app/engine/topic_names.h"
#include "model/base/clock.h"
#include "model/io/shards/shard_merge.h"
#include "model/io/shards/shard_writer.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headscope::engine
{

/// The steps of `extract`, for a new cache and for one that is added to: open the model, plan what of which documents
/// is computed, load, feed the documents, embed topic names, and make the cache.
class CacheRun
{
public:
    CacheRun(const ExtractionRequest& request, VerbContext& context) : m_request(request), m_context(context) {}
    virtual ~CacheRun() = default;
    CacheRun(const CacheRun&) = delete;
    CacheRun& operator=(const CacheRun&) = delete;

    /// All of them, in this order.
    [[nodiscard]] Result<ExtractSummary> run();

protected:
    /// Where the cache is written, behind links.
    [[nodiscard]] virtual Result<std::filesystem::path> checkedPlace() const = 0;
    /// Once no other process writes there.
    [[nodiscard]] virtual Status begin() = 0;
    /// Where parts are gathered until the cache is made.
    [[nodiscard]] virtual std::vector<std::filesystem::path> folders() const = 0;
    [[nodiscard]] virtual Result<ExtractionOptions> chooseOptions() = 0;
    /// Whether model, options, length and ablation are those that the cache may have.
    [[nodiscard]] virtual Status checkSettings() { return {}; }
    /// Opens the documents, and finds what of them is to be computed.
    /// @return  whether anything is
    [[nodiscard]] virtual Result<bool> plan() = 0;
    /// Whether the run fits into memory and on the disk.
    [[nodiscard]] virtual Status checkRoom() = 0;
    /// The documents' vectors into parts.
    [[nodiscard]] virtual Status computeDocuments() = 0;
    /// Topic vectors, and the cache of all parts.
    [[nodiscard]] virtual Result<MergeSummary> makeCache() = 0;
    /// Of a run that ends before all is computed.
    virtual void sayKept(const std::vector<ShardWriter*>& writers) = 0;
    /// Once the cache is there, or was left as it is.
    virtual void sayLast() {}

    void notices(const std::vector<std::string>& sentences) { sayNotices(m_context, sentences); }
    [[nodiscard]] const OpenedModel& model() const { return *m_model; }
    [[nodiscard]] const HeadExtractor& extractor() const { return *m_extractor; }
    [[nodiscard]] const TextEncoder& encoder() const { return *m_encoder; }
    [[nodiscard]] Result<std::unique_ptr<ShardWriter>> openWriter(ShardOptions shards);
    /// Runs the documents of a feed into writers, which are finished then.
    /// @param to  hands the vectors to the writers
    /// @param count  of the documents, for progress
    /// @param feedSeconds  that the feed took
    [[nodiscard]] Status runFeed(const TokenStream& feed, const std::function<double()>& feedSeconds,
                                 HeadVectorSink& to, std::int64_t count, const std::vector<ShardWriter*>& writers);
    /// The vectors of the names of a label column, those of all blocks.
    [[nodiscard]] Result<std::vector<TopicVectors>> topicsOf(const LabelColumn& column);
    void takeCounts(const MergeSummary& counts);

    ExtractionRequest m_request;
    VerbContext& m_context;
    std::filesystem::path m_output; ///< behind links
    std::vector<TopicList> m_topicLists;
    ExtractionOptions m_options;
    Ablation m_ablation;
    std::int64_t m_maxTokens = 0;
    std::int64_t m_nonFinite = 0; ///< documents whose vectors were not finite when they were computed
    ExtractSummary m_summary;

private:
    [[nodiscard]] Status open();
    [[nodiscard]] Status load();
    [[nodiscard]] Status compute();
    /// The digest of the cache, which a stop request no longer concerns.
    [[nodiscard]] Status takeDigest();

    const OpenedModel* m_model = nullptr;
    const HeadExtractor* m_extractor = nullptr;
    std::optional<TextEncoder> m_encoder;
};

} // namespace headscope::engine
