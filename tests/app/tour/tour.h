// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/autosave.h"
#include "app/desktop/start/workbench.h"
#include "app/views/map/map_view.h"
#include "tests/support/test_paths.h"
#include "tests/ui/view_of.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/settings/settings.h"
#include "ui/window/main_window.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QPixmap>
#include <QScreen>
#include <QTabBar>
#include <QTest>
#include <QWheelEvent>

#include <algorithm>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

/// What the scenes of the screen tour share: the real program's window, and how a scene finds,
/// clicks and shoots. What a scene does not find is told at the end and fails the tour.
namespace headscope::tour
{

/// The desktop's dialogs, but for the file that a scene has prepared.
class TourDialogs : public ui::DesktopDialogs
{
public:
    QString nextPath;

    void openFile(QWidget* parent, const QString& title, const QString& folder, const QString& filter,
                  std::function<void(const QString& path)> then) override
    {
        if (!nextPath.isEmpty())
            return then(std::exchange(nextPath, {}));
        ui::DesktopDialogs::openFile(parent, title, folder, filter, std::move(then));
    }
};

class Tour
{
public:
    /// @param folder  where the pictures go
    /// @param prefix  of their names
    Tour(QString folder, QString prefix) : m_folder(std::move(folder)), m_prefix(std::move(prefix))
    {
        m_settings->setText(ui::SettingKey::ColorScheme, QStringLiteral("light"));
        m_window = std::make_unique<ui::MainWindow>(*m_settings, m_dialogs);
        m_workbench = std::make_unique<desktop::Workbench>(
            *m_window, QString::fromStdString(test::program("headscope-engine").string()));
        m_workbench->keeper().setEnabled(false);
        m_window->showMaximized();
    }
    ~Tour()
    {
        m_workbench->stopAll();
        m_workbench.reset();
        m_window.reset();
    }
    Tour(const Tour&) = delete;
    Tour& operator=(const Tour&) = delete;

    [[nodiscard]] ui::MainWindow& window() { return *m_window; }
    [[nodiscard]] desktop::Workbench& workbench() { return *m_workbench; }
    [[nodiscard]] ui::Settings& settings() { return *m_settings; }
    [[nodiscard]] ui::ScatterWidget& scatter() { return *test::viewOf<ui::MapView>(*m_window).scatter(); }
    [[nodiscard]] TourDialogs& dialogs() { return m_dialogs; }
    [[nodiscard]] const QStringList& missing() const { return m_missing; }
    [[nodiscard]] int shots() const { return m_shots; }

    /// Whatever a scene needs and the window does not have.
    void notThere(const QString& what)
    {
        qWarning("not there: %s", qPrintable(what));
        m_missing << what;
    }

    /// A file among the pictures.
    [[nodiscard]] QString file(const QString& name) const { return QDir(m_folder).filePath(m_prefix + name); }

    /// Takes what the X server shows, the whole screen: dialogs and menus are windows of their own.
    void shoot(const QString& name, int waitMs = 350)
    {
        QTest::qWait(waitMs);
        const QString file = QDir(m_folder).filePath(m_prefix + name + QStringLiteral(".png"));
        if (!m_window->screen()->grabWindow(0).save(file))
            notThere(file + QStringLiteral(" (could not be written)"));
        else
            ++m_shots;
    }

    template <class T = QWidget>
    [[nodiscard]] T* find(const QString& name, bool mustBe = true)
    {
        // Several views have a map with the same tools: the one that is seen counts.
        T* found = nullptr;
        for (T* each : m_window->findChildren<T*>(name))
        {
            if (found == nullptr)
                found = each;
            if constexpr (std::is_base_of_v<QWidget, T>)
                if (each->isVisible())
                    found = each;
        }
        if (found == nullptr && mustBe)
            notThere(name);
        return found;
    }

    /// Triggers an action by its object name; says so when there is none or it is grey.
    bool trigger(const QString& name)
    {
        auto* action = find<QAction>(name);
        if (action == nullptr)
            return false;
        if (!action->isEnabled())
        {
            notThere(name + QStringLiteral(" (grey)"));
            return false;
        }
        action->trigger();
        return true;
    }

