// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/legend_panel.h"

#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kWidest = 190;

QPointF legendPlace()
{
    return {0, Metrics::kPanel};
}

} // namespace

LegendPanel::LegendPanel(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("legendPanel"));
    setAccessibleName(tr("Legend"));
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    onThemeChange(this, [this] { layOut(); });
    setVisible(false);
}

void LegendPanel::setLegend(std::optional<viz::Legend> legend)
{
    m_legend = std::move(legend);
    m_isolated.reset();
    setVisible(m_legend.has_value());
    setAccessibleDescription(m_legend ? m_legend->title : QString());
    layOut();
}

void LegendPanel::layOut()
{
    if (!m_legend)
        return;
    viz::LegendStyle style;
    style.theme = Theme::instance().vizTheme();
    style.maxWidth = kWidest;
    style.maxHeight = std::max(80, height() - 2 * Metrics::kPanel);
    style.card = false;
    style.shapes = false;
    m_layout = viz::LegendLayout(*m_legend, style);
    setFixedWidth(static_cast<int>(std::ceil(m_layout.size().width())) + Metrics::kPanel);
    update();
}

void LegendPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layOut();
}

void LegendPanel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), Theme::instance().colors().canvas);
    if (!m_legend)
        return;
    m_layout.paint(painter, legendPlace(), faded());
}

std::vector<viz::LegendHit> LegendPanel::faded() const
{
    std::vector<viz::LegendHit> faded;
    const auto* categories = m_legend ? std::get_if<viz::CategoryLegend>(&m_legend->content) : nullptr;
    if (categories != nullptr && m_isolated)
        for (const auto& entry : categories->entries)
            if (entry.code != *m_isolated)
                faded.push_back({viz::LegendHit::Kind::Category, entry.code});
    return faded;
}

void LegendPanel::mouseMoveEvent(QMouseEvent* event)
{
    setCursor(m_layout.hit(event->position() - legendPlace()) ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void LegendPanel::mouseReleaseEvent(QMouseEvent* event)
{
    const auto hit = m_layout.hit(event->position() - legendPlace());
    if (!hit || hit->kind != viz::LegendHit::Kind::Category)
        return;
    if (m_isolated == hit->index)
        m_isolated.reset();
    else
        m_isolated = hit->index;
    update();
    Q_EMIT isolatedChanged();
}

bool LegendPanel::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip)
    {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), m_layout.elidedNameAt(QPointF(help->pos()) - legendPlace()), this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace headscope::ui
