// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/color/head_palette.h"

#include <QStyledItemDelegate>

#include <optional>
#include <vector>

namespace headscope::ui
{

/// Paints a result's votes as one bar: a piece for each head in its colour, as long as its weight.
class VoteBars : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void setHeadPalette(const viz::HeadPalette& palette) { m_palette = palette; }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    viz::HeadPalette m_palette;
};

} // namespace headscope::ui
