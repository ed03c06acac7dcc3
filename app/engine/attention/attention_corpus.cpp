// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/attention/attention_corpus.h"

#include "model/analysis/attention/document_means.h"
#include "model/base/parallel.h"
#include "model/io/texts/csv_separator.h"
#include "model/io/texts/document_reader.h"

#include <optional>
#include <utility>

namespace headscope::engine
{
namespace
{

/// Means over the tables of documents, in their order.
class TableMeans
{
public:
    void add(const std::vector<AttentionTable>& tables)
    {
        if (m_names.empty())
            for (const AttentionTable& table : tables)
                m_names.push_back(table.name);
        m_means.resize(m_names.size());
        for (std::size_t i = 0; i < tables.size(); ++i)
            m_means[i].add(tables[i].values);
    }
    /// @param of  what of the means
    [[nodiscard]] std::vector<AttentionTable> tables(MatrixD (DocumentMeans::*of)() const) const
    {
        std::vector<AttentionTable> tables;
        for (std::size_t i = 0; i < m_names.size(); ++i)
            tables.push_back({m_names[i], (m_means[i].*of)()});
        return tables;
    }

private:
    std::vector<std::string> m_names;
    std::vector<DocumentMeans> m_means;
};

/// A document on its way.
struct Measured
{
    AttentionJob job;
    std::vector<AttentionTable> tables;
    std::optional<Error> failure;
};

/// The attention of some documents, a thread each.
void measureBatch(std::vector<Measured>& batch, int threads, const OpenedModel& model, const HeadExtractor& extractor,
                  JobContext& context)
{
    parallelForBlocks(threads, std::ssize(batch), 1, [&](const Block& block, int) {
        Measured& one = batch[static_cast<std::size_t>(block.index)];
        if (one.job.ids.empty() || context.stopRequested())
            return;
        JobContext quiet(context.stopToken()); // progress is the corpus's to report
        auto found = runAttentionJob(one.job, model.files.config, extractor, nullptr, quiet);
        if (found)
            one.tables = std::move(found->tables);
        else
            one.failure = std::move(found).error();
    });
}

Result<std::vector<Measured>> batchOf(const std::vector<InputDocument>& inputs,
                                      const commands::AttentionCommand& options, const AttentionJob& job,
                                      const OpenedModel& model)
{
    std::vector<Measured> batch;
    for (const InputDocument& input : inputs)
    {
        Measured one{job, {}, {}};
        one.job.options.threads = 1;
        if (Status taken = takeText(options, input.text, model, one.job); !taken)
            return std::move(taken).error().atPlace("document " + input.id);
        batch.push_back(std::move(one));
    }
    return batch;
}

} // namespace

Result<CorpusAttention> measureCorpus(const commands::AttentionCommand& options, const AttentionJob& job,
                                      const OpenedModel& model, const HeadExtractor& extractor, JobContext& context)
{
    constexpr std::size_t kBatch = 64;
    DocumentOptions columns;
    columns.textColumn = options.textColumn;
    columns.idColumn = "";
    columns.labelColumns = std::vector<std::string>();
    columns.lines = options.lines;
    columns.separator = separatorFromName(options.separator);
    HEADSCOPE_TRY(const auto reader, DocumentReader::open({options.corpus}, std::move(columns), context));
    CorpusAttention found;
    found.notices = reader->notices();
    const int threads =
        job.options.backend.kind == Backend::Kind::Cpu ? job.options.threads : 1; // libtorch has its own
    TableMeans means;
    std::uint64_t done = 0;
    for (;;)
    {
        HEADSCOPE_TRY(const auto inputs, reader->next(kBatch, context));
        if (inputs.empty())
            break;
        HEADSCOPE_TRY(auto batch, batchOf(inputs, options, job, model));
        measureBatch(batch, threads, model, extractor, context);
        HEADSCOPE_CHECK(context.checkStop());
        for (std::size_t i = 0; i < batch.size(); ++i)
        {
            Measured& one = batch[i];
            if (one.failure)
                return std::move(*one.failure).atPlace("document " + inputs[i].id);
            found.truncated += one.job.truncated ? 1 : 0;
            if (one.job.ids.empty())
            {
                ++found.empty;
                continue;
            }
            ++found.documents;
            found.tokens += one.job.shapes.tokens;
            means.add(one.tables);
        }
        context.report("attention", done += inputs.size(), static_cast<std::uint64_t>(reader->count()), "documents");
    }
    if (found.documents == 0)
        return Error{
            ErrorCode::InvalidArgument, "expected documents with at least one token, found none", options.corpus, {}};
    found.tables = means.tables(&DocumentMeans::means);
    found.low = means.tables(&DocumentMeans::lows);
    found.high = means.tables(&DocumentMeans::highs);
    return found;
}

} // namespace headscope::engine
