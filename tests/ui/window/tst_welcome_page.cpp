// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/welcome_page.h"

#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"

#include <QAbstractButton>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <set>

using namespace headscope;
using namespace headscope::ui;

class TestWelcomePage : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    QString m_there;
    std::unique_ptr<WelcomePage> m_page;

    QList<QAbstractButton*> entries(const char* name)
    {
        return m_page->findChildren<QAbstractButton*>(QLatin1StringView(name));
    }

private Q_SLOTS:
    void init()
    {
        m_there = m_folder.filePath(QStringLiteral("there.h5"));
        QFile file(m_there);
        QVERIFY(file.open(QIODevice::WriteOnly));
        m_page = std::make_unique<WelcomePage>();
        m_page->resize(1100, 700);
        m_page->setDemos(
            {{QStringLiteral("SmolLM2-135M"), m_there, QStringLiteral("192 texts, 9 heads in 3 KV groups")},
             {QStringLiteral("all-MiniLM-L6-v2"), m_there, QStringLiteral("trained to embed")}});
        m_page->setRecent({m_there, QStringLiteral("/gone/away.h5")});
        m_page->show();
        QVERIFY(test::exposed(m_page.get()));
    }
    void cleanup() { m_page.reset(); }

    void buttonsSayWhatIsWanted()
    {
        const QSignalSpy open(m_page.get(), &WelcomePage::openAsked);
        const QSignalSpy extract(m_page.get(), &WelcomePage::extractAsked);
        QTest::mouseClick(m_page->findChild<QPushButton*>(QStringLiteral("welcomeOpen")), Qt::LeftButton);
        QTest::mouseClick(m_page->findChild<QPushButton*>(QStringLiteral("welcomeExtract")), Qt::LeftButton);
        QCOMPARE(open.count(), 1);
        QCOMPARE(extract.count(), 1);
        test::savePictures(*m_page, QStringLiteral("welcome"));
    }

    void demosAndRecentFilesOpen()
    {
        QSignalSpy opened(m_page.get(), &WelcomePage::openRequested);
        QTest::mouseClick(entries("welcomeDemo").at(1), Qt::LeftButton);
        QCOMPARE(opened.at(0).at(0).toString(), m_there);
        const auto recent = entries("welcomeRecent");
        QCOMPARE(recent.size(), 2);
        QTest::mouseClick(recent.at(0), Qt::LeftButton);
        QCOMPARE(opened.count(), 2);
        QVERIFY(!recent.at(1)->isEnabled());
        QVERIFY(recent.at(1)->accessibleDescription().contains(QStringLiteral("missing")));
        QTest::mouseClick(recent.at(1), Qt::LeftButton);
        QCOMPARE(opened.count(), 2);
        m_page->setRecent({});
        QVERIFY(m_page->findChildren<QAbstractButton*>(QStringLiteral("welcomeRecent")).isEmpty() ||
                !entries("welcomeRecent").constFirst()->isVisible());
    }

    void everythingIsReachedByTab()
    {
        m_page->activateWindow();
        m_page->setFocus();
        std::set<QWidget*> visited;
        for (int i = 0; i < 8; ++i)
        {
            visited.insert(QApplication::focusWidget());
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        }
        for (QAbstractButton* button : m_page->findChildren<QAbstractButton*>())
            if (button->isVisible() && button->isEnabled())
                QVERIFY2(visited.contains(button), qPrintable(button->text()));
        // Return opens what has the focus.
        const QSignalSpy opened(m_page.get(), &WelcomePage::openRequested);
        entries("welcomeDemo").at(0)->setFocus();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
        QCOMPARE(opened.count(), 1);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QCOMPARE(opened.count(), 2);
    }

    void aProblemIsTold()
    {
        m_page->setProblem(QStringLiteral("wrong.h5: this is no cache"));
        QVERIFY(m_page->findChild<QWidget*>(QStringLiteral("welcomeProblem"))->isVisible());
        m_page->setProblem({});
        QVERIFY(!m_page->findChild<QWidget*>(QStringLiteral("welcomeProblem"))->isVisible());
    }

    void theWayBackIsOfferedWhileSomethingIsOpen()
    {
        const QSignalSpy back(m_page.get(), &WelcomePage::backAsked);
        auto* button = m_page->findChild<QPushButton*>(QStringLiteral("welcomeBack"));
        QVERIFY(!button->isVisible());
        QTest::keyClick(m_page.get(), Qt::Key_Escape);
        QCOMPARE(back.count(), 0);
        m_page->setOpenFile(QStringLiteral("demo.h5"));
        QVERIFY(button->isVisible());
        QTest::keyClick(m_page.get(), Qt::Key_Escape);
        QCOMPARE(back.count(), 1);
    }
};

HEADSCOPE_WINDOW_TEST(TestWelcomePage)
#include "tst_welcome_page.moc"
