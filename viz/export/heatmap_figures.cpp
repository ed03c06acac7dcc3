// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/heatmap_figures.h"

#include "model/data/head_ranges.h"
#include "model/data/key_sharing.h"
#include "viz/axis/text.h"
#include "viz/export/figures.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr double kTextPt = 8;
constexpr double kGap = 12;

QString rowsText(HeatmapRows rows, bool grouped)
{
    switch (rows)
    {
    case HeatmapRows::Index:
        return {};
    case HeatmapRows::GroupMean:
        return grouped ? QStringLiteral("Rows by KV group (segments one by one), the largest mean first.")
                       : QStringLiteral("Rows by their mean, the largest first.");
    case HeatmapRows::FollowsFull:
        return QStringLiteral("Rows by Spearman\u2019s correlation with the full row.");
    case HeatmapRows::Selectivity:
        return QStringLiteral("Rows by the share of variance between topics.");
    case HeatmapRows::Clusters:
        return QStringLiteral("Rows clustered (Euclidean distance, average linkage).");
    }
    return {};
}

/// Which heads have a row, where it is not all of them.
QString headsText(const std::vector<std::int64_t>& heads, const ModelInfo& info)
{
    if (heads.empty() || static_cast<std::int64_t>(heads.size()) == info.heads)
        return {};
    return QStringLiteral("Heads shown: %1.").arg(QString::fromStdString(formatHeadRanges(heads)));
}

/// Names under each other in as many columns as fit; how high they are.
double paintKey(QPainter* painter, const QStringList& key, const QRectF& box)
{
    const QFont font = textFont(kTextPt - 1);
    const double line = std::ceil(lineHeight(font)) + 2;
    double widest = 1;
    for (const QString& name : key)
        widest = std::max(widest, textWidth(name, font));
    const double pitch = std::min(box.width(), widest + kGap);
    const auto perLine = std::max<qsizetype>(1, static_cast<qsizetype>(box.width() / pitch));
    const qsizetype lines = key.isEmpty() ? 0 : (key.size() + perLine - 1) / perLine;
    for (qsizetype i = 0; painter != nullptr && i < key.size(); ++i)
        drawLine(*painter,
                 {box.left() + static_cast<double>(i / lines) * pitch,
                  box.top() + static_cast<double>(i % lines) * line, pitch - kGap / 2, line},
                 key[i], font, inks(Theme::Light).secondary);
    return static_cast<double>(lines) * line;
}

/// The scale as a bar between its numbers behind its title, right-aligned.
void paintScale(QPainter& painter, const ColorScale& scale, const QString& title, const QRectF& box)
{
    const QFont font = textFont(kTextPt - 1);
    const ScaleLimits limits = scale.limits();
    QImage ramp(ColorMap::kSteps, 1, QImage::Format_RGB32);
    for (int i = 0; i < ColorMap::kSteps; ++i)
        ramp.setPixel(i, 0, scale.color(std::lerp(limits.low, limits.high, i / (ColorMap::kSteps - 1.0))));
    const double label = std::max(textWidth(shortNumber(limits.low), font), textWidth(shortNumber(limits.high), font));
    const double length = std::min(120.0, box.width() - 2 * label - 8);
    const QRectF bar(box.right() - label - 4 - length, box.center().y() - 3, length, 6);
    painter.drawImage(bar, ramp);
    drawLine(painter, {box.left(), box.top(), bar.left() - label - 12 - box.left(), box.height()}, title, font,
             inks(Theme::Light).ink, Qt::AlignRight | Qt::AlignVCenter);
    drawLine(painter, {bar.left() - label - 4, box.top(), label, box.height()}, shortNumber(limits.low), font,
             inks(Theme::Light).secondary, Qt::AlignRight | Qt::AlignVCenter);
    drawLine(painter, {bar.right() + 4, box.top(), label, box.height()}, shortNumber(limits.high), font,
             inks(Theme::Light).secondary);
}

} // namespace

