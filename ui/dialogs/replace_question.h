// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/dialog_service.h"

namespace headscope::ui
{

/// Asks before files are replaced that no file dialog has asked about; goes on at once where none of them is there,
/// and not at all when they shall stay.
void askToReplace(DialogService& dialogs, QWidget* parent, const QStringList& files, std::function<void()> then);

/// Goes on with the path that a file dialog gave, and an ending where it has none: with that it may be another file,
/// which is asked about.
void withEnding(DialogService& dialogs, QWidget* parent, const QString& path, const QString& ending,
                const std::function<void(const QString& target)>& then);

} // namespace headscope::ui
