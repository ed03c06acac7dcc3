// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "viz/color/inks.h"

#include <QColor>
#include <QPoint>
#include <QPointF>
#include <QRectF>
#include <QSize>
#include <QString>
#include <Qt>

#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

class QPainter;

namespace headscope::viz
{

/// What is said of one item of a picture: on a card, in a tooltip, by a screen reader.
struct ItemText
{
    std::optional<QColor> color{}; ///< of the dot before the title
    QString title{};               ///< "Segment 18"
    QString detail{};              ///< grey, next to the title: "strength 4.21, top 8%"
    QString value{};               ///< bold, on the right
    QString subtitle{};            ///< grey second line: the topic
    QString text{};                ///< the document's first words
    /// Ranges [begin, end) of `text` that a search found, ascending: marked, and where the first lies
    /// far inside, the card begins shortly before it.
    std::vector<std::pair<int, int>> hits{};

    bool operator==(const ItemText&) const = default;
};

/// The head that an item of a picture is of.
struct ItemHead
{
    std::optional<LayerIndex> layer{}; ///< none: the one that is shown
    HeadIndex head;

    bool operator==(const ItemHead&) const = default;
};

/// A step of the keyboard.
enum class Step
{
    Left,
    Right,
    Up,
    Down,
    First,
    Last,
};

/// Where a widget shows what is said of the item under the pointer or the keys.
enum class Saying
{
    Tooltip,       ///< as soon as it is pointed at; its title
    Hint,          ///< when the pointer rests on it; its title
    TooltipAtRest, ///< when the pointer rests on it, which does not set it off; its title
    Card,          ///< the card next to the pointer
    Picture,       ///< the picture paints it
};

/// What screen readers take the items of a picture for.
enum class Items
{
    Unseen, ///< the picture is one thing, with the text of the item that is pointed at
    Listed,
    Checks, ///< each is on or off; those that are neither are buttons
    Radios, ///< one of them is on
};

/// How much room a widget takes in a layout.
enum class Room
{
    Any,   ///< its size hint, more or less
    Grows, ///< as much as there is
    Line,  ///< as wide as there is, of its own height
    Fixed, ///< its size hint
};

/// How a widget treats a picture. One constant for each kind of picture.
struct PictureManners
{
    const char* name = ""; ///< of the widget
    Saying saying = Saying::Tooltip;
    Qt::FocusPolicy focus = Qt::StrongFocus;
    bool takesClicks = true;
    bool keysChoose = false; ///< keys choose what they come to; else they point at it, and Return chooses
    bool hasGround = false;  ///< the canvas is painted under it
    bool hasFrame = false;   ///< a line in the accent's colour around it while it has the focus
    Items items = Items::Unseen;
    Room room = Room::Any;
    QSize wanted{}; ///< its size hint
    QSize least{};  ///< its minimum size hint
};

/// What stands out in a picture while somebody looks at it.
struct PictureMarks
{
    std::optional<std::size_t> pointed; ///< the item under the pointer or the keys
    bool hasFocus = false;
    bool byKeys = false; ///< it has the focus, and keys, not the pointer, moved last
    bool moves = false;  ///< it is being dragged
};

/// Something that is laid out in a box, painted, and made of items: bars, dots, cells. It keeps its values and knows
/// nothing of widgets; ui::PictureWidget gives it pointer, keys, focus, tooltip or card, and words for screen readers.
///
/// Setters of a picture end with marked(), changed() or replaced(), upon which whoever shows it paints it again.
/// @threads GUI thread
class Picture
{
public:
    /// What has become of a picture.
    enum class Change
    {
        Marks, ///< what stands out; nothing has moved
        Look,  ///< the same items, which look or lie otherwise
        Items, ///< others: what was pointed at is gone
    };

    explicit Picture(const PictureManners& manners) : m_manners(manners) {}
    virtual ~Picture();
    Picture(const Picture&) = delete;
    Picture& operator=(const Picture&) = delete;
    Picture(Picture&&) = delete;
    Picture& operator=(Picture&&) = delete;

    [[nodiscard]] const PictureManners& manners() const { return m_manners; }

    /// Places everything in `box`.
    void layOut(const QRectF& box, InkTheme theme);
    [[nodiscard]] const QRectF& box() const { return m_box; }
    [[nodiscard]] InkTheme theme() const { return m_theme; }
    virtual void paint(QPainter& painter, const PictureMarks& marks) const = 0;

