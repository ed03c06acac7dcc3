// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/head_corpus/corpus_texts.h"

#include "model/base/file_ending.h"
#include "model/data/input_digest.h"
#include "model/io/cache/cache_reader.h"
#include "model/io/texts/csv_separator.h"

#include <filesystem>
#include <system_error>
#include <utility>

namespace headscope::engine
{

Result<CorpusTexts> CorpusTexts::open(const commands::AttentionCommand& command, JobContext& job)
{
    CorpusTexts texts;
    if (hasHdf5Ending(command.corpus))
    {
        HEADSCOPE_TRY(const auto cache, CacheReader::open(command.corpus, job));
        HEADSCOPE_TRY(texts.m_documents, cache->documents(job));
        if (texts.m_documents->texts.empty())
            return Error{ErrorCode::InvalidArgument, "this cache does not contain the texts of its documents",
                         command.corpus, "/documents/text"};
        texts.m_info = cache->info();
        return texts;
    }
    DocumentOptions columns;
    columns.textColumn = command.textColumn;
    columns.labelColumns = std::vector<std::string>();
    columns.lines = command.lines;
    columns.separator = separatorFromName(command.separator);
    HEADSCOPE_TRY(texts.m_reader, DocumentReader::open({command.corpus}, std::move(columns), job));
    return texts;
}

Result<std::optional<InputDocument>> CorpusTexts::next(JobContext& job)
{
    if (m_reader == nullptr)
    {
        if (m_at == m_documents->texts.size())
            return std::optional<InputDocument>();
        const std::size_t at = m_at++;
        return std::optional(InputDocument{m_documents->ids[at], m_documents->texts[at], {}, false});
    }
    constexpr std::size_t kBatch = 64;
    if (m_batchAt == m_batch.size())
    {
        HEADSCOPE_TRY(m_batch, m_reader->next(kBatch, job));
        m_batchAt = 0;
        if (m_batch.empty())
            return std::optional<InputDocument>();
    }
    return std::optional(std::move(m_batch[m_batchAt++]));
}

Result<std::string> CorpusTexts::digestOfFile(const commands::AttentionCommand& command, JobContext& job)
{
    std::error_code ignored;
    if (hasHdf5Ending(command.corpus) || !std::filesystem::is_regular_file(command.corpus, ignored))
        return std::string();
    HEADSCOPE_TRY(const InputDigest digest, InputDigest::ofFile(command.corpus, job));
    return digest.text();
}

std::int64_t CorpusTexts::count() const
{
    return m_reader != nullptr ? m_reader->count() : m_documents->count();
}

std::vector<std::string> CorpusTexts::notices() const
{
    return m_reader != nullptr ? m_reader->notices() : std::vector<std::string>();
}

} // namespace headscope::engine
