// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/stage.h"
#include "viz/color/head_palette.h"
#include "viz/picture/picture.h"

#include <QCoreApplication>

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::ui
{

/// One document's strengths, a bar per head in the head's colour. Its items are the heads; keys choose at once.
class StrengthBars : public viz::Picture
{
    Q_DECLARE_TR_FUNCTIONS(StrengthBars)

public:
    StrengthBars();

    /// @param strengths  [H], NaN where there is none
    /// @param topShares  [H], 0..1: share of all head vectors that are at least as strong
    void setStrengths(std::vector<float> strengths, std::vector<double> topShares, Stage stage,
                      const viz::HeadPalette& palette);
    void setCurrent(std::optional<std::int64_t> head);

    void paint(QPainter& painter, const viz::PictureMarks& marks) const override;
    [[nodiscard]] std::size_t count() const override { return m_strengths.size(); }
    [[nodiscard]] std::optional<std::size_t> itemAt(QPointF place) const override;
    /// The bar; a click next to it, in its column, means it, too.
    [[nodiscard]] QRectF placeOf(std::size_t head) const override;
    [[nodiscard]] viz::ItemText textOf(std::size_t head) const override;
    [[nodiscard]] std::optional<std::size_t> next(std::optional<std::size_t> from, viz::Step step) const override;
    [[nodiscard]] std::optional<std::size_t> standing() const override;
    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString summary() const override;

private:
    [[nodiscard]] QRectF columnOf(std::size_t head) const;

    std::vector<float> m_strengths;
    std::vector<double> m_topShares;
    Stage m_stage = Stage::HeadOutput;
    viz::HeadPalette m_palette;
    std::optional<std::int64_t> m_current;
    float m_most = 0;
};

} // namespace headscope::ui
