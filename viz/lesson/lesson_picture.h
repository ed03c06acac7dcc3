// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/lesson/cache_bytes.h"
#include "viz/lesson/cloud_maps.h"
#include "viz/lesson/group_scores.h"
#include "viz/lesson/head_wiring.h"
#include "viz/lesson/hull_plane.h"
#include "viz/lesson/kv_table.h"
#include "viz/lesson/share_pictures.h"
#include "viz/lesson/share_rows.h"
#include "viz/lesson/token_row.h"
#include "viz/lesson/view_picture.h"

#include <QString>

#include <variant>

namespace headscope::viz
{

/// What a step of a lesson shows: a drawing, and where its numbers come from.
struct LessonPicture
{
    QString heading; ///< above: what is drawn, of which model and layer
    /// Below: where the numbers come from and what is left out; where nothing is drawn, why, and what helps.
    QString note;
    std::variant<std::monostate, TokenRow, HeadCounts, HeadWiring, GroupScores, HullPlane, HeadMixing, CacheBytes,
                 RegroupPicture, ErrorShare, CloudMaps, KvTable, ShareRows, ViewPicture>
        content;

    [[nodiscard]] bool drawn() const { return content.index() != 0; }
};

/// Heading, drawing and note in a box of any size. Needs a QGuiApplication (fonts).
void paintLessonPicture(QPainter& painter, const LessonPicture& picture, const QRectF& box, const LessonStyle& style);
/// How high it is on paper of this width, with heading and note.
[[nodiscard]] double lessonPictureHeight(const LessonPicture& picture, double width, const LessonStyle& style);
/// What is drawn, in words: for those who do not see it.
[[nodiscard]] QString lessonPictureWords(const LessonPicture& picture);
/// Where the drawing lies in a box, without heading and note.
[[nodiscard]] QRectF lessonDrawingBox(const LessonPicture& picture, const QRectF& box, const LessonStyle& style);

} // namespace headscope::viz
