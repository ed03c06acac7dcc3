// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "ui/models/hit_list_model.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace headscope::desktop
{

/// Looks for a query in the texts and ids of documents.
/// @param among    ascending: the documents to look at, where the others are known not to hold it; null: all
/// @errors  Cancelled
/// @threads to be called on a worker; uses `numThreads` threads; the result does not depend on them
/// @cost    one pass over the texts
[[nodiscard]] Result<std::shared_ptr<const ui::SearchResult>> searchTexts(const DocumentSet& documents,
                                                                          const ui::TextQuery& query,
                                                                          const std::vector<std::int64_t>* among,
                                                                          int numThreads, JobContext& job);

} // namespace headscope::desktop
