// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/data/head_picker.h"

#include "model/data/key_sharing.h"
#include "ui/theme/focus_ring.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"
#include "viz/color/oklab.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kLineHeight = 22;
constexpr int kCellHeight = 18;
constexpr int kGap = 2;
constexpr int kMaxColumns = 8;
constexpr int kRingRoom = 3; ///< of the ring, left of the cells

HeadIndex headOf(std::size_t item)
{
    return HeadIndex(static_cast<std::int64_t>(item));
}

} // namespace

HeadCells::HeadCells()
    : Picture({.name = "headPicker",
               .saying = viz::Saying::Hint,
               .items = viz::Items::Checks,
               .room = viz::Room::Line,
               .least = {220, kLineHeight}})
{}

void HeadCells::setModel(const ModelInfo& info)
{
    m_info = info;
    const auto members = static_cast<int>(std::max<std::int64_t>(1, info.groupSize()));
    // Groups of one head would make a tall, thin column: eight of them share a line.
    m_headsPerRow = members == 1 ? kMaxColumns : members;
    m_columns = std::min(m_headsPerRow, kMaxColumns);
    m_chosen.assign(static_cast<std::size_t>(std::max<std::int64_t>(0, info.heads)), 1);
    m_standing = 0;
    replaced();
}

void HeadCells::setHeadPalette(const viz::HeadPalette& palette)
{
    m_palette = palette;
    changed();
}

void HeadCells::setStage(Stage stage)
{
    m_stage = stage;
    changed();
}

void HeadCells::setChosen(std::vector<char> chosen)
{
    m_chosen = std::move(chosen);
    marked();
}

void HeadCells::setStanding(std::size_t head)
{
    m_standing = head;
    marked();
}

QString HeadCells::title() const
{
    return unitsTitle(m_stage);
}

QString HeadCells::summary() const
{
    return hasKvGroups(m_info, m_stage)
               ? tr("Rows are KV groups. Arrow keys move, Space selects, Shift selects several.")
               : tr("Arrow keys move, Space selects, Shift selects several.");
}

int HeadCells::rows() const
{
    return (static_cast<int>(m_chosen.size()) + m_headsPerRow - 1) / m_headsPerRow;
}

std::size_t HeadCells::count() const
{
    return m_chosen.size() + static_cast<std::size_t>(rows());
}

std::size_t HeadCells::labelOf(std::int64_t head) const
{
    return m_chosen.size() + static_cast<std::size_t>(head / m_headsPerRow);
}

std::vector<std::int64_t> HeadCells::headsOf(std::size_t item) const
{
    if (isHead(item))
        return {headOf(item).value()};
    std::vector<std::int64_t> heads;
    for (std::int64_t head = 0; head < std::ssize(m_chosen); ++head)
        if (labelOf(head) == item)
            heads.push_back(head);
    return heads;
}

QString HeadCells::rowName(std::int64_t head) const
{
    if (hasKvGroups(m_info, m_stage))
        return viz::groupName(m_info.groupOf(HeadIndex(head)), m_info.groupSize());
    const std::vector<std::int64_t> row = headsOf(labelOf(head));
    return tr("%1–%2").arg(row.front() + 1).arg(row.back() + 1);
}

int HeadCells::labelWidth() const
{
    return m_info.kvHeads >= 100 ? 44 : m_info.kvHeads >= 10 ? 36 : 32;
}

QSize HeadCells::sizeHint() const
{
    return {labelWidth() + m_columns * 44, std::max(1, rows() * linesPerRow()) * kLineHeight};
}

QRectF HeadCells::placeOf(std::size_t item) const
{
    const int head = isHead(item) ? static_cast<int>(item) : static_cast<int>(item - m_chosen.size()) * m_headsPerRow;
    const int inRow = head % m_headsPerRow;
    const int line = head / m_headsPerRow * linesPerRow() + inRow / m_columns;
    const int top = line * kLineHeight + (kLineHeight - kCellHeight) / 2;
    const int left = labelWidth();
    if (!isHead(item))
        return QRect(0, top, left - kGap, kCellHeight);
    const int column = inRow % m_columns;
    const int space = static_cast<int>(box().width()) - left + kGap;
    const int x0 = left + column * space / m_columns;
    const int x1 = left + (column + 1) * space / m_columns - kGap;
    return QRect(x0, top, x1 - x0, kCellHeight);
}

