// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/attention/line_pool.h"
#include "viz/attention/token_names.h"
#include "viz/color/inks.h"

#include <QPointF>
#include <QRectF>
#include <QString>

#include <cstdint>
#include <optional>

class QPainter;

namespace headscope::viz
{

struct TokenLinesStyle
{
    InkTheme theme = InkTheme::Light;
    double rowHeight = 0; ///< of a token; 0: all tokens fit, but none is higher than kWidestRow
    double offset = 0;    ///< how far the tokens are moved up
    bool headings = true; ///< "reads", "is read" under the columns
    QString readingTitle; ///< what they say
    QString readTitle;
};

/// A token of one of the columns.
struct LineEnd
{
    enum class Side
    {
        Reading,
        Read,
    };
    Side side = Side::Reading;
    std::int64_t token = 0;
    bool operator==(const LineEnd&) const = default;
};

/// Tokens that read on the left, the tokens that they read on the right, and lines between them.
/// @threads a value; reentrant. Needs a QGuiApplication (fonts).
class TokenLinesLayout
{
public:
    static constexpr double kWidestRow = 22;
    static constexpr double kMinRow = 0.1;

    TokenLinesLayout() = default;
    /// @param names  must outlive the layout
    TokenLinesLayout(const TokenNames& names, const QRectF& box, TokenLinesStyle style);

    [[nodiscard]] const TokenLinesStyle& style() const { return m_style; }
    [[nodiscard]] double rowHeight() const { return m_style.rowHeight; }
    [[nodiscard]] QRectF window() const { return m_window; }
    /// Under the window, where the columns are named.
    [[nodiscard]] double bottom() const { return m_bottom; }
    [[nodiscard]] double contentHeight() const;
    [[nodiscard]] double bounded(double offset) const;
    /// Height of a row at which all tokens are seen.
    [[nodiscard]] double fittingRow() const;
    [[nodiscard]] TokenSpan inView() const;
    [[nodiscard]] double yOf(std::int64_t token) const;
    /// The end of a column's lines.
    [[nodiscard]] QPointF endOf(LineEnd end) const;
    [[nodiscard]] std::optional<LineEnd> endAt(QPointF place) const;
    /// Every how many a token is named: 1 where rows are as high as text.
    [[nodiscard]] std::int64_t nameStride() const;

    /// @param focus  the token whose lines stand out; the others turn pale
    /// @return  what was drawn of what there is
    LineChoice paint(QPainter& painter, const LinePool& pool, std::optional<LineEnd> focus, std::int64_t most) const;

private:
    void paintLine(QPainter& painter, const LinePool& pool, const TokenLine& line, double pale) const;
    void paintNames(QPainter& painter, LineEnd::Side side, std::optional<LineEnd> focus,
                    const std::vector<TokenLine>& linked, bool firstTakenOut) const;
    void paintName(QPainter& painter, LineEnd end, const QColor& color, bool bold) const;
    void paintShares(QPainter& painter, const LinePool& pool, LineEnd::Side side,
                     const std::vector<TokenLine>& linked) const;

    const TokenNames* m_names = nullptr;
    TokenLinesStyle m_style;
    QRectF m_window;
    double m_bottom = 0;
    double m_left = 0;  ///< where lines begin
    double m_right = 0; ///< where they end
    double m_share = 0; ///< room for the numbers next to linked names; 0: there is none
};

} // namespace headscope::viz
