// SPDX-License-Identifier: GPL-3.0-or-later
// A small suite in a real window, under a window manager: run by run_under_xvfb.sh.
#include "app/desktop/shell/autosave.h"
#include "app/desktop/start/workbench.h"

#include "app/views/map/map_view.h"
#include "tests/app/sample_cache.h"
#include "tests/support/verify.h"
#include "tests/support/waiting.h"
#include "tests/ui/calm.h"
#include "tests/ui/view_of.h"
#include "tests/ui/window_test.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/panels/data/data_panel.h"
#include "ui/panels/data/head_picker.h"
#include "ui/panels/document/inspector.h"
#include "ui/settings/settings.h"

#include <QAction>
#include <QApplication>
#include <QGuiApplication>
#include <QLineEdit>
#include <QScreen>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QWheelEvent>
#include <QWindow>

#include <set>

using namespace headscope;
using headscope::desktop::Workbench;
using headscope::ui::MainWindow;

class TestRealWindow : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::unique_ptr<ui::Settings> m_settings;
    test::PreparedDialogs m_dialogs;
    std::unique_ptr<MainWindow> m_window;
    std::unique_ptr<Workbench> m_workbench;

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY2(QGuiApplication::platformName() == QStringLiteral("xcb"), "needs an X server");
        const QString cache = m_folder.filePath(QStringLiteral("sample.h5"));
        HEADSCOPE_VERIFY_OK(test::writeSampleCache(cache.toStdString()));
        m_settings = ui::Settings::temporary();
        m_settings->setNumber(ui::settingNamed("map/iterations"), 150);
        m_window = std::make_unique<MainWindow>(*m_settings, m_dialogs);
        m_workbench = std::make_unique<Workbench>(*m_window, QStringLiteral("/nowhere/headscope-engine"));
        m_workbench->keeper().setEnabled(false);
        m_window->resize(1200, 800);
        m_window->show();
        QVERIFY(test::active(m_window.get()));
        QSignalSpy settled(m_workbench.get(), &Workbench::mapSettled);
        m_workbench->open(cache);
        WAIT_COMPARE(settled.count(), 1);
    }

    void cleanupTestCase()
    {
        m_workbench.reset();
        m_window.reset();
    }

    void pickHeadsAndRunAMap()
    {
        ui::HeadPicker* picker = m_window->dataPanel().headPicker();
        QTest::mouseClick(picker, Qt::LeftButton, {},
                          picker->picture().placeOf(picker->picture().labelOf(3)).toRect().center());
        QCOMPARE(picker->heads(), (std::vector<std::int64_t>{3, 4, 5}));
        QSignalSpy settled(m_workbench.get(), &Workbench::mapSettled);
        QTest::keyClick(m_window.get(), Qt::Key_R, Qt::ControlModifier);
        WAIT_COMPARE(settled.count(), 1);
        QCOMPARE(test::viewOf<ui::MapView>(*m_window).scatter()->pointCount(), 48 * 3);
    }

    void zoomAtThePointer()
    {
        ui::ScatterWidget* scatter = test::viewOf<ui::MapView>(*m_window).scatter();
        QVERIFY(test::calm());
        const double scale = scatter->view().scale();
        QWheelEvent wheel(QPointF(300, 300), scatter->mapToGlobal(QPointF(300, 300)), {}, QPoint(0, 240), Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(scatter, &wheel);
        QVERIFY(scatter->view().scale() > 1.3 * scale);
        WAIT_FOR(scatter->canGoBack());
        scatter->setFocus();
        QTest::keyClick(scatter, Qt::Key_Left, Qt::AltModifier);
        WAIT_FOR(std::abs(scatter->view().scale() / scale - 1) < 1e-6);
    }

    void whatTheScreenShowsIsColoured()
    {
        // The picture of the X server, not of the widget: it went through the window system, which draws when it has
        // time.
        const QRect canvas(test::viewOf<ui::MapView>(*m_window).scatter()->mapTo(m_window.get(), QPoint(60, 20)),
                           QSize(500, 400));
        const auto coloured = [&] {
            const QImage image = m_window->screen()->grabWindow(m_window->winId()).toImage();
            int count = 0;
            for (int y = canvas.top(); y < canvas.bottom() && !image.isNull(); y += 2)
                for (int x = canvas.left(); x < canvas.right(); x += 2)
                    count += image.pixelColor(x, y).saturation() > 100 ? 1 : 0;
            return count;
        };
        WAIT_FOR2(coloured() > 50, qPrintable(QString::number(coloured())));
    }

    void savedPictureHoldsTheMap()
    {
        const QString path = m_folder.filePath(QStringLiteral("map.png"));
        m_dialogs.nextPath = path;
        QSignalSpy saved(m_workbench.get(), &Workbench::viewSaved);
        QTest::keyClick(m_window.get(), Qt::Key_S, Qt::ControlModifier);
        WAIT_COMPARE(saved.count(), 1);
        const QImage picture(path);
        QVERIFY(picture.width() > 1000);
        int coloured = 0;
        for (int y = 0; y < picture.height(); y += 4)
            for (int x = 0; x < picture.width(); x += 4)
                coloured += picture.pixelColor(x, y).saturation() > 100 ? 1 : 0;
        QVERIFY(coloured > 200);
    }

    /// On X11 a field of text claims Ctrl+E for the end of its line.
    void keysOfActionsReachTheWindowFromAField()
    {
        QLineEdit* field = m_window->dataPanel().headField();
        field->setFocus();
        QSignalSpy asked(m_window.get(), &MainWindow::extractRequested);
        QTest::keyClick(field, Qt::Key_E, Qt::ControlModifier);
        QCOMPARE(asked.count(), 1);
        for (QWidget* dialog : QApplication::topLevelWidgets())
            if (dialog != m_window.get())
                dialog->close();
    }

    void tabWalksThroughTheControls()
    {
        m_window->activateWindow();
        m_window->dataPanel().headPicker()->setFocus();
        std::set<QWidget*> visited;
        for (int i = 0; i < 40; ++i)
        {
            visited.insert(QApplication::focusWidget());
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        }
        QVERIFY(visited.size() >= 8);
        QVERIFY(!visited.contains(nullptr));
    }

    /// The first window of a user, frame and all, lies on the screen.
    void theFirstWindowFitsTheScreen()
    {
        const auto settings = ui::Settings::temporary();
        MainWindow first(*settings, m_dialogs);
        Workbench bench(first, QStringLiteral("/nowhere/headscope-engine"));
        first.fitToScreen();
        first.show();
        QVERIFY(test::active(&first));
        const QRect room = first.screen()->availableGeometry();
        // The window manager moves it, and tells its frame, when it has time.
        WAIT_FOR(first.frameGeometry() != first.geometry());
        WAIT_FOR2(room.contains(first.frameGeometry()), qPrintable(QStringLiteral("%1 x %2 at %3, %4 on %5 x %6")
                                                                       .arg(first.frameGeometry().width())
                                                                       .arg(first.frameGeometry().height())
                                                                       .arg(first.frameGeometry().x())
                                                                       .arg(first.frameGeometry().y())
                                                                       .arg(room.width())
                                                                       .arg(room.height())));
    }

    /// So does one that was closed on a larger screen.
    void aWindowOfALargerScreenFits()
    {
        const auto settings = ui::Settings::temporary();
        {
            MainWindow large(*settings, m_dialogs);
            Workbench bench(large, QStringLiteral("/nowhere/headscope-engine"));
            large.resize(large.screen()->size() * 2);
            large.close(); // keeps its size
        }
        MainWindow next(*settings, m_dialogs);
        Workbench bench(next, QStringLiteral("/nowhere/headscope-engine"));
        next.fitToScreen();
        next.show();
        QVERIFY(test::active(&next));
        const QRect room = next.screen()->availableGeometry();
        WAIT_FOR(next.frameGeometry() != next.geometry());
        WAIT_FOR(room.contains(next.frameGeometry()));
    }

    void nothingIsPaintedWhileIdle()
    {
        QVERIFY(test::calm());
        const auto before = test::viewOf<ui::MapView>(*m_window).scatter()->paintCount();
        test::passMs(10'000);
        QVERIFY(test::workersRest());
        QCOMPARE(test::viewOf<ui::MapView>(*m_window).scatter()->paintCount(), before);
    }
};

HEADSCOPE_WINDOW_TEST(TestRealWindow)
#include "tst_desktop_xvfb.moc"
