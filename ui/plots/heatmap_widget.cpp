// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/heatmap_widget.h"

#include "ui/theme/theme.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::ui
{
namespace
{

constexpr double kSideMargin = 20;
constexpr double kTopMargin = 12;
constexpr double kBetween = 12;
/// Room of the topic key, which stands under the last heatmap alone.
constexpr double kKeyHeight = 28;

} // namespace

HeatmapWidget::HeatmapWidget(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("heatmap"));
    setAccessibleName(tr("Heatmap"));
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(240, 200);
    m_card = new HoverCard(this);
    onThemeChange(this, [this] { layOut(); });
}

void HeatmapWidget::setHeatmaps(std::vector<std::shared_ptr<const Heatmap>> heatmaps, const ModelInfo& info)
{
    m_heatmaps = std::move(heatmaps);
    m_info = info;
    m_hover.reset();
    m_card->hide();
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

void HeatmapWidget::layOut()
{
    m_layouts.clear();
    const auto count = m_heatmaps.size();
    if (count > 0)
    {
        viz::HeatmapStyle style;
        style.theme = Theme::instance().vizTheme();
        viz::ScaleLimits limits = viz::heatmapLimits(*m_heatmaps.front());
        for (const auto& heatmap : m_heatmaps)
        {
            const auto own = viz::heatmapLimits(*heatmap);
            limits = {std::min(limits.low, own.low), std::max(limits.high, own.high)};
        }
        style.limits = limits;
        style.colorBar = false; // the bar under the view shows the common scale
        const double share = (height() - 2 * kTopMargin - kKeyHeight - kBetween * static_cast<double>(count - 1)) /
                             static_cast<double>(count);
        double top = kTopMargin;
        for (std::size_t i = 0; i < count; ++i)
        {
            style.key = i + 1 == count;
            const double boxHeight = std::max(40.0, share + (style.key ? kKeyHeight : 0));
            m_layouts.emplace_back(*m_heatmaps[i], m_info,
                                   QRectF(kSideMargin, top, width() - 2 * kSideMargin, boxHeight), style);
            top += boxHeight + kBetween;
        }
    }
    dropPicture();
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
}

void HeatmapWidget::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event)
    ++m_paints;
    const double dpr = devicePixelRatioF();
    if (m_picture.isNull())
    {
        m_picture = QImage(size() * dpr, QImage::Format_RGB32);
        m_picture.setDevicePixelRatio(dpr);
        m_picture.fill(Theme::instance().colors().canvas);
        QPainter painter(&m_picture);
        painter.setRenderHint(QPainter::Antialiasing);
        for (const viz::HeatmapLayout& layout : m_layouts)
            layout.paint(painter, dpr);
    }
    QPainter painter(this);
    painter.drawImage(QPointF(0, 0), m_picture);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_primary)
        frameDocument(painter, *m_primary);
    if (m_hover)
        m_layouts[m_hover->heatmap].paintFrame(painter, m_layouts[m_hover->heatmap].cellRect(m_hover->cell));
    else if (m_hoveredDocument)
        frameDocument(painter, *m_hoveredDocument);
}

void HeatmapWidget::frameDocument(QPainter& painter, std::int64_t document) const
{
    for (std::size_t i = 0; i < m_heatmaps.size(); ++i)
    {
        const auto& documents = m_heatmaps[i]->document;
        for (std::size_t column = 0; column < documents.size(); ++column)
        {
            if (documents[column] != document)
                continue;
            const auto at = static_cast<std::int64_t>(column);
            const QRectF first = m_layouts[i].cellRect({0, at});
            const QRectF last = m_layouts[i].cellRect({m_heatmaps[i]->values.rows() - 1, at});
            m_layouts[i].paintFrame(painter, first.united(last));
            if (m_primaryHead && document == m_primary && *m_primaryHead + 1 < m_heatmaps[i]->values.rows())
                m_layouts[i].paintFrame(painter, m_layouts[i].cellRect({*m_primaryHead + 1, at}));
        }
    }
}

std::optional<HeatmapWidget::Place> HeatmapWidget::placeAt(QPointF place) const
{
    for (std::size_t i = 0; i < m_layouts.size(); ++i)
        if (const auto cell = m_layouts[i].cellAt(place))
            return Place{i, *cell};
    return std::nullopt;
}

void HeatmapWidget::mouseMoveEvent(QMouseEvent* event)
{
    const auto place = placeAt(event->position());
    if (place != m_hover)
    {
        m_hover = place;
        m_hoveredDocument.reset();
        setCursor(place ? Qt::PointingHandCursor : Qt::ArrowCursor);
        update();
        std::optional<std::int64_t> document;
        if (place)
            document = m_heatmaps[place->heatmap]->document[static_cast<std::size_t>(place->cell.column)];
        Q_EMIT documentHovered(document);
    }
    if (place && m_cardSource)
        m_card->showAt(m_cardSource(*m_heatmaps[place->heatmap], place->cell), event->pos());
    else
        m_card->hide();
}

void HeatmapWidget::mousePressEvent(QMouseEvent* event)
{
    const auto place = placeAt(event->position());
    if (!place || event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    const auto document = m_heatmaps[place->heatmap]->document[static_cast<std::size_t>(place->cell.column)];
    std::optional<std::int64_t> head;
    if (place->cell.row > 0)
        head = place->cell.row - 1;
    Q_EMIT documentClicked(document, head);
}

void HeatmapWidget::leaveEvent(QEvent* event)
{
    m_card->hide();
    if (m_hover)
    {
        m_hover.reset();
        update();
        Q_EMIT documentHovered({});
    }
    QWidget::leaveEvent(event);
}

} // namespace headscope::ui
