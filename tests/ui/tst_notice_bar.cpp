// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/notice_bar.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

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
    void oneAfterTheOtherUntilAllAreClosed()
    {
        NoticeBar bar;
        QVERIFY(bar.isHidden());
        bar.add(QStringLiteral("File not found"), QStringLiteral("a.csv: no such file"));
        bar.add(QStringLiteral("Unreadable data"), QStringLiteral("b.csv: line 2"));
        bar.add(QStringLiteral("File not found"), QStringLiteral("a.csv: no such file")); // told already
        QCOMPARE(bar.count(), 2u);
        QVERIFY(QTest::qWaitForWindowExposed(&bar));
        QCOMPARE(text(bar, "noticeSentence"), QStringLiteral("a.csv: no such file"));
        QCOMPARE(text(bar, "noticeHeading"), QStringLiteral("File not found"));
        QCOMPARE(text(bar, "noticeCount"), QStringLiteral("1 of 2"));
        QVERIFY(bar.accessibleDescription().contains(QStringLiteral("a.csv")));
        QTest::mouseClick(button(bar, "noticeClose"), Qt::LeftButton);
        QCOMPARE(bar.sentence(), QStringLiteral("b.csv: line 2"));
        QVERIFY(bar.isVisible());
        QVERIFY(!bar.findChild<QLabel*>(QStringLiteral("noticeCount"))->isVisible());
        // By keyboard.
        button(bar, "noticeDetails")->setFocus();
        QTest::keyClick(button(bar, "noticeDetails"), Qt::Key_Escape);
        QVERIFY(bar.isHidden());
        QCOMPARE(bar.sentence(), QString());
        // What was closed may come again.
        bar.add(QStringLiteral("File not found"), QStringLiteral("a.csv: no such file"));
        QVERIFY(bar.isVisible());
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
        QCOMPARE(bar.sentence(), QStringLiteral("0")); // what is being read stays
        bar.closeFirst();
        QCOMPARE(bar.sentence(), QStringLiteral("6"));
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
