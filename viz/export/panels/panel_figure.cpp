// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/panels/panel_figure.h"

#include "viz/axis/figure_legend.h"
#include "viz/axis/text.h"
#include "viz/color/inks.h"
#include "viz/export/figure_text.h"

#include <fmt/format.h>

#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

namespace headscope::viz
{
namespace
{

constexpr double kMinPanel = 130; ///< width, in points
constexpr double kLetterPt = kFigureTextPt + 1;
constexpr double kAfterLetter = 2;

double widthOfPanel(std::int64_t columns, double width)
{
    const auto count = static_cast<double>(std::max<std::int64_t>(1, columns));
    return (width - (count - 1) * kFigureGap) / count;
}

QFont letterFont()
{
    return textFont(kLetterPt, QFont::DemiBold);
}

double letterHeight(PanelLetters letters)
{
    return letters == PanelLetters::None ? 0 : std::ceil(lineHeight(letterFont())) + kAfterLetter;
}

void addRows(QStringList& words, const HeadLegend& legend)
{
    for (const HeadLegendRow& row : legend.rows)
    {
        words << row.range << QString::number(row.group);
        for (const QRgb color : row.colors)
            words << QString::number(color, 16);
        for (const MarkerShape shape : row.shapes)
            words << QString::number(static_cast<int>(shape));
    }
}

/// Everything by which a legend tells marks apart. Heads and segments of one number have the same marks, and differ in
/// their title and in the names of KV groups (oneLegend).
QString everythingOf(const SharedLegend& shared)
{
    const Legend& legend = shared.legend;
    QStringList words = {QString::number(legend.content.index()), QString::number(shared.style.shapes)};
    if (!std::holds_alternative<HeadLegend>(legend.content))
        words << legend.title;
    if (const auto* heads = std::get_if<HeadLegend>(&legend.content))
        addRows(words, *heads);
    if (const auto* categories = std::get_if<CategoryLegend>(&legend.content))
        for (const CategoryLegendEntry& entry : categories->entries)
            words << entry.name << QString::number(entry.count) << QString::number(entry.color, 16)
                  << QString::number(static_cast<int>(entry.shape));
    if (const auto* strengths = std::get_if<StrengthLegend>(&legend.content))
    {
        addRows(words, strengths->heads);
        words << QString::number(strengths->low, 'g', 9) << QString::number(strengths->high, 'g', 9);
    }
    if (const auto* numbers = std::get_if<NumberLegend>(&legend.content))
    {
        const ScaleLimits limits = numbers->scale.limits();
        words << QString::number(limits.low, 'g', 9) << QString::number(limits.high, 'g', 9);
        for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0})
            words << QString::number(numbers->scale.color(limits.low + share * (limits.high - limits.low)), 16);
    }
    return words.join(QChar(0x1f));
}

/// Whether all panels explain themselves by one and the same legend.
bool haveOneLegend(std::span<const FigureSpec> panels)
{
    if (panels.size() < 2)
        return false;
    return std::ranges::all_of(panels, [&panels](const FigureSpec& panel) {
        return panel.legend && panels.front().legend &&
               everythingOf(*panel.legend) == everythingOf(*panels.front().legend);
    });
}

/// The legend of all panels: of heads and segments both by title, and without the KV groups that only heads have.
Legend oneLegend(std::span<const FigureSpec> panels)
{
    Legend legend = panels.front().legend->legend;
    QStringList titles;
    for (const FigureSpec& panel : panels)
        if (!titles.contains(panel.legend->legend.title))
            titles << panel.legend->legend.title;
    legend.title = titles.join(QStringLiteral(" / "));
    if (auto* heads = std::get_if<HeadLegend>(&legend.content); heads != nullptr && titles.size() > 1)
        for (HeadLegendRow& row : heads->rows)
            row.name.clear();
    return legend;
}