std::optional<std::size_t> HeadCells::itemAt(QPointF place) const
{
    for (std::size_t item = 0; item < count(); ++item)
        if (placeOf(item).adjusted(0, -2, isHead(item) ? kGap : 0, 2).contains(place))
            return item;
    return std::nullopt;
}

viz::ItemText HeadCells::textOf(std::size_t item) const
{
    const bool hasGroups = hasKvGroups(m_info, m_stage);
    const std::int64_t head = headsOf(item).front();
    const QString group = QString::number(shownNumber(m_info.groupOf(HeadIndex(head))));
    if (!isHead(item))
        return {.title = hasGroups
                             ? tr("KV group %1: click to select only its heads, Ctrl+click to add them").arg(group)
                             : tr("%1 %2: click to select only these, Ctrl+click to add them")
                                   .arg(unitsTitle(m_stage), rowName(head))};
    const QString name = unitText(m_stage, HeadIndex(head));
    return {.title = hasGroups ? tr("%1, KV group %2").arg(name, group) : name};
}

viz::ItemText HeadCells::textAt(QPointF /*place*/, std::size_t item) const
{
    viz::ItemText text = textOf(item);
    if (isHead(item))
        text.title += tr("\nClick: select only this · Ctrl+click: add or remove · drag: select a range");
    return text;
}

std::optional<bool> HeadCells::isChecked(std::size_t item) const
{
    return isHead(item) ? std::optional(m_chosen[item] != 0) : std::nullopt;
}

std::optional<std::size_t> HeadCells::standing() const
{
    return isHead(m_standing) ? std::optional(m_standing) : std::nullopt;
}

std::optional<std::size_t> HeadCells::next(std::optional<std::size_t> from, viz::Step step) const
{
    const QPoint way = viz::directionOf(step);
    if (way.isNull() || m_chosen.empty())
        return std::nullopt;
    const auto at = static_cast<int>(from && isHead(*from) ? *from : m_standing);
    return static_cast<std::size_t>(
        std::clamp(at + way.x() + way.y() * m_columns, 0, static_cast<int>(m_chosen.size()) - 1));
}

std::pair<QColor, QColor> HeadCells::inksOf(const QColor& color, bool isChosen, bool isPointed)
{
    const Colors& colors = Theme::instance().colors();
    if (isChosen)
    {
        const QColor fill = isPointed ? viz::mixed(color, Qt::white, 0.16) : color;
        return {fill, viz::textColorOn(fill)};
    }
    const QColor fill = viz::mixed(colors.frame, color, isPointed ? 0.35 : 0.15);
    return {fill, viz::readableOn(fill, colors.muted, colors.text)};
}

