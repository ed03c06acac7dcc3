// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/documents/document_filter.h"
#include "ui/panels/find/filter_page.h"

#include <memory>
#include <vector>

namespace headscope::desktop
{

/// The documents that meet all conditions, and the range of the numbers that each condition looks at.
/// @errors those of matchingDocuments, Cancelled
/// @threads to be called on a worker
[[nodiscard]] Result<std::shared_ptr<const ui::FilterResult>>
filterDocuments(const FilterTable& table, const std::vector<FilterCondition>& conditions, JobContext& job);

} // namespace headscope::desktop
