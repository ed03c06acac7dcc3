// SPDX-License-Identifier: GPL-3.0-or-later
// Lessons in the program's window, as a user goes through them.
#pragma once

#include "app/desktop/lesson/lesson_controller.h"
#include "tests/app/desktop/desktop_fixture.h"
#include "tests/support/waiting.h"
#include "ui/lesson/lesson_column.h"
#include "ui/lesson/lesson_picture_page.h"

#include <QLabel>
#include <QStandardPaths>

#include <algorithm>
#include <string_view>
#include <vector>

namespace headscope::test
{

class LessonFixture : protected DesktopFixture
{
protected:
    using LessonController = desktop::LessonController;

    void initLessons()
    {
        prepareApplication(*qApp);
        QStandardPaths::setTestModeEnabled(true);
        writeSample();
    }

    LessonController& lessons() { return m_workbench->lessons(); }

    template <class T>
    T* find(const char* name)
    {
        return m_window->findChild<T*>(QLatin1StringView(name));
    }

    QString textOf(const char* name)
    {
        const auto* label = find<QLabel>(name);
        return label == nullptr ? QString() : label->text();
    }

    void key(int code)
    {
        QWidget* to = QApplication::focusWidget();
        QTest::keyClick(to != nullptr ? to : m_window.get(), static_cast<Qt::Key>(code));
    }

    /// Chooses a lesson in the list, as a user does.
    void beginLesson(const char* id)
    {
        QSignalSpy shown(&lessons(), &LessonController::listShown);
        action("actionLessons")->trigger();
        WAIT_COMPARE(shown.count(), 1);
        // They are in the order of their files.
        const QStringList files{QStringLiteral("reading-tsne"), QStringLiteral("shared-keys"),
                                QStringLiteral("specialise")};
        click(qPrintable(QStringLiteral("lessonBegin_%1").arg(files.indexOf(QLatin1StringView(id)))));
        QVERIFY(lessons().lesson() != nullptr);
        QCOMPARE(lessons().lesson()->id, std::string(id));
        QVERIFY(lessons().column().isVisible());
    }

    /// The place of a step of the open lesson, from 0.
    int place(std::string_view id)
    {
        const auto& steps = lessons().lesson()->steps;
        return static_cast<int>(std::ranges::find(steps, id, &LessonStep::id) - steps.begin());
    }

    void waitForPicture() { WAIT_FOR(lessons().pictureReady()); }

    /// Shows a step of the open lesson, with its picture.
    void showStep(std::string_view id)
    {
        lessons().showStep(place(id));
        waitForPicture();
    }

    /// The rows of the picture that is shown.
    std::vector<viz::ShareRow> shownRows()
    {
        return std::get<viz::ShareRows>(lessons().page().canvas()->picture().content).rows;
    }

    /// Whether the answer of the step has this text.
    bool answerHas(const QString& text)
    {
        const bool found = textOf("lessonAnswer").contains(text, Qt::CaseInsensitive);
        if (!found)
            qWarning("%s is not in: %s", qPrintable(text), qPrintable(textOf("lessonAnswer")));
        return found;
    }

    /// From the first to the last step and back, by keys.
    void walk(const char* id)
    {
        beginLesson(id);
        const auto steps = static_cast<int>(lessons().lesson()->steps.size());
        for (int step = 0; step < steps; ++step)
        {
            QCOMPARE(lessons().step(), step);
            waitForPicture();
            QVERIFY(!textOf("lessonTitle").isEmpty() && !textOf("lessonText").isEmpty());
            QVERIFY(!textOf("lessonText").contains(u'{') && !textOf("lessonText").contains(QStringLiteral("**")));
            QVERIFY2(textOf("lessonProblem").isEmpty(), qPrintable(textOf("lessonProblem")));
            QVERIFY(!lessons().column().answerShown());
            const auto& picture = lessons().page().canvas()->picture();
            QVERIFY2(lessons().isLive() || picture.drawn() || !picture.note.isEmpty(),
                     qPrintable(textOf("lessonTitle")));
            if (step + 1 < steps)
                key(step % 2 == 0 ? Qt::Key_PageDown : Qt::Key_Right);
        }
        for (int step = steps - 1; step > 0; --step)
        {
            QCOMPARE(lessons().step(), step);
            key(step % 2 == 0 ? Qt::Key_PageUp : Qt::Key_Left);
        }
        QCOMPARE(lessons().step(), 0);
        key(Qt::Key_PageUp); // nothing before the first
        QCOMPARE(lessons().step(), 0);
    }

    /// A row for each lesson.
    static void addLessons()
    {
        QTest::addColumn<QString>("lesson");
        QTest::newRow("keys") << QStringLiteral("shared-keys");
        QTest::newRow("maps") << QStringLiteral("reading-tsne");
        QTest::newRow("roles") << QStringLiteral("specialise");
    }
};

} // namespace headscope::test
