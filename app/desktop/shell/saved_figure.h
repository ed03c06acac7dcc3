// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/dialog_service.h"
#include "viz/export/figure_export.h"

#include <QJsonObject>
#include <QMetaType>
#include <QString>

#include <memory>
#include <vector>

namespace headscope::desktop
{

/// A figure that was saved from a view, or one of panels that are views, with what makes it again.
struct SavedFigure
{
    QString file; ///< with its folder
    QString view; ///< key of its ViewId; "": it has panels
    ui::FigureSize size{};
    QString origin{};                  ///< Origin::hash of the cache
    qint64 savedMs = 0;                ///< since 1970, UTC
    QJsonObject state{};               ///< of the window with this view: WorkSession::gatherFor
    std::vector<SavedFigure> panels{}; ///< in their order; their files and sizes are those of figures of their own
    std::shared_ptr<const viz::FigureRecord> record{}; ///< of what was written; null: it is remembered alone
    int columns = 0;                                   ///< of panels; 0: as many as fit
};

} // namespace headscope::desktop

Q_DECLARE_METATYPE(headscope::desktop::SavedFigure)
