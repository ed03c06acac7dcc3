// SPDX-License-Identifier: GPL-3.0-or-later
// Lessons as they are seen: before a class, on paper, and in small windows.
#include "app/desktop/work/work_session.h"
#include "tests/app/desktop/lesson/lesson_fixture.h"
#include "tests/support/file_bytes.h"
#include "tests/support/process.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "ui/lesson/lesson_presenter.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>

using namespace headscope;
using namespace headscope::desktop;

class TestDesktopLessonPages : public QObject, private test::LessonFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { initLessons(); }

    void init() { makeWindow({}); }

    void cleanup() { dropWindow(); }

    /// Before a class nothing is cut, in text and drawing, and nothing is too small.
    void presentedTextsFit_data() { addLessons(); }
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

    void aSmallWindowKeepsItsSize_data() { addLessons(); }
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
        showStep("scores");
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
            showStep(id);
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

    void presentationsToLookAt_data() { addLessons(); }
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

HEADSCOPE_WINDOW_TEST(TestDesktopLessonPages)
#include "tst_desktop_lesson_pages.moc"
