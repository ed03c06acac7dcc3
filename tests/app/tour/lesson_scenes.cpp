// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/lesson/lesson_controller.h"
#include "tests/app/tour/scenes.h"
#include "ui/lesson/lesson_column.h"
#include "ui/lesson/lesson_picture_page.h"
#include "ui/lesson/lesson_presenter.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>

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

/// Opens the demo, or tells where its model is, where the step offers it.
void tryDemo(Tour& t, const QString& shot)
{
    auto* demo = t.workbench().lessons().page().findChild<QPushButton*>(QStringLiteral("lesson_demo"));
    if (demo == nullptr || !demo->isVisible())
        return;
    t.click(QStringLiteral("lesson_demo"));
    t.settle();
    waitForPicture(t);
    t.shoot(shot + QStringLiteral("-demo"), 1500);
}

/// The sliders of the step are made again where their values are others: each is found by its place.
void trySlider(Tour& t, qsizetype place, bool most, const QString& shot)
{
    const auto slider = [&t, place] { return t.workbench().lessons().page().findChildren<QSlider*>().value(place); };
    if (slider() == nullptr || !slider()->isVisible())
        return;
    const int before = slider()->value();
    const QString name = slider()->objectName();
    const int value = most ? slider()->maximum() : slider()->minimum();
    slider()->setValue(value);
    waitForPicture(t);
    t.shoot(QStringLiteral("%1-%2-%3").arg(shot, name).arg(value), 600);
    if (auto* now = slider())
        now->setValue(before);
    waitForPicture(t);
}

/// What the steps ask one to try: each slider at its ends, the demo's model, a guess, and the handout.
void attempts(Tour& t)
{
    for (const int place : {1, 0, 2})
    {
        if (!begin(t, place, {}))
            return t.notThere(QStringLiteral("lesson %1").arg(place));
        desktop::LessonController& lessons = t.workbench().lessons();
        for (int step = 0; step < std::ssize(lessons.lesson()->steps); ++step)
        {
            lessons.showStep(step);
            waitForPicture(t);
            const QString shot = QStringLiteral("lesson-try-%1-%2").arg(place).arg(step + 1, 2, 10, QChar(u'0'));
            tryDemo(t, shot);
            for (qsizetype i = 0; i < lessons.page().findChildren<QSlider*>().size(); ++i)
                for (const bool most : {false, true})
                    trySlider(t, i, most, shot);
            t.click(QStringLiteral("lessonOption_1"));
        }
        t.shoot(QStringLiteral("lesson-try-%1-score").arg(place));
        const QString handout = t.file(QStringLiteral("handout-%1.pdf").arg(place));
        lessons.saveHandout(handout);
        if (!QTest::qWaitFor([&handout] { return QFile::exists(handout); }, 240'000))
            t.notThere(handout);
        lessons.end();
        t.settle();
    }
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
    for (const int place : {1, 0, 2})
    {
        if (!begin(t, place, {}))
            return;
        desktop::LessonController& lessons = t.workbench().lessons();
        for (int step = 0; step < std::ssize(lessons.lesson()->steps); ++step)
        {
            lessons.showStep(step);
            waitForPicture(t);
            t.trigger(QStringLiteral("actionLessonPresent"));
            ui::LessonPresenter* large = lessons.presenter();
            if (large == nullptr)
                return t.notThere(QStringLiteral("the presenter"));
            const QString shot = QStringLiteral("lesson-present-%1-%2").arg(place).arg(step + 1, 2, 10, QChar(u'0'));
            t.shoot(shot, 700);
            QTest::keyClick(large, Qt::Key_Space);
            QTest::keyClick(large, Qt::Key_D);
            t.shoot(shot + QStringLiteral("-other"), 500);
            QTest::keyClick(large, Qt::Key_Escape);
            QTest::qWait(300);
        }
        lessons.end();
        t.settle();
    }
}

} // namespace

std::vector<Scene> lessonScenes()
{
    return {{"lesson-keys", keys},
            {"lesson-maps", maps},
            {"lesson-roles", roles},
            {"lesson-present", presenter},
            {"lesson-try", attempts}};
}

} // namespace headscope::tour
