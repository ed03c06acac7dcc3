// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/notice_bar.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"
#include "tests/support/waiting.h"
#include "ui/models/job_list_model.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using headscope::ui::JobRecord;
using headscope::ui::JobState;
using headscope::ui::NoticeBar;

class TestNoticeBar : public QObject
{
    Q_OBJECT

private:
    static QPushButton* button(NoticeBar& bar, const char* name)
    {
        return bar.findChild<QPushButton*>(QLatin1StringView(name));
    }
    static QString text(NoticeBar& bar, const char* name)
    {
        return bar.findChild<QLabel*>(QLatin1StringView(name))->text();
    }

private Q_SLOTS:
    static JobRecord ended(const QString& title, JobState state, const QString& error = {})
    {
        JobRecord job;
        job.title = title;
        job.state = state;
        job.error = error;
        return job;
    }

    void theNewestIsInFrontAndAllAreReached()
    {
        NoticeBar bar;
        bar.resize(800, 60);
        QVERIFY(bar.isHidden());
        bar.add(QStringLiteral("File not found"), QStringLiteral("a.csv: no such file"));
        bar.add(QStringLiteral("File could not be read"), QStringLiteral("b.csv: line 2"));
        bar.add(QStringLiteral("File could not be read"), QStringLiteral("c.csv: line 3"),
                QStringLiteral("Reading c.csv"));
        QVERIFY(headscope::test::exposed(&bar));
        QCOMPARE(text(bar, "noticeSentence"), QStringLiteral("c.csv: line 3"));
        QVERIFY(text(bar, "noticePlace").contains(QStringLiteral("Reading c.csv")));
        QVERIFY(text(bar, "noticePlace").contains(u':')); // the time
        QVERIFY(bar.accessibleDescription().contains(QStringLiteral("c.csv")));
        // Said again it comes to the front, once.
        bar.add(QStringLiteral("File not found"), QStringLiteral("a.csv: no such file"));
        QCOMPARE(bar.sentences(), (QStringList{QStringLiteral("a.csv: no such file"), QStringLiteral("c.csv: line 3"),
                                               QStringLiteral("b.csv: line 2")}));
        // The list, by keyboard.
        QPushButton* all = button(bar, "noticeAll");
        QVERIFY(all->text().contains(u'3'));
        all->setFocus();
        QTest::keyClick(all, Qt::Key_Space);
        const auto rows = bar.findChildren<QPushButton*>(QStringLiteral("noticeCloseRow"));
        QCOMPARE(rows.size(), 2);
        for (const QPushButton* row : rows)
        {
            QVERIFY(row->isVisible());
            QVERIFY((row->focusPolicy() & Qt::TabFocus) != 0);
        }
        rows.at(0)->setFocus();
        QTest::keyClick(rows.at(0), Qt::Key_Space);
        WAIT_COMPARE(bar.sentences(),
                     (QStringList{QStringLiteral("a.csv: no such file"), QStringLiteral("b.csv: line 2")}));
        QVERIFY(bar.isAncestorOf(QApplication::focusWidget())); // the keyboard stays
        QTest::keyClick(all, Qt::Key_Escape);                   // shuts the list
        QCOMPARE(bar.count(), 2u);
        QTest::keyClick(all, Qt::Key_Escape);
        QCOMPARE(bar.sentence(), QStringLiteral("b.csv: line 2"));
        QVERIFY(!all->isVisible());
        QTest::mouseClick(button(bar, "noticeClose"), Qt::LeftButton);
        QVERIFY(bar.isHidden());
        QCOMPARE(bar.sentence(), QString());
        // What was closed may come again.
        bar.add(QStringLiteral("File not found"), QStringLiteral("a.csv: no such file"));
        QVERIFY(bar.isVisible());
    }

