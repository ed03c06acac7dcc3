// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/lesson/lesson_handout.h"

#include "app/desktop/lesson/lesson_pictures.h"
#include "ui/words/translate.h"
#include "ui/words/wording.h"

#include <map>
#include <string>
#include <utility>

namespace headscope::desktop
{
namespace
{

/// Asks for the runs that are missing, once for each text.
Status fetchRuns(std::vector<HandoutSource>& sources, EngineServer* engine, JobContext& job)
{
    std::map<std::string, AttentionRunPtr> made;
    for (HandoutSource& each : sources)
    {
        if (!each.run || engine == nullptr)
            continue;
        const std::string& text = each.run->line.command.text;
        if (!made.contains(text))
        {
            const Result<AttentionRunPtr> run = runWithVectors(*engine, *each.run, job);
            if (!run && run.error().code == ErrorCode::Cancelled)
                return run.error();
            made[text] = run ? *run : nullptr;
        }
        if (made[text] != nullptr)
            each.source.run = made[text];
    }
    return {};
}

} // namespace

Result<AttentionRunPtr> runWithVectors(EngineServer& engine, const AttentionQuestion& question, JobContext& job)
{
    HEADSCOPE_TRY(const AttentionRunPtr run, fetchAttention(engine, question, job));
    const LayerIndex layer(static_cast<std::int64_t>(run->model.layers * 2 / 5)); // neither first nor last
    HEADSCOPE_TRY(auto vectors, fetchVectors(engine, question, *run, layer, job));
    return withVectors(*run, std::move(vectors));
}

Result<viz::Handout> makeHandout(const Lesson& lesson, std::vector<HandoutSource> sources, EngineServer* engine,
                                 JobContext& job)
{
    using ui::tr;
    HEADSCOPE_CHECK(fetchRuns(sources, engine, job));
    viz::Handout handout;
    handout.title = ui::toQString(lesson.title);
    handout.summary = ui::toQString(lesson.summary);
    handout.of = tr("Drawn for %1 by Headscope").arg(ui::toQString(sources.front().source.model.name));
    handout.words = {tr("In Headscope"), tr("Question"), tr("Answers"), tr("Page %1")};
    for (std::size_t i = 0; i < lesson.steps.size(); ++i)
    {
        job.report("drawing the handout", i, lesson.steps.size(), "steps");
        const LessonStep& step = lesson.steps[i];
        const LessonPictureRequest request{step.picture, {}, sources[i].source};
        const ui::LessonPage page = lessonPage(step, request, {});
        JobContext inner(job.stopToken()); // the handout reports itself
        const bool isScene = step.picture.kind == LessonPictureKind::None && !step.scene.empty();
        auto picture =
            isScene ? makeScenePicture(step.scene, request.source, inner) : makeLessonPicture(request, inner);
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
