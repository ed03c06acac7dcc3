// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/picture/picture.h"

#include <QString>
#include <QWidget>

#include <utility>
#include <vector>

namespace headscope::ui
{

/// What a hover card says about one point or cell.
using HoverContent = viz::ItemText;

/// The card in words, for screen readers: its parts separated by commas.
[[nodiscard]] QString spokenText(const HoverContent& content);

/// The floating card next to the pointer; lets the mouse through.
class HoverCard : public QWidget
{
    Q_OBJECT

public:
    explicit HoverCard(QWidget* parent);

    /// Shows the content next to `place` (in the parent's pixels), inside the parent.
    void showAt(const HoverContent& content, QPoint place);
    [[nodiscard]] const HoverContent& content() const { return m_content; }
    /// The marked parts of the text, as they are written on the card.
    [[nodiscard]] QStringList markedText() const;
    /// The lines of the text as they are written on the card.
    [[nodiscard]] QStringList textLines() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void layOut();

    /// A line of the text, and where it begins in the text that is wrapped.
    struct Line
    {
        QString text;
        int start = 0;
    };
    [[nodiscard]] std::vector<Line> wrapped(const QString& text, double width) const;

    HoverContent m_content;
    std::vector<Line> m_lines;
    std::vector<std::pair<int, int>> m_hits; ///< in the text that is wrapped
};

} // namespace headscope::ui
