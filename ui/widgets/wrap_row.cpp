// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/wrap_row.h"

#include <QHBoxLayout>
#include <QStyle>
#include <QWidget>

#include <algorithm>

namespace headscope::ui
{
namespace
{

constexpr int kOfStretched = 120; ///< an item that takes what is left over is content with so much
constexpr int kWrapGap = 6;

} // namespace

WrapRow::WrapRow(QWidget* parent) : QLayout(parent) {}

WrapRow::~WrapRow()
{
    for (const Item& item : m_items)
        delete item.item;
}

void WrapRow::addWidget(QWidget* widget, int stretch, Qt::Alignment alignment)
{
    Q_UNUSED(alignment)
    addChildWidget(widget);
    m_items.push_back({new QWidgetItem(widget), stretch});
    invalidate();
}

void WrapRow::addStretch(int stretch)
{
    m_items.push_back({new QSpacerItem(0, 0), std::max(1, stretch)});
    invalidate();
}

void WrapRow::addSpacing(int pixels)
{
    m_items.push_back({new QSpacerItem(pixels, 0), 0});
    invalidate();
}

void WrapRow::addItem(QLayoutItem* item)
{
    m_items.push_back({item, 0});
    invalidate();
}

QLayoutItem* WrapRow::itemAt(int index) const
{
    return index >= 0 && index < count() ? m_items[static_cast<std::size_t>(index)].item : nullptr;
}

QLayoutItem* WrapRow::takeAt(int index)
{
    if (index < 0 || index >= count())
        return nullptr;
    QLayoutItem* item = m_items[static_cast<std::size_t>(index)].item;
    m_items.erase(m_items.begin() + index);
    invalidate();
    return item;
}

int WrapRow::leastOf(const Item& item)
{
    const QWidget* widget = item.item->widget();
    return widget != nullptr && widget->sizePolicy().horizontalPolicy() == QSizePolicy::Ignored
               ? std::max(widget->minimumSizeHint().width(), widget->minimumWidth())
               : item.item->minimumSize().width();
}

int WrapRow::wishOf(const Item& item)
{
    // An item says nothing for a widget that takes whatever it is given: the widget itself is asked.
    const QWidget* widget = item.item->widget();
    const bool ignored = widget != nullptr && widget->sizePolicy().horizontalPolicy() == QSizePolicy::Ignored;
    const int wish = ignored ? widget->sizeHint().width() : item.item->sizeHint().width();
    const bool whole = widget != nullptr && widget->property("whole").toBool();
    return std::max(leastOf(item), item.stretch > 0 && !whole ? std::min(wish, kOfStretched) : wish);
}

std::vector<std::vector<WrapRow::Item>> WrapRow::linesFor(int width) const
{
    std::vector<std::vector<Item>> lines;
    int used = 0;
    for (const Item& item : m_items)
    {
        const bool spacer = item.item->spacerItem() != nullptr;
        if (!spacer && item.item->isEmpty()) // hidden
            continue;
        const int wish = wishOf(item);
        if (lines.empty() || (!spacer && used + spacing() + wish > width && !lines.back().empty()))
        {
            lines.emplace_back();
            used = -spacing();
        }
        lines.back().push_back(item);
        used += spacing() + wish;
    }
    return lines;
}

int WrapRow::heightOf(const std::vector<Item>& line)
{
    int height = 0;
    for (const Item& item : line)
        height = std::max(height, std::max(item.item->sizeHint().height(), item.item->minimumSize().height()));
    return height;
}

int WrapRow::heightForWidth(int width) const
{
    const QMargins margins = contentsMargins();
    int height = 0;
    for (const auto& line : linesFor(width - margins.left() - margins.right()))
        height += (height > 0 ? kWrapGap : 0) + heightOf(line);
    return height + margins.top() + margins.bottom();
}

QSize WrapRow::sizeHint() const
{
    int width = 0;
    int height = 0;
    for (const Item& item : m_items)
        if (item.item->spacerItem() != nullptr || !item.item->isEmpty())
        {
            width += (width > 0 ? spacing() : 0) + wishOf(item);
            height = std::max(height, item.item->sizeHint().height());
        }
    const QMargins margins = contentsMargins();
    return {width + margins.left() + margins.right(), height + margins.top() + margins.bottom()};
}

QSize WrapRow::minimumSize() const
{
    QSize least(0, 0);
    for (const Item& item : m_items)
        if (item.item->spacerItem() == nullptr && !item.item->isEmpty())
            least =
                least.expandedTo({item.stretch > 0 ? leastOf(item) : wishOf(item), item.item->minimumSize().height()});
    const QMargins margins = contentsMargins();
    return least + QSize(margins.left() + margins.right(), margins.top() + margins.bottom());
}

void WrapRow::placeLine(const std::vector<Item>& line, const QRect& room) const
{
    int used = -spacing();
    int stretch = 0;
    for (const Item& item : line)
    {
        used += spacing() + wishOf(item);
        stretch += item.stretch;
    }
    int left = std::max(0, room.width() - used); // over
    int x = room.left();
    for (const Item& item : line)
    {
        int width = wishOf(item);
        if (item.stretch > 0 && stretch > 0)
        {
            const int more =
                std::min(left * item.stretch / stretch, std::max(0, item.item->maximumSize().width() - width));
            width += more;
            left -= more;
            stretch -= item.stretch;
        }
        width = std::min(width, std::max(leastOf(item), room.right() + 1 - x));
        const int height = std::min({item.item->sizeHint().height(), item.item->maximumSize().height(), room.height()});
        item.item->setGeometry({x, room.top() + (room.height() - height) / 2, width, height});
        x += width + spacing();
    }
}

void WrapRow::setGeometry(const QRect& rect)
{
    QLayout::setGeometry(rect);
    const QRect inside = rect.marginsRemoved(contentsMargins());
    const auto lines = linesFor(inside.width());
    int total = 0;
    for (const auto& line : lines)
        total += (total > 0 ? kWrapGap : 0) + heightOf(line);
    int y = inside.top() + std::max(0, (inside.height() - total) / 2);
    for (const auto& line : lines)
    {
        const int height = heightOf(line);
        placeLine(line, {inside.left(), y, inside.width(), height});
        y += height + kWrapGap;
    }
}

QWidget* makeTogether(std::initializer_list<QWidget*> controls, int spacing, QWidget* parent)
{
    auto* together = new QWidget(parent);
    auto* row = new QHBoxLayout(together);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(spacing);
    for (QWidget* control : controls)
        row->addWidget(control);
    return together;
}

} // namespace headscope::ui
