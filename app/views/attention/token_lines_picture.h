// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/attention/line_pool.h"
#include "viz/attention/token_lines.h"
#include "viz/attention/token_names.h"
#include "viz/picture/picture.h"

#include <QCoreApplication>

#include <memory>
#include <optional>

namespace headscope::ui
{

/// Lines between the tokens of a text; those of a token that is pointed at, or kept, stand out. Its items are the
/// tokens that read, then the tokens that are read.
class TokenLinesPicture : public viz::PannedPicture
{
    Q_DECLARE_TR_FUNCTIONS(TokenLinesWidget)

public:
    TokenLinesPicture();

    /// Another text shows all of its tokens again, other lines of the same keep zoom and place.
    void setTokens(std::shared_ptr<const viz::TokenNames> names);
    void setLines(std::shared_ptr<const viz::LinePool> lines);
    /// The token that was clicked here or elsewhere.
    void setKept(std::optional<viz::LineEnd> end);
    [[nodiscard]] std::optional<viz::LineEnd> kept() const { return m_kept; }
    /// A token that is pointed at, here or elsewhere.
    void setPointed(std::optional<viz::LineEnd> end);
    /// The token whose lines stand out: the one that is pointed at, else the one that is kept.
    [[nodiscard]] std::optional<viz::LineEnd> focus() const { return m_pointed ? m_pointed : m_kept; }
    [[nodiscard]] viz::LineEnd endOf(std::size_t item) const;

    [[nodiscard]] const viz::TokenLinesLayout& lines() const { return m_layout; }
    /// "strongest 600 of 12,345 lines"; "" where all are drawn. Of the last frame.
    [[nodiscard]] QString badge() const { return m_badge; }
    /// @param token  what is said of it: what it reads most, or what reads it most
    [[nodiscard]] QString wordsOf(viz::LineEnd end) const;

    void paint(QPainter& painter, const viz::PictureMarks& marks) const override;
    [[nodiscard]] std::size_t count() const override { return 2 * tokens(); }
    [[nodiscard]] std::optional<std::size_t> itemAt(QPointF place) const override;
    [[nodiscard]] QRectF placeOf(std::size_t item) const override { return {m_layout.endOf(endOf(item)), QSizeF()}; }
    [[nodiscard]] viz::ItemText textOf(std::size_t item) const override;
    [[nodiscard]] std::optional<std::size_t> next(std::optional<std::size_t> from, viz::Step step) const override;
    [[nodiscard]] QString title() const override { return tr("Attention as lines between tokens"); }
    [[nodiscard]] QString summary() const override;
    void zoomAt(QPointF place, double factor) override;
    void panBy(QPointF pixels) override;
    void showAll() override;
    [[nodiscard]] Wheel wheel() const override;
    [[nodiscard]] QPointF middle() const override { return m_layout.window().center(); }

protected:
    void arrange() override;

private:
    [[nodiscard]] std::size_t tokens() const;
    [[nodiscard]] std::size_t itemOf(viz::LineEnd end) const;
    void paintBadge(QPainter& painter) const;

    std::shared_ptr<const viz::TokenNames> m_names;
    std::shared_ptr<const viz::LinePool> m_pool;
    viz::TokenLinesLayout m_layout;
    double m_rowHeight = 0; ///< 0: all tokens fit
    double m_offset = 0;
    std::optional<viz::LineEnd> m_kept;
    std::optional<viz::LineEnd> m_pointed;
    mutable QString m_badge;
};

} // namespace headscope::ui
