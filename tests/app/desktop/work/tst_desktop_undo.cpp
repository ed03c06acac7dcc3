// SPDX-License-Identifier: GPL-3.0-or-later
// Edit > Undo takes back whatever the user changed, in any view, step by step and by name.
#include "app/desktop/work/undo_history.h"
#include "app/desktop/work/work_session.h"
#include "app/views/heads/heads_controller.h"
#include "app/views/heads/heads_view.h"
#include "app/views/heatmap/heatmap_view.h"
#include "app/views/map/map_view.h"
#include "app/views/probe/probe_view.h"
#include "tests/app/desktop/keep_fixture.h"
#include "tests/support/waiting.h"
#include "tests/ui/view_of.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/state/view_state.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QJsonObject>
#include <QLineEdit>
#include <QPointer>
#include <QSlider>
#include <QSpinBox>

#include <functional>

using namespace headscope;
using desktop::UndoHistory;

class TestDesktopUndo : public QObject, private test::KeepFixture
{
    Q_OBJECT

private:
    UndoHistory& history() { return m_workbench->undo(); }
    ui::Choices& choices() { return m_workbench->study().choices(); }
    ui::ScatterWidget& scatter() { return *test::viewOf<ui::MapView>(*m_window).scatter(); }

    /// What the user does, until the window stands still.
    void gesture(const std::function<void()>& change)
    {
        change();
        waitForJobs();
        history().settle();
    }
    /// All that undo covers.
    QJsonObject state()
    {
        waitForCalm(); // lists of maps follow when the jobs have ended
        QJsonObject all = m_workbench->work().gather();
        QJsonObject window = all.value(QStringLiteral("window")).toObject();
        for (const char* part : {"tab", "page", "width", "height"})
            window.remove(QLatin1StringView(part));
        all[QStringLiteral("window")] = window;
        QJsonObject views = all.value(QStringLiteral("views")).toObject();
        for (auto each = views.begin(); each != views.end(); ++each)
        {
            QJsonObject view = each.value().toObject();
            view.remove(QStringLiteral("zooms"));
            QJsonObject controls = view.value(QStringLiteral("controls")).toObject();
            for (const QString& key : controls.keys())
                if (controls.value(key).isArray() || key == QStringLiteral("compareB")) // panes; the newest map
                    controls.remove(key);
            view[QStringLiteral("controls")] = controls;
            each.value() = view;
        }
        all[QStringLiteral("views")] = views;
        for (const char* part : {"maps", "selection"})
            all.remove(QLatin1StringView(part));
        all[QStringLiteral("chosen")] = static_cast<qint64>(hub().selection().documents.size());
        all[QStringLiteral("shownOnly")] = static_cast<qint64>(hub().shownDocuments().size());
        return all;
    }
    /// The state without what is remembered but no step of undo.
    QJsonObject steps()
    {
        QJsonObject all = state();
        QJsonObject views = all.value(QStringLiteral("views")).toObject();
        for (const ui::ViewEntry& entry : m_window->views().entries())
        {
            QJsonObject view = views.value(entry.id.key()).toObject();
            QJsonObject controls = view.value(QStringLiteral("controls")).toObject();
            for (const QString& key : controls.keys())
                if (!entry.state->isStep(key))
                    controls.remove(key);
            view[QStringLiteral("controls")] = controls;
            views[entry.id.key()] = view;
        }
        all[QStringLiteral("views")] = views;
        return all;
    }
    /// Another value for a control, by key or click; false: it has none, or is no control of this kind.
    static bool operate(QWidget& control)
    {
        if (auto* box = qobject_cast<QComboBox*>(&control))
        {
            const int before = box->currentIndex();
            QTest::keyClick(box, before + 1 < box->count() ? Qt::Key_Down : Qt::Key_Up);
            return box->currentIndex() != before;
        }
        if (auto* spin = qobject_cast<QAbstractSpinBox*>(&control))
        {
            const QString before = spin->text();
            QTest::keyClick(spin, Qt::Key_Up);
            if (spin->text() == before)
                QTest::keyClick(spin, Qt::Key_Down);
            return spin->text() != before;
        }
        if (auto* slider = qobject_cast<QSlider*>(&control))
        {
            const int before = slider->value();
            QTest::keyClick(slider, before < slider->maximum() ? Qt::Key_Right : Qt::Key_Left);
            return slider->value() != before;
        }
        auto* button = qobject_cast<QAbstractButton*>(&control);
        if (button == nullptr || !button->isCheckable())
            return false;
        const bool before = button->isChecked();
        button->setFocus();
        QTest::keyClick(button, Qt::Key_Space);
        return button->isChecked() != before;
    }
    static QStringList differences(const QJsonObject& one, const QJsonObject& other, const QString& path = {})
    {
        QStringList found;
        QStringList keys = one.keys() + other.keys();
        keys.removeDuplicates();
        for (const QString& key : std::as_const(keys))
        {
            if (one.value(key) == other.value(key))
                continue;
            if (one.value(key).isObject() && other.value(key).isObject())
                found += differences(one.value(key).toObject(), other.value(key).toObject(), path + key + u'/');
            else
                found << path + key;
        }
        return found;
    }

private Q_SLOTS:
    void init()
    {
        beginTest();
        openAndSettle(m_cache);
        waitForJobs();
        m_window->setView(ui::kHeatmapView); // which proposes some things when it is shown first
        waitForJobs();
        m_window->setView(ui::kMapView);
        waitForJobs();
        history().clear();
    }
    void cleanup() { endTest(); }

