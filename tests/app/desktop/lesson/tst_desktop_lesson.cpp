// SPDX-License-Identifier: GPL-3.0-or-later
// Guided lessons in the program's window.
#include "app/desktop/lesson/lesson_controller.h"
#include "app/desktop/work/work_session.h"
#include "tests/app/desktop/desktop_fixture.h"
#include "tests/support/file_bytes.h"
#include "tests/support/process.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/waiting.h"
#include "ui/lesson/lesson_column.h"
#include "ui/lesson/lesson_list.h"
#include "ui/lesson/lesson_picture_page.h"
#include "ui/lesson/lesson_presenter.h"
#include "ui/window/notice_bar.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QStandardPaths>
#include <QToolButton>

#include <algorithm>
#include <fstream>

using namespace headscope;
using namespace headscope::desktop;

class TestDesktopLesson : public QObject, private test::DesktopFixture
{
    Q_OBJECT

private:
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

private Q_SLOTS:
    void initTestCase()
    {
        test::prepareApplication(*qApp);
        QStandardPaths::setTestModeEnabled(true);
        writeSample();
    }

    void init() { makeWindow({}); }

    void cleanup() { dropWindow(); }

    void walksWithoutACache_data()
    {
        QTest::addColumn<QString>("lesson");
        QTest::newRow("keys") << QStringLiteral("shared-keys");
        QTest::newRow("maps") << QStringLiteral("reading-tsne");
        QTest::newRow("roles") << QStringLiteral("specialise");
    }
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

    void walksWithACache_data() { walksWithoutACache_data(); }
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
    void scenesAreThere_data() { walksWithoutACache_data(); }
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
    void walksOnTheDemo_data() { walksWithoutACache_data(); }
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

    /// The numbers in the answers are those that the steps compute on the demo cache.
    void answersHaveTheNumbersOfTheDemo()
    {
        openAndSettle(QString::fromStdString(test::source("resources/demo/demo-cache.h5").string()));
        beginLesson("specialise");
        if (QTest::currentTestFailed())
            return;
        const auto show = [this](const char* id) {
            lessons().showStep(place(id));
            waitForPicture();
        };
        const auto rows = [this] {
            return std::get<viz::ShareRows>(lessons().page().canvas()->picture().content).rows;
        };
        const auto says = [this](const QString& number) {
            const bool found = textOf("lessonAnswer").contains(number);
            if (!found)
                qWarning("%s is not in: %s", qPrintable(number), qPrintable(textOf("lessonAnswer")));
            return found;
        };
        show("probe");
        QCOMPARE(rows().size(), std::size_t{3});
        for (const std::size_t stage : {0U, 1U})
            QVERIFY(says(viz::shareText(rows()[stage].value, 3)) && says(viz::shareText(rows()[stage].ci95.low, 3)));
        show("partition");
        QCOMPARE(rows()[3].name, QStringLiteral("Random partition"));
        QVERIFY(says(viz::shareText(rows()[3].value, 3)) && says(viz::shareText(rows()[0].value, 3)));
        QVERIFY(rows()[3].value > rows()[0].value); // "Above the heads"
        show("means");
        QVERIFY(says(viz::shareText(rows()[1].value, 3)) && says(viz::shareText(rows()[2].value, 3)));
        show("inside");
        const auto errors = std::get<viz::ErrorShare>(lessons().page().canvas()->picture().content);
        QVERIFY(says(QStringLiteral("%1 of %2 errors").arg(errors.groups.within).arg(errors.groups.errors)));
        QVERIFY(says(viz::shareText(errors.groups.chance)) && says(QString::number(errors.groups.p, 'g', 2)));
        QVERIFY(says(QStringLiteral("%1 groupings").arg(errors.groups.groupings)));
        show("topics");
        int clear = 0;
        for (const viz::ShareRow& row : rows())
        {
            clear += row.strong ? 1 : 0;
            QVERIFY(!row.strong ||
                    says(QStringLiteral("head %1 (%2)").arg(row.name.mid(5), viz::shareText(row.value))));
        }
        QCOMPARE(clear, 2); // "Two"
        QStringList others;
        for (const viz::ShareRow& row : rows())
            if (!row.strong)
                others << row.more.section(u' ', -1);
        QVERIFY(says(QStringLiteral("at least ") + *std::ranges::min_element(others)));
        show("claim-3");
        QVERIFY(says(QStringLiteral("%1 of %2 errors").arg(errors.groups.within).arg(errors.groups.errors)));
        lessons().end();
        WAIT_FOR(m_workbench->work().isSettled());
        waitForJobs();
    }

