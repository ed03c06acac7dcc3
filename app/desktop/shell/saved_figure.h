// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/dialog_service.h"

#include <QJsonObject>
#include <QMetaType>
#include <QString>

namespace headscope::desktop
{

/// A figure that was saved from a view, with what makes it again.
struct SavedFigure
{
    QString file; ///< with its folder
    QString view; ///< key of its ViewId
    ui::FigureSize size{};
    QString origin{};    ///< Origin::hash of the cache
    qint64 savedMs = 0;  ///< since 1970, UTC
    QJsonObject state{}; ///< of the window with this view: WorkSession::gatherFor
};

} // namespace headscope::desktop

Q_DECLARE_METATYPE(headscope::desktop::SavedFigure)