    /// Clicks a button by its object name.
    bool click(const QString& name)
    {
        auto* widget = find<QWidget>(name);
        if (widget == nullptr || !widget->isVisible() || !widget->isEnabled())
        {
            if (widget != nullptr)
                notThere(name + QStringLiteral(" (cannot be clicked)"));
            return false;
        }
        QTest::mouseClick(widget, Qt::LeftButton);
        return true;
    }

    /// Waits until no job runs.
    bool settle(int timeoutMs = 240'000)
    {
        QTest::qWait(60);
        const bool quiet =
            QTest::qWaitFor([this] { return !m_workbench->anyJobRuns() && !m_workbench->isLoading(); }, timeoutMs);
        if (!quiet)
            notThere(QStringLiteral("an end of the jobs"));
        return quiet;
    }

    bool open(const QString& cache)
    {
        bool opened = false;
        const auto heard =
            QObject::connect(m_workbench.get(), &desktop::Workbench::cacheOpened, [&opened] { opened = true; });
        m_workbench->open(cache);
        const bool there = QTest::qWaitFor([&opened] { return opened; }, 120'000);
        QObject::disconnect(heard);
        if (!there)
            notThere(cache);
        return there;
    }

    /// Shows a view by the title of its tab, and waits for its jobs.
    bool view(const QString& title)
    {
        for (const ui::ViewEntry& entry : m_window->views().entries())
            if (entry.title.compare(title, Qt::CaseInsensitive) == 0)
            {
                m_window->setView(entry.id);
                return settle();
            }
        notThere(QStringLiteral("the view ") + title);
        return false;
    }

    /// Shows a page at the right by the title of its tab.
    bool sidePanel(const QString& title)
    {
        QTabBar* tabs = find<QTabBar>(QStringLiteral("sideTabs"));
        for (int i = 0; tabs != nullptr && i < tabs->count(); ++i)
            if (tabs->tabText(i).compare(title, Qt::CaseInsensitive) == 0)
            {
                m_window->showSidePanel(tabs->tabData(i).toString());
                return true;
            }
        notThere(QStringLiteral("the side panel ") + title);
        return false;
    }

    /// Calls an action that opens a dialog, shoots it, and shuts it.
    void dialog(const QString& action, const QString& name)
    {
        if (!trigger(action))
            return;
        shoot(name, 600);
        closeDialogs();
    }

    void closeDialogs()
    {
        for (QDialog* each : m_window->findChildren<QDialog*>())
            if (each->isVisible())
                each->reject();
        QTest::qWait(50);
    }

    /// Where the points of the map lie most densely on the screen, of those in view.
    [[nodiscard]] QPointF densestPlace()
    {
        const auto map = scatter().map();
        if (map == nullptr)
            return QRectF(scatter().rect()).center();
        constexpr int kCell = 40;
        const int columns = scatter().width() / kCell + 1;
        std::vector<int> counts(static_cast<std::size_t>(columns * (scatter().height() / kCell + 1)), 0);
        for (std::int64_t i = 0; i < map->xy.rows(); ++i)
        {
            const QPointF at = scatter().view().screenFromData(QPointF(map->xy(i, 0), map->xy(i, 1)));
            if (scatter().rect().contains(at.toPoint()))
                ++counts[static_cast<std::size_t>(static_cast<int>(at.y()) / kCell * columns +
                                                  static_cast<int>(at.x()) / kCell)];
        }
        const auto most = static_cast<int>(std::max_element(counts.begin(), counts.end()) - counts.begin());
        return {(most % columns + 0.5) * kCell, (most / columns + 0.5) * kCell};
    }

    /// The point of the map nearest to a place of the canvas, on the screen.
    [[nodiscard]] QPoint pointNear(QPointF place)
    {
        const auto map = scatter().map();
        QPointF best = place;
        double least = 1e30;
        for (std::int64_t i = 0; map != nullptr && i < map->xy.rows(); ++i)
        {
            const QPointF at = scatter().view().screenFromData(QPointF(map->xy(i, 0), map->xy(i, 1)));
            if (const QPointF off = at - place; QPointF::dotProduct(off, off) < least)
            {
                least = QPointF::dotProduct(off, off);
                best = at;
            }
        }
        return best.toPoint();
    }

    void wheel(QPointF place, int steps)
    {
        for (int i = 0; i < std::abs(steps); ++i)
        {
            QWheelEvent event(place, scatter().mapToGlobal(place), {}, QPoint(0, steps > 0 ? 120 : -120), Qt::NoButton,
                              Qt::NoModifier, Qt::NoScrollPhase, false);
            QApplication::sendEvent(&scatter(), &event);
            QTest::qWait(20);
        }
        QTest::qWait(400);
    }

    /// A drag with the left button over these places; the button stays down, for a shot.
    void dragHolding(const std::vector<QPoint>& places)
    {
        QTest::mousePress(&scatter(), Qt::LeftButton, {}, places.front());
        for (const QPoint& place : places)
        {
            QTest::mouseMove(&scatter(), place);
            QMouseEvent move(QEvent::MouseMove, place, scatter().mapToGlobal(place), Qt::NoButton, Qt::LeftButton,
                             Qt::NoModifier);
            QApplication::sendEvent(&scatter(), &move);
            QTest::qWait(10);
        }
    }
    void letGo(QPoint place) { QTest::mouseRelease(&scatter(), Qt::LeftButton, {}, place); }

    /// Takes an entry of a choice, as a user does, and waits for what it starts.
    void pick(const QString& boxName, int index)
    {
        auto* box = find<QComboBox>(boxName);
        if (box == nullptr)
            return;
        box->setCurrentIndex(index);
        Q_EMIT box->activated(index);
        settle();
    }

    /// Shoots every entry of a choice, and puts the first back.
    void everyChoice(const QString& boxName, const QString& name)
    {
        auto* box = find<QComboBox>(boxName);
        if (box == nullptr)
            return;
        const int before = box->currentIndex();
        for (int i = 0; i < box->count(); ++i)
        {
            pick(boxName, i);
            QString text = box->itemText(i).toLower();
            for (QChar& letter : text)
                letter = letter.isLetterOrNumber() ? letter : QChar(u'-');
            shoot(name + u'-' + text);
        }
        pick(boxName, before);
    }

    /// Saves a view as File > Save view does, among the pictures.
    void save(const QString& title)
    {
        for (const ui::ViewEntry& entry : m_window->views().entries())
            if (entry.title.compare(title, Qt::CaseInsensitive) == 0)
            {
                const QString name = QStringLiteral("saved-") + title.toLower();
                const QString file = QDir(m_folder).filePath(m_prefix + name + QStringLiteral(".png"));
                QFile::remove(file);
                m_window->setView(entry.id);
                settle();
                entry.save(file);
                if (!QTest::qWaitFor([this, &file] { return QFile::exists(file) && !m_workbench->anyJobRuns(); },
                                     60'000))
                    return notThere(file);
                ++m_shots;
                return;
            }
        notThere(QStringLiteral("the view ") + title);
    }

    /// The pointer leaves the map.
    void leave()
    {
        QEvent event(QEvent::Leave);
        QApplication::sendEvent(&scatter(), &event);
    }

    void closePopup()
    {
        if (QWidget* popup = QApplication::activePopupWidget())
            popup->close();
        QTest::qWait(50);
    }

private:
    QString m_folder;
    QString m_prefix;
    QStringList m_missing;
    int m_shots = 0;
    std::unique_ptr<ui::Settings> m_settings = ui::Settings::temporary();
    TourDialogs m_dialogs;
    std::unique_ptr<ui::MainWindow> m_window;
    std::unique_ptr<desktop::Workbench> m_workbench;
};

} // namespace headscope::tour
