// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/documents/document_set.h"
#include "model/data/frame/frame.h"
#include "model/data/results/retrieval_results.h"

#include <string>

namespace headscope::desktop
{

/// Both rankings as the tab shows them, ranks from 1: votes where heads vote, the cosine for the full vector.
/// @param labelColumn  whose values stand beside the documents; "" for none
[[nodiscard]] Frame retrievalTable(const RetrievalComparison& comparison, const DocumentSet& documents,
                                   const std::string& labelColumn);

} // namespace headscope::desktop
