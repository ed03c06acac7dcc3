// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/numbers/all_finite.h"
#include "model/base/result.h"
#include "model/base/strong_index.h"
#include "model/data/matrix.h"
#include "ui/models/nearest_model.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace headscope::desktop
{

/// The `count` rows nearest to one row by cosine, nearest first, itself left out. Rows without a direction (zero, NaN
/// or infinity) are near none.
/// @param rows  [N, D]
/// @param among  ascending; only these are looked at. Empty: all
/// @errors Cancelled
[[nodiscard]] Result<std::vector<ui::NearDocument>> nearestRows(ConstMatrixView rows, DocumentIndex row,
                                                                std::int64_t count,
                                                                const std::vector<std::int64_t>& among, int numThreads,
                                                                JobContext& job);

/// "Head 3 has no direction in this document: its vector is zero."; "" where there is one.
/// @param what  "Head 3", "The full vector"
[[nodiscard]] QString noDirectionText(const QString& what, Pointing direction);

} // namespace headscope::desktop
