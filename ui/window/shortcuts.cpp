// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/shortcuts.h"

#include "ui/settings/settings.h"
#include "ui/words/wording.h"

#include <QAction>

#include <algorithm>
#include <array>

namespace headscope::ui
{
namespace
{

QString plainText(const QAction& action)
{
    QString text = action.text();
    return text.remove(u'&').remove(QChar(0x2026));
}

QString shown(const QKeySequence& keys)
{
    return keys.toString(QKeySequence::NativeText);
}

/// One key sequence begins with the other: the shorter would swallow the longer.
bool collide(const QKeySequence& one, const QKeySequence& other)
{
    if (one.isEmpty() || other.isEmpty())
        return false;
    return one.matches(other) != QKeySequence::NoMatch || other.matches(one) != QKeySequence::NoMatch;
}

} // namespace

std::span<const ViewKey> viewKeys()
{
    static constexpr std::array kKeys{
        ViewKey{"the map", "V Z", "move the map; zoom into a rectangle"},
        ViewKey{"the map", "R L B", "select in a rectangle, with a lasso, with a brush"},
        ViewKey{"the map", "P", "select whole documents, or single points"},
        ViewKey{"the map", "Shift+Left Shift+Right Shift+Up Shift+Down", "move the map"},
        ViewKey{"the map", "F Home", "show the selection; show everything"},
        ViewKey{"the map", "Alt+Left Alt+Right", "go back or forward through the zoom history"},
        ViewKey{"the map", "+ - Plus Minus", "zoom in and out"},
        ViewKey{"the Atlas", "Ctrl+Space", "mark or unmark a head"},
        ViewKey{"attention", "P", "pin a head"},
        ViewKey{"every view", "Left Right Up Down", "go from point to point, or cell to cell"},
        ViewKey{"every view", "Return Space Esc", "show, or the head card; select; clear"},
        ViewKey{"every view", "Menu Shift+F10", "open the menu of what has the focus"},
        ViewKey{"every view", "Tab Shift+Tab", "go to the next control; go to the previous control"},
    };
    return kKeys;
}

Shortcuts::Shortcuts(Settings& settings, QObject* parent) : QObject(parent), m_settings(settings)
{
    for (const QString& line : m_settings.list(SettingKey::Shortcuts))
        if (const qsizetype at = line.indexOf(u'='); at > 0)
            m_chosen.insert(line.left(at), line.mid(at + 1));
}

void Shortcuts::add(QAction* action)
{
    m_entries.append({action, action->shortcut()});
    const auto chosen = m_chosen.constFind(action->objectName());
    // A kept key that the program itself uses by now is dropped silently: the built-in one stands.
    if (chosen != m_chosen.constEnd())
        if (const QKeySequence keys(*chosen, QKeySequence::PortableText); refusal(action, keys).isEmpty())
            return apply(action, keys);
    apply(action, action->shortcut());
}

QList<QAction*> Shortcuts::actions() const
{
    QList<QAction*> actions;
    for (const Entry& entry : m_entries)
        if (entry.action)
            actions << entry.action;
    return actions;
}

const Shortcuts::Entry* Shortcuts::entryOf(const QAction* action) const
{
    const auto found = std::ranges::find_if(m_entries, [action](const Entry& entry) { return entry.action == action; });
    return found == m_entries.end() ? nullptr : &*found;
}

QKeySequence Shortcuts::builtIn(const QAction* action) const
{
    const Entry* entry = entryOf(action);
    return entry == nullptr ? QKeySequence() : entry->builtIn;
}

bool Shortcuts::isChanged(const QAction* action) const
{
    return action->shortcut() != builtIn(action);
}

QString Shortcuts::refusal(const QAction* action, const QKeySequence& keys) const
{
    if (keys.isEmpty())
        return {};
    for (const Entry& entry : m_entries)
        if (entry.action && entry.action != action && collide(entry.action->shortcut(), keys))
            return tr("%1 is already assigned to “%2”. Use other keys, or remove that assignment first.")
                .arg(shown(keys), plainText(*entry.action));
    for (const ViewKey& view : viewKeys())
        for (const QString& name : toQString(view.keys).split(u' '))
            if (collide(QKeySequence(name, QKeySequence::PortableText), keys))
                return tr("%1 is reserved for %2 (%3). Use other keys.")
                    .arg(shown(keys), toQString(view.place), toQString(view.what));
    return {};
}

QString Shortcuts::setKeys(QAction* action, const QKeySequence& keys)
{
    if (QString reason = refusal(action, keys); !reason.isEmpty())
        return reason;
    apply(action, keys);
    keep();
    Q_EMIT changed();
    return {};
}

QString Shortcuts::reset(QAction* action)
{
    return setKeys(action, builtIn(action));
}

void Shortcuts::resetAll()
{
    for (const Entry& entry : std::as_const(m_entries))
        if (entry.action)
            apply(entry.action, entry.builtIn);
    keep();
    Q_EMIT changed();
}

void Shortcuts::apply(QAction* action, const QKeySequence& keys)
{
    action->setShortcut(keys);
    const QString tip = action->statusTip().isEmpty() ? plainText(*action) : action->statusTip();
    action->setToolTip(keys.isEmpty() ? tip : QString(tip % QStringLiteral(" (%1)").arg(shown(keys))));
}

void Shortcuts::keep()
{
    // Choices for actions of a view that is not there now stay.
    for (const Entry& entry : std::as_const(m_entries))
    {
        if (!entry.action)
            continue;
        if (isChanged(entry.action))
            m_chosen.insert(entry.action->objectName(), entry.action->shortcut().toString(QKeySequence::PortableText));
        else
            m_chosen.remove(entry.action->objectName());
    }
    QStringList lines;
    for (auto chosen = m_chosen.constBegin(); chosen != m_chosen.constEnd(); ++chosen)
        lines << chosen.key() % u'=' % chosen.value();
    lines.sort();
    m_settings.setList(SettingKey::Shortcuts, lines);
}

} // namespace headscope::ui
