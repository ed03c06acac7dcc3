// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/attention/head_grid_picture.h"

#include "app/views/attention/attention_text.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"

#include <QPaintDevice>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kMargin = 2; // marks lie around the cells

} // namespace

HeadGridPicture::HeadGridPicture()
    : PannedPicture({.name = "attentionHeads", .saying = viz::Saying::Card, .hasGround = true, .least = {140, 160}})
{}

QString HeadGridPicture::summary() const
{
    if (m_run == nullptr)
        return {};
    return tr("%1 layers of %2 heads; %3. Arrow keys select a head, P pins it.")
        .arg(m_run->layers.size())
        .arg(m_run->model.heads)
        .arg(m_chosen ? tr("%1 is selected").arg(placeText(*m_chosen)) : tr("no head is selected"));
}

void HeadGridPicture::setRun(AttentionRunPtr run)
{
    const bool isSame = m_run != nullptr && run != nullptr && m_run->origin == run->origin;
    m_run = std::move(run);
    if (!isSame)
        m_style = {};
    setMeasure(m_measure);
    if (isSame)
        changed();
    else
        replaced();
}

void HeadGridPicture::setWithoutFirst(bool withoutFirst)
{
    if (std::exchange(m_withoutFirst, withoutFirst) != withoutFirst)
        marked();
}

const MatrixD* HeadGridPicture::measureValues() const
{
    if (m_run == nullptr || m_measure.empty())
        return nullptr;
    const auto found = m_run->statistics.find(m_measure);
    return found != m_run->statistics.end() ? &found->second : nullptr;
}

void HeadGridPicture::setMeasure(const std::string& measure)
{
    m_measure = measure;
    const MatrixD* values = measureValues();
    m_scale = values != nullptr ? viz::measureScale(*values) : std::nullopt;
    marked();
}

void HeadGridPicture::setChosen(std::optional<AttentionHead> head)
{
    if (std::exchange(m_chosen, head) == head)
        return;
    if (const auto cell = head ? cellOf(*head) : std::nullopt)
        showCell(*cell);
    changed();
}

void HeadGridPicture::setPinned(const std::vector<AttentionHead>& heads)
{
    m_pinned = heads;
    marked();
}

void HeadGridPicture::setOff(const std::vector<AttentionHead>& heads)
{
    m_off = heads;
    changed();
}

std::size_t HeadGridPicture::count() const
{
    return m_run != nullptr ? m_run->layers.size() * static_cast<std::size_t>(m_run->model.heads) : 0;
}

std::optional<viz::ThumbnailCell> HeadGridPicture::cellOf(AttentionHead place) const
{
    const auto row = m_run != nullptr ? m_run->placeOf(place.layer) : std::nullopt;
    if (!row || place.head.value() < 0 || place.head.value() >= m_run->model.heads)
        return {};
    return viz::ThumbnailCell{static_cast<std::int64_t>(*row), place.head};
}

viz::ThumbnailCell HeadGridPicture::cellOf(std::size_t item) const
{
    const auto at = static_cast<std::int64_t>(item);
    return {at / m_run->model.heads, HeadIndex(at % m_run->model.heads)};
}

std::size_t HeadGridPicture::itemOf(viz::ThumbnailCell cell) const
{
    return static_cast<std::size_t>(cell.row * m_run->model.heads + cell.head.value());
}

AttentionHead HeadGridPicture::headOf(std::size_t item) const
{
    const viz::ThumbnailCell cell = cellOf(item);
    return {m_run->layers[static_cast<std::size_t>(cell.row)], cell.head};
}

std::optional<std::size_t> HeadGridPicture::itemAt(QPointF place) const
{
    const auto cell = m_run != nullptr ? m_layout.cellAt(place) : std::nullopt;
    return cell ? std::optional(itemOf(*cell)) : std::nullopt;
}

viz::ItemText HeadGridPicture::textOf(std::size_t item) const
{
    const AttentionHead place = headOf(item);
    const viz::ThumbnailCell cell = cellOf(item);
    viz::ItemText text{.color = m_palette.color(place.head),
                       .title = placeText(place),
                       .detail = groupTag(m_run->model, Stage::HeadOutput, place.head)};
    QStringList facts;
    for (const char* name : {"first_token", "previous_token", "entropy_causal"})
        if (const auto found = m_run->statistics.find(name); found != m_run->statistics.end())
            facts << measureTitle(name) % u' ' % measureText(found->second(cell.row, cell.head.value()));
    text.subtitle = facts.join(QStringLiteral(" · "));
    if (const MatrixD* values = measureValues())
        text.value = measureText((*values)(cell.row, cell.head.value()));
    return text;
}

