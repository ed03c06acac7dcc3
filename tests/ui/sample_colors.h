// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/documents/document_numbers.h"
#include "ui/state/color_choice.h"
#include "ui/window/cache_overview.h"
#include "ui/words/wording.h"

#include <vector>

namespace headscope::test
{

/// Colourings as a program would offer them: by head, by strength, by every label column of groups.
inline std::vector<ui::ColorEntry> sampleColors(const ui::CacheOverview& overview, Stage stage)
{
    std::vector<ui::ColorEntry> entries = {{ui::unitTitle(stage), {"head", {}}, {}},
                                           {QStringLiteral("Strength"), {"strength", {}}, QStringLiteral("Norms")}};
    for (const LabelColumn& column : overview.documents->labels)
        if (isGroups(column))
            entries.push_back({ui::toQString(column.name), {"label", column.name}, {}});
    return entries;
}

} // namespace headscope::test