    /// What the steps say of the other demo, whose heads have keys and values of their own, is what they compute there.
    void answersHaveTheNumbersOfTheEncoder()
    {
        openAndSettle(QString::fromStdString(test::source("resources/demo/demo-minilm.h5").string()));
        beginLesson("specialise");
        if (QTest::currentTestFailed())
            return;
        const auto show = [this](const char* id) {
            lessons().showStep(place(id));
            waitForPicture();
            return std::get<viz::ShareRows>(lessons().page().canvas()->picture().content).rows;
        };
        const auto says = [this](double value, int digits) {
            return textOf("lessonAnswer").contains(viz::shareText(value, digits));
        };
        const auto stages = show("probe");
        QVERIFY(says(stages[0].value, 3) && says(stages[1].value, 3) && stages[1].value < stages[0].value);
        const auto parts = show("partition");
        QCOMPARE(parts[3].name, QStringLiteral("Random partition"));
        QVERIFY(says(parts[3].value, 3) && says(parts[0].value, 3) && parts[3].value > *parts[3].chance);
        const auto means = show("means");
        QVERIFY(says(means[0].value, 3) && says(means[1].value, 3) && says(means[2].value, 3));
        const auto topics = show("topics");
        QCOMPARE(std::ranges::count_if(topics, &viz::ShareRow::strong), 12); // "All 12"
        const auto [least, most] = std::ranges::minmax(topics, {}, &viz::ShareRow::value);
        QVERIFY(says(least.value, 2) && textOf("lessonAnswer").contains(least.name.toLower()));
        QVERIFY(says(most.value, 2) && textOf("lessonAnswer").contains(most.name.toLower()));
        lessons().end();
        WAIT_FOR(m_workbench->work().isSettled());
        waitForJobs();
    }

