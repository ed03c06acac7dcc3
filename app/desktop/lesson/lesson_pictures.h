// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/lesson/lesson_source.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "viz/lesson/lesson_picture.h"

#include <QList>

#include <cstdint>
#include <optional>

namespace headscope::desktop
{

/// Where a picture of a group looks.
struct GroupPlace
{
    std::int64_t group = 0;          ///< from 0
    std::int64_t token = 0;          ///< the query token, from 0
    std::optional<LayerIndex> layer; ///< whose vectors there are; none: no run
};

/// What the controls, else the lesson, ask for, kept to what there is.
[[nodiscard]] GroupPlace groupPlace(const LessonPictureRequest& request);

/// The place of the chosen number of KV heads among regroupings(heads); the model's own, unless another is chosen.
[[nodiscard]] std::size_t sharingPlace(const LessonPictureRequest& request);
/// The model with the chosen number of KV heads.
[[nodiscard]] ModelInfo sharedModel(const LessonPictureRequest& request);
/// The token whose weights a picture of tokens shows, from 0; the last, unless another is chosen.
[[nodiscard]] std::int64_t shownQuery(const LessonPictureRequest& request);

/// The row of the merged models that a picture highlights: the original model, unless another is chosen.
[[nodiscard]] std::optional<std::size_t> regroupRow(const LessonPictureRequest& request);

/// The controls of a picture, with their values.
[[nodiscard]] QList<ui::LessonControl> lessonControls(const LessonPictureRequest& request);

/// Whether a picture is there at once; others are computed on a worker.
[[nodiscard]] bool isQuickPicture(LessonPictureKind kind);

/// The picture of a step. Where it cannot be made, its note says why and what helps.
/// @errors Cancelled; those of reading the cache and of training the probe
/// @cost   seconds for the probe of "errors"; else milliseconds
[[nodiscard]] Result<viz::LessonPicture> makeLessonPicture(const LessonPictureRequest& request, JobContext& job);

/// No picture: a note says why, and what helps.
[[nodiscard]] viz::LessonPicture why(const QString& note);

/// The pictures that need their own computations; used by makeLessonPicture.
[[nodiscard]] Result<viz::LessonPicture> makeGroupPicture(const LessonPictureRequest& request, JobContext& job);
[[nodiscard]] Result<viz::LessonPicture> makeErrorPicture(const LessonPictureRequest& request, JobContext& job);
[[nodiscard]] Result<viz::LessonPicture> makeCloudPicture(const LessonPictureRequest& request, JobContext& job);
[[nodiscard]] Result<viz::LessonPicture> makeProbeRows(const LessonPictureRequest& request, JobContext& job);
[[nodiscard]] Result<viz::LessonPicture> makeTopicRows(const LessonPictureRequest& request, JobContext& job);
[[nodiscard]] Result<viz::LessonPicture> makeStageMaps(const LessonPictureRequest& request, JobContext& job);

/// The view that a step without a picture is about, from the stored maps of the open cache, whatever the window shows.
/// @errors as makeLessonPicture
[[nodiscard]] Result<viz::LessonPicture> makeScenePicture(const LessonScene& scene, const LessonSource& source,
                                                          JobContext& job);

} // namespace headscope::desktop
