// SPDX-License-Identifier: GPL-3.0-or-later
// The window on small screens: everything has its room or scrolls to it.
#include "tests/app/desktop_fixture.h"
#include "tests/support/test_program.h"
#include "ui/side_panels.h"
#include "ui/view_stack.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTabBar>
#include <QToolButton>

using namespace headscope;
using headscope::ui::View;

class TestDesktopSmall : public QObject, private test::DesktopFixture
{
    Q_OBJECT

private:
    /// Buttons with words that are cut off, by name.
    QStringList cutButtons()
    {
        QStringList cut;
        for (const QAbstractButton* button : m_window->findChildren<QAbstractButton*>())
        {
            const bool worded = qobject_cast<const QPushButton*>(button) != nullptr ||
                                qobject_cast<const QToolButton*>(button) != nullptr;
            // A square one has a sign, and no room around it.
            if (button->isVisible() && worded && !button->property("square").toBool() && !button->text().isEmpty() &&
                button->width() < button->minimumSizeHint().width())
                cut << button->objectName() % u':' % button->text();
        }
        return cut;
    }

private Q_SLOTS:
    void initTestCase()
    {
        test::prepareApplication(*qApp);
        test::SampleCacheOptions options;
        options.map = true;
        writeSample(options);
    }
    void init() {}
    void cleanup() { dropWindow(); }

    void everythingHasItsRoom_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1100x700") << QSize(1100, 700);
        QTest::newRow("1184x740") << QSize(1184, 740);
        QTest::newRow("1600x900") << QSize(1600, 900);
    }
    void everythingHasItsRoom()
    {
        QFETCH(QSize, size);
        makeWindow({.size = size});
        openAndLoad(m_cache);
        QCOMPARE(m_window->size(), size); // it wants no more than there is
        for (const auto& [view, entry] : m_window->views().entries())
        {
            m_window->setView(view);
            QTest::qWait(30);
            QCOMPARE(m_window->size(), size);
            const QWidget& side = m_window->sidePanels();
            QVERIFY(side.mapTo(m_window.get(), QPoint(side.width(), 0)).x() <= size.width());
            const QTabBar* tabs = m_window->views().tabs();
            QVERIFY(tabs->tabRect(tabs->count() - 1).right() < tabs->width());
            // A view is as large as it needs, and scrolls where the window is not.
            const auto hasRoom = [widget = entry.widget] {
                const int told = widget->minimumWidth();
                return widget->width() >= (told > 0 ? told : widget->minimumSizeHint().width());
            };
            QTRY_VERIFY2(hasRoom(), qPrintable(entry.title)); // while it computes its wishes change
            QVERIFY2(cutButtons().isEmpty(), qPrintable(cutButtons().join(u' ')));
        }
        const QTabBar* sides = m_window->sidePanels().tabs();
        QVERIFY(sides->tabRect(sides->count() - 1).right() < sides->width()); // no title is scrolled away
        hub().setDocuments({1, 2, 3});
        for (int tab = 0; tab < m_window->sidePanels().tabs()->count(); ++tab)
        {
            m_window->sidePanels().tabs()->setCurrentIndex(tab);
            QTest::qWait(10);
            QVERIFY2(cutButtons().isEmpty(), qPrintable(cutButtons().join(u' ')));
        }
    }
};

HEADSCOPE_TEST(TestDesktopSmall)
#include "tst_desktop_small.moc"
