// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/data_notices.h"
#include "app/cli/evaluation/evaluated_vectors.h"
#include "app/cli/evaluation/evaluation_input.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headscope::cli
{

/// What an evaluation leaves out, because vectors have no direction.
struct EvaluationGaps
{
    std::vector<bool> measured; ///< [N] whether a document is
    LeftOut documents;
    LeftOut queries;
    std::vector<std::string> heads; ///< notices on heads of single stages

    /// Leaves documents and queries without a direction out of the tasks that there are.
    /// @param documents  [N] ids
    /// @param queries    ids of all that may ask
    /// @return queries that stay, as JudgedQueries::leaveOut returns them
    /// @errors those of JudgedQueries::leaveOut and ReadPairs::leaveOut
    [[nodiscard]] Result<std::vector<std::int64_t>>
    leaveOut(const Measurable& found, const std::vector<std::string>& documents,
             const std::vector<std::string>& queries, std::optional<JudgedQueries>& judged,
             std::optional<ReadPairs>& pairs, const std::string& qrels, const std::string& pairsFile);
    /// Notes which of the heads have no direction in documents or queries that are measured.
    void note(const PlaceVectors& place, const std::vector<std::int64_t>& headsThatCount);
    /// Sentences for people on documents and queries, and on what was judged of them.
    [[nodiscard]] std::vector<std::string> notices(const std::optional<JudgedQueries>& judged,
                                                   const std::optional<ReadPairs>& pairs) const;
    /// As app/INTERFACE.md has it.
    [[nodiscard]] Members members(const std::optional<JudgedQueries>& judged,
                                  const std::optional<ReadPairs>& pairs) const;
};

} // namespace headscope::cli
