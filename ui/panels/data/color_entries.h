// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/stage.h"
#include "ui/window/cache_overview.h"

#include <QString>

#include <vector>

namespace headscope::ui
{

/// One way to colour the points, as the colour box shows it.
struct ColorEntry
{
    QString text;
    ColorChoice choice;
    QString tip;
};

/// What the points of a map can be coloured by, in the words of the stage.
[[nodiscard]] std::vector<ColorEntry> colorEntries(const CacheOverview& overview, Stage stage);
/// "topic · 4 values".
[[nodiscard]] QString labelColumnText(const LabelColumn& column);

} // namespace headscope::ui
