// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/color/color_scale.h"
#include "viz/color/inks.h"

#include <QPointF>
#include <QSizeF>
#include <QString>

#include <optional>

class QPainter;

namespace headscope::viz
{

/// What the colours of attention mean: the scale, and the greys that are no values.
struct AttentionKey
{
    InkTheme theme = InkTheme::Light;
    double textPx = 11;
    bool unwritten = true; ///< cells that a causal model cannot read
    bool takenOut = false; ///< the first token
    bool shares = true;    ///< pictures of weights are shown
    /// Of a statistic: its name and limits.
    QString measure;
    std::optional<ScaleLimits> limits;
};

[[nodiscard]] QSizeF attentionKeySize(const AttentionKey& key);
/// In one line, from the upper left corner.
void paintAttentionKey(QPainter& painter, QPointF corner, const AttentionKey& key);
/// The same in words, for screen readers and captions.
[[nodiscard]] QString attentionKeyText(const AttentionKey& key);

} // namespace headscope::viz
