// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/work/view_state.h"

#include "app/desktop/work/state_values.h"
#include "ui/canvas/legend/color_bar.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/views/grid/map_grid.h"
#include "ui/views/heatmap/heatmap_widget.h"
#include "ui/widgets/widgets.h"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QJsonArray>
#include <QLineEdit>
#include <QSlider>
#include <QSpinBox>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QTreeView>

#include <cmath>
#include <limits>

namespace headscope::desktop
{
namespace
{

constexpr int kMaxPixels = 100'000;
constexpr double kMaxScale = 1e9; ///< of ViewTransform
constexpr double kFar = 1e12;     ///< data lies nearer to the origin

bool isOneOfMany(const QAbstractButton& button)
{
    return button.autoExclusive() || (button.group() != nullptr && button.group()->exclusive());
}

/// A button that opens something is no state.
bool opensMenu(const QAbstractButton& button)
{
    const auto* tool = qobject_cast<const QToolButton*>(&button);
    return tool != nullptr && tool->menu() != nullptr;
}

/// The headings that a table is sorted by; null: it is no table, or not sorted by its headings.
const QHeaderView* sortHeadings(const QWidget& widget)
{
    if (const auto* table = qobject_cast<const QTableView*>(&widget))
        return table->isSortingEnabled() ? table->horizontalHeader() : nullptr;
    if (const auto* tree = qobject_cast<const QTreeView*>(&widget))
        return tree->isSortingEnabled() ? tree->header() : nullptr;
    return nullptr;
}

/// What a table is sorted by: "3 descending"; "": as its rows come.
QString sortOrderOf(const QHeaderView& headings)
{
    if (headings.sortIndicatorSection() < 0)
        return {};
    const bool descending = headings.sortIndicatorOrder() == Qt::DescendingOrder;
    return QStringLiteral("%1 %2")
        .arg(headings.sortIndicatorSection())
        .arg(descending ? QStringLiteral("descending") : QStringLiteral("ascending"));
}

void setSortOrder(QWidget& widget, const QString& text)
{
    const int columns = sortHeadings(widget)->count();
    bool isNumber = false;
    const int column = text.section(QLatin1Char(' '), 0, 0).toInt(&isNumber);
    if (!text.isEmpty() && (!isNumber || column < 0 || column >= columns))
        return;
    const Qt::SortOrder order =
        text.endsWith(QLatin1StringView("descending")) ? Qt::DescendingOrder : Qt::AscendingOrder;
    if (auto* table = qobject_cast<QTableView*>(&widget))
        table->sortByColumn(text.isEmpty() ? -1 : column, order);
    else if (auto* tree = qobject_cast<QTreeView*>(&widget))
        tree->sortByColumn(text.isEmpty() ? -1 : column, order);
}

/// What a control is set to; undefined for what is no control, or none to be remembered.
QJsonValue valueOf(const QWidget& widget)
{
    if (const auto* box = qobject_cast<const QComboBox*>(&widget))
        return box->currentIndex() < 0 ? QJsonValue(QJsonValue::Undefined) : box->currentText();
    if (const auto* spin = qobject_cast<const QSpinBox*>(&widget))
        return spin->value();
    if (const auto* spin = qobject_cast<const QDoubleSpinBox*>(&widget))
        return spin->value();
    if (const auto* slider = qobject_cast<const QSlider*>(&widget))
        return slider->value();
    if (const auto* line = qobject_cast<const QLineEdit*>(&widget))
        return line->text();
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
        return button->isCheckable() && !opensMenu(*button) ? QJsonValue(button->isChecked())
                                                            : QJsonValue(QJsonValue::Undefined);
    if (const QHeaderView* headings = sortHeadings(widget))
        return sortOrderOf(*headings);
    if (const auto* splitter = qobject_cast<const QSplitter*>(&widget))
    {
        QJsonArray sizes;
        for (const int size : splitter->sizes())
            sizes.append(size);
        return sizes;
    }
    return QJsonValue::Undefined;
}

/// The entry with this text, or that had it in earlier versions; -1: none.
int entryOf(const QComboBox& box, const QString& text)
{
    const int at = box.findText(text, Qt::MatchExactly);
    return at >= 0 ? at : box.findData(text, ui::kFormerTextRole);
}

void setSizes(QSplitter& splitter, const QJsonArray& values)
{
    QList<int> sizes;
    for (const QJsonValue& value : values)
        sizes << std::clamp(value.toInt(), 0, kMaxPixels);
    if (sizes.size() == splitter.count())
        splitter.setSizes(sizes);
}

void setButton(QAbstractButton& button, bool on)
{
    if (!button.isCheckable() || opensMenu(button) || button.isChecked() == on || (!on && isOneOfMany(button)))
        return;
    if (button.isEnabled())
        button.click(); // some follow clicks alone
    else
        button.setChecked(on);
}

void setValue(QWidget& widget, const QJsonValue& value)
{
    constexpr qsizetype kLongest = 10'000;
    const double number = value.toDouble(std::numeric_limits<double>::quiet_NaN());
    if (valueOf(widget) == value)
        return;
    if (auto* box = qobject_cast<QComboBox*>(&widget))
    {
        if (const int at = value.isString() ? entryOf(*box, value.toString()) : -1; at >= 0)
        {
            box->setCurrentIndex(at);
            Q_EMIT box->activated(at);
        }
    }
    else if (auto* spin = qobject_cast<QSpinBox*>(&widget))
    {
        if (std::abs(number) <= std::numeric_limits<int>::max())
            spin->setValue(static_cast<int>(number)); // within its bounds
    }
    else if (auto* real = qobject_cast<QDoubleSpinBox*>(&widget))
    {
        if (std::isfinite(number))
            real->setValue(number);
    }
    else if (auto* slider = qobject_cast<QSlider*>(&widget))
    {
        if (std::abs(number) <= std::numeric_limits<int>::max())
            slider->setValue(static_cast<int>(number));
    }
    else if (auto* line = qobject_cast<QLineEdit*>(&widget))
    {
        if (value.isString() && value.toString().size() <= kLongest)
            line->setText(value.toString());
    }
    else if (auto* button = qobject_cast<QAbstractButton*>(&widget))
    {
        if (value.isBool())
            setButton(*button, value.toBool());
    }
    else if (sortHeadings(widget) != nullptr)
    {
        if (value.isString())
            setSortOrder(widget, value.toString());
    }
    else if (auto* splitter = qobject_cast<QSplitter*>(&widget))
    {
        setSizes(*splitter, value.toArray());
    }
}

/// Parts of Qt's own controls are not the program's.
bool isNamed(const QWidget& widget)
{
    return !widget.objectName().isEmpty() && !widget.objectName().startsWith(QLatin1StringView("qt_"));
}

QJsonObject zoomJson(const viz::ViewTransform& view)
{
    return {{QStringLiteral("x"), view.centre().x()},
            {QStringLiteral("y"), view.centre().y()},
            {QStringLiteral("scale"), view.scale()},
            {QStringLiteral("width"), view.viewSize().width()},
            {QStringLiteral("height"), view.viewSize().height()}};
}

std::optional<viz::ViewTransform> zoomOf(const QJsonObject& zoom, QSizeF canvas)
{
    const auto x = state::number(zoom, QStringLiteral("x"), -kFar, kFar);
    const auto y = state::number(zoom, QStringLiteral("y"), -kFar, kFar);
    const auto scale = state::number(zoom, QStringLiteral("scale"), 1 / kMaxScale, kMaxScale);
    const auto width = state::number(zoom, QStringLiteral("width"), 1, kMaxPixels);
    const auto height = state::number(zoom, QStringLiteral("height"), 1, kMaxPixels);
    if (!x || !y || !scale || !width || !height)
        return std::nullopt;
    const viz::ViewTransform saved({*x, *y}, *scale, {*width, *height});
    return saved.viewSize() == canvas ? saved : saved.resized(canvas);
}

QJsonObject windowJson(const viz::HeatmapWindow& window)
{
    return {{QStringLiteral("zoom"), window.zoom},
            {QStringLiteral("firstColumn"), window.firstColumn},
            {QStringLiteral("rowZoom"), window.rowZoom},
            {QStringLiteral("firstRow"), window.firstRow}};
}

std::optional<viz::HeatmapWindow> windowOf(const QJsonObject& object)
{
    const auto zoom = state::number(object, QStringLiteral("zoom"), 1, kMaxScale);
    const auto column = state::number(object, QStringLiteral("firstColumn"), 0, kFar);
    const auto rowZoom = state::number(object, QStringLiteral("rowZoom"), 1, kMaxScale);
    const auto row = state::number(object, QStringLiteral("firstRow"), 0, kFar);
    if (!zoom || !column || !rowZoom || !row)
        return std::nullopt;
    return viz::HeatmapWindow{*zoom, *column, *rowZoom, *row};
}

/// The zoom of every cell, or of one where they move alike.
QJsonArray gridJson(const ui::MapGrid& grid)
{
    QJsonArray cells;
    const std::size_t count = grid.linked() ? 1 : grid.contents().cells.size();
    for (std::size_t cell = 0; cell < count; ++cell)
        cells.append(zoomJson(grid.view(cell)));
    return cells;
}

void setGridZoom(ui::MapGrid& grid, const QJsonArray& cells)
{
    const std::size_t count = std::min(static_cast<std::size_t>(cells.size()), grid.contents().cells.size());
    for (std::size_t cell = 0; cell < count; ++cell)
        if (const auto zoom = zoomOf(cells.at(static_cast<qsizetype>(cell)).toObject(), grid.view(cell).viewSize()))
            grid.setView(cell, *zoom);
}

QJsonObject scaleJson(const viz::ScaleChoice& scale)
{
    const bool diverging = scale.kind == viz::ScaleChoice::Kind::Diverging;
    return {{QStringLiteral("kind"), diverging ? QStringLiteral("diverging") : QStringLiteral("sequential")},
            {QStringLiteral("low"), scale.limits.low},
            {QStringLiteral("high"), scale.limits.high},
            {QStringLiteral("centre"), scale.centre}};
}

std::optional<viz::ScaleChoice> scaleOf(const QJsonObject& object)
{
    const QString kind = state::text(object, QStringLiteral("kind"));
    const auto low = state::number(object, QStringLiteral("low"), -kFar, kFar);
    const auto high = state::number(object, QStringLiteral("high"), -kFar, kFar);
    const auto centre = state::number(object, QStringLiteral("centre"), -kFar, kFar);
    const bool diverging = kind == QLatin1StringView("diverging");
    if (!low || !high || !centre || *low >= *high || (!diverging && kind != QLatin1StringView("sequential")) ||
        (diverging && (*centre <= *low || *centre >= *high)))
        return std::nullopt;
    return viz::ScaleChoice{
        diverging ? viz::ScaleChoice::Kind::Diverging : viz::ScaleChoice::Kind::Sequential, {*low, *high}, *centre};
}

constexpr std::int64_t kMaxLabels = 1'000'000;

QJsonObject legendJson(const ui::LabelsShown& labels)
{
    QJsonObject legend{{QStringLiteral("title"), labels.title},
                       {QStringLiteral("hidden"), state::rangesText({labels.hidden.begin(), labels.hidden.end()})}};
    if (labels.alone)
        legend[QStringLiteral("alone")] = static_cast<qint64>(*labels.alone);
    return legend;
}

ui::LabelsShown labelsIn(const QJsonObject& legend)
{
    ui::LabelsShown labels;
    labels.title = state::text(legend, QStringLiteral("title"));
    if (const auto hidden = state::rangesOf(state::text(legend, QStringLiteral("hidden")), kMaxLabels))
        labels.hidden = {hidden->begin(), hidden->end()};
    if (const auto alone = state::whole(legend, QStringLiteral("alone"), 0, kMaxLabels))
        labels.alone = *alone;
    return labels;
}

/// The canvases of a view under names that differ: "scatter0", "scatter1", "heatmap0".
template <class Canvas>
void forEach(const QWidget& view, const char* kind, auto act)
{
    int count = 0;
    for (Canvas* canvas : view.findChildren<Canvas*>())
        act(*canvas, QLatin1StringView(kind) + QString::number(count++));
}

} // namespace

QJsonObject controlsOf(const QWidget& view)
{
    QJsonObject controls;
    for (const QWidget* widget : view.findChildren<QWidget*>())
        if (isNamed(*widget))
            if (const QJsonValue value = valueOf(*widget); !value.isUndefined())
                controls[widget->objectName()] = value;
    return controls;
}

void setControls(QWidget& view, const QJsonObject& controls)
{
    for (QWidget* widget : view.findChildren<QWidget*>())
        if (const auto value = controls.constFind(widget->objectName()); isNamed(*widget) && value != controls.end())
            setValue(*widget, *value);
}

QJsonObject zoomsOf(const QWidget& view)
{
    QJsonObject zooms;
    forEach<ui::ScatterWidget>(view, "scatter", [&zooms](const ui::ScatterWidget& canvas, const QString& name) {
        if (canvas.map() != nullptr && !canvas.follows())
            zooms[name] = zoomJson(canvas.view());
    });
    forEach<ui::HeatmapWidget>(view, "heatmap", [&zooms](const ui::HeatmapWidget& canvas, const QString& name) {
        if (!canvas.panels().empty() && canvas.window() != viz::HeatmapWindow())
            zooms[name] = windowJson(canvas.window());
    });
    forEach<ui::MapGrid>(view, "grid", [&zooms](const ui::MapGrid& grid, const QString& name) {
        if (grid.set() != nullptr && grid.moved())
            zooms[name] = gridJson(grid);
    });
    return zooms;
}

QJsonObject legendsOf(const QWidget& view)
{
    QJsonObject legends;
    forEach<ui::ScatterWidget>(view, "scatter", [&legends](const ui::ScatterWidget& canvas, const QString& name) {
        if (const ui::LabelsShown labels = canvas.labelsShown(); !labels.all())
            legends[name] = legendJson(labels);
    });
    return legends;
}

void setLegends(QWidget& view, const QJsonObject& legends)
{
    forEach<ui::ScatterWidget>(view, "scatter", [&legends](ui::ScatterWidget& canvas, const QString& name) {
        ui::LabelsShown labels = labelsIn(legends.value(name).toObject());
        if (!legends.contains(name))
            labels.title = canvas.labelsShown().title;
        if (labels != canvas.labelsShown())
            canvas.setLabelsShown(labels);
    });
}

void setZooms(QWidget& view, const QJsonObject& zooms, QJsonObject& later)
{
    forEach<ui::ScatterWidget>(view, "scatter", [&](ui::ScatterWidget& canvas, const QString& name) {
        if (!zooms.contains(name))
            return;
        if (canvas.map() == nullptr)
            later[name] = zooms.value(name);
        else if (const auto zoom = zoomOf(zooms.value(name).toObject(), QSizeF(canvas.size())))
            canvas.setView(*zoom);
    });
    forEach<ui::HeatmapWidget>(view, "heatmap", [&](ui::HeatmapWidget& canvas, const QString& name) {
        if (!zooms.contains(name))
            return;
        if (canvas.panels().empty())
            later[name] = zooms.value(name);
        else if (const auto window = windowOf(zooms.value(name).toObject()))
            canvas.setWindow(*window);
    });
    forEach<ui::MapGrid>(view, "grid", [&](ui::MapGrid& grid, const QString& name) {
        if (!zooms.contains(name))
            return;
        if (grid.set() == nullptr)
            later[name] = zooms.value(name);
        else
            setGridZoom(grid, zooms.value(name).toArray());
    });
}

void fitAll(QWidget& view)
{
    for (auto* canvas : view.findChildren<ui::ScatterWidget*>())
        if (!canvas->follows())
            canvas->fit();
    for (auto* canvas : view.findChildren<ui::HeatmapWidget*>())
        if (canvas->window() != viz::HeatmapWindow())
            canvas->setWindow({});
    for (auto* grid : view.findChildren<ui::MapGrid*>())
        if (grid->moved())
            grid->fit();
}

QJsonObject scalesOf(const QWidget& view)
{
    QJsonObject scales;
    forEach<ui::ColorBar>(view, "scale", [&scales](const ui::ColorBar& bar, const QString& name) {
        if (bar.isSet())
            scales[name] = scaleJson(bar.choice());
    });
    return scales;
}

void setScales(QWidget& view, const QJsonObject& scales)
{
    forEach<ui::ColorBar>(view, "scale", [&scales](ui::ColorBar& bar, const QString& name) {
        if (const auto scale = scaleOf(scales.value(name).toObject()))
        {
            if (!bar.isSet() || bar.choice() != *scale)
                bar.choose(*scale);
        }
        else if (bar.isSet())
            bar.resetLimits();
    });
}

} // namespace headscope::desktop
