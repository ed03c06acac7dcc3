// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/heatmap/heatmap_widget.h"

#include "ui/theme/theme.h"
#include "ui/words/wording.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr double kSideMargin = 20;
constexpr double kTopMargin = 12;
constexpr double kBetween = 12;
/// Room of the topics' letters, which stand under the last heatmap alone.
constexpr double kLetters = 22;

/// The limits that suit all panels.
viz::ScaleLimits commonLimits(const HeatmapWidget::Panels& panels)
{
    viz::ScaleLimits limits = viz::heatmapLimits(*panels.front()->heatmap);
    for (const auto& panel : panels)
    {
        const auto own = viz::heatmapLimits(*panel->heatmap);
        limits = {std::min(limits.low, own.low), std::max(limits.high, own.high)};
    }
    return limits;
}

bool sameColumns(const HeatmapWidget::Panels& a, const HeatmapWidget::Panels& b)
{
    return !a.empty() && !b.empty() && a.front()->heatmap->topicStart == b.front()->heatmap->topicStart;
}

} // namespace

HeatmapWidget::HeatmapWidget(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("heatmap"));
    setAccessibleName(tr("Heatmap"));
    setAccessibleDescription(tr("Arrows move the crosshair, Return chooses, plus and minus zoom, Home shows all"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(240, 160);
    m_card = new HoverCard(this);
    onThemeChange(this, [this] { layOut(); });
}

void HeatmapWidget::setPanels(Panels panels, const ModelInfo& info)
{
    if (!sameColumns(m_panels, panels))
        m_window = {};
    m_panels = std::move(panels);
    m_info = info;
    m_cells.clear();
    for (const auto& panel : m_panels)
        m_cells.push_back(std::make_shared<const viz::HeatmapCells>(panel->heatmap->values.view()));
    m_press.reset();
    m_bandTo.reset();
    hover({}, {});
    layOut();
    Q_EMIT windowChanged();
}

void HeatmapWidget::setRows(HeatmapRows rows)
{
    m_rows = rows;
    layOut();
}

void HeatmapWidget::setHeads(const std::vector<std::int64_t>& heads)
{
    if (m_heads == heads)
        return;
    m_heads = heads;
    hover({}, {});
    layOut();
    Q_EMIT windowChanged();
}

void HeatmapWidget::setScale(const viz::ScaleChoice& choice)
{
    if (m_scale == choice)
        return;
    m_scale = choice;
    layOut();
}

void HeatmapWidget::setPooling(viz::CellPooling pooling)
{
    m_pooling = pooling;
    layOut();
}

void HeatmapWidget::setCardSource(std::function<HoverContent(const Heatmap& heatmap, viz::HeatmapCell cell)> source)
{
    m_cardSource = std::move(source);
}

void HeatmapWidget::setPrimary(std::optional<std::int64_t> document, std::optional<std::int64_t> head)
{
    m_primary = document;
    m_primaryHead = head;
    update();
}

void HeatmapWidget::setHovered(std::optional<std::int64_t> document)
{
    if (m_hover || document == m_hoveredDocument)
        return;
    m_hoveredDocument = document;
    update();
}

void HeatmapWidget::setHoveredHead(std::optional<std::int64_t> head)
{
    if (head == m_hoveredHead)
        return;
    m_hoveredHead = head;
    if (!m_hover)
        update();
}

void HeatmapWidget::setLitHeads(const std::vector<std::int64_t>& heads)
{
    m_litHeads = heads;
    update();
}

void HeatmapWidget::setChosen(const std::vector<std::int64_t>& documents)
{
    m_chosen = documents;
    light();
    dropPicture();
}

std::vector<std::uint8_t> HeatmapWidget::litDocuments() const
{
    std::vector<std::uint8_t> lit;
    if (!m_chosen.empty() && !m_panels.empty()) // the columns are the same in all
        for (const std::int32_t document : m_panels.front()->heatmap->document)
            lit.push_back(std::binary_search(m_chosen.begin(), m_chosen.end(), document) ? 1 : 0);
    return lit;
}

void HeatmapWidget::light()
{
    for (viz::HeatmapLayout& layout : m_layouts)
        layout.setLit(litDocuments());
}

std::vector<std::int64_t> HeatmapWidget::documentsOf(std::int64_t topic) const
{
    std::vector<std::int64_t> documents;
    if (m_panels.empty())
        return documents;
    const Heatmap& heatmap = *m_panels.front()->heatmap;
    const auto at = static_cast<std::size_t>(topic);
    if (topic < 0 || at + 1 >= heatmap.topicStart.size())
        return documents;
    documents.assign(heatmap.document.begin() + heatmap.topicStart[at],
                     heatmap.document.begin() + heatmap.topicStart[at + 1]);
    std::sort(documents.begin(), documents.end());
    return documents;
}

void HeatmapWidget::layOut()
{
    m_layouts.clear();
    if (!m_panels.empty())
    {
        viz::HeatmapStyle style;
        style.theme = Theme::instance().vizTheme();
        if (m_scale)
            style.scale = viz::scaleOf(*m_scale, style.theme);
        else
            style.limits = commonLimits(m_panels);
        style.key = false;
        style.colorBar = false; // the bar under the view shows the common scale
        style.colorBarRoom = false;
        style.marks = true;
        style.pooling = m_pooling;
        style.numThreads = m_threads;
        style.treeRoom = m_rows == HeatmapRows::Clusters && m_heads.empty();
        makeLayouts(style);
        for (const viz::HeatmapLayout& layout : m_layouts)
            style.leastLeft = std::max(style.leastLeft, layout.plot().left() - layout.box().left());
        if (m_layouts.size() > 1) // names of groups and of segments differ in width, columns must not
            makeLayouts(style);
    }
    light();
    setWindow(m_window);
    dropPicture();
}

void HeatmapWidget::makeLayouts(const viz::HeatmapStyle& style)
{
    const auto count = static_cast<double>(m_panels.size());
    const double share = (height() - 2 * kTopMargin - kLetters - kBetween * (count - 1)) / count;
    double top = kTopMargin;
    m_layouts.clear();
    for (std::size_t i = 0; i < m_panels.size(); ++i)
    {
        const HeatmapPanel& panel = *m_panels[i];
        viz::HeatmapStyle own = style;
        own.letters = i + 1 == m_panels.size();
        own.commonHeight = std::max(40.0, share);
        own.columnTrees = i == 0; // the columns are the same in all
        own.rows = heatmapRows(panel, m_info, m_rows, m_heads);
        // The tree is that of all heads.
        own.tree = m_rows == HeatmapRows::Clusters && m_heads.empty() ? &panel.heads : nullptr;
        const double boxHeight = std::max(40.0, share + (own.letters ? kLetters : 0));
        m_layouts.emplace_back(*panel.heatmap, m_info,
                               QRectF(kSideMargin, top, std::max(1.0, width() - 2 * kSideMargin), boxHeight), own,
                               m_cells[i]);
        top += boxHeight + kBetween;
    }
}

void HeatmapWidget::setWindow(const viz::HeatmapWindow& window)
{
    const viz::HeatmapWindow before = m_window;
    m_window = window;
    for (viz::HeatmapLayout& layout : m_layouts)
        m_window = layout.setWindow(window);
    if (m_window == before)
        return;
    dropPicture();
    Q_EMIT windowChanged();
}

void HeatmapWidget::zoomToTopic(std::int64_t topic)
{
    if (m_panels.empty())
        return;
    const auto& starts = m_panels.front()->heatmap->topicStart;
    const auto at = static_cast<std::size_t>(topic);
    if (topic < 0 || at + 1 >= starts.size() || starts[at + 1] == starts[at])
        return;
    viz::HeatmapWindow window = m_window;
    window.zoom = static_cast<double>(starts.back()) / static_cast<double>(starts[at + 1] - starts[at]);
    window.firstColumn = static_cast<double>(starts[at]);
    setWindow(window);
}

std::pair<double, double> HeatmapWidget::visibleShare() const
{
    return m_layouts.empty() ? std::pair(0.0, 1.0) : m_layouts.front().visibleShare();
}

void HeatmapWidget::moveTo(double share)
{
    if (m_panels.empty())
        return;
    viz::HeatmapWindow window = m_window;
    window.firstColumn = share * static_cast<double>(m_panels.front()->heatmap->values.cols());
    setWindow(window);
}

void HeatmapWidget::dropPicture()
{
    m_picture = QImage();
    update();
}

QString HeatmapWidget::note() const
{
    return m_layouts.empty() ? QString() : m_layouts.front().note(devicePixelRatioF());
}

void HeatmapWidget::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layOut();
    Q_EMIT windowChanged();
}

