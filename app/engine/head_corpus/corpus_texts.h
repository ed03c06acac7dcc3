// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/attention/attention_command.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/extraction.h"
#include "model/io/cache/cache_info.h"
#include "model/io/texts/document_reader.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope::engine
{

/// The documents of `attention --corpus`, one after another: those of files of texts, or of a cache.
/// @threads one at a time
class CorpusTexts
{
public:
    /// @errors those of DocumentReader::open and CacheReader::open; InvalidArgument (a cache without texts)
    [[nodiscard]] static Result<CorpusTexts> open(const commands::AttentionCommand& command, JobContext& job);

    /// The next one, or nothing at the end.
    /// @errors those of DocumentReader::next
    [[nodiscard]] Result<std::optional<InputDocument>> next(JobContext& job);

    [[nodiscard]] std::int64_t count() const;
    /// Sentences a user should see.
    [[nodiscard]] std::vector<std::string> notices() const;
    /// The contents of the file of texts, as it is now; "": of a cache or a folder, whose contents are not looked at.
    /// @errors those of InputDigest::ofFile
    [[nodiscard]] static Result<std::string> digestOfFile(const commands::AttentionCommand& command, JobContext& job);
    /// Of the cache whose documents these are; null: of files.
    [[nodiscard]] const CacheInfo* cache() const { return m_info ? &*m_info : nullptr; }

private:
    CorpusTexts() = default;

    std::unique_ptr<DocumentReader> m_reader; ///< null: of a cache
    std::vector<InputDocument> m_batch;
    std::size_t m_batchAt = 0;
    std::optional<CacheInfo> m_info;
    std::shared_ptr<const DocumentSet> m_documents; ///< of the cache
    std::size_t m_at = 0;
};

} // namespace headscope::engine
