// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/switch_off_results.h"
#include "ui/window/cache_overview.h"

#include <memory>
#include <string>

namespace headscope::desktop
{

/// "cosine without 29:1-3"
[[nodiscard]] std::string columnName(const SwitchOffResult& result);
/// The overview with the cosine of each document to its vector before, as a column of numbers; one of that name is
/// replaced. Documents that were not drawn have none.
[[nodiscard]] std::shared_ptr<const ui::CacheOverview>
withCosines(const ui::CacheOverview& overview, const SwitchOffResult& result, const std::string& name);

} // namespace headscope::desktop
