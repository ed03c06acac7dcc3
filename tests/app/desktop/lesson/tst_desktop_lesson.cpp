// SPDX-License-Identifier: GPL-3.0-or-later
// Guided lessons in the program's window.
#include "app/desktop/work/work_session.h"
#include "tests/app/desktop/lesson/lesson_fixture.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "ui/window/notice_bar.h"

#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QToolButton>

#include <fstream>

using namespace headscope;
using namespace headscope::desktop;

class TestDesktopLesson : public QObject, private test::LessonFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { initLessons(); }

    void init() { makeWindow({}); }

    void cleanup() { dropWindow(); }

    void walksWithoutACache_data() { addLessons(); }
    void walksWithoutACache()
    {
        QFETCH(const QString, lesson);
        QVERIFY(m_window->welcomeShown());
        walk(qPrintable(lesson));
        if (QTest::currentTestFailed())
            return;
        key(Qt::Key_Escape);
        QVERIFY(lessons().lesson() == nullptr);
        QVERIFY(!lessons().column().isVisible());
        QVERIFY(m_window->welcomeShown());
        QVERIFY(m_window->welcome().isVisible());
    }

    void walksWithACache_data() { addLessons(); }
    void walksWithACache()
    {
        QFETCH(const QString, lesson);
        openAndSettle(m_cache);
        walk(qPrintable(lesson));
        if (QTest::currentTestFailed())
            return;
        lessons().end();
        WAIT_FOR(m_workbench->work().isSettled());
    }

    /// What a step asks of the window is there: its view, the view's controls, the colouring.
    void scenesAreThere_data() { addLessons(); }
    void scenesAreThere()
    {
        QFETCH(const QString, lesson);
        openAndSettle(m_cache);
        beginLesson(qPrintable(lesson));
        if (QTest::currentTestFailed())
            return;
        for (const LessonStep& step : lessons().lesson()->steps)
        {
            if (step.scene.empty())
                continue;
            const auto view = m_window->views().idOf(QString::fromStdString(step.scene.tab));
            const ui::ViewEntry* entry = m_window->views().find(view);
            QVERIFY2(entry != nullptr, step.id.c_str());
            for (const auto& [name, value] : step.scene.controls)
                QVERIFY2(entry->widget->findChild<QWidget*>(QString::fromStdString(name)) != nullptr,
                         (step.id + ": " + name).c_str());
            if (!step.scene.color.empty())
                QCOMPARE(ui::ColorChoice::fromKey(step.scene.color).key(), step.scene.color);
        }
        lessons().end();
        WAIT_FOR(m_workbench->work().isSettled());
    }

    /// Every lesson on the demo cache: each step has its drawing or its view, and nothing is reported.
    void walksOnTheDemo_data() { addLessons(); }
    void walksOnTheDemo()
    {
        QFETCH(const QString, lesson);
        openAndSettle(QString::fromStdString(test::source("resources/demo/demo-cache.h5").string()));
        walk(qPrintable(lesson));
        if (QTest::currentTestFailed())
            return;
        QVERIFY2(m_window->notices().sentence().isEmpty(), qPrintable(m_window->notices().sentence()));
        for (int step = 0; step < std::ssize(lessons().lesson()->steps); ++step)
        {
            lessons().showStep(step);
            waitForPicture();
            const LessonStep& now = lessons().lesson()->steps[static_cast<std::size_t>(step)];
            const auto& picture = lessons().page().canvas()->picture();
            QVERIFY2(now.picture.kind == LessonPictureKind::None ? lessons().isLive() : picture.drawn(),
                     qPrintable(picture.note));
        }
        lessons().end();
        WAIT_FOR(m_workbench->work().isSettled());
        waitForJobs();
    }

    void theWindowIsAsItWasBefore()
    {
        openAndSettle(m_cache);
        m_window->setView(m_window->views().idOf(QStringLiteral("heads")));
        m_window->choices().setHeads({1, 2});
        m_window->choices().setStage(Stage::ProjectedSegment);
        waitForJobs();
        const QJsonObject before = m_workbench->work().gather();
        const bool side = action("actionShowInspector")->isChecked();
        beginLesson("shared-keys");
        if (QTest::currentTestFailed())
            return;
        lessons().showStep(place("wiring"));
        lessons().setLive(true);
        QVERIFY(lessons().isLive());
        QCOMPARE(m_window->view().key(), QStringLiteral("map"));
        QCOMPARE(m_window->choices().now().stage, Stage::HeadOutput);
        QVERIFY(m_window->choices().allHeads());
        QVERIFY(!m_workbench->work().isSettled()); // nothing of it is kept or undone
        lessons().end();
        WAIT_FOR(m_workbench->work().isSettled());
        waitForJobs();
        QCOMPARE(m_window->view().key(), QStringLiteral("heads"));
        QCOMPARE(m_window->choices().now().heads, (std::vector<std::int64_t>{1, 2}));
        QCOMPARE(m_window->choices().now().stage, Stage::ProjectedSegment);
        QCOMPARE(action("actionShowInspector")->isChecked(), side);
        const QJsonObject after = m_workbench->work().gather();
        for (const char* part : {"choice", "selection", "window"})
            QCOMPARE(after.value(QLatin1StringView(part)), before.value(QLatin1StringView(part)));
    }

    void picturesAndViewsTakeTurns()
    {
        openAndSettle(m_cache);
        beginLesson("shared-keys");
        if (QTest::currentTestFailed())
            return;
        lessons().showStep(place("wiring")); // wiring
        QVERIFY(!lessons().isLive());
        QVERIFY(lessons().page().isVisible());
        click("lessonLive");
        QVERIFY(lessons().isLive() && !lessons().page().isVisible());
        click("lessonPicture");
        QVERIFY(!lessons().isLive() && lessons().page().isVisible());
        // Going to a view by its key uncovers it.
        action("actionView_heads")->trigger();
        QVERIFY(lessons().isLive());
        QCOMPARE(m_window->view().key(), QStringLiteral("heads"));
        // A step without a view has no switch.
        lessons().showStep(place("counts"));
        QVERIFY(!find<QToolButton>("lessonLive")->isVisible());
    }

    void goesOnWhereItWasLeft()
    {
        beginLesson("shared-keys");
        if (QTest::currentTestFailed())
            return;
        const int left = place("hull");
        lessons().showStep(left);
        key(Qt::Key_Escape);
        QVERIFY(lessons().lesson() == nullptr);
        action("actionLessons")->trigger();
        auto* goOn = find<QPushButton>("lessonGoOn_1");
        QVERIFY(goOn != nullptr && goOn->isVisible());
        QCOMPARE(goOn->text(), QStringLiteral("Continue at step %1").arg(left + 1));
        QCOMPARE(find<QPushButton>("lessonBegin_1")->text(), QStringLiteral("Start over"));
        QVERIFY(find<QPushButton>("lessonGoOn_0") == nullptr);
        goOn->click();
        QCOMPARE(lessons().step(), left);
        lessons().showStep(place("probe"));
        click("lessonNext"); // to its end
        action("actionLessons")->trigger();
        QVERIFY(find<QPushButton>("lessonGoOn_1") == nullptr);
        QCOMPARE(find<QPushButton>("lessonBegin_1")->text(), QStringLiteral("Start"));
    }

    /// The window closes in the middle: what belongs to it is as it was before, and the lesson goes on where it was.
    void closingInTheMiddleLosesNothing()
    {
        openAndSettle(m_cache);
        QVERIFY(action("actionShowInspector")->isChecked());
        beginLesson("shared-keys");
        if (QTest::currentTestFailed())
            return;
        const int kept = place("mixing");
        lessons().showStep(kept);
        QVERIFY(!action("actionShowInspector")->isChecked());
        m_window->close();
        QVERIFY(action("actionShowInspector")->isChecked());
        QVERIFY(lessons().lesson() == nullptr);
        QCOMPARE(m_settings->list(ui::SettingKey::LessonSteps),
                 QStringList(QStringLiteral("shared-keys\t%1").arg(kept)));
    }

    void theLastStepIsNotPagedAway()
    {
        beginLesson("shared-keys");
        if (QTest::currentTestFailed())
            return;
        lessons().showStep(place("saved"));
        find<QSlider>("lesson_context")->setValue(0);
        lessons().showStep(place("probe"));
        key(Qt::Key_PageDown);
        QVERIFY(lessons().lesson() != nullptr);
        // Another class begins with what the lesson's author chose.
        key(Qt::Key_Escape);
        beginLesson("shared-keys");
        lessons().showStep(place("saved"));
        QVERIFY(find<QSlider>("lesson_context")->value() != 0);
    }

    void theWelcomePageComesBack()
    {
        openAndSettle(m_cache);
        m_window->setWelcomeShown(true);
        beginLesson("shared-keys");
        if (QTest::currentTestFailed())
            return;
        lessons().showStep(place("wiring"));
        lessons().setLive(true);
        QVERIFY(!m_window->welcomeShown());
        lessons().end();
        WAIT_FOR(m_workbench->work().isSettled());
        QVERIFY(m_window->welcomeShown());
        waitForJobs();
    }

    void brokenFilesOfTheUserAreTold()
    {
        const QString own = m_folder.filePath(QStringLiteral("lessons"));
        QVERIFY(QDir().mkpath(own));
        std::ofstream(own.toStdString() + "/broken.en.json") << "{\"format\": \"headscope-lesson\", \"version\": 1}";
        std::ofstream(own.toStdString() + "/no.json") << "\x01\x02";
        std::ifstream good(test::source("resources/lessons/shared-keys.en.json"));
        std::string text((std::istreambuf_iterator<char>(good)), {});
        text.replace(text.find("Grouped-query"), 13, "My own grouped-query");
        std::ofstream(own.toStdString() + "/mine.en.json") << text;
        LessonFolders folders = lessonFolders();
        folders.own = own.toStdString();
        lessons().setFolders(folders);
        QSignalSpy shown(&lessons(), &LessonController::listShown);
        action("actionLessons")->trigger();
        WAIT_COMPARE(shown.count(), 1);
        const QString faults = textOf("lessonFaults");
        QVERIFY2(faults.contains(QStringLiteral("broken.en.json: id: this text is missing")), qPrintable(faults));
        QVERIFY2(faults.contains(QStringLiteral("no.json")), qPrintable(faults));
        int begins = 0;
        for (auto* button : m_window->findChildren<QPushButton*>())
            begins += button->objectName().startsWith(QStringLiteral("lessonBegin_")) && button->isVisible() ? 1 : 0;
        QCOMPARE(begins, 4);
        click("lessonListClose");
        QVERIFY(m_window->welcome().isVisible());
    }

    /// Another cache, or none at all, in the middle of a lesson: it goes on.
    void anotherCacheOpensMeanwhile()
    {
        beginLesson("shared-keys");
        if (QTest::currentTestFailed())
            return;
        lessons().showStep(place("wiring"));
        openAndSettle(m_cache);
        QVERIFY(lessons().lesson() != nullptr);
        QCOMPARE(lessons().step(), place("wiring"));
        QVERIFY(lessons().page().isVisible());
        const auto wiring = std::get<viz::HeadWiring>(lessons().page().canvas()->picture().content);
        QCOMPARE(wiring.model.heads, m_window->overview()->model.heads);
        lessons().end();
        QVERIFY(!m_window->welcomeShown());
        QVERIFY(m_workbench->work().isSettled());
    }

    /// The engine cannot be had: the step says so, and the next one is there.
    void theEngineDiesInTheMiddle()
    {
        writeSample();
        m_settings->setList(ui::SettingKey::KnownModels,
                            {QStringLiteral("%1\t%2").arg(QStringLiteral("sample"), m_folder.path())});
        openAndSettle(m_cache);
        const auto& model = m_window->overview()->model;
        m_settings->setList(ui::SettingKey::KnownModels,
                            {QString::fromStdString(model.name) + u'\t' + m_folder.path()});
        beginLesson("shared-keys");
        if (QTest::currentTestFailed())
            return;
        lessons().showStep(place("lost"));
        auto* measure = find<QPushButton>("lesson_measure");
        QVERIFY2(measure != nullptr && measure->isVisible(), "no button to measure");
        measure->click();
        WAIT_FOR(!textOf("lessonProblem").isEmpty());
        QVERIFY(find<QLabel>("lessonProblem")->isVisible());
        QVERIFY(lessons().lesson() != nullptr);
        lessons().next();
        QCOMPARE(lessons().step(), place("probe"));
        waitForPicture();
        QVERIFY2(!find<QLabel>("lessonProblem")->isVisible(), qPrintable(textOf("lessonProblem")));
        waitForJobs();
    }
};

HEADSCOPE_WINDOW_TEST(TestDesktopLesson)
#include "tst_desktop_lesson.moc"
