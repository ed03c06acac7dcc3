// SPDX-License-Identifier: GPL-3.0-or-later
// What the steps of lessons ask, compute and answer.
#include "app/desktop/work/work_session.h"
#include "tests/app/desktop/lesson/lesson_fixture.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "ui/lesson/lesson_presenter.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSlider>

#include <algorithm>

using namespace headscope;
using namespace headscope::desktop;

class TestDesktopLessonAnswers : public QObject, private test::LessonFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { initLessons(); }

    void init() { makeWindow({}); }

    void cleanup() { dropWindow(); }

    /// The numbers in the answers are those that the steps compute on the demo cache.
    void answersHaveTheNumbersOfTheDemo()
    {
        openAndSettle(QString::fromStdString(test::source("resources/demo/demo-cache.h5").string()));
        beginLesson("specialise");
        if (QTest::currentTestFailed())
            return;
        showStep("probe");
        QCOMPARE(shownRows().size(), std::size_t{3});
        for (const std::size_t stage : {0U, 1U})
            QVERIFY(answerHas(viz::shareText(shownRows()[stage].value, 3)) &&
                    answerHas(viz::shareText(shownRows()[stage].ci95.low, 3)));
        showStep("partition");
        QCOMPARE(shownRows()[3].name, QStringLiteral("Random partition"));
        QVERIFY(answerHas(viz::shareText(shownRows()[3].value, 3)) &&
                answerHas(viz::shareText(shownRows()[0].value, 3)));
        QVERIFY(shownRows()[3].value > shownRows()[0].value); // "Above the heads"
        showStep("means");
        QVERIFY(answerHas(viz::shareText(shownRows()[1].value, 3)) &&
                answerHas(viz::shareText(shownRows()[2].value, 3)));
        showStep("inside");
        const auto errors = std::get<viz::ErrorShare>(lessons().page().canvas()->picture().content);
        QVERIFY(answerHas(QStringLiteral("%1 of %2 errors").arg(errors.groups.within).arg(errors.groups.errors)));
        QVERIFY(answerHas(viz::shareText(errors.groups.chance)) && answerHas(QString::number(errors.groups.p, 'g', 2)));
        QVERIFY(answerHas(QStringLiteral("%1 groupings").arg(errors.groups.groupings)));
        showStep("topics");
        int clear = 0;
        for (const viz::ShareRow& row : shownRows())
        {
            clear += row.strong ? 1 : 0;
            QVERIFY(!row.strong ||
                    answerHas(QStringLiteral("head %1 (%2)").arg(row.name.mid(5), viz::shareText(row.value))));
        }
        QCOMPARE(clear, 2); // "Two"
        QStringList others;
        for (const viz::ShareRow& row : shownRows())
            if (!row.strong)
                others << row.more.section(u' ', -1);
        QVERIFY(answerHas(QStringLiteral("at least ") + *std::ranges::min_element(others)));
        showStep("claim-3");
        QVERIFY(answerHas(QStringLiteral("%1 of %2 errors").arg(errors.groups.within).arg(errors.groups.errors)));
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
        showStep("probe");
        const auto stages = shownRows();
        QVERIFY(answerHas(viz::shareText(stages[0].value, 3)) && answerHas(viz::shareText(stages[1].value, 3)) &&
                stages[1].value < stages[0].value);
        showStep("partition");
        const auto parts = shownRows();
        QCOMPARE(parts[3].name, QStringLiteral("Random partition"));
        QVERIFY(answerHas(viz::shareText(parts[3].value, 3)) && answerHas(viz::shareText(parts[0].value, 3)) &&
                parts[3].value > *parts[3].chance);
        showStep("means");
        const auto means = shownRows();
        QVERIFY(answerHas(viz::shareText(means[0].value, 3)) && answerHas(viz::shareText(means[1].value, 3)) &&
                answerHas(viz::shareText(means[2].value, 3)));
        showStep("topics");
        const auto topics = shownRows();
        QCOMPARE(std::ranges::count_if(topics, &viz::ShareRow::strong), 12); // "All 12"
        const auto [least, most] = std::ranges::minmax(topics, {}, &viz::ShareRow::value);
        QVERIFY(answerHas(viz::shareText(least.value, 2)) && answerHas(least.name));
        QVERIFY(answerHas(viz::shareText(most.value, 2)) && answerHas(most.name));
        lessons().end();
        WAIT_FOR(m_workbench->work().isSettled());
        waitForJobs();
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

    /// The step says which numbers the slider leads to: those that hold for every instruction set, as maps differ a
    /// little between them.
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
        const QRegularExpressionMatch promised =
            QRegularExpression(QStringLiteral("from ([0-9.]+) to more than ([0-9.]+)\\. At 45 it is ([0-9.]+) "))
                .match(said);
        QVERIFY2(promised.hasMatch(), qPrintable(said));
        QCOMPARE(numbers[0], promised.captured(1));
        QVERIFY2(numbers[1].toDouble() > promised.captured(2).toDouble(), qPrintable(numbers[1]));
        QCOMPARE(numbers[2], promised.captured(3));
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
        showStep("probe");
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
};

HEADSCOPE_WINDOW_TEST(TestDesktopLessonAnswers)
#include "tst_desktop_lesson_answers.moc"
