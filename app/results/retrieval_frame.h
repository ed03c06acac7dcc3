// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/frame/frame.h"
#include "model/data/results/retrieval_results.h"

#include <span>

namespace headscope
{

/// Documents that a search found: a row for each. What votes, and how two searches differ, where it is so.
extern const FrameInfo kRetrievedFrame;
/// What rankings are worth: a row for each measure.
extern const FrameInfo kRetrievalMeasuresFrame;

/// How many heads voted for each, and which: the columns "heads" and "who".
void addVoters(Frame& frame, std::span<const RetrievedDocument* const> results);

} // namespace headscope
