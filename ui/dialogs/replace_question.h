// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/dialog_service.h"

namespace headscope::ui
{

/// Asks before files are replaced that no file dialog has asked about. Calls `then` at once where none of them
/// exists, and not at all when the user wants to keep them.
void askToReplace(DialogService& dialogs, QWidget* parent, const QStringList& files, std::function<void()> then);

/// Calls `then` with the path that a file dialog gave. Where an ending had to be added, the path may name another
/// file, which is asked about.
void withEnding(DialogService& dialogs, QWidget* parent, const QString& path, const QString& ending,
                const std::function<void(const QString& target)>& then);

} // namespace headscope::ui
