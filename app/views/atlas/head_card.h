// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/atlas/atlas_text.h"
#include "model/data/results/head_measures.h"

#include <QColor>
#include <QWidget>

#include <vector>

namespace headscope::ui
{

/// The floating card next to a head: all its numbers, by kind, with intervals and n. Lets the mouse through. Where it
/// would be higher than the view it has two columns, and where that is too much, too, the last line says how many are
/// left out.
class HeadCard : public QWidget
{
    Q_OBJECT

public:
    explicit HeadCard(QWidget* parent);

    /// @param place  in the parent's pixels
    void showAt(const HeadMeasures& measures, const HeadPlace& head, const QColor& color, const QString& group,
                QPoint place);
    [[nodiscard]] const std::vector<CardLine>& lines() const { return m_lines; }
    [[nodiscard]] QString title() const { return m_title; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void layOut();
    [[nodiscard]] int linesInColumn() const;

    QString m_title;
    QString m_group;
    QColor m_color;
    std::vector<CardLine> m_lines;
    int m_columns = 1;
    int m_nameWidth = 0;
    int m_valueWidth = 0;
    int m_intervalWidth = 0;
};

} // namespace headscope::ui
