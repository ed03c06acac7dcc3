// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/work/figure_json.h"

#include "app/desktop/work/state_values.h"
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
    SavedFigure figure;
    figure.file = state::text(object, QStringLiteral("file"));
    figure.view = state::text(object, QStringLiteral("view"));
    Fields size;
    fields(size, figure.size);
    if (!viz::figureFormat(ui::toStdString(figure.file)) || !ui::takeValues(object, size))
        return std::nullopt;
    if (isPanel ? figure.view.isEmpty() : !takePanels(object, figure))
        return std::nullopt;
    figure.origin = state::text(object, QStringLiteral("origin"));
    figure.savedMs = static_cast<qint64>(state::number(object, QStringLiteral("saved"), 0, kLatestMs).value_or(0));
    figure.state = object.value(QStringLiteral("state")).toObject();
    return figure;
}

} // namespace

QJsonObject savedFigureJson(const SavedFigure& figure)
{
    FigurePaper paper = figure.size;
    Fields size;
    fields(size, paper);
    QJsonObject object = ui::valuesJson(size);
    object[QStringLiteral("file")] = figure.file;
    object[QStringLiteral("view")] = figure.view;
    object[QStringLiteral("origin")] = figure.origin;
    object[QStringLiteral("saved")] = figure.savedMs;
    object[QStringLiteral("state")] = figure.state;
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