void HeatmapWidget::paintPicture()
{
    if (!m_picture.isNull())
        return;
    const double dpr = devicePixelRatioF();
    m_picture = QImage(size() * dpr, QImage::Format_RGB32);
    m_picture.setDevicePixelRatio(dpr);
    m_picture.fill(Theme::instance().colors().canvas);
    QPainter painter(&m_picture);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const viz::HeatmapLayout& layout : m_layouts)
        layout.paint(painter, dpr);
}

QImage HeatmapWidget::picture()
{
    paintPicture();
    return m_picture;
}

void HeatmapWidget::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event)
    ++m_paints;
    paintPicture();
    QPainter painter(this);
    painter.drawImage(QPointF(0, 0), m_picture);
    painter.setRenderHint(QPainter::Antialiasing);
    markLitHeads(painter);
    if (m_primary)
        frameDocument(painter, *m_primary);
    if (m_hover)
        paintCrosshair(painter);
    else
    {
        if (m_hoveredDocument)
            frameDocument(painter, *m_hoveredDocument);
        if (m_hoveredHead)
            frameHead(painter, *m_hoveredHead);
    }
    if (m_bandTo && m_press && !m_layouts.empty())
    {
        const QRectF plot = m_layouts.front().plot();
        const double from = std::clamp(std::min(m_press->x(), *m_bandTo), plot.left(), plot.right());
        const double to = std::clamp(std::max(m_press->x(), *m_bandTo), plot.left(), plot.right());
        QColor fill = Theme::instance().colors().accent;
        fill.setAlpha(40);
        painter.setPen(QPen(Theme::instance().colors().accent, 1));
        painter.setBrush(fill);
        painter.drawRect(QRectF(from, plot.top(), to - from, m_layouts.back().plot().bottom() - plot.top()));
    }
}

