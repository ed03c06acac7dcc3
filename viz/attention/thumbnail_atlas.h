// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/attention/attention_run.h"
#include "viz/attention/thumbnail_grid.h"
#include "viz/color/inks.h"

#include <QImage>
#include <QRect>
#include <QSize>

#include <vector>

class QPainter;

namespace headscope::viz
{

/// The pictures of all heads of a run at one size, made once and kept.
///
/// A pixel of a picture is the share of a row that falls on it: a mean over its rows, a sum over its columns.
class ThumbnailAtlas
{
public:
    /// What the pictures are of: pictures of an equal key are the same.
    struct Key
    {
        const AttentionRun* run = nullptr;
        QSize pixels; ///< of a cell
        InkTheme theme = InkTheme::Light;
        bool withoutFirst = false;
        bool operator==(const Key&) const = default;
    };

    /// @param numThreads  that make the pictures
    /// @cost  O(Ls H n^2) when another key is asked for
    void prepare(const AttentionRunPtr& run, QSize pixels, InkTheme theme, bool withoutFirst, int numThreads = 1);
    [[nodiscard]] const Key& key() const { return m_key; }
    /// Where a cell's picture lies in image().
    [[nodiscard]] QRect part(ThumbnailCell cell) const;
    [[nodiscard]] const QImage& image() const { return m_image; }

private:
    Key m_key;
    AttentionRunPtr m_run; ///< keeps what the key points to
    QImage m_image;
};

/// Shares of a head's rows at the size of its thumbnail, row-major [n, n]: first column taken out or not; NaN where no
/// token may be read.
/// @param out  is filled; its capacity is used again
void thumbnailShares(const AttentionRun& run, LayerIndex layer, HeadIndex head, bool withoutFirst,
                     std::vector<float>& out);

/// All cells that are in view, from an atlas that has been prepared for the size of the cells times `dpr`.
void paintThumbnails(QPainter& painter, const ThumbnailGridLayout& layout, const ThumbnailAtlas& atlas);

} // namespace headscope::viz
