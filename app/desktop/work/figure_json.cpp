// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/work/figure_json.h"

#include "app/desktop/work/state_values.h"
#include "ui/dialogs/figures/figure_dialog.h"
#include "ui/settings/field_settings.h"
#include "ui/words/wording.h"
#include "viz/export/figure_export.h"
#include "viz/export/panels/panel_figure.h"

#include <QJsonArray>

#include <utility>

namespace headscope::desktop
{
namespace
{

std::optional<SavedFigure> readFigure(const QJsonObject& object, bool isPanel);

/// Fills the panels of a figure; false where one cannot be one.
bool takePanels(const QJsonObject& object, SavedFigure& figure)
{
    for (const QJsonValue& each : object.value(QStringLiteral("panels")).toArray())
    {
        auto panel = readFigure(each.toObject(), true);
        if (!panel || std::ssize(figure.panels) == viz::kMaxPanels)
            return false;
        figure.panels.push_back(std::move(*panel));
    }
    figure.columns = static_cast<int>(state::whole(object, QStringLiteral("columns"), 0, viz::kMaxPanels).value_or(0));
    return figure.panels.empty() == !figure.view.isEmpty();
}

std::optional<SavedFigure> readFigure(const QJsonObject& object, bool isPanel)
{
    constexpr double kLatestMs = 8.64e15;
    const ui::SettingRow& widths = ui::settingRow(ui::SettingKey::FigureWidth);
    SavedFigure figure;
    figure.file = state::text(object, QStringLiteral("file"));
    figure.view = state::text(object, QStringLiteral("view"));
    const auto width = state::number(object, QStringLiteral("width"), widths.leastReal, widths.mostReal);
    const auto dpi = state::whole(object, QStringLiteral("dpi"), 1, ui::settingRow(ui::SettingKey::FigureDpi).most);
    if (!viz::figureFormat(ui::toStdString(figure.file)) || !width || !dpi)
        return std::nullopt;
    if (isPanel ? figure.view.isEmpty() : !takePanels(object, figure))
        return std::nullopt;
    figure.size.widthMm = *width;
    figure.size.dpi = static_cast<int>(*dpi);
    figure.size.preset = state::text(object, QStringLiteral("preset"));
    figure.size.files = state::flag(object, QStringLiteral("files")).value_or(false);
    figure.origin = state::text(object, QStringLiteral("origin"));
    figure.savedMs = static_cast<qint64>(state::number(object, QStringLiteral("saved"), 0, kLatestMs).value_or(0));
    figure.state = object.value(QStringLiteral("state")).toObject();
    return figure;
}

} // namespace

QJsonObject savedFigureJson(const SavedFigure& figure)
{
    QJsonObject object{{QStringLiteral("file"), figure.file},          {QStringLiteral("view"), figure.view},
                       {QStringLiteral("width"), figure.size.widthMm}, {QStringLiteral("dpi"), figure.size.dpi},
                       {QStringLiteral("preset"), figure.size.preset}, {QStringLiteral("files"), figure.size.files},
                       {QStringLiteral("origin"), figure.origin},      {QStringLiteral("saved"), figure.savedMs},
                       {QStringLiteral("state"), figure.state}};
    QJsonArray panels;
    for (const SavedFigure& panel : figure.panels)
        panels.append(savedFigureJson(panel));
    if (panels.isEmpty())
        return object;
    object[QStringLiteral("panels")] = panels;
    object[QStringLiteral("columns")] = figure.columns;
    return object;
}

std::optional<SavedFigure> savedFigureOf(const QJsonObject& object)
{
    return readFigure(object, false);
}

} // namespace headscope::desktop
