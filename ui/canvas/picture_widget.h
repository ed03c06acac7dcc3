// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/view/head_source.h"
#include "viz/picture/picture.h"

#include <QPoint>
#include <QWidget>

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

namespace headscope::ui
{

class HoverCard;

/// Shows a picture: lays it out and paints it in the colours of the theme, says what lies under the pointer or the
/// keys in a tooltip or on a card, goes from item to item by arrow keys, Home and End, and chooses by click, Return and
/// Space. A screen reader has the name of the picture, the item that is pointed at or the picture's summary, and the
/// items themselves where its manners say what they are.
/// @threads GUI thread
class PictureWidget : public QWidget, public HeadSource
{
    Q_OBJECT

public:
    PictureWidget(std::unique_ptr<viz::Picture> picture, QWidget* parent);
    ~PictureWidget() override;

    /// The item under the pointer or the keys.
    [[nodiscard]] std::optional<std::size_t> pointed() const { return m_pointed; }
    [[nodiscard]] std::optional<viz::ItemHead> headMeant() const override
    {
        return m_pointed ? m_picture->itemHead(*m_pointed) : std::nullopt;
    }
    /// Null for pictures that are not spoken of on a card.
    [[nodiscard]] HoverCard* hoverCard() const { return m_card; }
    [[nodiscard]] QSize sizeHint() const override { return m_picture->sizeHint(); }
    [[nodiscard]] QSize minimumSizeHint() const override { return m_picture->manners().least; }
    [[nodiscard]] bool hasHeightForWidth() const override { return m_picture->heightForWidth(1) >= 0; }
    [[nodiscard]] int heightForWidth(int width) const override { return m_picture->heightForWidth(width); }

    [[nodiscard]] viz::Picture& shown() const { return *m_picture; }
    /// Chooses an item as a click does.
    void choose(std::size_t item, Qt::KeyboardModifiers keys);

Q_SIGNALS:
    /// An item was chosen, by a click or by keys.
    void itemClicked(std::size_t item, Qt::KeyboardModifiers keys);
    /// Another item, or none, is under the pointer or the keys.
    void itemPointed(std::optional<std::size_t> item);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

    /// Shows what is said of an item next to a place of the widget; of none hides it.
    virtual void say(std::optional<std::size_t> item, const viz::ItemText& text, QPoint place);
    void point(std::optional<std::size_t> item, const viz::ItemText& text, QPoint place);
    /// Keys have led to an item.
    virtual void reach(std::size_t item, Qt::KeyboardModifiers keys);
    /// The picture is being dragged, or no longer.
    void setMoves(bool moves);

private:
    void layOut();
    void takeChange(viz::Picture::Change change);
    void describe();

    std::unique_ptr<viz::Picture> m_picture;
    std::optional<std::size_t> m_pointed;
    QString m_said;                 ///< in the tooltip
    std::pair<QSize, int> m_wanted; ///< size hint, and height for its width
    bool m_byKeys = false;
    bool m_moves = false;
    HoverCard* m_card = nullptr;
};

/// The widget of one kind of picture.
template <class P>
class PictureOf : public PictureWidget
{
public:
    explicit PictureOf(QWidget* parent = nullptr) : PictureWidget(std::make_unique<P>(), parent) {}

    [[nodiscard]] P& picture() const { return static_cast<P&>(shown()); }
};

} // namespace headscope::ui
