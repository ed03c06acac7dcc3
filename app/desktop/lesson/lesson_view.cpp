// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/lesson/lesson_view.h"

#include "ui/lesson/lesson_column.h"
#include "ui/lesson/lesson_presenter.h"
#include "viz/lesson/view_picture.h"

#include <utility>

namespace headscope::desktop
{

LessonView::LessonView(Study& study, ui::LessonColumn& column, QObject* parent)
    : QObject(parent), m_study(study), m_column(column)
{
    constexpr int kLookMs = 500;
    m_timer.setInterval(kLookMs);
    connect(&m_timer, &QTimer::timeout, this, &LessonView::look);
}

void LessonView::follow(const LessonStage* stage, const LessonStep* step)
{
    m_runner.cancel(); // of another step
    m_stage = stage;
    m_scene.reset();
    if (stage != nullptr && step != nullptr && step->picture.kind == LessonPictureKind::None)
        m_scene = step->scene;
    if (m_presenter != nullptr)
        m_presenter->expectView(isThere());
    look();
    if (m_scene)
        m_timer.start();
    else
        m_timer.stop();
}

void LessonView::present(ui::LessonPresenter& presenter)
{
    m_presenter = &presenter;
    connect(&presenter, &ui::LessonPresenter::viewRoomChanged, this, [this] {
        m_runner.cancel(); // of another size
        paint();
    });
    presenter.expectView(isThere());
    look();
}

bool LessonView::isThere() const
{
    return m_scene && m_stage->widgetOf(*m_scene) != nullptr;
}

QString LessonView::waiting() const
{
    const QString job = m_scene ? m_stage->measuring(*m_scene) : QString();
    return job.isEmpty() ? QString() : tr("%1…").arg(job);
}

void LessonView::look()
{
    const QString now = waiting();
    m_column.setWaiting(now);
    // What was measured is seen before a class once the view was painted again.
    if (m_presenter != nullptr && (!now.isEmpty() || !isThere()))
        m_presenter->setWaiting(now);
    paint();
}

void LessonView::paint()
{
    if (m_presenter == nullptr || !isThere() || m_runner.running())
        return;
    viz::ViewPicture picture{m_stage->figureOf(*m_scene), {}};
    if (!picture.figure) // the view says why, and what helps
        return m_presenter->setView(m_stage->widgetOf(*m_scene)->grab().toImage());
    m_study.run<QImage>(
        m_runner,
        [picture = std::move(picture), room = m_presenter->viewRoom().size(), style = m_presenter->viewStyle(),
         dpr = m_presenter->devicePixelRatioF()](JobContext&) -> Result<QImage> {
            return viz::viewPictureImage(picture, room, style, dpr);
        },
        [this, now = waiting()](Result<QImage> image) {
            if (!image || m_presenter == nullptr)
                return;
            m_presenter->setView(*image);
            m_presenter->setWaiting(now); // as it was when the view was taken
        });
}

} // namespace headscope::desktop
