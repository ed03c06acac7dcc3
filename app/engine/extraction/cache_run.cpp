// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/extraction/cache_run.h"

#include "app/engine/ablation/ablated_extractor.h"
#include "app/engine/extraction/extraction_output.h"
#include "app/engine/extraction_steps.h"
#include "model/base/hash.h"
#include "model/base/output/output_lock.h"
#include "model/io/shards/shard_folder.h"

#include <list>
#include <utility>

namespace headscope::engine
{

Result<ExtractSummary> CacheRun::run()
{
    const auto start = Clock::now();
    HEADSCOPE_TRY(m_output, checkedPlace());
    HEADSCOPE_TRY(const auto lock, OutputLock::take(m_output));
    HEADSCOPE_CHECK(begin());
    HEADSCOPE_CHECK(open());
    m_summary.loadSeconds = secondsSince(start);
    HEADSCOPE_TRY(const bool computes, plan());
    m_summary.device = m_options.backend.device;
    m_summary.precision = m_options.backend.precision;
    m_summary.ablated = m_ablation.heads;
    m_summary.ablation = m_ablation.changes.ablation;
    m_summary.regroup = m_request.ablation.regroup;
    if (computes)
    {
        HEADSCOPE_CHECK(load());
        HEADSCOPE_CHECK(compute());
    }
    m_summary.changed = m_ablation.changes.words(m_ablation.kvHeads); // with the means that were measured
    HEADSCOPE_CHECK(takeDigest());
    m_summary.peakBytes = peakBytes();
    m_summary.totalSeconds = secondsSince(start);
    return std::move(m_summary);
}

Status CacheRun::open()
{
    if (!m_request.topics.empty())
    {
        HEADSCOPE_TRY(m_topicLists, readTopicLists(m_request.topics));
    }
    HEADSCOPE_TRY(m_model, openModelOf(m_context, m_request.model));
    HEADSCOPE_TRY(const auto prompted, choosePrompt(m_request.run, *m_model));
    notices(prompted);
    HEADSCOPE_TRY(m_options, chooseOptions());
    HEADSCOPE_TRY(m_ablation, chooseAblation(m_request.ablation, m_model->files.config));
    HEADSCOPE_TRY(m_maxTokens, m_model->maxTokens(m_request.run.maxTokens));
    HEADSCOPE_CHECK(checkSettings());
    HEADSCOPE_TRY(auto encoder, makeEncoder(m_request.run, *m_model, m_maxTokens));
    m_encoder.emplace(std::move(encoder));
    return {};
}

Status CacheRun::load()
{
    const auto start = Clock::now();
    HEADSCOPE_CHECK(checkRoom());
    HEADSCOPE_TRY(m_extractor, ablatedExtractor(m_request, *m_model, m_options, m_ablation, *m_encoder, m_maxTokens,
                                                Hashes::Needed, m_context));
    m_summary.loadSeconds += secondsSince(start);
    return {};
}

Status CacheRun::compute()
{
    std::list<EmptyFolder> unlessFilled;
    for (const auto& folder : folders())
        unlessFilled.emplace_back(folder);
    HEADSCOPE_CHECK(computeDocuments());
    HEADSCOPE_TRY(const MergeSummary made, makeCache());
    takeCounts(made);
    for (const auto& folder : folders())
        removeShards(folder);
    sayLast();
    return {};
}

Result<std::unique_ptr<ShardWriter>> CacheRun::openWriter(ShardOptions shards)
{
    shards.store = m_request.store;
    shards.shardBytes = m_request.shardBytes;
    shards.run = m_context.command;
    shards.resume = m_request.resume;
    HEADSCOPE_TRY(auto writer, ShardWriter::create(std::move(shards), m_context.job));
    notices(writer->notices());
    return writer;
}

Status CacheRun::runFeed(const TokenStream& feed, const std::function<double()>& feedSeconds, HeadVectorSink& to,
                         std::int64_t count, const std::vector<ShardWriter*>& writers)
{
    TimedSink sink(to);
    auto report = m_extractor->run(feed, sink, static_cast<std::uint64_t>(count), m_context.job);
    const auto beforeFinish = Clock::now();
    Status finished;
    for (ShardWriter* writer : writers)
        if (Status done = writer->finish(); !done && finished)
            finished = std::move(done);
    if (!report || !finished) // also where the disk is full: what is stored stays
        sayKept(writers);
    if (!report)
        return std::move(report).error();
    HEADSCOPE_CHECK(finished);
    notices(report->warnings(m_extractor->blocks()));
    m_nonFinite = report->nonFinite;
    m_summary.tokenizeSeconds = feedSeconds();
    m_summary.checkSeconds = report->checkSeconds;
    m_summary.computeSeconds = report->seconds;
    m_summary.tokensPerSecond = report->seconds > 0 ? static_cast<double>(report->tokens) / report->seconds : 0;
    m_summary.writeSeconds = sink.seconds() + secondsSince(beforeFinish);
    return {};
}

Result<std::vector<TopicVectors>> CacheRun::topicsOf(const LabelColumn& column)
{
    return embedTopicNames(column, m_request, *m_extractor, *m_encoder, m_model->card.causal, m_summary.computeSeconds,
                           m_context);
}

void CacheRun::takeCounts(const MergeSummary& counts)
{
    m_summary.documents = counts.documents;
    m_summary.tokens = counts.tokens;
    m_summary.empty = counts.empty;
    m_summary.truncated = counts.truncated;
    m_summary.nonFinite = counts.nonFinite;
}

Status CacheRun::takeDigest()
{
    const auto start = Clock::now();
    JobContext unstoppable;
    HEADSCOPE_TRY(m_summary.sha256, sha256OfFile(m_output, unstoppable));
    m_summary.writeSeconds += secondsSince(start);
    return {};
}

} // namespace headscope::engine
