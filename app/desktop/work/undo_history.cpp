// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/work/undo_history.h"

#include "app/views/atlas/atlas_view.h"
#include "app/views/heads/heads_controller.h"
#include "app/views/heads/heads_view.h"
#include "app/views/heatmap/heatmap_view.h"
#include "app/views/probe/probe_view.h"
#include "ui/state/view_state.h"
#include "ui/window/actions.h"
#include "ui/words/wording.h"

#include <QAction>
#include <QApplication>
#include <QJsonArray>
#include <QJsonObject>
#include <QUndoCommand>

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::desktop
{
namespace
{

constexpr QLatin1StringView kChoice("choice/");
constexpr std::array kChoiceKeys = {"layer", "stage", "label", "heads", "color"};
constexpr QLatin1StringView kViews("views/");
constexpr QLatin1StringView kControls("/controls/");
constexpr QLatin1StringView kLegends("/legends");
constexpr QLatin1StringView kAnnotations("/annotations");

/// @param of  whose controls they are; null: of no view
void add(std::map<QString, QJsonValue>& values, const QString& path, const QJsonObject& object,
         const ui::ViewState* of = nullptr)
{
    for (auto each = object.begin(); each != object.end(); ++each)
        if (!each.value().isArray() && (of == nullptr || of->isStep(each.key()))) // arrays: sizes of panes
            values[path + each.key()] = each.value();
}

} // namespace

/// Values that differ, before and after.
class UndoHistory::ValuesStep : public QUndoCommand
{
public:
    ValuesStep(UndoHistory& history, Values before, Values after, const QString& name, bool merges)
        : QUndoCommand(name), m_history(history), m_before(std::move(before)), m_after(std::move(after)),
          m_merges(merges)
    {}
    void undo() override { m_history.put(m_before); }
    void redo() override
    {
        if (!std::exchange(m_isNew, false)) // a new one is in the window already
            m_history.put(m_after);
    }
    int id() const override { return 1; }
    bool mergeWith(const QUndoCommand* other) override
    {
        const auto* next = dynamic_cast<const ValuesStep*>(other);
        const auto sameKeys = [](const Values& a, const Values& b) {
            return std::ranges::equal(a, b, {}, &Values::value_type::first, &Values::value_type::first);
        };
        if (next == nullptr || !next->m_merges || !sameKeys(m_after, next->m_after))
            return false;
        m_after = next->m_after;
        return true;
    }

private:
    UndoHistory& m_history;
    Values m_before;
    Values m_after;
    bool m_merges;
    bool m_isNew = true;
};

/// A step of another history.
class UndoHistory::HistoryStep : public QUndoCommand
{
public:
    HistoryStep(const QString& name, std::function<void()> undo, std::function<void()> redo)
        : QUndoCommand(name), m_undo(std::move(undo)), m_redo(std::move(redo))
    {}
    void undo() override { m_undo(); }
    void redo() override
    {
        if (!std::exchange(m_isNew, false))
            m_redo();
    }

private:
    std::function<void()> m_undo;
    std::function<void()> m_redo;
    bool m_isNew = true;
};

UndoHistory::UndoHistory(Study& study, WorkSession& session, HeadsController& heads, QObject* parent)
    : QObject(parent), m_study(study), m_session(session)
{
    m_stack.setUndoLimit(kSteps);
    m_settle.setSingleShot(true);
    m_settle.setInterval(kSettleMs);
    connect(&m_settle, &QTimer::timeout, this, &UndoHistory::settle);
    connect(&m_study, &Study::cacheChanged, this, &UndoHistory::clear);
    connect(&m_session, &WorkSession::restored, this, &UndoHistory::clear);
    ui::SelectionHub& hub = m_study.window().selection();
    connect(&hub, &ui::SelectionHub::stepMade, this,
            [this, &hub](const QString& name, const ui::SelectionState& before, const ui::SelectionState& after) {
                addForeign(
                    name, [&hub, before] { hub.putBack(before); }, [&hub, after] { hub.putBack(after); });
            });
    connect(&heads, &HeadsController::switchMade, this,
            [this, &heads](const std::vector<bool>& before, const std::vector<bool>& after) {
                addForeign(
                    tr("turning heads on or off"),
                    [this, &heads, before] {
                        heads.putKept(before);
                        m_study.window().setView(ui::kHeadsView);
                    },
                    [this, &heads, after] {
                        heads.putKept(after);
                        m_study.window().setView(ui::kHeadsView);
                    });
            });
    ui::Actions& actions = m_study.window().actions();
    actions.replace(
        QStringLiteral("actionUndo"), [this] { go(true); }, [this] { return canUndo(); });
    actions.replace(
        QStringLiteral("actionRedo"), [this] { go(false); }, [this] { return canRedo(); });
    connect(&m_stack, &QUndoStack::indexChanged, this, &UndoHistory::refresh);
    m_rest.setSingleShot(true);
    connect(&m_rest, &QTimer::timeout, this, &UndoHistory::rest);
    followChoices();
    for (const ui::ViewEntry& entry : m_study.window().views().entries())
        follow(*entry.state, kViews + entry.id.key());
    follow(m_session.findState(), QStringLiteral("window/find"));
    connect(&m_study.window().views(), &ui::ViewStack::annotationsChanged, this, [this](ui::ViewId view) {
        note(kViews + view.key() + kAnnotations);
        begin();
    });
    connect(&m_session, &WorkSession::checked, this, [this](const QJsonObject& state) {
        if (!m_before)
            m_last = valuesIn(state); // also what changed without a word
    });
    refresh();
}

void UndoHistory::followChoices()
{
    ui::Choices& choices = m_study.choices();
    const auto changed = [this, &choices] {
        if (m_choice == choices.now())
            return; // the same colours mean something else
        m_choice = choices.now();
        for (const char* key : kChoiceKeys)
            note(kChoice + QLatin1StringView(key));
        if (!choices.isByProgram())
            begin();
    };
    for (const auto signal : {&ui::Choices::sourceChanged, &ui::Choices::headsChanged, &ui::Choices::labelChanged,
                              &ui::Choices::colorChanged})
        connect(&choices, signal, this, changed);
    connect(&choices, &ui::Choices::opened, this, [this, &choices] { m_choice = choices.now(); });
    ui::Actions& actions = m_study.window().actions();
    connect(&actions, &ui::Actions::switched, this,
            [this](const QString& id) { note(QStringLiteral("window/switches/") + id); });
    connect(&actions, &ui::Actions::commanded, this, &UndoHistory::begin);
}

void UndoHistory::follow(const ui::ViewState& state, const QString& path)
{
    const QString controls = path + (path.startsWith(kViews) ? kControls : QLatin1StringView("/"));
    connect(&state, &ui::ViewState::changed, this,
            [this, &state, path, controls](ui::StatePart part, const QString& key) {
                if (part == ui::StatePart::Controls && !state.isStep(key))
                    return;
                if (part == ui::StatePart::Controls)
                    note(controls + key, [&state, key] { return state.value(ui::StatePart::Controls, key); });
                else if (part == ui::StatePart::Legends)
                    note(path + kLegends, [&state] {
                        const QJsonObject legends = state.values(ui::StatePart::Legends);
                        return legends.isEmpty() ? QJsonValue(QJsonValue::Undefined) : QJsonValue(legends);
                    });
                else if (part == ui::StatePart::Own)
                    note(key);
            });
    connect(&state, &ui::ViewState::acts, this, &UndoHistory::begin);
}

UndoHistory::Values UndoHistory::valuesIn(const QJsonObject& all) const
{
    Values values;
    add(values, kChoice, all.value(QStringLiteral("choice")).toObject());
    const QJsonObject window = all.value(QStringLiteral("window")).toObject();
    add(values, QStringLiteral("window/switches/"), window.value(QStringLiteral("switches")).toObject());
    add(values, QStringLiteral("window/find/"), window.value(QStringLiteral("find")).toObject(),
        &m_session.findState());
    const QJsonObject views = all.value(QStringLiteral("views")).toObject();
    for (auto each = views.begin(); each != views.end(); ++each)
    {
        const QJsonObject view = each.value().toObject();
        const ui::ViewStack& stack = m_study.window().views();
        const ui::ViewEntry* entry = stack.find(stack.idOf(each.key()));
        add(values, kViews + each.key() + kControls, view.value(QStringLiteral("controls")).toObject(),
            entry == nullptr ? nullptr : entry->state);
        if (view.contains(QStringLiteral("legends")))
            values[kViews + each.key() + kLegends] = view.value(QStringLiteral("legends"));
        if (view.contains(QStringLiteral("annotations")))
            values[kViews + each.key() + kAnnotations] = view.value(QStringLiteral("annotations"));
    }
    for (const char* part : {"atlas_marked", "filter", "heatmap_topics", "probe"})
        if (all.contains(QLatin1StringView(part)))
            values[QLatin1StringView(part)] = all.value(QLatin1StringView(part));
    return values;
}

void UndoHistory::note(const QString& path, Reader read)
{
    m_noted.insert_or_assign(path, std::move(read));
    if (!m_rest.isActive())
        m_rest.start();
}

void UndoHistory::rest()
{
    m_foreign = false;
    const auto noted = std::exchange(m_noted, {});
    if (m_before || !m_study.cache())
        return;
    if (noted.empty() || std::ranges::any_of(noted, [](const auto& each) { return each.second == nullptr; }))
    {
        m_last = values();
        return;
    }
    for (const auto& [path, read] : noted) // a slider that plays changes with every frame: not all for one
    {
        m_last.erase(path);
        if (const QJsonValue value = read(); !value.isUndefined() && !value.isArray()) // sizes of panes
            m_last[path] = value;
    }
}

void UndoHistory::begin()
{
    if (m_going || m_foreign || !m_study.cache() || !m_session.isSettled())
        return;
    const bool isChoice = m_noted.contains(kChoice + QLatin1StringView(kChoiceKeys.front()));
    if (!m_before && m_study.loading() && !isChoice)
        return; // what comes of it would look like the user's
    if (!m_before)
    {
        m_before = values();
        for (const auto& [path, read] : m_noted)
        {
            m_before->erase(path);
            if (const auto was = m_last.find(path); was != m_last.end())
                m_before->insert(*was);
        }
    }
    m_settle.start();
}

void UndoHistory::settle()
{
    // A list that hangs open, a button that is held: the gesture goes on.
    if (m_before && (QApplication::mouseButtons() != Qt::NoButton || QApplication::activePopupWidget() != nullptr))
        return m_settle.start();
    m_settle.stop();
    if (!m_before || !m_study.cache())
        return m_before.reset();
    const Values before = *std::exchange(m_before, std::nullopt);
    const Values now = m_last = values();
    Values was;
    Values is;
    for (const auto& [path, value] : now)
        if (const auto old = before.find(path); old == before.end() || old->second != value)
        {
            was[path] = old == before.end() ? QJsonValue(QJsonValue::Undefined) : old->second;
            is[path] = value;
        }
    for (const auto& [path, value] : before)
        if (!now.contains(path))
        {
            was[path] = value;
            is[path] = QJsonValue(QJsonValue::Undefined);
        }
    if (is.empty())
        return;
    const bool merges = m_sinceStep.isValid() && m_sinceStep.elapsed() < kMergeMs;
    const QString name = nameOf(is);
    m_stack.push(new ValuesStep(*this, std::move(was), std::move(is), name, merges));
    m_sinceStep.start();
}

void UndoHistory::addForeign(const QString& name, std::function<void()> undo, std::function<void()> redo)
{
    if (m_going || !m_session.isSettled())
        return;
    m_before.reset();
    m_foreign = true;
    m_rest.start();
    m_stack.push(new HistoryStep(name, std::move(undo), std::move(redo)));
}

void UndoHistory::put(const Values& values)
{
    QJsonObject choice;
    QJsonObject window;
    QJsonObject parts;
    std::map<QString, QJsonObject> views; ///< of each its parts
    for (const auto& [path, value] : values)
    {
        const QString last = path.section(QLatin1Char('/'), -1);
        if (path.startsWith(kChoice))
            choice[last] = value.isUndefined() ? QJsonValue(QStringLiteral("all")) : value;
        else if (path.startsWith(kViews) && path.endsWith(kLegends))
            views[path.section(QLatin1Char('/'), 1, 1)][last] = value.toObject();
        else if (path.startsWith(kViews) && path.endsWith(kAnnotations))
            views[path.section(QLatin1Char('/'), 1, 1)][last] = value.toArray(); // undefined: none
        else if (path.startsWith(kViews))
        {
            QJsonObject& view = views[path.section(QLatin1Char('/'), 1, 1)];
            QJsonObject controls = view.value(QStringLiteral("controls")).toObject();
            controls[last] = value;
            view[QStringLiteral("controls")] = controls;
        }
        else if (path.startsWith(QLatin1StringView("window/")))
        {
            const QString part = path.section(QLatin1Char('/'), 1, 1);
            QJsonObject inner = window.value(part).toObject();
            inner[last] = value;
            window[part] = inner;
        }
        else
            parts[path] = value;
    }
    QJsonObject byView;
    for (const auto& [view, own] : views)
        byView[view] = own;
    m_session.putBack(choice, window, byView, parts);
    show(values.begin()->first);
}

void UndoHistory::show(const QString& path)
{
    const QString key = path.startsWith(kViews)                          ? path.section(QLatin1Char('/'), 1, 1)
                        : path.startsWith(QLatin1StringView("heatmap_")) ? ui::kHeatmapView.key()
                        : path == QLatin1StringView("probe")             ? ui::kProbeView.key()
                        : path == QLatin1StringView("atlas_marked")      ? ui::kAtlasView.key()
                                                                         : QString();
    ui::MainWindow& window = m_study.window();
    if (const ui::ViewId view = window.views().idOf(key); !view.isNull())
        window.setView(view);
}

QString UndoHistory::nameOf(const Values& after) const
{
    // What came of a choice by itself has no name: the choice has.
    const auto names = std::map<QString, QString>{{QStringLiteral("layer"), tr("layer")},
                                                  {QStringLiteral("stage"), tr("stage")},
                                                  {QStringLiteral("heads"), tr("heads")},
                                                  {QStringLiteral("label"), tr("label")},
                                                  {QStringLiteral("color"), tr("colours")}};
    for (const char* key : kChoiceKeys)
        if (after.contains(kChoice + QLatin1StringView(key)))
            return names.at(QLatin1StringView(key));
    const QString path = after.begin()->first;
    const QString last = path.section(QLatin1Char('/'), -1);
    if (path.startsWith(QLatin1StringView("window/switches/")))
        if (const QAction* action = m_study.window().actions().find(last))
            return ui::plainName(action->text());
    if (path.startsWith(QLatin1StringView("window/find/")))
        return tr("search");
    if (path == QLatin1StringView("atlas_marked"))
        return tr("marks in the Atlas");
    if (path == QLatin1StringView("filter"))
        return tr("filter");
    if (path == QLatin1StringView("heatmap_topics"))
        return tr("topics");
    if (path == QLatin1StringView("probe"))
        return tr("tab of the Probe view");
    if (path.endsWith(kLegends))
        return tr("legend");
    if (path.endsWith(kAnnotations))
        return tr("annotations of the figure");
    return nameOfControl(path.section(QLatin1Char('/'), 1, 1), last);
}

QString UndoHistory::nameOfControl(const QString& view, const QString& control) const
{
    const ui::ViewStack& views = m_study.window().views();
    const ui::ViewEntry* entry = views.find(views.idOf(view));
    if (entry == nullptr)
        return tr("setting");
    QString name = entry->state->nameOf(control);
    constexpr qsizetype kLongest = 40;
    if (name.size() > kLongest)
        name = name.left(kLongest).section(QLatin1Char(' '), 0, -2) + QChar(0x2026);
    return name.isEmpty() ? tr("setting of %1").arg(entry->title) : QStringLiteral("%1 (%2)").arg(name, entry->title);
}

void UndoHistory::go(bool back)
{
    settle(); // what was typed just now is a step
    m_settle.stop();
    m_before.reset();
    if (back ? !canUndo() : !canRedo())
        return;
    const QString name = back ? undoText() : redoText();
    m_going = true;
    back ? m_stack.undo() : m_stack.redo();
    m_going = false;
    m_rest.start();
    m_sinceStep.invalidate();
    m_study.window().showNotice(back ? tr("Undone: %1").arg(name) : tr("Redone: %1").arg(name));
}

void UndoHistory::undo()
{
    go(true);
}

void UndoHistory::redo()
{
    go(false);
}

void UndoHistory::clear()
{
    m_settle.stop();
    m_before.reset();
    m_sinceStep.invalidate();
    m_last = values();
    m_stack.clear();
    refresh();
}

void UndoHistory::refresh()
{
    ui::Actions& actions = m_study.window().actions();
    for (const auto& [id, verb, name] :
         {std::tuple("actionUndo", tr("Undo"), undoText()), std::tuple("actionRedo", tr("Redo"), redoText())})
        if (QAction* action = actions.find(QLatin1StringView(id)))
            action->setText(name.isEmpty() ? verb : QStringLiteral("%1 %2").arg(verb, name));
    actions.refresh();
    Q_EMIT changed();
}

} // namespace headscope::desktop