void HeadCells::paint(QPainter& painter, const viz::PictureMarks& marks) const
{
    const Colors& colors = Theme::instance().colors();
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t item = 0; item < count(); ++item)
    {
        const QRectF cell = placeOf(item);
        const bool isPointed = marks.pointed == item;
        if (!isHead(item))
        {
            painter.setFont(Theme::smallFont());
            painter.setPen(isPointed ? colors.text : colors.muted);
            painter.drawText(cell, Qt::AlignLeft | Qt::AlignVCenter, rowName(headsOf(item).front()));
            continue;
        }
        const auto [fill, letters] = inksOf(m_palette.color(headOf(item)), m_chosen[item] != 0, isPointed);
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        painter.drawRoundedRect(cell, 3, 3);
        painter.setFont(Theme::cellFont());
        painter.setPen(letters);
        painter.drawText(cell, Qt::AlignCenter, QString::number(shownNumber(headOf(item))));
        if (marks.byKeys && item == m_standing)
        {
            painter.setPen(QPen(colors.accent, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(cell.adjusted(-1, -1, 1, 1), 4, 4);
        }
    }
}

HeadPicker::HeadPicker(QWidget* parent) : PictureOf<HeadCells>(parent)
{
    connect(this, &PictureWidget::itemClicked, this, &HeadPicker::take);
}

void HeadPicker::setModel(const ModelInfo& info)
{
    picture().setModel(info);
    m_anchor = 0;
    m_hasAnchor = false;
    setProperty(FocusRing::kLeftProperty, picture().labelWidth() - kRingRoom);
    Q_EMIT headsChanged(heads());
}

std::vector<std::int64_t> HeadPicker::heads() const
{
    std::vector<std::int64_t> result;
    for (std::int64_t head = 0; head < headCount(); ++head)
        if (picture().chosen()[static_cast<std::size_t>(head)] != 0)
            result.push_back(head);
    return result;
}

void HeadPicker::setHeads(const std::vector<std::int64_t>& heads)
{
    std::vector<char> chosen(picture().chosen().size(), 0);
    for (const std::int64_t head : heads)
        if (head >= 0 && head < headCount())
            chosen[static_cast<std::size_t>(head)] = 1;
    commit(std::move(chosen));
}

void HeadPicker::chooseAll()
{
    commit(std::vector<char>(picture().chosen().size(), 1));
    Q_EMIT allAsked();
}

void HeadPicker::chooseNone()
{
    setHeads({});
}

void HeadPicker::invert()
{
    std::vector<char> chosen = picture().chosen();
    for (char& head : chosen)
        head ^= 1;
    commit(std::move(chosen));
}

void HeadPicker::commit(std::vector<char> chosen)
{
    if (chosen == picture().chosen())
        return;
    picture().setChosen(std::move(chosen));
    Q_EMIT headsChanged(heads());
}

void HeadPicker::take(std::size_t item, Qt::KeyboardModifiers keys)
{
    const bool isHead = picture().isHead(item);
    const bool adds = keys.testFlag(Qt::ControlModifier);
    m_kept = adds ? picture().chosen() : std::vector<char>(picture().chosen().size(), 0);
    std::vector<char> chosen = m_kept;
    m_hasAnchor = isHead;
    if (isHead)
        picture().setStanding(item);
    if (isHead && keys.testFlag(Qt::ShiftModifier))
        return takeRange(item);
    if (isHead)
        m_anchor = item;
    for (const std::int64_t head : picture().headsOf(item))
    {
        char& one = chosen[static_cast<std::size_t>(head)];
        one = isHead && adds ? one ^ 1 : 1;
    }
    // Choosing what is already the only choice gives all back.
    if (!adds && chosen == picture().chosen())
        std::ranges::fill(chosen, 1);
    commit(std::move(chosen));
}

void HeadPicker::takeRange(std::size_t last)
{
    std::vector<char> chosen = m_kept;
    for (std::size_t head = std::min(m_anchor, last); head <= std::max(m_anchor, last); ++head)
        chosen[head] = 1;
    commit(std::move(chosen));
}

void HeadPicker::mouseMoveEvent(QMouseEvent* event)
{
    const auto before = pointed();
    PictureWidget::mouseMoveEvent(event);
    const auto now = pointed();
    if (!m_hasAnchor || !event->buttons().testFlag(Qt::LeftButton) || !now || now == before.value_or(m_anchor) ||
        !picture().isHead(*now))
        return;
    picture().setStanding(*now);
    takeRange(*now);
}

void HeadPicker::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::SelectAll))
        return chooseAll();
    const auto item = pointed() ? pointed() : picture().standing();
    if (event->key() == Qt::Key_Space && item)
        return take(*item, Qt::ControlModifier);
    PictureWidget::keyPressEvent(event);
    if (pointed() && picture().isHead(*pointed()))
        picture().setStanding(*pointed());
}

} // namespace headscope::ui