std::optional<std::size_t> HeadGridPicture::standing() const
{
    const auto cell = m_chosen ? cellOf(*m_chosen) : std::nullopt;
    return cell ? std::optional(itemOf(*cell)) : std::nullopt;
}

std::optional<std::size_t> HeadGridPicture::next(std::optional<std::size_t> /*from*/, viz::Step step) const
{
    const auto chosen = standing();
    return chosen ? viz::nextCell(*chosen, step, m_run->layers.size(), static_cast<std::size_t>(m_run->model.heads))
                  : std::nullopt;
}

QRectF HeadGridPicture::room() const
{
    return box().adjusted(0, 0, -kMargin, -kMargin);
}

void HeadGridPicture::arrange()
{
    if (m_run != nullptr)
        m_palette = viz::HeadPalette(m_run->model, theme());
    m_style.theme = theme();
    m_style.textPx = Theme::smallFont().pixelSize();
    m_layout = m_run != nullptr ? viz::ThumbnailGridLayout(m_run->layers, m_run->model, room(), m_style)
                                : viz::ThumbnailGridLayout();
    m_style.offset = m_layout.style().offset;
}

int HeadGridPicture::widthForHeight(int height) const
{
    if (m_run == nullptr)
        return manners().least.width();
    viz::ThumbnailGridStyle style = m_style;
    style.cell = {};
    style.offset = {};
    constexpr double kWide = 4000;
    const viz::ThumbnailGridLayout fitted(m_run->layers, m_run->model, QRectF(0, 0, kWide, height - kMargin), style);
    return static_cast<int>(std::ceil(fitted.window().left() + fitted.contentSize().width())) + kMargin;
}

void HeadGridPicture::showAll()
{
    m_style.cell = {};
    m_style.offset = {};
    changed();
}

void HeadGridPicture::zoomAt(QPointF place, double factor)
{
    if (m_run == nullptr)
        return;
    const QSize before = m_layout.cellSize();
    const auto grown = [factor](int length) {
        const double wished = length * factor;
        return static_cast<int>(factor > 1 ? std::ceil(wished) : std::floor(wished));
    };
    const viz::ThumbnailGridLayout fitted(m_run->layers, m_run->model, room(), {m_style.theme, m_style.textPx, {}, {}});
    const QSize cell(grown(before.width()), grown(before.height()));
    if (cell.width() <= fitted.cellSize().width() || cell.height() <= fitted.cellSize().height())
        return showAll();
    if (std::max(cell.width(), cell.height()) > viz::ThumbnailGridLayout::kLargestCell)
        return;
    const QPointF at = place - m_layout.window().topLeft();
    const QPointF content = at + m_style.offset;
    m_style.cell = cell;
    m_style.offset =
        QPointF(content.x() * cell.width() / before.width(), content.y() * cell.height() / before.height()) - at;
    changed();
}

void HeadGridPicture::panBy(QPointF pixels)
{
    m_style.offset = m_layout.bounded(m_style.offset - pixels);
    changed();
}

void HeadGridPicture::showCell(viz::ThumbnailCell cell)
{
    const QRectF place = m_layout.cellRect(cell);
    const QRectF window = m_layout.window();
    QPointF by(0, 0);
    if (place.right() > window.right())
        by.setX(window.right() - place.right() - 4);
    if (place.bottom() > window.bottom())
        by.setY(window.bottom() - place.bottom() - 4);
    if (place.left() < window.left())
        by.setX(window.left() - place.left() + 4);
    if (place.top() < window.top())
        by.setY(window.top() - place.top() + 4);
    if (!by.isNull())
        panBy(by);
}

void HeadGridPicture::paint(QPainter& painter, const viz::PictureMarks& marks) const
{
    if (m_run == nullptr)
        return;
    const auto chosen = m_chosen ? cellOf(*m_chosen) : std::nullopt;
    if (const MatrixD* values = measureValues(); values != nullptr && m_scale)
        viz::paintMeasure(painter, m_layout, *values, viz::measureColors(*m_scale, theme()));
    else if (m_run->thumbnailSide > 0)
    {
        m_atlas.prepare(m_run, m_layout.cellSize() * painter.device()->devicePixelRatioF(), theme(), m_withoutFirst);
        viz::paintThumbnails(painter, m_layout, m_atlas);
    }
    m_layout.paintHeadings(painter, m_palette, chosen);
    viz::ThumbnailMarks around{chosen, {}, {}, {}};
    if (marks.pointed)
        around.hovered = cellOf(*marks.pointed);
    for (const AttentionHead& place : m_off)
        if (const auto cell = cellOf(place))
            around.off.push_back(*cell);
    for (const AttentionHead& place : m_pinned)
        if (const auto cell = cellOf(place))
            around.pinned.push_back(*cell);
    viz::paintThumbnailMarks(painter, m_layout, around);
}

} // namespace headscope::ui