Status exportHeatmapPanels(std::span<const std::shared_ptr<const HeatmapPanel>> panels, const ModelInfo& info,
                           const HeatmapFigure& figure, const std::filesystem::path& path, FigureOptions options)
{
    if (panels.empty() || std::any_of(panels.begin(), panels.end(), [](const auto& panel) {
            return panel->heatmap->values.cols() == 0 || panel->heatmap->values.rows() == 0;
        }))
        return Error{
            ErrorCode::InvalidArgument, "expected a heatmap with at least one document, found none", path.string(), {}};
    HEADSCOPE_TRY(const FigureFormat format, figureFormat(path));
    const Heatmap& last = *panels.back()->heatmap;
    const bool grouped = std::any_of(panels.begin(), panels.end(),
                                     [&info](const auto& panel) { return hasKvGroups(info, panel->heatmap->stage); });
    if (options.caption.isEmpty())
        options.caption = QStringList({heatmapCaption(*panels.front()->heatmap, info), rowsText(figure.rows, grouped),
                                       headsText(figure.heads, info)})
                              .join(QLatin1Char(' '))
                              .simplified();
    if (options.parameters.empty())
        options.parameters = {{QStringLiteral("model"), QString::fromStdString(info.name)},
                              {QStringLiteral("layer"), QString::number(last.layer.value())},
                              {QStringLiteral("documents"), QString::number(last.values.cols())},
                              {QStringLiteral("input"), QString::fromStdString(last.inputHash)}};
    ScaleLimits limits = heatmapLimits(*panels.front()->heatmap);
    for (const auto& panel : panels)
    {
        const ScaleLimits own = heatmapLimits(*panel->heatmap);
        limits = {std::min(limits.low, own.low), std::max(limits.high, own.high)};
    }
    const bool vector = format != FigureFormat::Png;
    const Drawing drawing = [&](QPainter& painter, const QRectF& box, double dpr) {
        HeatmapStyle style;
        style.textPx = kTextPt;
        style.limits = limits;
        if (figure.scale)
            style.scale = scaleOf(*figure.scale, Theme::Light);
        style.pooling = figure.pooling;
        // The tree is that of all heads.
        const bool tree = figure.rows == HeatmapRows::Clusters && figure.heads.empty();
        style.treeRoom = tree;
        // The last one carries letters and key; it gets their height on top of its share.
        const double keyHeight = box.bottom() - HeatmapLayout(last, info, box, style).plot().bottom();
        const auto count = static_cast<double>(panels.size());
        const double each = std::max(1.0, (box.height() - keyHeight - kGap * (count - 1)) / count);
        double top = box.top();
        for (std::size_t i = 0; i < panels.size(); ++i)
        {
            style.key = i + 1 == panels.size();
            style.colorBar = i == 0;
            style.columnTrees = i == 0; // the columns are the same in all
            style.rows = heatmapRows(*panels[i], info, figure.rows, figure.heads);
            style.tree = tree ? &panels[i]->heads : nullptr;
            const QRectF part(box.left(), top, box.width(), style.key ? box.bottom() - top : each);
            const HeatmapLayout layout(*panels[i]->heatmap, info, part, style);
            // Where the file does not fix the pixels, every document gets at least one of its own.
            layout.paint(painter, vector ? dpr * std::max(1.0, std::ceil(layout.columnsPerPixel(dpr))) : dpr);
            top += each + kGap;
        }
    };
    return exportDrawing(drawing, path, options);
}

Status exportMatrices(std::span<const MatrixFigure> tables, const QStringList& key, const std::filesystem::path& path,
                      const FigureOptions& options)
{
    if (tables.empty())
        return Error{ErrorCode::InvalidArgument, "expected a table to draw, found none", path.string(), {}};
    const Drawing drawing = [&](QPainter& painter, const QRectF& box, double dpr) {
        const double scaleHeight = std::ceil(lineHeight(textFont(kTextPt - 1))) + 4;
        const double keyHeight = std::min(0.5 * box.height(), paintKey(nullptr, key, box));
        const double height = std::max(1.0, box.height() - keyHeight - scaleHeight - kGap);
        const auto count = static_cast<double>(tables.size());
        const double width = (box.width() - kGap * (count - 1)) / count;
        double left = box.left();
        for (const MatrixFigure& table : tables)
        {
            MatrixStyle style = table.style;
            style.theme = Theme::Light;
            style.textPx = kTextPt;
            MatrixLayout(table.values, table.rowNames, table.columnNames, {left, box.top(), width, height}, style)
                .paint(painter, dpr);
            left += width + kGap;
        }
        paintScale(painter, tables.front().style.scale, tables.front().scaleTitle,
                   {box.left(), box.top() + height + 4, box.width(), scaleHeight});
        static_cast<void>(
            paintKey(&painter, key, {box.left(), box.top() + height + scaleHeight + kGap, box.width(), keyHeight}));
    };
    return exportDrawing(drawing, path, options);
}

} // namespace headscope::viz
