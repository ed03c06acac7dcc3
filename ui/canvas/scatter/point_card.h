// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/hover_card.h"

#include <QPointF>
#include <QString>

#include <cstdint>
#include <functional>

namespace headscope::ui
{

/// The card next to a point of the map, and the sources of its content.
class PointCard : public HoverCard
{
    Q_OBJECT

public:
    using HoverCard::HoverCard;

    /// The content for a point; called whenever the card is shown. None: it is never shown.
    void setSource(std::function<HoverContent(std::int64_t point)> source) { m_source = std::move(source); }
    /// What a point's colour stands for, at its right; may be empty.
    void setValueSource(std::function<QString(std::int64_t point)> source) { m_valueSource = std::move(source); }

    [[nodiscard]] bool hasSource() const { return m_source != nullptr; }
    /// @pre hasSource()
    [[nodiscard]] HoverContent contentOf(std::int64_t point) const;
    /// Shows it next to a place of the canvas, or hides it where it has nothing to say.
    void showPoint(std::int64_t point, QPointF place);

private:
    std::function<HoverContent(std::int64_t)> m_source;
    std::function<QString(std::int64_t)> m_valueSource;
};

} // namespace headscope::ui
