// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/retrieval_input.h"
#include "app/cli/retrieve_voters.h"
#include "app/cli/verb.h"
#include "app/commands/retrieve_command.h"
#include "model/data/results/retrieval_results.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headscope::cli
{

using Ranking = std::vector<RetrievedDocument>;

/// What `retrieve` was asked, and what it found.
struct Retrieved
{
    const commands::RetrieveCommand& command;
    const CacheInput& input;
    const RetrievalQueries& queries;
    const std::vector<std::int64_t>& asking; ///< the documents that ask, if documents do
    const std::vector<Ranking>& rankings;    ///< [queries] documents as rows of the cache
    const Voters& voters;
    std::uint64_t seed = 0;

    /// Whether each query is a document.
    [[nodiscard]] bool byDocuments() const { return std::ssize(asking) == std::ssize(rankings); }
    /// Rows of the cache that can be found, ascending: the searched ones with a direction.
    [[nodiscard]] std::vector<std::int64_t> ranked() const;
    /// Whether a row was searched and has no direction.
    [[nodiscard]] bool hasNoDirection(std::int64_t row) const;
    /// Queries with a direction: numbers, ascending. The others are not measured.
    [[nodiscard]] std::vector<std::size_t> measured() const;
};

/// The file of the measures, next to an output that is a table for a paper or a spreadsheet; "": there is none.
[[nodiscard]] std::string measuresFile(const commands::RetrieveCommand& command);

/// Adds how well the rankings find the relevant documents, and writes the file of the measures.
/// @errors those of relevantRows and writeFrameFile; InvalidArgument (no query has relevant documents)
[[nodiscard]] Status addMeasures(Answer& answer, const Retrieved& found, const Provenance& provenance);

/// Adds how often results have the label of the document that asked; nothing where no label is chosen or none is there.
/// @errors those of chooseLabel
[[nodiscard]] Status addSameLabel(Answer& answer, const Retrieved& found);

} // namespace headscope::cli
