// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/heads/head_plane.h"

#include "ui/theme/theme.h"
#include "ui/words/wording.h"

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <numeric>

namespace headscope::ui
{

HeadPlane::HeadPlane(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("headPlane"));
    setAccessibleName(tr("Map of heads or segments"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(160, 140);
    onThemeChange(this, [this] {
        layOut();
        update();
    });
}

void HeadPlane::setPlane(std::shared_ptr<const HeadReport> report, const MatrixD& xy, const ModelInfo& info,
                         const viz::HeadPalette& palette, const std::vector<std::int64_t>& heads)
{
    m_report = std::move(report);
    m_xy = xy;
    m_info = info;
    m_palette = palette;
    m_heads = heads;
    if (m_heads.empty())
    {
        m_heads.resize(static_cast<std::size_t>(m_xy.rows()));
        std::iota(m_heads.begin(), m_heads.end(), 0);
    }
    std::erase_if(m_heads, [this](std::int64_t head) { return head >= m_xy.rows(); });
    if (std::ssize(m_kept) != m_xy.rows())
        m_kept.assign(static_cast<std::size_t>(m_xy.rows()), true);
    setAccessibleDescription(countText(std::ssize(m_heads), unitText(m_report->stage), unitsText(m_report->stage)));
    layOut();
    update();
}

void HeadPlane::clear()
{
    m_report.reset();
    m_xy = {};
    m_heads.clear();
    layOut();
    update();
}

void HeadPlane::setKept(const std::vector<bool>& kept)
{
    m_kept = kept;
    layOut();
    update();
}

void HeadPlane::layOut()
{
    m_layout = m_report == nullptr
                   ? viz::HeadDiscLayout()
                   : viz::HeadDiscLayout(viz::headDiscs(*m_report, m_xy, m_info.groupSize(), m_heads, m_kept), rect(),
                                         {Theme::instance().vizTheme(), m_palette, Theme::cellFont()});
}

void HeadPlane::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    m_layout.paint(painter);
    if (!m_hovered || std::ranges::find(m_heads, *m_hovered) == m_heads.end())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(Theme::instance().colors().accent, 2));
    painter.drawEllipse(m_layout.frameOf(*m_hovered));
}

void HeadPlane::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layOut();
}

QString HeadPlane::textOf(std::int64_t head) const
{
    const auto h = static_cast<std::size_t>(head);
    QString text = tr("%1 · strength %2")
                       .arg(unitText(m_report->stage, HeadIndex(head)), numberText(m_report->statistics[h].meanNorm));
    if (m_report->answers)
        text += tr(" · match %1 % · selectivity %2")
                    .arg(QLocale().toString(100 * m_report->answers->match.value[h], 'f', 1),
                         numberText(m_report->answers->selectivity.value[h]));
    return text;
}

void HeadPlane::hover(std::optional<std::int64_t> head, QPoint tip)
{
    if (head == m_hovered)
        return;
    m_hovered = head;
    if (head)
        QToolTip::showText(tip, textOf(*head), this);
    else
        QToolTip::hideText();
    update();
    Q_EMIT headHovered(indexOf<HeadIndex>(head));
}

void HeadPlane::mouseMoveEvent(QMouseEvent* event)
{
    hover(m_layout.headAt(event->position()), event->globalPosition().toPoint());
}

void HeadPlane::mousePressEvent(QMouseEvent* event)
{
    if (m_report == nullptr || event->button() != Qt::LeftButton)
        return;
    if (const auto head = m_layout.headAt(event->position()))
        Q_EMIT headClicked(HeadIndex(*head));
}

void HeadPlane::leaveEvent(QEvent*)
{
    hover({}, {});
}

void HeadPlane::keyPressEvent(QKeyEvent* event)
{
    if (m_report == nullptr || m_heads.empty())
        return QWidget::keyPressEvent(event);
    const bool forward = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down;
    if (forward || event->key() == Qt::Key_Left || event->key() == Qt::Key_Up)
    {
        const auto count = m_heads.size();
        const auto at = static_cast<std::size_t>(std::find(m_heads.begin(), m_heads.end(), m_hovered.value_or(-1)) -
                                                 m_heads.begin());
        const std::int64_t next = m_heads[at == count ? 0 : (at + (forward ? 1 : count - 1)) % count];
        setAccessibleDescription(textOf(next));
        return hover(next, mapToGlobal(placeOf(next).toPoint()));
    }
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Space) && m_hovered)
        return Q_EMIT headClicked(HeadIndex(*m_hovered));
    QWidget::keyPressEvent(event);
}

void HeadPlane::setHoveredHead(std::optional<HeadIndex> head)
{
    if (m_hovered == numberOf(head))
        return;
    m_hovered = numberOf(head);
    update();
}

} // namespace headscope::ui
