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

/// What is lost without heads as --json has it, the measures with their players in tables of kPlayersFrame.
[[nodiscard]] Members importanceResult(const ImportanceResult& result, const ImportanceRun& run);
/// Takes what importanceResult says of one whose players, seed and label are known, since they were asked for.
/// @errors BadFormat (no measure, another one, not of so many players)
[[nodiscard]] Status takeImportance(const Node& node, ImportanceResult& result);

} // namespace headscope