    /// What only unfolds is looked at: no step, and what was undone can be redone.
    void unfoldingIsNoStep()
    {
        gesture([this] { choices().setColor(ui::ColorChoice::fromKey("strength")); });
        history().undo();
        waitForJobs();
        QVERIFY(history().canRedo() && !history().canUndo());
        for (const auto& [view, name] : {std::pair(ui::kProbeView, "probeOptions"), {ui::kHeadsView, "headsLegendAll"}})
        {
            m_window->setView(view);
            waitForJobs();
            auto* fold = m_window->findChild<QAbstractButton*>(QLatin1StringView(name));
            QVERIFY2(fold != nullptr, name);
            const bool was = fold->isChecked();
            gesture([fold] { fold->click(); });
            QCOMPARE(fold->isChecked(), !was);
            QVERIFY2(!history().canUndo(), qPrintable(history().undoText()));
            QVERIFY2(history().canRedo(), name);
            // It is remembered all the same.
            QCOMPARE(m_window->views().find(view)->state->value(ui::StatePart::Controls, QLatin1StringView(name)),
                     QJsonValue(!was));
        }
    }

    void everyChangeComesBack_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("name");
        QTest::newRow("layer") << "layer"
                               << "layer";
        QTest::newRow("stage") << "stage"
                               << "stage";
        QTest::newRow("heads") << "heads"
                               << "heads";
        QTest::newRow("colours") << "color"
                                 << "colours";
        QTest::newRow("an order of the heatmap") << "sort"
                                                 << "Heatmap";
        QTest::newRow("a legend's label") << "legend"
                                          << "legend";
        QTest::newRow("the choice") << "documents"
                                    << "selection of documents";
        QTest::newRow("named sets") << "sets"
                                    << "named sets";
        QTest::newRow("shown alone") << "shown"
                                     << "shown documents";
        QTest::newRow("heads switched off") << "switch"
                                            << "turning heads on or off";
    }
    void everyChangeComesBack()
    {
        QFETCH(QString, kind);
        QFETCH(QString, name);
        auto* heads = m_workbench->findChild<desktop::HeadsController*>();
        auto* sort = m_window->findChild<QComboBox*>(QStringLiteral("heatmapSort"));
        const std::map<QString, std::function<void()>> changes = {
            {QStringLiteral("layer"), [&] { choices().setLayer(choices().overview()->stages.begin()->first); }},
            {QStringLiteral("stage"), [&] { choices().setStage(Stage::OutputSegment); }},
            {QStringLiteral("heads"),
             [&] {
                 choices().setHeads({0, 2});
             }},
            {QStringLiteral("color"), [&] { choices().setColor(ui::ColorChoice::fromKey("strength")); }},
            {QStringLiteral("sort"),
             [&] {
                 sort->setCurrentIndex(sort->currentIndex() == 0 ? 1 : 0);
                 Q_EMIT sort->activated(sort->currentIndex());
             }},
            {QStringLiteral("legend"),
             [&] {
                 ui::LabelsShown labels = scatter().labelsShown();
                 labels.hidden = {1};
                 scatter().setLabelsShown(labels);
             }},
            {QStringLiteral("documents"),
             [&] {
                 hub().setDocuments({1, 2, 3});
             }},
            {QStringLiteral("sets"),
             [&] {
                 keepSet(QStringLiteral("Cats"), {1, 5});
             }},
            {QStringLiteral("shown"),
             [&] {
                 hub().showOnly({{}, {0, 1, 2, 3}});
             }},
            {QStringLiteral("switch"), [&] {
                 std::vector<bool> kept = heads->kept();
                 kept.at(1) = false;
                 heads->putKept(kept);
             }}};
        if (kind == QStringLiteral("legend"))
        {
            choices().setColor(ui::ColorChoice::fromKey("label"));
            waitForJobs();
            WAIT_FOR(!scatter().labelsShown().title.isEmpty());
        }
        const QJsonObject before = state();
        QVERIFY(!history().canUndo());
        gesture(changes.at(kind));
        const QJsonObject after = state();
        QVERIFY2(before != after, "the change changes nothing");
        QVERIFY(history().canUndo() && action("actionUndo")->isEnabled());
        QVERIFY2(history().undoText().contains(name), qPrintable(history().undoText()));
        QVERIFY2(action("actionUndo")->text().contains(name), qPrintable(action("actionUndo")->text()));
        action("actionUndo")->trigger();
        WAIT_FOR2(state() == before, qPrintable(differences(state(), before).join(u'|')));
        QVERIFY(!history().canUndo() && history().canRedo());
        QVERIFY2(m_window->statusText().contains(name), qPrintable(m_window->statusText()));
        action("actionRedo")->trigger();
        WAIT_FOR2(state() == after, qPrintable(differences(state(), after).join(u'|')));
        QVERIFY(history().canUndo() && !history().canRedo());
    }

    void stepsOfManyViewsGoBackInTheirOrder()
    {
        waitForCalm(); // which maps can be compared is part of the state, and jobs bring more
        std::vector<QJsonObject> states = {state()};
        const auto step = [&](const std::function<void()>& change) {
            gesture(change);
            waitForCalm();
            states.push_back(state());
        };
        step([this] { hub().setDocuments({4, 5}); });
        step([this] { choices().setHeads({1}); });
        step([this] { hub().setDocuments({6}); });
        step([this] { choices().setStage(Stage::OutputSegment); });
        QCOMPARE(states.size(), std::size_t{5});
        for (std::size_t i = states.size() - 1; i-- > 0;)
        {
            action("actionUndo")->trigger();
            WAIT_FOR2(state() == states[i], qPrintable(differences(state(), states[i]).join(u'|')));
        }
        for (std::size_t i = 1; i < states.size(); ++i)
        {
            action("actionRedo")->trigger();
            WAIT_FOR2(state() == states[i], qPrintable(differences(state(), states[i]).join(u'|')));
        }
        // A new step takes the place of those that were undone.
        action("actionUndo")->trigger();
        waitForJobs();
        gesture([this] { choices().setHeads({0, 1}); });
        QVERIFY(!history().canRedo());
    }

    void whatTheProgramChangesIsNoStep()
    {
        {
            const auto program = choices().byProgram();
            choices().setHeads({1});
            choices().setStage(Stage::OutputSegment);
        }
        auto* sort = m_window->findChild<QComboBox*>(QStringLiteral("heatmapSort"));
        sort->setCurrentIndex(1); // no hand was on it
        waitForJobs();
        QTest::keyClick(m_window.get(), Qt::Key_Shift);
        history().settle();
        QVERIFY(!history().canUndo());
        // Nor is it a part of the next step.
        gesture([this] { choices().setColor(ui::ColorChoice::fromKey("strength")); });
        history().undo();
        waitForJobs();
        QCOMPARE(sort->currentIndex(), 1);
        QVERIFY(choices().now().heads == std::vector<std::int64_t>{1});
        QVERIFY(!history().canUndo());
        // Another cache: what was before is of the old one.
        gesture([this] { choices().setHeads({0}); });
        QVERIFY(history().canUndo());
        openAndSettle(m_other);
        QVERIFY(!history().canUndo() && !action("actionUndo")->isEnabled());
        QCOMPARE(action("actionUndo")->text(), QStringLiteral("Undo"));
    }

    /// A number that is counted up is one step, and undoing it shows where it stands.
    void ticksOfOneControlAreOneStep()
    {
        m_window->setView(ui::kHeatmapView);
        waitForJobs();
        auto* count = test::viewOf<ui::HeatmapView>(*m_window).findChild<QSpinBox*>(QStringLiteral("heatmapPerTopic"));
        QVERIFY(count != nullptr);
        const int before = count->value();
        for (int i = 0; i < 3; ++i)
        {
            gesture([count] { count->setValue(count->value() - 1); });
        }
        QCOMPARE(count->value(), before - 3);
        QVERIFY2(history().undoText().contains(QStringLiteral("Heatmap")), qPrintable(history().undoText()));
        m_window->setView(ui::kMapView);
        history().settle();
        action("actionUndo")->trigger();
        QCOMPARE(count->value(), before);
        QVERIFY(m_window->view() == ui::kHeatmapView);
        QVERIFY(!history().canUndo());
    }

    void buttonsOfTheHeadsTabJoinIn()
    {
        auto* heads = m_workbench->findChild<desktop::HeadsController*>();
        const std::vector<bool> all = heads->kept();
        std::vector<bool> some = all;
        some.at(0) = false;
        heads->putKept(some);
        action("actionUndoSwitch")->trigger(); // its own key
        QVERIFY(heads->kept() == all);
        history().undo(); // what was undone there
        QVERIFY(heads->kept() == some);
        history().undo(); // and the switch itself
        QVERIFY(heads->kept() == all);
        QVERIFY(!history().canUndo());
    }

    /// Every control of every view that is state: changed, undone by its name, redone.
    void everyControlOfEveryViewComesBack()
    {
        QStringList problems;
        int changed = 0;
        m_window->setView(ui::kHeatmapView); // whose topics propose a threshold when they are shown first
        for (const char* mode : {"modeSimilarity", "modeDocuments"})
        {
            QTest::mouseClick(m_window->findChild<QAbstractButton*>(QLatin1StringView(mode)), Qt::LeftButton);
            waitForJobs();
        }
        for (const ui::ViewEntry& entry : m_window->views().entries())
        {
            m_window->setView(entry.id);
            waitForJobs();
            waitForCalm();
            QList<QPointer<QWidget>> controls;
            for (QWidget* each : entry.widget->findChildren<QWidget*>())
                controls << each;
            for (const QPointer<QWidget>& control : std::as_const(controls))
            {
                if (control == nullptr || !control->isVisible() || !control->isEnabled())
                    continue;
                history().clear();
                const QJsonObject before = steps();
                const QString what = entry.title + u' ' + control->objectName();
                bool isOther = false;
                gesture([&] { isOther = operate(*control); });
                if (!isOther)
                    continue;
                const QJsonObject after = steps();
                if (after == before)
                    continue; // is no state, or only unfolds
                ++changed;
                const QString name = history().undoText();
                if (!history().canUndo() || name.isEmpty() || name.startsWith(QStringLiteral("setting")))
                {
                    problems << what + QStringLiteral(": no step, or none with a name: ") + name + u' ' +
                                    differences(before, after).join(u',');
                    continue;
                }
                m_window->setView(ui::kMapView); // from another view
                action("actionUndo")->trigger();
                waitForJobs();
                if (const QJsonObject now = steps(); now != before)
                    problems << what + QStringLiteral(" is not undone: ") + differences(now, before).join(u',');
                action("actionRedo")->trigger();
                waitForJobs();
                if (const QJsonObject now = steps(); now != after)
                    problems << what + QStringLiteral(" is not redone: ") + differences(now, after).join(u',');
                action("actionUndo")->trigger();
                waitForJobs();
                m_window->setView(entry.id);
                waitForJobs();
            }
        }
        QVERIFY2(problems.isEmpty(), qPrintable(problems.join(u'\n')));
        QVERIFY2(changed > 20, qPrintable(QString::number(changed)));
    }

    void stepsAreBounded()
    {
        for (int i = 0; i < UndoHistory::kSteps + 20; ++i)
            hub().setDocuments({i % 7});
        int steps = 0;
        while (history().canUndo() && steps < 1000)
        {
            history().undo();
            ++steps;
        }
        QCOMPARE(steps, UndoHistory::kSteps);
    }
};

HEADSCOPE_WINDOW_TEST(TestDesktopUndo)
#include "tst_desktop_undo.moc"