    [[nodiscard]] virtual std::size_t count() const = 0;
    /// The item under a place, or the one that is meant there.
    [[nodiscard]] virtual std::optional<std::size_t> itemAt(QPointF place) const = 0;
    /// Where an item lies: empty at its place where it is a point.
    [[nodiscard]] virtual QRectF placeOf(std::size_t item) const = 0;
    [[nodiscard]] virtual ItemText textOf(std::size_t item) const = 0;
    /// What is said at a place, which may be more than of its item.
    [[nodiscard]] virtual ItemText textAt(QPointF place, std::size_t item) const;
    /// The head that an item is of, whose card can be opened; nothing: it is of none.
    [[nodiscard]] virtual std::optional<ItemHead> itemHead(std::size_t /*item*/) const { return std::nullopt; }
    /// Whether a click on an item does something.
    [[nodiscard]] virtual bool isClickable(std::size_t /*item*/) const { return m_manners.takesClicks; }
    /// Whether an item is on; nothing: it cannot be on or off.
    [[nodiscard]] virtual std::optional<bool> isChecked(std::size_t /*item*/) const { return std::nullopt; }
    /// The item that a key leads to: unless overridden, along the row of all items and round.
    /// @param from  the item that is pointed at, if any
    /// @return nothing: the key is not the picture's
    [[nodiscard]] virtual std::optional<std::size_t> next(std::optional<std::size_t> from, Step step) const;
    /// The item that Return chooses while none is pointed at.
    [[nodiscard]] virtual std::optional<std::size_t> standing() const { return std::nullopt; }
    /// An item was chosen by a click or by keys.
    virtual void choose(std::size_t /*item*/) {}

    /// Its name for screen readers; empty: its widget is given one.
    [[nodiscard]] virtual QString title() const { return {}; }
    /// All of it in a sentence, for screen readers.
    [[nodiscard]] virtual QString summary() const { return {}; }
    [[nodiscard]] virtual QSize sizeHint() const { return m_manners.wanted; }
    /// Of a picture whose height follows its width; negative: it does not.
    [[nodiscard]] virtual int heightForWidth(int /*width*/) const { return -1; }

    /// Who is told of every change, from now on.
    void onChange(std::function<void(Change change)> listener) { m_listener = std::move(listener); }

protected:
    /// Places its parts in box().
    virtual void arrange() {}
    void marked() const { tell(Change::Marks); }
    void changed() const { tell(Change::Look); }
    void replaced() const { tell(Change::Items); }

private:
    void tell(Change change) const;

    PictureManners m_manners;
    QRectF m_box;
    InkTheme m_theme = InkTheme::Light;
    std::function<void(Change change)> m_listener;
};

/// A picture that is moved and zoomed in its box.
class PannedPicture : public Picture
{
public:
    using Picture::Picture;

    /// What the wheel does without Ctrl, with which it zooms.
    enum class Wheel
    {
        Zooms,
        Scrolls,
        Passes, ///< all of it is seen: what is around it may scroll
    };
    [[nodiscard]] virtual Wheel wheel() const { return Wheel::Zooms; }
    /// Closer (above 1) or farther; what lies at `place` stays there.
    virtual void zoomAt(QPointF place, double factor) = 0;
    /// Its content follows the pointer.
    virtual void panBy(QPointF pixels) = 0;
    /// All of it, as large as fits.
    virtual void showAll() = 0;
    /// Where keys zoom.
    [[nodiscard]] virtual QPointF middle() const { return box().center(); }
};

/// Where a key points to, downwards positive; nothing (0, 0) for the steps to the first and the last.
[[nodiscard]] QPoint directionOf(Step step);

/// The next of `count` items in a row, from the last to the first and back: right and down go forward.
/// @return nothing for other steps, and where there is no item; the first where no item is given
[[nodiscard]] std::optional<std::size_t> nextAround(std::optional<std::size_t> from, Step step, std::size_t count);

/// The next cell of a table, whose items are its cells row by row; at the edge the same.
/// @param from  item of the table
/// @return nothing for steps to the first and the last
[[nodiscard]] std::optional<std::size_t> nextCell(std::size_t from, Step step, std::size_t rows, std::size_t columns);

} // namespace headscope::viz
