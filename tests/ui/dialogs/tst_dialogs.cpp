// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/dialog_service.h"

#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"

#include <QMessageBox>
#include <QPushButton>

using namespace headscope;
using namespace headscope::ui;

class TestDialogs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void questionsAnswerByTheirButtons_data()
    {
        QTest::addColumn<int>("button");
        QTest::newRow("first") << 0;
        QTest::newRow("second") << 1;
        QTest::newRow("escape") << -1;
    }
    void questionsAnswerByTheirButtons()
    {
        QFETCH(int, button);
        QWidget parent;
        parent.show();
        DesktopDialogs dialogs;
        int answer = -5;
        dialogs.ask(&parent,
                    {QStringLiteral("T"), QStringLiteral("Text?"), {QStringLiteral("No"), QStringLiteral("Yes")}},
                    [&answer](int given) { answer = given; });
        auto* box = parent.findChild<QMessageBox*>();
        QVERIFY(box != nullptr);
        if (button < 0)
            QTest::keyClick(box, Qt::Key_Escape);
        else
            for (QAbstractButton* candidate : box->buttons())
                if (candidate->text() == (button == 0 ? QStringLiteral("No") : QStringLiteral("Yes")))
                    QTest::mouseClick(candidate, Qt::LeftButton);
        WAIT_COMPARE(answer, std::max(0, button));
    }

    /// Before, a question stood as it was asked, whatever became of what it spoke of.
    void aQuestionFollowsWhatItIsAbout()
    {
        QWidget parent;
        parent.show();
        DesktopDialogs dialogs;
        int answer = -5;
        std::optional<QString> now = QStringLiteral("294 of 400");
        dialogs.ask(&parent,
                    {QStringLiteral("T"), *now, {QStringLiteral("No"), QStringLiteral("Yes")}, [&now] { return now; }},
                    [&answer](int given) { answer = given; });
        auto* box = parent.findChild<QMessageBox*>();
        QVERIFY(box != nullptr);
        now = QStringLiteral("300 of 400");
        WAIT_COMPARE(box->text(), *now);
        QCOMPARE(answer, -5);
        now.reset(); // nothing to ask any more
        WAIT_COMPARE(answer, 0);
    }
};

HEADSCOPE_WINDOW_TEST(TestDialogs)
#include "tst_dialogs.moc"
