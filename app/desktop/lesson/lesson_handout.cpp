// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/lesson/lesson_handout.h"

#include "app/desktop/lesson/lesson_pictures.h"
#include "ui/words/translate.h"
#include "ui/words/wording.h"

#include <utility>

namespace headscope::desktop
{

Result<viz::Handout> makeHandout(const Lesson& lesson, const LessonSource& source, JobContext& job)
{
    using ui::tr;
    viz::Handout handout;
    handout.title = ui::toQString(lesson.title);
    handout.summary = ui::toQString(lesson.summary);
    handout.of = tr("Drawn for %1 by Headscope").arg(ui::toQString(source.model.name));
    handout.words = {tr("In Headscope"), tr("Question"), tr("Answers"), tr("%1 of %2")};
    std::uint64_t done = 0;
    for (const LessonStep& step : lesson.steps)
    {
        job.report("drawing the handout", done++, lesson.steps.size(), "steps");
        const LessonPictureRequest request{step.picture, {}, source};
        const ui::LessonPage page = lessonPage(step, request, {});
        JobContext inner(job.stopToken()); // the handout reports itself
        auto picture = makeLessonPicture(request, inner);
        viz::LessonPicture shown;
        if (picture)
            shown = std::move(*picture);
        else if (picture.error().code == ErrorCode::Cancelled)
            return JobContext::cancelled();
        else
            shown.note = ui::errorText(picture.error());
        handout.steps.push_back(
            {page.title, page.text, std::move(shown), page.attempt, page.question, page.answer, page.options});
    }
    return handout;
}

} // namespace headscope::desktop
