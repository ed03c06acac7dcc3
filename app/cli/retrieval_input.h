// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/cache_input.h"
#include "model/base/output/temporary_path.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headscope::cli
{

/// Vectors that are searched, or that search: the heads of the chosen stage, and the full vectors.
struct SearchVectors
{
    ModelInfo model;                          ///< that made them, with its changes
    std::shared_ptr<const HeadVectors> heads; ///< [N, H, D]
    std::shared_ptr<const HeadVectors> full;  ///< [N, H', D'], whose rows are the full vectors
    std::string fullSource;
};

/// Both of one layer and stage of a cache, for all documents.
[[nodiscard]] Result<SearchVectors> loadSearchVectors(CacheReader& cache, LayerIndex layer, Stage stage,
                                                      JobContext& job);

/// The queries, by id.
struct RetrievalQueries
{
    std::vector<std::string> ids;
    SearchVectors vectors;
    /// [queries] each one's own row in the searched cache, left out of its results, -1: none; empty: of none.
    std::vector<std::int64_t> sameAs;
    std::string identity = {}; ///< of the cache they were read from (CacheInfo::identity)
    std::map<std::string, std::vector<std::string>> relevant; ///< relevant ids by query, where the file has them
    std::string notice = {}; ///< what a user should know of the model that made them; may be empty

    /// The row of a query in the searched cache; -1: none.
    [[nodiscard]] std::int64_t ownRow(std::size_t query) const { return query < sameAs.size() ? sameAs[query] : -1; }
};

/// The documents of another cache.
/// @errors those of CacheReader and checkQueriesFit
[[nodiscard]] Result<RetrievalQueries> readQueries(const std::filesystem::path& cache, LayerIndex layer, Stage stage,
                                                   const SearchVectors& searched, JobContext& job);
/// One document of the searched cache.
/// @errors InvalidArgument (no document of this id)
[[nodiscard]] Result<RetrievalQueries> queryDocument(const std::string& id, const CacheInput& input,
                                                     const SearchVectors& searched);
/// Whether queries can be compared with what is searched.
/// @errors ShapeMismatch (other heads or lengths, another full vector), InvalidArgument (of a model that was changed in
///         another way), naming `file`
[[nodiscard]] Status checkQueriesFit(const SearchVectors& queries, const SearchVectors& searched,
                                     const std::filesystem::path& file);
/// Says so where the weights that asked are not those that made the cache, or their ablated heads were set to other
/// means; "" where they are, or nobody knows.
/// @param what  was asked
[[nodiscard]] std::string otherModelNotice(const ModelInfo& cache, const ModelInfo& asking,
                                           std::string_view what = "query");
/// Texts as vectors that can be compared with those of a cache.
struct EmbeddedTexts
{
    TemporaryPath folder; ///< of the cache
    std::shared_ptr<CacheReader> cache;
};
/// Embeds texts by an extraction of `model` in the way the searched cache was made: its chosen layer and stage, with
/// the heads ablated and the KV groups changed that were so there.
/// @param inputs         files of documents, "-" for the standard input
/// @param standardInput  JSONL
/// @param engine         the program that extracts
/// @errors those of runEngine, of CacheReader, and of addReference and checkChangedAsCache
[[nodiscard]] Result<EmbeddedTexts> embedTexts(const std::vector<std::string>& inputs, std::string_view standardInput,
                                               const std::string& model, const std::string& prompt,
                                               const std::filesystem::path& engine, const CacheInput& input,
                                               JobContext& job);
/// A text, by an extraction of `model` in the way the searched cache was made.
/// @param engine  the program that extracts
/// @errors those of runEngine and readQueries
[[nodiscard]] Result<RetrievalQueries> queryText(const std::string& text, const std::string& model,
                                                 const std::string& prompt, const std::filesystem::path& engine,
                                                 const CacheInput& input, const SearchVectors& searched,
                                                 JobContext& job);

/// A factor for every head: a JSON array of them, an object of head (from 1) to factor, others 1, or
/// {"heads": ..., "groups": ...} of such; a group's factor multiplies those of its heads.
/// @param groupSize  heads of a KV group
/// @errors FileNotFound, BadFormat (no such form, another number of heads, negative or no numbers)
[[nodiscard]] Result<std::vector<double>> readHeadWeights(const std::filesystem::path& path, std::int64_t heads,
                                                          std::int64_t groupSize);

/// Rows that are relevant, by the id of the query: JSONL of {"id", "relevant": [document ids]}. A query with an empty
/// list is left out.
/// @errors FileNotFound, BadFormat naming the line (no such form, unknown document)
[[nodiscard]] Result<std::unordered_map<std::string, std::vector<std::int64_t>>>
readRelevant(const std::filesystem::path& path, const DocumentSet& documents);

/// Relevant rows of each query: from the file where one is named, else from the queries' own file, else none.
/// @errors those of readRelevant
[[nodiscard]] Result<std::unordered_map<std::string, std::vector<std::int64_t>>>
relevantRows(const std::filesystem::path& path, const RetrievalQueries& queries, const DocumentSet& documents);

} // namespace headscope::cli
