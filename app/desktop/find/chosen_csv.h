// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/text/csv_text.h"
#include "ui/models/chosen_table.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headscope::desktop
{

/// The chosen documents as CSV: document, id, text (its first line), the label columns, points, then heads or
/// segments as ranges from 1 ("1-4,9").
/// @param rows  of the table, in their order
[[nodiscard]] CsvText chosenCsv(const ui::ChosenTable& table, const std::vector<std::int64_t>& rows);

} // namespace headscope::desktop
