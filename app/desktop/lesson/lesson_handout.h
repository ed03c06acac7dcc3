// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/lesson/lesson_source.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "viz/lesson/handout.h"

namespace headscope::desktop
{

/// A lesson on paper: every step with its picture as it is first shown, for what is open.
/// @errors  Cancelled; a picture that cannot be made says why in its place
/// @cost    that of all pictures
/// @threads to be called on a worker
[[nodiscard]] Result<viz::Handout> makeHandout(const Lesson& lesson, const LessonSource& source, JobContext& job);

} // namespace headscope::desktop
