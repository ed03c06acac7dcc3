// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/results/probe_result.h"
#include "viz/color/head_palette.h"
#include "viz/picture/picture.h"

#include <QCoreApplication>
#include <QStringList>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace headscope::ui
{

/// Bars of a probe's recall per head, in the colours of the heads, each with its 95% interval; named lines across
/// them: the accuracy over all test rows, and chance. Its items are the heads.
class RecallChart : public viz::Picture
{
    Q_DECLARE_TR_FUNCTIONS(RecallChart)

public:
    RecallChart();

    void setResult(std::shared_ptr<const ProbeResult> result, const viz::HeadPalette& palette);
    /// A head that another view points at is outlined.
    void setHoveredHead(std::optional<HeadIndex> head);
    [[nodiscard]] HeadIndex headOf(std::size_t item) const { return HeadIndex(m_result->perHead[item].head); }
    /// What is at the lines: "all rows 0.757", "chance 0.111".
    [[nodiscard]] QStringList lineNames() const;

    void paint(QPainter& painter, const viz::PictureMarks& marks) const override;
    [[nodiscard]] std::size_t count() const override { return m_result == nullptr ? 0 : m_result->perHead.size(); }
    [[nodiscard]] std::optional<std::size_t> itemAt(QPointF place) const override;
    /// The slot of a head's bar.
    [[nodiscard]] QRectF placeOf(std::size_t item) const override;
    [[nodiscard]] std::optional<viz::ItemHead> itemHead(std::size_t item) const override
    {
        return viz::ItemHead{.head = headOf(item)};
    }
    [[nodiscard]] viz::ItemText textOf(std::size_t item) const override;
    [[nodiscard]] QString title() const override;

protected:
    void arrange() override;

private:
    /// Each line across the bars: its share, its name.
    [[nodiscard]] std::vector<std::pair<double, QString>> lines() const;
    [[nodiscard]] double yOf(double share) const;
    void paintAxes(QPainter& painter) const;
    void paintLines(QPainter& painter) const;

    std::shared_ptr<const ProbeResult> m_result;
    viz::HeadPalette m_palette;
    std::optional<HeadIndex> m_hovered; ///< elsewhere
    QRectF m_plot;
};

} // namespace headscope::ui
