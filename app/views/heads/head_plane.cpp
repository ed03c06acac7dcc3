// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heads/head_plane.h"

#include "ui/theme/theme.h"
#include "ui/words/wording.h"

#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <numeric>

namespace headscope::ui
{

HeadPlane::HeadPlane() : Picture({.name = "headPlane", .wanted = {260, 240}, .least = {160, 140}}) {}

QString HeadPlane::summary() const
{
    return m_report == nullptr ? QString()
                               : countText(std::ssize(m_heads), unitText(m_report->stage), unitsText(m_report->stage));
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
    replaced();
}

void HeadPlane::clear()
{
    m_report.reset();
    m_xy = {};
    m_heads.clear();
    replaced();
}

void HeadPlane::setKept(const std::vector<bool>& kept)
{
    m_kept = kept;
    changed();
}

void HeadPlane::arrange()
{
    m_layout = m_report == nullptr
                   ? viz::HeadDiscLayout()
                   : viz::HeadDiscLayout(viz::headDiscs(*m_report, m_xy, m_info.groupSize(), m_heads, m_kept), box(),
                                         {theme(), m_palette, Theme::cellFont()});
}

void HeadPlane::paint(QPainter& painter, const viz::PictureMarks& marks) const
{
    m_layout.paint(painter);
    const auto item = marks.pointed ? marks.pointed : standing();
    if (!item)
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(Theme::instance().colors().accent, 2));
    painter.drawEllipse(m_layout.frameOf(m_heads[*item]));
}

std::optional<std::size_t> HeadPlane::itemOf(std::optional<std::int64_t> head) const
{
    const auto found = head ? std::ranges::find(m_heads, *head) : m_heads.end();
    return found == m_heads.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - m_heads.begin()));
}

std::optional<std::size_t> HeadPlane::itemAt(QPointF place) const
{
    return itemOf(m_layout.headAt(place));
}

QRectF HeadPlane::placeOf(std::size_t item) const
{
    return {m_layout.placeOf(m_heads[item]), QSizeF(0, 0)};
}

viz::ItemText HeadPlane::textOf(std::size_t item) const
{
    const auto h = static_cast<std::size_t>(m_heads[item]);
    QString text =
        tr("%1 · norm %2").arg(unitText(m_report->stage, headOf(item)), numberText(m_report->statistics[h].meanNorm));
    if (m_report->answers)
        text += tr(" · match %1% · selectivity %2")
                    .arg(QLocale().toString(100 * m_report->answers->match.value[h], 'f', 1),
                         numberText(m_report->answers->selectivity.value[h]));
    return {.title = text};
}

void HeadPlane::setHoveredHead(std::optional<HeadIndex> head)
{
    if (m_hoveredHead == head)
        return;
    m_hoveredHead = head;
    marked();
}

} // namespace headscope::ui
