// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/evaluation/evaluation.h"
#include "model/base/result.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace headscope::cli
{

/// Judgements of a file for the queries and documents that are there.
struct JudgedQueries
{
    RetrievalTask task;                 ///< of the queries with a relevant document, but for `k`
    std::vector<std::int64_t> asking;   ///< [J] their rows
    std::int64_t unknownQueries = 0;    ///< that the file judges, and nobody has
    std::int64_t unjudged = 0;          ///< queries without a relevant document in the file
    std::int64_t unknownDocuments = 0;  ///< judgements of documents that nobody has: never found, but expected
    std::int64_t leftOutJudgements = 0; ///< of documents that are not measured: neither found nor expected
    std::int64_t withoutRelevant = 0;   ///< queries that are left out because their relevant documents are

    /// Leaves out what cannot be measured.
    /// @param documents  [N] whether a document is measured
    /// @param queries    [J] whether a query is
    /// @return those of the queries that stay, ascending
    /// @errors InvalidArgument naming the file (none stays)
    [[nodiscard]] Result<std::vector<std::int64_t>>
    leaveOut(const std::vector<bool>& documents, const std::vector<bool>& queries, const std::filesystem::path& path);
};

/// Reads judgements in the layout of TREC ("query iteration document grade", blanks) or of BEIR ("query document
/// grade", tabs, with a header). Grades are whole numbers, relevant above 0; of repeated judgements the last counts.
/// @param queries    ids of the rows that may ask
/// @param documents  ids of the rows that are searched, "" of those that are not
/// @param same       the queries are the documents: none finds itself
/// @errors FileNotFound; BadFormat naming the line; InvalidArgument (no query with a relevant document)
[[nodiscard]] Result<JudgedQueries> readQrels(const std::filesystem::path& path, std::span<const std::string> queries,
                                              std::span<const std::string> documents, bool same);

/// Pairs of a file, of documents that are there.
struct ReadPairs
{
    SimilarityTask task;
    std::int64_t unknown = 0; ///< pairs of which a document is not there; left out
    std::int64_t leftOut = 0; ///< pairs of which a document is not measured

    /// Leaves out pairs of documents that are not measured.
    /// @param documents  [N] whether a document is measured
    /// @errors InvalidArgument naming the file (fewer than two pairs stay)
    [[nodiscard]] Status leaveOut(const std::vector<bool>& documents, const std::filesystem::path& path);
};

/// Reads "document, document, number" lines, with tabs or commas; a first line whose third field is no number is a
/// header.
/// @param documents  as readQrels
/// @errors FileNotFound; BadFormat naming the line; InvalidArgument (fewer than two pairs)
[[nodiscard]] Result<ReadPairs> readPairs(const std::filesystem::path& path, std::span<const std::string> documents);

} // namespace headscope::cli
