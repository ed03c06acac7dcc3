// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/color/inks.h"

#include <QColor>
#include <QFont>
#include <QRectF>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

class QPainter;

namespace headscope::viz
{

/// A token of a text, and how much a head reads there.
struct ShadedToken
{
    QString text;      ///< as it is in the text, a space before it where there is one
    double weight = 0; ///< from 0 to 1
};

/// A text of tokens, one of which acts.
struct ShadedText
{
    std::vector<ShadedToken> tokens;
    std::int64_t acting = 0; ///< is framed
};

/// How it is drawn.
struct TokenTextStyle
{
    InkTheme theme = InkTheme::Light;
    QFont font;
    double lineHeight = 20;
    QColor shade; ///< of the weight 1; less weight is paler
    QColor ink;   ///< of the letters; invalid: that of the theme
};

/// The opacity of a shade: the square root of the weight, so that small weights are distinguished from none.
[[nodiscard]] double shadeOpacity(double weight);

/// What people see of a token: line ends as a sign, tabs as a space, nothing as a thin box.
[[nodiscard]] QString tokenInText(const QString& token);

/// Where the tokens of a text are, in lines; tokens that are left out are none of its places.
class TokenTextLayout
{
public:
    struct Place
    {
        std::int64_t token = 0;
        QRectF box; ///< of its background, from the text's top left corner
        QString text;
    };

    TokenTextLayout() = default;
    /// One line around the acting token, which is at two thirds of the width, or before it where the text begins
    /// or ends nearby; an ellipsis is where tokens are left out.
    [[nodiscard]] static TokenTextLayout line(const ShadedText& text, const TokenTextStyle& style, double width);
    /// As many lines as the text takes, at most `maxLines`, of which the acting token is in the last third where not
    /// all are shown.
    [[nodiscard]] static TokenTextLayout lines(const ShadedText& text, const TokenTextStyle& style, double width,
                                               int maxLines);

    [[nodiscard]] const std::vector<Place>& places() const { return m_places; }
    [[nodiscard]] double height() const { return m_height; }
    /// The token at a place from the top left corner.
    [[nodiscard]] std::optional<std::int64_t> tokenAt(QPointF place) const;
    void paint(QPainter& painter, QPointF corner, const ShadedText& text, const TokenTextStyle& style) const;

private:
    std::vector<Place> m_places;
    std::vector<QRectF> m_ellipses;
    double m_height = 0;
};

} // namespace headscope::viz
