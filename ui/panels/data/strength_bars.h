// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/stage.h"
#include "viz/color/head_palette.h"

#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::ui
{

/// One document's strengths, a bar per head in the head's colour. Hover says the number, click
/// chooses the head, and so do Left and Right, Home and End.
class StrengthBars : public QWidget
{
    Q_OBJECT

public:
    explicit StrengthBars(QWidget* parent = nullptr);

    /// @param strengths  [H], NaN where there is none
    /// @param topShares  [H], 0..1: share of all head vectors that are at least as strong
    void setStrengths(std::vector<float> strengths, std::vector<double> topShares, Stage stage,
                      const viz::HeadPalette& palette);
    void setCurrent(std::optional<std::int64_t> head);
    [[nodiscard]] QRectF barRect(std::int64_t head) const;
    /// What the tooltip of a bar says.
    [[nodiscard]] QString barText(std::int64_t head) const;

    [[nodiscard]] QSize sizeHint() const override { return {200, 64}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {80, 64}; }

Q_SIGNALS:
    void headClicked(headscope::HeadIndex head);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] std::optional<std::int64_t> headAt(QPoint place) const;
    [[nodiscard]] QRectF columnRect(std::int64_t head) const;

    std::vector<float> m_strengths;
    std::vector<double> m_topShares;
    Stage m_stage = Stage::HeadOutput;
    viz::HeadPalette m_palette;
    std::optional<std::int64_t> m_current;
    float m_most = 0;
};

} // namespace headscope::ui
