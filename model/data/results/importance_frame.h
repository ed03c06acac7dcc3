// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/base/text/csv_text.h"
#include "model/data/frame/frame.h"
#include "model/data/results/importance_results.h"

namespace headscope
{

/// What a measure says of every head or KV group: a row for each.
extern const FrameInfo kPlayersFrame;

/// @param comparison  null: without what a cut of the cached vectors says
[[nodiscard]] Frame playersFrame(const ImportanceResult& result, const NamedValues& measure,
                                 const ImportanceComparison* comparison = nullptr);

/// The rows of all measures below each other, each with its measure and documents.
[[nodiscard]] CsvText importanceCsv(const ImportanceResult& result, CsvTexts texts,
                                    const ImportanceComparison* comparison = nullptr);

/// The measures with their facts and their players, as --json has them.
[[nodiscard]] NodeList measureNodes(const ImportanceResult& result);
/// The inverse.
/// @param players  heads or groups that they have to be of
/// @errors BadFormat (none, another measure, not of so many players)
[[nodiscard]] Result<std::vector<NamedValues>> measuresFrom(const NodeList& nodes, std::size_t players);

} // namespace headscope
