// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/lesson/lesson_controller.h"
#include "tests/app/tour/scenes.h"
#include "ui/lesson/lesson_column.h"
#include "ui/lesson/lesson_presenter.h"

#include <QPushButton>

namespace headscope::tour
{
namespace
{

/// The list, and the lesson of this place in it.
bool begin(Tour& t, int place, const QString& shot)
{
    desktop::LessonController& lessons = t.workbench().lessons();
    QSignalSpy listed(&lessons, &desktop::LessonController::listShown);
    t.trigger(QStringLiteral("actionLessons"));
    if (!QTest::qWaitFor([&listed] { return listed.count() > 0; }, 20'000))
    {
        t.notThere(QStringLiteral("the list of lessons"));
        return false;
    }
    if (!shot.isEmpty())
        t.shoot(shot);
    return t.click(QStringLiteral("lessonBegin_%1").arg(place)) && lessons.lesson() != nullptr;
}

bool waitForPicture(Tour& t)
{
    desktop::LessonController& lessons = t.workbench().lessons();
    const bool ready = QTest::qWaitFor([&lessons] { return lessons.pictureReady(); }, 120'000);
    if (!ready)
        t.notThere(QStringLiteral("the picture of step %1").arg(lessons.step() + 1));
    return ready;
}

/// Every step by the key that leads there, with its view where it has one.
void walk(Tour& t, const QString& name, int place, const QString& list)
{
    if (!begin(t, place, list))
        return t.notThere(name);
    desktop::LessonController& lessons = t.workbench().lessons();
    const auto steps = static_cast<int>(lessons.lesson()->steps.size());
    for (int step = 0; step < steps; ++step)
    {
        if (lessons.step() != step)
            t.notThere(QStringLiteral("step %1").arg(step + 1));
        waitForPicture(t);
        const QString shot = QStringLiteral("%1-%2").arg(name).arg(step + 1, 2, 10, QChar(u'0'));
        t.shoot(shot);
        if (!lessons.isLive() && !lessons.column().page().view.isEmpty())
        {
            t.click(QStringLiteral("lessonLive"));
            t.settle();
            t.shoot(shot + QStringLiteral("-view"), 700);
        }
        if (step == 1)
        {
            t.click(QStringLiteral("lessonReveal"));
            t.shoot(shot + QStringLiteral("-answer"));
        }
        if (step + 1 < steps)
            QTest::keyClick(&lessons.column(), Qt::Key_PageDown);
    }
    lessons.end();
    t.settle();
}

void keys(Tour& t)
{
    walk(t, QStringLiteral("lesson-keys"), 1, QStringLiteral("lesson-list"));
}

void maps(Tour& t)
{
    walk(t, QStringLiteral("lesson-maps"), 0, {});
}

void roles(Tour& t)
{
    walk(t, QStringLiteral("lesson-roles"), 2, {});
}

void presenter(Tour& t)
{
    if (!begin(t, 1, {}))
        return;
    desktop::LessonController& lessons = t.workbench().lessons();
    for (const int step : {0, 1, 3, 4, 5, 7, 8, 9, 10})
    {
        lessons.showStep(step);
        waitForPicture(t);
        t.trigger(QStringLiteral("actionLessonPresent"));
        ui::LessonPresenter* large = lessons.presenter();
        if (large == nullptr)
            return t.notThere(QStringLiteral("the presenter"));
        t.shoot(QStringLiteral("lesson-present-%1").arg(step + 1), 700);
        QTest::keyClick(large, Qt::Key_Space);
        QTest::keyClick(large, Qt::Key_D);
        t.shoot(QStringLiteral("lesson-present-%1-other").arg(step + 1), 500);
        QTest::keyClick(large, Qt::Key_Escape);
        QTest::qWait(300);
    }
    lessons.end();
    t.settle();
}

} // namespace

std::vector<Scene> lessonScenes()
{
    return {{"lesson-keys", keys}, {"lesson-maps", maps}, {"lesson-roles", roles}, {"lesson-present", presenter}};
}

} // namespace headscope::tour