void HeatmapWidget::paintCrosshair(QPainter& painter) const
{
    const viz::HeatmapLayout& layout = m_layouts[m_hover->heatmap];
    const QRectF plot = layout.plot();
    const QRectF cell = layout.cellRect(m_hover->cell);
    // Lines end before the cell, which keeps its colours.
    constexpr double kFree = 4;
    QColor line = Theme::instance().colors().text;
    line.setAlpha(150);
    painter.setPen(QPen(line, 1));
    const double y = std::floor(cell.center().y()) + 0.5;
    painter.drawLine(QPointF(plot.left(), y), QPointF(std::max(plot.left(), cell.left() - kFree), y));
    painter.drawLine(QPointF(std::min(plot.right(), cell.right() + kFree), y), QPointF(plot.right(), y));
    const double x = std::floor(cell.center().x()) + 0.5;
    for (std::size_t i = 0; i < m_layouts.size(); ++i)
    {
        const QRectF other = m_layouts[i].plot();
        if (i != m_hover->heatmap)
        {
            painter.drawLine(QPointF(x, other.top()), QPointF(x, other.bottom()));
            continue;
        }
        painter.drawLine(QPointF(x, other.top()), QPointF(x, std::max(other.top(), cell.top() - kFree)));
        painter.drawLine(QPointF(x, std::min(other.bottom(), cell.bottom() + kFree)), QPointF(x, other.bottom()));
    }
    layout.paintFrame(painter, cell);
}

void HeatmapWidget::frameDocument(QPainter& painter, std::int64_t document) const
{
    for (std::size_t i = 0; i < m_layouts.size(); ++i)
    {
        const Heatmap& heatmap = *m_panels[i]->heatmap;
        const QRectF plot = m_layouts[i].plot();
        painter.save();
        painter.setClipRect(plot.adjusted(-3, -3, 3, 3));
        for (std::size_t column = 0; column < heatmap.document.size(); ++column)
        {
            if (heatmap.document[column] != document)
                continue;
            const auto at = static_cast<std::int64_t>(column);
            QRectF frame = m_layouts[i].cellRect({0, at});
            frame.setBottom(plot.bottom());
            if (frame.right() < plot.left() || frame.left() > plot.right())
                continue;
            m_layouts[i].paintFrame(painter, frame);
            if (m_primaryHead && document == m_primary && *m_primaryHead + 1 < heatmap.values.rows())
                if (const QRectF cell = m_layouts[i].cellRect({*m_primaryHead + 1, at}); !cell.isEmpty())
                    m_layouts[i].paintFrame(painter, cell);
        }
        painter.restore();
    }
}

void HeatmapWidget::frameHead(QPainter& painter, std::int64_t head) const
{
    for (std::size_t i = 0; i < m_layouts.size(); ++i)
    {
        if (head < 0 || head + 1 >= m_panels[i]->heatmap->values.rows() || m_layouts[i].placeOfRow(head + 1) < 0)
            continue;
        const QRectF plot = m_layouts[i].plot();
        painter.save();
        painter.setClipRect(plot.adjusted(-3, -3, 3, 3));
        m_layouts[i].paintFrame(painter, m_layouts[i].rowRect(head + 1));
        painter.restore();
    }
}

void HeatmapWidget::markLitHeads(QPainter& painter) const
{
    constexpr double kMark = 4;
    for (std::size_t i = 0; i < m_layouts.size(); ++i)
    {
        const QRectF plot = m_layouts[i].plot();
        for (const std::int64_t head : m_litHeads)
        {
            if (head < 0 || head + 1 >= m_panels[i]->heatmap->values.rows() || m_layouts[i].placeOfRow(head + 1) < 0)
                continue;
            const QRectF row = m_layouts[i].rowRect(head + 1);
            if (row.center().y() > m_layouts[i].rowRect(0).bottom() && row.center().y() < plot.bottom())
                painter.fillRect(
                    QRectF(plot.right() + 3, row.top() + 0.15 * row.height(), kMark, std::max(1.0, 0.7 * row.height())),
                    Theme::instance().colors().accent);
        }
    }
}

QString rowSource(const Heatmap& heatmap, std::int64_t row)
{
    return row == 0 && !heatmap.fullSource.empty()
               ? toQString(heatmap.fullSource)
               : HeatmapWidget::tr("stage %1").arg(toQString(stageName(heatmap.stage)));
}

} // namespace headscope::ui