    void aFailureGoesWhenItsJobSucceeds()
    {
        NoticeBar bar;
        const QString saving = QStringLiteral("Saving map.pdf");
        // The sentence comes while the job still stands, its name with its end.
        bar.add(QStringLiteral("Not written"), QStringLiteral("map.pdf: no permission"));
        bar.takeEnd(ended(saving, JobState::Failed, QStringLiteral("map.pdf: no permission")));
        QVERIFY(text(bar, "noticePlace").contains(saving));
        bar.add(QStringLiteral("File could not be read"), QStringLiteral("b.csv: line 2"));
        bar.takeEnd(ended(QStringLiteral("Saving other.pdf"), JobState::Done));
        bar.takeEnd(ended(saving, JobState::Cancelled));
        QCOMPARE(bar.count(), 2u);
        bar.takeEnd(ended(saving, JobState::Done));
        QCOMPARE(bar.sentences(), QStringList{QStringLiteral("b.csv: line 2")});
        bar.takeEnd(ended({}, JobState::Done)); // nobody's success mends nothing
        QCOMPARE(bar.count(), 1u);
    }

    void whatFailedWithACacheGoesWithIt()
    {
        NoticeBar bar;
        bar.add(QStringLiteral("File not found"), QStringLiteral("other.h5: no such file"));
        bar.add(QStringLiteral("Not possible"), QStringLiteral("expected 2 points"), QStringLiteral("Grid"));
        bar.setAbout(QStringLiteral("expected 2 points"), NoticeBar::About::OpenCache);
        QCOMPARE(bar.count(), 2u);
        bar.leaveCache();
        QCOMPARE(bar.sentences(), QStringList{QStringLiteral("other.h5: no such file")});
        bar.leaveCache();
        QVERIFY(bar.isVisible());
    }

    /// An offer is no failure: it has a button of its own, also in the list, and stays until it is settled or closed.
    void anOfferCanBeTakenOrLeft()
    {
        NoticeBar bar;
        bar.resize(800, 60);
        int taken = 0;
        bar.offer(QStringLiteral("Finished"), QStringLiteral("a.h5 can be opened."), QStringLiteral("Extracting a.h5"),
                  QStringLiteral("Open a.h5"), [&taken] { ++taken; });
        QVERIFY(headscope::test::exposed(&bar));
        QVERIFY(!button(bar, "noticeDetails")->isVisible());
        QVERIFY(bar.property("offers").toBool()); // it has no edge of a warning
        QCOMPARE(button(bar, "noticeAct")->text(), QStringLiteral("Open a.h5"));
        button(bar, "noticeAct")->setFocus();
        QTest::keyClick(button(bar, "noticeAct"), Qt::Key_Space);
        QCOMPARE(taken, 1);
        QCOMPARE(bar.count(), 1u);
        bar.add(QStringLiteral("File not found"), QStringLiteral("b.csv: no such file"));
        QVERIFY(button(bar, "noticeDetails")->isVisible() && !button(bar, "noticeAct")->isVisible());
        bar.setListShown(true);
        QTest::mouseClick(button(bar, "noticeActRow"), Qt::LeftButton);
        WAIT_COMPARE(taken, 2);
        bar.leaveCache(); // it is of no cache that was open
        QCOMPARE(bar.count(), 2u);
        bar.settle(QStringLiteral("Extracting a.h5"));
        QCOMPARE(bar.sentences(), QStringList{QStringLiteral("b.csv: no such file")});
    }

    void detailsAreAskedFor()
    {
        NoticeBar bar;
        bar.add(QStringLiteral("x"), QStringLiteral("y"));
        QSignalSpy asked(&bar, &NoticeBar::detailsRequested);
        button(bar, "noticeDetails")->setFocus();
        QTest::keyClick(button(bar, "noticeDetails"), Qt::Key_Space);
        QCOMPARE(asked.count(), 1);
        QVERIFY(bar.isVisible());
    }

    void theOldestGoesWhenTooManyWait()
    {
        NoticeBar bar;
        for (std::size_t i = 0; i < NoticeBar::kMost + 5; ++i)
            bar.add(QStringLiteral("x"), QString::number(i));
        QCOMPARE(bar.count(), NoticeBar::kMost);
        QCOMPARE(bar.sentence(), QString::number(NoticeBar::kMost + 4));
        QCOMPARE(bar.sentences().back(), QStringLiteral("5"));
    }

    /// A name of a file is no markup.
    void textIsPlain()
    {
        NoticeBar bar;
        bar.add(QStringLiteral("x"), QStringLiteral("<b>.csv"));
        QCOMPARE(bar.findChild<QLabel*>(QStringLiteral("noticeSentence"))->textFormat(), Qt::PlainText);
    }
};

HEADSCOPE_TEST(TestNoticeBar)
#include "tst_notice_bar.moc"
