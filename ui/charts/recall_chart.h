// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/results/probe_result.h"
#include "viz/color/head_palette.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>

class QChartView;

namespace headscope::ui
{

class HoverCard;
class RecallMarks;

/// Bars of a probe's recall per head, in the colours of the heads, each with its 95 % interval; named lines across
/// them: the accuracy over all test rows, and chance.
class RecallChart : public QWidget
{
    Q_OBJECT

public:
    explicit RecallChart(QWidget* parent = nullptr);
    ~RecallChart() override;

    void setResult(std::shared_ptr<const ProbeResult> result, const viz::HeadPalette& palette);
    [[nodiscard]] QString title() const { return m_title; }

    /// The head under the pointer, or that another view points at: its card or its outline is shown.
    void setHoveredHead(std::optional<HeadIndex> head);
    /// The bar's slot of the i-th head, in this widget's pixels.
    [[nodiscard]] QRectF slotRect(std::int64_t i) const;
    [[nodiscard]] HoverCard* hoverCard() const { return m_card; }
    /// What stands at the lines: "all rows 0.757", "chance 0.111".
    [[nodiscard]] QStringList lineNames() const;

Q_SIGNALS:
    void headHovered(std::optional<headscope::HeadIndex> head);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void rebuild();
    /// Every how many heads a number fits below its bar.
    [[nodiscard]] qsizetype labelStep() const;

    QChartView* m_view = nullptr;
    std::shared_ptr<const ProbeResult> m_result;
    viz::HeadPalette m_palette;
    QString m_title;
    qsizetype m_labelStep = 1;
    HoverCard* m_card = nullptr;
    RecallMarks* m_marks = nullptr;
    QWidget* m_outline = nullptr; ///< around the slot of the head that another view points at
    std::optional<std::int64_t> m_pointed;
};

} // namespace headscope::ui