    /// Before a class nothing is cut, in text and drawing, and nothing is too small.
    void presentedTextsFit_data() { walksWithoutACache_data(); }
    void presentedTextsFit()
    {
        QFETCH(const QString, lesson);
        openAndSettle(QString::fromStdString(test::source("resources/demo/demo-cache.h5").string()));
        beginLesson(qPrintable(lesson));
        if (QTest::currentTestFailed())
            return;
        action("actionLessonPresent")->trigger();
        QPointer<ui::LessonPresenter> presenter = lessons().presenter();
        QVERIFY(presenter != nullptr);
        for (int step = 0; step < std::ssize(lessons().lesson()->steps); ++step)
        {
            lessons().showStep(step);
            waitForPicture();
            for (const QSize size : {QSize(1280, 720), QSize(1440, 900), QSize(1920, 1080)})
            {
                presenter->showNormal();
                presenter->resize(size);
                QVERIFY2(presenter->textsFit(), qPrintable(textOf("lessonTitle")));
                QVERIFY2(presenter->pictureFits(), qPrintable(textOf("lessonTitle")));
                // The last row reads all of it, and a full picture makes no text smaller.
                constexpr double kLeastPx = 14;
                QVERIFY2(presenter->pictureStyle().textPx * viz::kSmallTimes >= kLeastPx - 0.5 &&
                             presenter->pictureStyle().captionPx * viz::kSmallTimes >= kLeastPx - 0.5,
                         qPrintable(textOf("lessonTitle")));
                QVERIFY(presenter->footPx() >= kLeastPx);
                QVERIFY2(presenter->textPx() >= size.height() / 50.0,
                         qPrintable(textOf("lessonTitle") + QString::number(presenter->textPx())));
            }
        }
        QTest::keyClick(presenter, Qt::Key_Escape);
        WAIT_FOR(presenter == nullptr);
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

    void answersAreHiddenUntilAskedFor()
    {
        beginLesson("shared-keys");
        if (QTest::currentTestFailed())
            return;
        QVERIFY(!find<QLabel>("lessonAnswer")->isVisible());
        click("lessonReveal");
        QVERIFY(find<QLabel>("lessonAnswer")->isVisible());
        QVERIFY(!textOf("lessonAnswer").isEmpty());
        click("lessonNext");
        QCOMPARE(lessons().step(), 1);
        QVERIFY(!find<QLabel>("lessonAnswer")->isVisible());
        click("lessonBack");
        QCOMPARE(lessons().step(), 0);
        QVERIFY(!find<QPushButton>("lessonBack")->isEnabled());
        lessons().showStep(place("probe"));
        click("lessonNext"); // "End the lesson"
        QVERIFY(lessons().lesson() == nullptr);
    }

    /// The first guess counts, the answer comes with it, and the score is kept.
    void guessesAreScored()
    {
        beginLesson("specialise");
        if (QTest::currentTestFailed())
            return;
        QVERIFY(find<QLabel>("lessonOutcome")->isHidden());
        const LessonStep& first = lessons().lesson()->steps.front();
        click(qPrintable(QStringLiteral("lessonOption_%1").arg(first.right + 1)));
        QVERIFY(lessons().column().answerShown());
        QCOMPARE(textOf("lessonOutcome"), QStringLiteral("Correct. Score: 1 of 1 correct."));
        QVERIFY(!find<QPushButton>("lessonOption_1")->isEnabled());
        lessons().showStep(1);
        const LessonStep& second = lessons().lesson()->steps[1];
        click(qPrintable(QStringLiteral("lessonOption_%1").arg(second.right == 0 ? 2 : 1)));
        QVERIFY2(textOf("lessonOutcome").startsWith(QStringLiteral("Not correct. Answer: ")),
                 qPrintable(textOf("lessonOutcome")));
        QVERIFY(textOf("lessonOutcome").endsWith(QStringLiteral("Score: 1 of 2 correct.")));
        lessons().showStep(0);
        QVERIFY(textOf("lessonOutcome").endsWith(QStringLiteral("Score: 1 of 2 correct.")));
        // Who reads the answer first may guess, but it does not count, not when he comes back either.
        lessons().showStep(2);
        click("lessonReveal");
        lessons().showStep(1);
        lessons().showStep(2);
        const LessonStep& third = lessons().lesson()->steps[2];
        click(qPrintable(QStringLiteral("lessonOption_%1").arg(third.right + 1)));
        QCOMPARE(textOf("lessonOutcome"), QStringLiteral("Correct. Not scored, because the answer had been shown."));
        lessons().showStep(0);
        QVERIFY(textOf("lessonOutcome").endsWith(QStringLiteral("Score: 1 of 2 correct.")));
        lessons().end();
        beginLesson("specialise");
        QVERIFY(find<QLabel>("lessonOutcome")->isHidden()); // another class
    }

    /// KV heads merge from MHA at the left to MQA at the right.
    void theSliderSharesKvHeads()
    {
        beginLesson("shared-keys");
        if (QTest::currentTestFailed())
            return;
        lessons().showStep(place("wiring"));
        const auto wiring = [this] { return std::get<viz::HeadWiring>(lessons().page().canvas()->picture().content); };
        const ModelInfo model = wiring().model;
        auto* sharing = find<QSlider>("lesson_sharing");
        QVERIFY(sharing != nullptr && sharing->maximum() > 0);
        sharing->setValue(0);
        QCOMPARE(wiring().model.kvHeads, model.heads);
        sharing->setValue(sharing->maximum());
        QCOMPARE(wiring().model.kvHeads, std::int64_t{1});
        QCOMPARE(wiring().model.heads, model.heads);
        const bool moves = lessons().page().canvas()->animates();
        QCOMPARE(wiring().fromKvHeads, moves ? model.heads : std::int64_t{0});
        if (moves)
            WAIT_FOR(wiring().share == 1);
    }

    void controlsChangeThePicture()
    {
        beginLesson("shared-keys");
        if (QTest::currentTestFailed())
            return;
        lessons().showStep(place("saved")); // bytes
        const auto bytes = [this] { return std::get<viz::CacheBytes>(lessons().page().canvas()->picture().content); };
        const std::int64_t tokens = bytes().tokens;
        auto* context = find<QSlider>("lesson_context");
        QVERIFY(context != nullptr && context->isVisible());
        context->setFocus();
        key(Qt::Key_Right); // of the slider, not of the lesson
        QCOMPARE(lessons().step(), place("saved"));
        QCOMPARE(bytes().tokens, 2 * tokens);
        auto* shape = find<QComboBox>("lesson_shape");
        shape->setCurrentIndex(shape->findText(QStringLiteral("Llama-3-8B")));
        QCOMPARE(bytes().shape.kvHeads, std::int64_t{8});
        // What was chosen stays with its step.
        lessons().showStep(place("mixing"));
        lessons().showStep(place("saved"));
        QCOMPARE(bytes().tokens, 2 * tokens);
        QCOMPARE(bytes().shape.kvHeads, std::int64_t{8});
        // A closed box leaves the keys of the pages to the lesson.
        shape = find<QComboBox>("lesson_shape");
        shape->setFocus();
        const int chosen = shape->currentIndex();
        key(Qt::Key_PageUp);
        QCOMPARE(lessons().step(), place("mixing"));
        lessons().showStep(place("saved"));
        QCOMPARE(find<QComboBox>("lesson_shape")->currentIndex(), chosen);
    }

    void fewerPairsLieToTheLeft()
    {
        beginLesson("shared-keys");
        if (QTest::currentTestFailed())
            return;
        lessons().showStep(place("lost"));
        auto* pairs = find<QSlider>("lesson_pairs");
        QVERIFY(pairs != nullptr && pairs->maximum() > 0);
        const auto lit = [this] { return std::get<viz::RegroupPicture>(lessons().page().canvas()->picture().content); };
        QCOMPARE(pairs->value(), pairs->maximum());
        QCOMPARE(lit().lit, lit().result.model.kvHeads); // as it is
        pairs->setValue(0);
        QCOMPARE(lit().lit, std::int64_t{1});
        lessons().showStep(place("saved"));
        auto* tried = find<QSlider>("lesson_pairs");
        tried->setValue(0);
        QCOMPARE(std::get<viz::CacheBytes>(lessons().page().canvas()->picture().content).groups, std::int64_t{1});
    }

    /// What the step says is on the two maps that it begins with.
    void twoSeedsPutOthersBesideTheFirst()
    {
        beginLesson("reading-tsne");
        if (QTest::currentTestFailed())
            return;
        lessons().showStep(4);
        waitForPicture();
        const auto maps = std::get<viz::CloudMaps>(lessons().page().canvas()->picture().content);
        QCOMPARE(maps.panels.size(), std::size_t{2});
        const auto nearest = [&](std::size_t panel) { return maps.panels[panel].words.section(u'.', 0, 0); };
        QVERIFY2(nearest(0) != nearest(1), qPrintable(nearest(0)));
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

    /// A step without a picture of its own shows its view before a class.
    void viewsArePresented()
    {
        openAndSettle(QString::fromStdString(test::source("resources/demo/demo-cache.h5").string()));
        beginLesson("reading-tsne");
        if (QTest::currentTestFailed())
            return;
        QVERIFY(lessons().isLive());
        QVERIFY(!find<QToolButton>("lessonPicture")->isVisible()); // there is none
        action("actionLessonPresent")->trigger();
        const QPointer<ui::LessonPresenter> presenter = lessons().presenter();
        QVERIFY(presenter != nullptr);
        // Its figure fills the room, which ends where the foot begins.
        const auto room = [&presenter] { return presenter->viewRoom().size() * presenter->devicePixelRatioF(); };
        WAIT_FOR(presenter->shownView().size() == QSize(qRound(room().width()), qRound(room().height())));
        QVERIFY(presenter->viewRoom().bottom() > 0.85 * presenter->height());
        QCOMPARE(presenter->viewStyle().textPx, presenter->textPx());
        QTest::keyClick(presenter, Qt::Key_PageDown);
        QVERIFY(presenter->shownView().isNull());
        waitForPicture();
        QTest::keyClick(presenter, Qt::Key_Escape);
        WAIT_FOR(presenter == nullptr);
        waitForJobs();
    }

    /// The text speaks of colours that are still being measured: the step says so, until they are there.
    void whatIsMeasuredIsSaid()
    {
        openAndSettle(QString::fromStdString(test::source("resources/demo/demo-cache.h5").string()));
        beginLesson("reading-tsne");
        if (QTest::currentTestFailed())
            return;
        QVERIFY(find<QLabel>("lessonWaiting")->isHidden());
        action("actionLessonPresent")->trigger();
        const QPointer<ui::LessonPresenter> presenter = lessons().presenter();
        lessons().showStep(place("trust"));
        WAIT_FOR(find<QLabel>("lessonWaiting")->isVisible());
        QCOMPARE(presenter->waiting(), textOf("lessonWaiting"));
        WAIT_FOR(find<QLabel>("lessonWaiting")->isHidden() && presenter->waiting().isEmpty());
        QTest::keyClick(presenter, Qt::Key_Escape);
        WAIT_FOR(presenter == nullptr);
        waitForJobs();
    }

    /// A click on a head is the drawing's; one beside it turns no page, and one on the text does.
    void presentedHeadsAreClicked()
    {
        beginLesson("shared-keys");
        if (QTest::currentTestFailed())
            return;
        lessons().showStep(place("wiring"));
        action("actionLessonPresent")->trigger();
        const QPointer<ui::LessonPresenter> presenter = lessons().presenter();
        presenter->showNormal();
        presenter->resize(1280, 720);
        WAIT_FOR(presenter->isVisible());
        const auto& picture = lessons().page().canvas()->picture();
        const auto wiring = [&picture] { return std::get<viz::HeadWiring>(picture.content); };
        QVERIFY(!wiring().group);
        const QRectF room = presenter->pictureRoom();
        const QRectF box = viz::lessonDrawingBox(picture, room, presenter->pictureStyle());
        std::optional<QPoint> head;
        for (int y = qRound(box.top()); y < box.bottom() && !head; y += 4)
            for (int x = qRound(box.left()); x < box.right() && !head; x += 4)
                if (viz::wiringGroupAt(wiring(), box, presenter->pictureStyle(), QPointF(x, y)) == 1)
                    head = QPoint(x, y);
        QVERIFY(head.has_value());
        QTest::mouseClick(presenter, Qt::LeftButton, {}, *head);
        QCOMPARE(lessons().step(), place("wiring"));
        QCOMPARE(wiring().group, std::optional<std::int64_t>(1));
        QTest::mouseClick(presenter, Qt::LeftButton, {}, (room.bottomLeft() + QPointF(2, -2)).toPoint());
        QCOMPARE(lessons().step(), place("wiring"));
        QTest::mouseClick(presenter, Qt::LeftButton, {}, QPoint(presenter->width() - 60, 60));
        QCOMPARE(lessons().step(), place("wiring") + 1);
        QTest::keyClick(presenter, Qt::Key_Escape);
        WAIT_FOR(presenter == nullptr);
    }

    /// The step says which numbers the slider leads to.
    void theSizesAreThoseThatTheStepPromises()
    {
        beginLesson("reading-tsne");
        if (QTest::currentTestFailed())
            return;
        lessons().showStep(place("sizes"));
        QStringList numbers;
        for (const QString& perplexity : {QStringLiteral("30"), QStringLiteral("5"), QStringLiteral("45")})
        {
            auto* slider = find<QSlider>("lesson_perplexity");
            QVERIFY(slider != nullptr);
            for (int i = 0; i <= slider->maximum() && textOf("lesson_perplexity_value") != perplexity; ++i)
                slider->setValue(i);
            waitForPicture();
            const auto maps = std::get<viz::CloudMaps>(lessons().page().canvas()->picture().content);
            numbers << maps.panels.back().words.section(u' ', 3, 3); // "Cloud 2 is 1.3 times"
        }
        const QString said = textOf("lessonTry");
        QVERIFY2(said.contains(QStringLiteral("from %1 to %2").arg(numbers[0], numbers[1])) &&
                     said.contains(QStringLiteral("At 45 it is %1").arg(numbers[2])),
                 qPrintable(numbers.join(u' ')));
    }

    /// In a small window: the heading of the list, the button that shows the answer, and the answer of a guess.
    void whatIsNeededIsInView()
    {
        openAndSettle(m_cache);
        m_window->resize(1100, 700);
        QSignalSpy shown(&lessons(), &LessonController::listShown);
        action("actionLessons")->trigger();
        WAIT_COMPARE(shown.count(), 1);
        test::settle();
        QCOMPARE(find<QScrollArea>("lessonListScroll")->verticalScrollBar()->value(), 0);
        click("lessonListClose");
        const auto isInView = [](const QWidget* widget) {
            return widget->isVisible() && widget->visibleRegion().boundingRect() == widget->rect();
        };
        beginLesson("specialise");
        if (QTest::currentTestFailed())
            return;
        for (int step = 0; step < std::ssize(lessons().lesson()->steps); ++step)
        {
            lessons().showStep(step);
            waitForPicture();
            QCoreApplication::processEvents();
            QVERIFY2(isInView(find<QPushButton>("lessonReveal")), qPrintable(textOf("lessonTitle")));
            auto* guess = find<QPushButton>("lessonOption_1");
            guess->click();
            WAIT_FOR(isInView(find<QLabel>("lessonAnswer")));
            QVERIFY(find<QPushButton>("lessonOption_1")->isChecked()); // the mark of the guess
            QVERIFY(!find<QPushButton>("lessonOption_2")->isChecked());
        }
        lessons().end();
        WAIT_FOR(m_workbench->work().isSettled());
        waitForJobs();
    }

    /// Steps that are about a view have its map on paper, too.
    void handoutsHaveTheMaps()
    {
        const QString program = QStandardPaths::findExecutable(QStringLiteral("pdftotext"));
        if (program.isEmpty())
            QSKIP("pdftotext is not installed (Debian: poppler-utils)");
        openAndSettle(QString::fromStdString(test::source("resources/demo/demo-cache.h5").string()));
        beginLesson("reading-tsne");
        if (QTest::currentTestFailed())
            return;
        const QString file = m_folder.filePath(QStringLiteral("maps.pdf"));
        QSignalSpy saved(&lessons(), &Controller::saved);
        lessons().saveHandout(file);
        WAIT_COMPARE(saved.count(), 1);
        if (const QString keep = qEnvironmentVariable("HEADSCOPE_PICTURES"); !keep.isEmpty())
            QFile::copy(file, keep + QStringLiteral("/maps.pdf"));
        const auto outcome = test::run(program.toStdString(), {file, QStringLiteral("-")});
        const QByteArrayList pages = outcome.out.split('\f');
        for (const auto& [id, words] : {std::pair("dots", "KV1"), std::pair("floor", "Neighbours changed"),
                                        std::pair("trust", "Neighbours preserved"), std::pair("saying", "KV1")})
            QVERIFY2(pages.value(place(id)).contains(words), id);
        waitForJobs();
    }

    void aSmallWindowKeepsItsSize_data() { walksWithoutACache_data(); }
    void aSmallWindowKeepsItsSize()
    {
        QFETCH(const QString, lesson);
        openAndSettle(m_cache);
        constexpr QSize kSmall(1100, 700);
        m_window->resize(kSmall);
        QCOMPARE(m_window->size(), kSmall);
        beginLesson(qPrintable(lesson));
        if (QTest::currentTestFailed())
            return;
        for (int step = 0; step < std::ssize(lessons().lesson()->steps); ++step)
        {
            lessons().showStep(step);
            for (const bool live : {false, true})
            {
                lessons().setLive(live);
                waitForPicture();
                QCoreApplication::processEvents();
                QVERIFY2(m_window->size() == kSmall, qPrintable(QStringLiteral("step %1, live %2: %3 x %4")
                                                                    .arg(step + 1)
                                                                    .arg(live)
                                                                    .arg(m_window->width())
                                                                    .arg(m_window->height())));
            }
        }
        lessons().end();
        WAIT_FOR(m_workbench->work().isSettled());
        QCOMPARE(m_window->size(), kSmall);
        waitForJobs();
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

    void outputsLieInTheHullOfTheValues()
    {
        beginLesson("shared-keys");
        if (QTest::currentTestFailed())
            return;
        lessons().showStep(place("hull"));
        auto* token = find<QSlider>("lesson_token");
        QVERIFY(token != nullptr);
        for (int place = 0; place <= token->maximum(); place += 3)
        {
            token->setValue(place);
            waitForPicture();
            const auto plane = std::get<viz::HullPlane>(lessons().page().canvas()->picture().content);
            QCOMPARE(std::ssize(plane.values), std::ptrdiff_t{place + 1});
            double size = 0;
            for (const QPointF& each : plane.values)
                size = std::max({size, std::abs(each.x()), std::abs(each.y())});
            const auto hull = viz::convexHull(plane.values);
            if (hull.size() < 3)
                continue;
            for (const QPointF& output : plane.outputs)
                QVERIFY(viz::isInHull(plane.values, hull, output, 1e-4 * size));
        }
    }

    void theProbesErrorsComeFromTheOpenCache()
    {
        openAndSettle(m_cache);
        beginLesson("shared-keys");
        if (QTest::currentTestFailed())
            return;
        lessons().showStep(place("probe"));
        waitForPicture();
        const auto& picture = lessons().page().canvas()->picture();
        const auto* errors = std::get_if<viz::ErrorShare>(&picture.content);
        QVERIFY2(errors != nullptr, qPrintable(picture.note));
        QCOMPARE(errors->model.heads, m_window->overview()->model.heads);
        std::int64_t wrong = 0;
        for (std::int64_t i = 0; i < errors->confusion.rows(); ++i)
            for (std::int64_t j = 0; j < errors->confusion.cols(); ++j)
                wrong += i == j ? 0 : errors->confusion(i, j);
        QCOMPARE(errors->groups.errors, wrong);
        waitForJobs();
    }

    void presentsOnTheWholeScreen()
    {
        beginLesson("shared-keys");
        if (QTest::currentTestFailed())
            return;
        QVERIFY(action("actionLessonPresent")->isEnabled());
        action("actionLessonPresent")->trigger();
        QPointer<ui::LessonPresenter> presenter = lessons().presenter();
        QVERIFY(presenter != nullptr);
        WAIT_FOR(presenter->isVisible());
        QTest::keyClick(presenter, Qt::Key_PageDown);
        QCOMPARE(lessons().step(), 1);
        QTest::keyClick(presenter, Qt::Key_Space);
        QVERIFY(presenter->answerShown() && lessons().column().answerShown());
        QTest::keyClick(presenter, Qt::Key_Right);
        QVERIFY(!presenter->answerShown());
        const viz::InkTheme look = presenter->look();
        QTest::keyClick(presenter, Qt::Key_D);
        QVERIFY(presenter->look() != look);
        QVERIFY(presenter->controls().isEmpty() || presenter->controls().front().name == QStringLiteral("token"));
        lessons().showStep(place("scores"));
        waitForPicture();
        QCOMPARE(presenter->controls().size(), 2); // group and token
        const auto token = [this] { return std::get<viz::GroupScores>(lessons().page().canvas()->picture().content); };
        const auto keys = token().keys.size();
        QTest::keyClick(presenter, Qt::Key_Down); // the slider comes first
        waitForPicture();
        QCOMPARE(lessons().step(), place("scores"));
        QCOMPARE(token().keys.size(), keys - 1);
        const auto heads = token().heads;
        QTest::keyClick(presenter, Qt::Key_Tab);
        QTest::keyClick(presenter, Qt::Key_Up);
        waitForPicture();
        QVERIFY(token().heads != heads);
        for (int i = 0; i < 16; ++i)
            QTest::keyClick(presenter, Qt::Key_PageDown);
        QCOMPARE(lessons().step(), place("probe")); // the last one stays
        QTest::keyClick(presenter, Qt::Key_Escape);
        WAIT_FOR(presenter == nullptr);
        QVERIFY(lessons().lesson() != nullptr);
    }

    void handoutsHaveAPageAStep()
    {
        openAndSettle(m_cache);
        beginLesson("shared-keys");
        if (QTest::currentTestFailed())
            return;
        const QString file = m_folder.filePath(QStringLiteral("handout.pdf"));
        QSignalSpy saved(&lessons(), &Controller::saved);
        // The same from every step, and whatever its view shows.
        QByteArray before;
        for (const char* id : {"why", "tokens", "scores", "probe"})
        {
            lessons().showStep(place(id));
            waitForPicture();
            if (std::string_view(id) == "scores")
                lessons().setLive(true);
            m_dialogs.nextPath = file;
            m_dialogs.nextAnswer = 1; // replaces the one before
            saved.clear();
            click("lessonHandout");
            WAIT_COMPARE(saved.count(), 1);
            const QByteArray bytes = test::bytesOf(file);
            QVERIFY2(before.isEmpty() || bytes == before, id);
            before = bytes;
        }
        lessons().showStep(0);
        QVERIFY(!before.isEmpty());
        const QString program = QStandardPaths::findExecutable(QStringLiteral("pdftotext"));
        if (program.isEmpty())
            QSKIP("pdftotext is not installed (Debian: poppler-utils)");
        const auto outcome = test::run(program.toStdString(), {file, QStringLiteral("-")});
        QCOMPARE(outcome.exitCode, 0);
        QList<QByteArray> pages = outcome.out.split('\f');
        pages.removeAll(QByteArray());
        const auto& steps = lessons().lesson()->steps;
        QVERIFY(pages.size() > std::ssize(steps));
        for (std::size_t i = 0; i < steps.size(); ++i)
            QVERIFY2(pages[static_cast<qsizetype>(i)].contains(QByteArray::number(static_cast<int>(i + 1))),
                     steps[i].id.c_str());
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

    void picturesToLookAt()
    {
        if (qEnvironmentVariableIsEmpty("HEADSCOPE_PICTURES"))
            QSKIP("for people: HEADSCOPE_PICTURES names a folder");
        for (const char* id : {"shared-keys", "reading-tsne", "specialise"})
            for (const QSize size : {QSize(1100, 700), QSize(1440, 900)})
            {
                m_window->resize(size);
                openAndSettle(QString::fromStdString(test::source("resources/demo/demo-cache.h5").string()));
                beginLesson(id);
                const auto steps = static_cast<int>(lessons().lesson()->steps.size());
                for (int step = 0; step < steps; ++step)
                {
                    lessons().showStep(step);
                    waitForPicture();
                    test::savePictures(
                        *m_window,
                        QStringLiteral("%1-%2-%3").arg(QLatin1StringView(id)).arg(size.width()).arg(step + 1));
                }
                lessons().end();
            }
    }

    void presentationsToLookAt_data() { walksWithoutACache_data(); }
    void presentationsToLookAt()
    {
        if (qEnvironmentVariableIsEmpty("HEADSCOPE_PICTURES"))
            QSKIP("for people: HEADSCOPE_PICTURES names a folder");
        QFETCH(const QString, lesson);
        m_window->resize(1280, 720);
        openAndSettle(QString::fromStdString(test::source("resources/demo/demo-cache.h5").string()));
        beginLesson(qPrintable(lesson));
        action("actionLessonPresent")->trigger();
        const QPointer<ui::LessonPresenter> presenter = lessons().presenter();
        presenter->showNormal();
        presenter->resize(1280, 720);
        for (int step = 0; step < std::ssize(lessons().lesson()->steps); ++step)
        {
            lessons().showStep(step);
            waitForPicture();
            waitForJobs();
            WAIT_FOR(presenter->waiting().isEmpty());
            test::passMs(600); // the view is painted as it is now
            waitForJobs();
            presenter->grab().save(QStringLiteral("%1/present-%2-%3.png")
                                       .arg(qEnvironmentVariable("HEADSCOPE_PICTURES"), lesson)
                                       .arg(step + 1));
        }
    }
};

HEADSCOPE_WINDOW_TEST(TestDesktopLesson)
#include "tst_desktop_lesson.moc"