/// Where everything stands, from (0, 0), in points.
class PanelPage
{
public:
    PanelPage(std::vector<FigureSpec> all, const PanelStyle& style, double width)
        : m_panels(std::move(all)), m_style(style), m_shared(style.shareLegend && haveOneLegend(m_panels))
    {
        const std::int64_t columns = std::clamp<std::int64_t>(style.columns, 1, std::ssize(m_panels));
        const double each = widthOfPanel(columns, width);
        const double letter = letterHeight(style.letters);
        double top = 0;
        for (std::size_t first = 0; first < m_panels.size(); first += static_cast<std::size_t>(columns))
        {
            const std::size_t end = std::min(m_panels.size(), first + static_cast<std::size_t>(columns));
            double height = 0;
            for (std::size_t i = first; i < end; ++i)
            {
                const double left = static_cast<double>(i - first) * (each + kFigureGap);
                m_boxes.emplace_back(left, top + letter, each, heightOf(m_panels[i]));
                height = std::max(height, heightOf(m_panels[i]));
            }
            top += letter + height + kFigureGap;
        }
        m_bottom = top - kFigureGap;
        if (m_shared)
            placeLegend(width);
    }

    [[nodiscard]] double bottom() const { return m_bottom; }

    void paint(QPainter& painter, QPointF corner, double dpr) const
    {
        const Inks& ink = inks(InkTheme::Light);
        for (std::size_t i = 0; i < m_panels.size(); ++i)
        {
            const QRectF box = m_boxes[i].translated(corner);
            const QString letter = panelLetter(static_cast<std::int64_t>(i));
            if (m_style.letters != PanelLetters::None)
                drawLine(painter,
                         {box.left(), box.top() - letterHeight(m_style.letters), box.width(), lineHeight(letterFont())},
                         m_style.letters == PanelLetters::Plain ? letter : QStringLiteral("(%1)").arg(letter),
                         letterFont(), ink.ink);
            painter.save();
            (m_shared ? m_panels[i].legend->bare : m_panels[i].drawing)(painter, box, dpr);
            painter.restore();
        }
        if (m_shared)
            m_legend.paint(painter, corner + QPointF(0, m_legendTop));
    }

private:
    [[nodiscard]] double heightOf(const FigureSpec& panel) const
    {
        return m_shared ? panel.legend->bareHeight : contentHeight(panel.options);
    }

    void placeLegend(double width)
    {
        m_legend =
            legendUnder(oneLegend(m_panels), m_panels.front().legend->style, {width, 0}, [](double) { return 0.0; });
        m_legendTop = m_bottom;
        m_bottom += m_legend.size.height();
    }

    std::vector<FigureSpec> m_panels;
    PanelStyle m_style;
    bool m_shared;
    std::vector<QRectF> m_boxes; ///< of the panels, without their letters
    double m_bottom = 0;
    FigureLegend m_legend;
    double m_legendTop = 0;
};

} // namespace

std::int64_t fittingColumns(std::int64_t panels, const FigureOptions& options)
{
    const double width = contentWidth(options);
    std::int64_t most = 1;
    while (most < panels && widthOfPanel(most + 1, width) >= kMinPanel)
        ++most;
    const std::int64_t rows = (panels + most - 1) / most;
    return (panels + rows - 1) / rows;
}

double panelInches(std::int64_t columns, const FigureOptions& options)
{
    const double whole = contentWidth(options);
    return options.sizeInches.width() - (whole - widthOfPanel(columns, whole)) * options.scale / kPointsPerInch;
}

QString panelLetter(std::int64_t panel)
{
    return QChar(static_cast<char16_t>(u'a' + panel));
}

std::string ofPanel(std::int64_t panel, std::string_view sentence)
{
    return fmt::format("panel ({}): {}", panelLetter(panel).toStdString(), sentence);
}

QString panelsCaption(std::span<const FigureSpec> panels)
{
    QStringList captions;
    for (std::size_t i = 0; i < panels.size(); ++i)
        captions << QStringLiteral("(%1) %2").arg(panelLetter(static_cast<std::int64_t>(i)), panels[i].options.caption);
    return captions.join(u' ');
}

Figure figureOfPanels(std::vector<FigureSpec> panels, PanelStyle style)
{
    return [panels = std::move(panels), style](FigureOptions options) -> Result<FigureSpec> {
        if (panels.empty())
            return Error{ErrorCode::InvalidArgument, "there is no panel to draw", {}, {}};
        fillIn(options, panelsCaption(panels), {});
        const auto page = std::make_shared<const PanelPage>(panels, style, contentWidth(options));
        followContent(options, page->bottom());
        return FigureSpec{
            [page](QPainter& painter, const QRectF& box, double dpr) { page->paint(painter, box.topLeft(), dpr); },
            std::move(options)};
    };
}

} // namespace headscope::viz
