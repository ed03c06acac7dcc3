// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>
#include <QWidget>

#include <optional>
#include <utility>
#include <vector>

namespace headscope::ui
{

/// What a hover card says about one point or cell.
struct HoverContent
{
    std::optional<QColor> color; ///< of the dot before the title
    QString title;               ///< "Segment 18"
    QString detail;              ///< grey, beside the title: "strength 4.21, top 8 %"
    QString value;               ///< bold, at the right
    QString subtitle;            ///< grey second line: the topic
    QString text;                ///< the document's first words
    /// Ranges [begin, end) of `text` that a search found, ascending: marked, and where the first lies
    /// far inside, the card begins shortly before it.
    std::vector<std::pair<int, int>> hits;

    bool operator==(const HoverContent&) const = default;
};

/// The card in words, for screen readers: its parts separated by commas.
[[nodiscard]] QString spokenText(const HoverContent& content);

/// The floating card beside the pointer; lets the mouse through.
class HoverCard : public QWidget
{
    Q_OBJECT

public:
    explicit HoverCard(QWidget* parent);

    /// Shows the content beside `place` (in the parent's pixels), inside the parent.
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
