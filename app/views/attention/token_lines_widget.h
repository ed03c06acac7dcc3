// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/pan_zoom.h"
#include "viz/attention/line_pool.h"
#include "viz/attention/token_lines.h"
#include "viz/attention/token_names.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace headscope::ui
{

/// Lines between the tokens of a text. The wheel scrolls, with Ctrl it zooms; pointing at a token shows what it reads,
/// or what reads it, and a click keeps that.
class TokenLinesWidget : public QWidget
{
    Q_OBJECT

public:
    explicit TokenLinesWidget(QWidget* parent = nullptr);

    /// Another text shows all of its tokens again, other lines of the same keep zoom and place.
    void setTokens(std::shared_ptr<const viz::TokenNames> names);
    void setLines(std::shared_ptr<const viz::LinePool> lines);
    /// The token that was clicked here or elsewhere.
    void setKept(std::optional<viz::LineEnd> end);
    [[nodiscard]] std::optional<viz::LineEnd> kept() const { return m_kept; }
    /// A token that is pointed at elsewhere.
    void setPointed(std::optional<viz::LineEnd> end);
    /// The token whose lines stand out: the one that is pointed at, else the one that is kept.
    [[nodiscard]] std::optional<viz::LineEnd> focus() const;

    [[nodiscard]] const viz::TokenLinesLayout& lines() const { return m_layout; }
    /// "strongest 600 of 12,345 lines"; "" where all are drawn. Of the last frame.
    [[nodiscard]] QString badge() const { return m_badge; }
    /// @param token  what is said of it: what it reads most, or what reads it most
    [[nodiscard]] QString wordsOf(viz::LineEnd end) const;
    void fitAll();
    [[nodiscard]] QSize minimumSizeHint() const override { return {180, 90}; }

Q_SIGNALS:
    void tokenPointed(std::optional<headscope::viz::LineEnd> end);
    /// Nothing: free ground, or what is kept already.
    void tokenClicked(std::optional<headscope::viz::LineEnd> end);
    /// The arrows lead to this token.
    void tokenReached(headscope::viz::LineEnd end);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void layOut();
    void zoomAt(double y, double factor);
    void scrollBy(double pixels);
    void point(std::optional<viz::LineEnd> end);
    void moveKept(int tokens, std::optional<viz::LineEnd::Side> side);
    void paintBadge(QPainter& painter);

    std::shared_ptr<const viz::TokenNames> m_names;
    std::shared_ptr<const viz::LinePool> m_pool;
    viz::TokenLinesLayout m_layout;
    double m_rowHeight = 0; ///< 0: all tokens fit
    double m_offset = 0;
    std::optional<viz::LineEnd> m_kept;
    std::optional<viz::LineEnd> m_pointed;
    PointerDrag m_drag;
    QString m_badge;
};

} // namespace headscope::ui
