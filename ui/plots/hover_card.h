// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>
#include <QWidget>

#include <optional>

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

    bool operator==(const HoverContent&) const = default;
};

/// The floating card beside the pointer; lets the mouse through.
class HoverCard : public QWidget
{
    Q_OBJECT

public:
    explicit HoverCard(QWidget* parent);

    /// Shows the content beside `place` (in the parent's pixels), inside the parent.
    void showAt(const HoverContent& content, QPoint place);
    [[nodiscard]] const HoverContent& content() const { return m_content; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void layOut();

    HoverContent m_content;
    QStringList m_lines;
};

} // namespace headscope::ui
