// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/axis/legend.h"
#include "viz/color/theme.h"

#include <QFont>
#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QStringList>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

class QPainter;

namespace headscope::viz
{

struct LegendStyle
{
    Theme theme = Theme::Light;
    double textPx = 11;    ///< height of the body text; everything else follows from it
    double maxWidth = 260; ///< long names are elided in the middle beyond it
    double maxHeight = 0;  ///< categories that do not fit are summed up in a last line; 0 = no limit
    bool card = true;      ///< with a background and a hairline border, as on the screen
    bool ground = true;    ///< of a card: those are painted here; false where its holder paints them
    double headRight = 0;  ///< room that stays free at the right of the title, for buttons
    double headBelow = 0;  ///< and below it, for a field
    bool eyes = false;     ///< an eye beside each label and group, crossed out where it is not shown
    bool shapes = true;    ///< markers in their shapes; false where dots are too small to show them
    int columns = 1;       ///< entries stand in so many columns, read downwards
};

/// What lies under a place of a legend.
struct LegendHit
{
    enum class Kind
    {
        Group,    ///< index = KV group
        Head,     ///< index = head, 0-based
        Category, ///< index = code, -1 = no label
    };
    Kind kind = Kind::Head;
    std::int64_t index = 0;
    bool operator==(const LegendHit&) const = default;
};

/// Where everything of a legend goes; measure once, paint and hit-test often.
/// Needs a QGuiApplication (fonts).
class LegendLayout
{
public:
    LegendLayout() = default;
    LegendLayout(Legend legend, LegendStyle style);

    [[nodiscard]] const Legend& legend() const { return m_legend; }
    [[nodiscard]] QSizeF size() const { return m_size; }
    /// Where the head (title, hint and what LegendStyle keeps free) ends and the rows begin.
    [[nodiscard]] double headBottom() const { return m_headBottom; }
    /// Lines of entries in all columns, title and ramp not counted.
    [[nodiscard]] std::size_t rowCount() const { return m_rows.size(); }
    /// What lies at a place relative to the legend's top left corner.
    [[nodiscard]] std::optional<LegendHit> hit(QPointF place) const;
    /// Everything that can be hit, in reading order.
    [[nodiscard]] std::vector<LegendHit> hits() const;
    /// Where an item lies, relative to the top left corner; nothing when it is summed up.
    [[nodiscard]] std::optional<QRectF> boxOf(const LegendHit& hit) const;
    /// The item whose eye lies at a place, and where that eye lies; of LegendStyle::eyes alone.
    [[nodiscard]] std::optional<LegendHit> eyeAt(QPointF place) const;
    [[nodiscard]] std::optional<QRectF> eyeOf(const LegendHit& hit) const;
    /// The whole of a name that is drawn elided at this place, for a tool tip; else empty.
    [[nodiscard]] QString elidedNameAt(QPointF place) const;
    /// Paints with the top left corner at `place`.
    /// @param faded  legend items drawn pale, because their points are hidden
    void paint(QPainter& painter, QPointF place, const std::vector<LegendHit>& faded = {}) const;

private:
    struct Item
    {
        enum class Kind
        {
            Title,
            Label,  ///< grey text
            Name,   ///< text in ink
            Swatch, ///< marker of a colour
            Ramp,   ///< gradient from colours
            Number, ///< grey, right aligned
            Eye,    ///< open, or crossed out with its target
        };
        Kind kind = Kind::Label;
        QRectF box;
        QString text;
        QRgb color = 0;
        MarkerShape shape = MarkerShape::Circle;
        std::vector<QRgb> ramp;
        int target = -1; ///< in m_targets; fades with it
    };
    struct Target
    {
        QRectF box;
        LegendHit hit;
    };
    /// A line of entries: from which item and target on, and where.
    struct Row
    {
        std::size_t item = 0;
        std::size_t target = 0;
        double top = 0;
    };

    void addTitle();
    void addHeads(const HeadLegend& heads);
    void addHeadRow(const HeadLegendRow& row, double nameWidth, double rangeWidth);
    void addHeadGrid(const HeadLegend& heads);
    void addCategories(const CategoryLegend& categories);
    void addRamp(const std::vector<QRgb>& ramp, const QStringList& labels);
    void addText(Item::Kind kind, const QRectF& box, const QString& text, int target = -1);
    void addSwatch(QPointF centre, QRgb color, MarkerShape shape, int target);
    [[nodiscard]] int addTarget(const QRectF& box, LegendHit::Kind kind, std::int64_t index);
    [[nodiscard]] QFont fontOf(Item::Kind kind) const;
    [[nodiscard]] double lineStep() const;
    void beginRow() { m_rows.push_back({m_items.size(), m_targets.size(), m_bottom}); }
    void foldRows();
    void addEyes();
    void finish();
    void paintEye(QPainter& painter, const QRectF& box, bool closed) const;
    void paintItem(QPainter& painter, const Item& item) const;

    Legend m_legend;
    LegendStyle m_style;
    QSizeF m_size;
    double m_padding = 0;
    double m_bottom = 0; ///< where the next row goes
    double m_headBottom = 0;
    double m_headWidth = 0; ///< with the room at the right of the title
    std::vector<Item> m_items;
    std::vector<Target> m_targets;
    std::vector<Row> m_rows;
};

} // namespace headscope::viz
