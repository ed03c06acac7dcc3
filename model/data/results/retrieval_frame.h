// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/documents/document_set.h"
#include "model/data/frame/frame.h"
#include "model/data/results/retrieval_results.h"

#include <span>
#include <string>

namespace headscope
{

/// Documents that a search found: a row for each. What votes, and how two searches differ, where it is so.
extern const FrameInfo kRetrievedFrame;
/// What rankings are worth: a row for each measure.
extern const FrameInfo kRetrievalMeasuresFrame;

/// How often results have the label of the document that asked.
extern const FrameInfo kSameLabelFrame;

/// Both rankings, the rows of the first before those of the second, ranks from 1: votes where heads vote, the cosine
/// for the full vector.
/// @param labelColumn  whose values stand beside the documents; "" for none
[[nodiscard]] Frame rankingsFrame(const RetrievalComparison& comparison, const DocumentSet& documents,
                                  const std::string& labelColumn);

/// How many heads voted for each, and which: the columns "heads" and "who".
void addVoters(Frame& frame, std::span<const RetrievedDocument* const> results);

} // namespace headscope
