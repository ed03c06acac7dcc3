// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/color_box.h"

#include <QSignalBlocker>

#include <algorithm>

namespace headscope::ui
{

void ColorBox::setColors(const std::vector<ColorOption>& colors)
{
    const QString before = color();
    const QSignalBlocker quiet(this);
    clear();
    for (const ColorOption& option : colors)
        addItem(option.title, option.id);
    setCurrentIndex(std::max(0, findData(before)));
}

QString ColorBox::color() const
{
    return currentData().toString();
}

void ColorBox::setColor(const QString& id)
{
    if (const int at = findData(id); at >= 0)
        setCurrentIndex(at);
}

} // namespace headscope::ui
