// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/saved_figure.h"

#include <QJsonObject>

#include <optional>

namespace headscope::desktop
{

/// A figure as it is in a work file, and in the work that is kept next to a cache.
[[nodiscard]] QJsonObject savedFigureJson(const SavedFigure& figure);

/// The figure of such an object, which anyone may have written; nothing where it cannot be one.
[[nodiscard]] std::optional<SavedFigure> savedFigureOf(const QJsonObject& object);

} // namespace headscope::desktop
