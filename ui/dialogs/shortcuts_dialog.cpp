// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/shortcuts_dialog.h"

#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/window/shortcuts.h"
#include "ui/words/wording.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <array>

namespace headscope::ui
{
namespace
{

constexpr int kWidth = 720;
constexpr int kHeight = 600;
constexpr int kKeysColumn = 240;

/// What the mouse does in a view.
struct Gesture
{
    const char* how;
    const char* what;
};

constexpr std::array kGestures{
    Gesture{QT_TRANSLATE_NOOP("ShortcutsDialog", "Wheel, pinch"),
            QT_TRANSLATE_NOOP("ShortcutsDialog", "the map: zoom at the pointer")},
    Gesture{QT_TRANSLATE_NOOP("ShortcutsDialog", "Drag, middle button"),
            QT_TRANSLATE_NOOP("ShortcutsDialog", "the map: move (the middle button works with every tool)")},
    Gesture{QT_TRANSLATE_NOOP("ShortcutsDialog", "Shift+drag"),
            QT_TRANSLATE_NOOP("ShortcutsDialog", "the map: zoom into a rectangle")},
    Gesture{QT_TRANSLATE_NOOP("ShortcutsDialog", "Double click"),
            QT_TRANSLATE_NOOP("ShortcutsDialog", "the map: show everything")},
    Gesture{QT_TRANSLATE_NOOP("ShortcutsDialog", "Click"),
            QT_TRANSLATE_NOOP("ShortcutsDialog", "the map: show the document, and outline its other points")},
    Gesture{QT_TRANSLATE_NOOP("ShortcutsDialog", "Shift, Ctrl, Alt"),
            QT_TRANSLATE_NOOP("ShortcutsDialog", "selecting: add, remove, intersect")},
    Gesture{QT_TRANSLATE_NOOP("ShortcutsDialog", "Wheel, Ctrl+wheel"),
            QT_TRANSLATE_NOOP("ShortcutsDialog", "the brush: change its size; zoom")},
    Gesture{QT_TRANSLATE_NOOP("ShortcutsDialog", "Drag"),
            QT_TRANSLATE_NOOP("ShortcutsDialog", "the Atlas: mark the heads inside")},
    Gesture{QT_TRANSLATE_NOOP("ShortcutsDialog", "Click"),
            QT_TRANSLATE_NOOP("ShortcutsDialog", "a legend: show only this entry; click again to show all")},
    Gesture{QT_TRANSLATE_NOOP("ShortcutsDialog", "Ctrl+click, drag"),
            QT_TRANSLATE_NOOP("ShortcutsDialog", "the Data panel: add a head, select several")},
};

QString plainText(const QAction& action)
{
    QString text = action.text();
    return text.remove(u'&');
}

QString shown(const QKeySequence& keys)
{
    return keys.toString(QKeySequence::NativeText);
}

void makeHeading(QTreeWidgetItem* item)
{
    item->setFlags(Qt::ItemIsEnabled);
    item->setFont(0, Theme::bodyFont(true));
    item->setExpanded(true);
    item->setSizeHint(0, QSize(0, Metrics::kControl));
}

/// Takes the keys that are pressed in it.
QKeySequenceEdit* makeKeysField(QWidget* parent)
{
    constexpr int kKeysWidth = 160;
    auto* keys = new QKeySequenceEdit(parent);
    keys->setObjectName(QStringLiteral("shortcutKeys"));
    keys->setAccessibleName(ShortcutsDialog::tr("New keys"));
    keys->setToolTip(ShortcutsDialog::tr("Click here, then press the new keys together"));
    keys->setFixedWidth(kKeysWidth);
    if (auto* field = keys->findChild<QLineEdit*>())
    {
        field->setPlaceholderText(ShortcutsDialog::tr("Press the keys"));
        field->setAccessibleName(ShortcutsDialog::tr("New keys"));
        field->setToolTip(keys->toolTip());
    }
    return keys;
}

} // namespace

ShortcutsDialog::ShortcutsDialog(Shortcuts& shortcuts, const QMenuBar& menus, QWidget* parent)
    : QDialog(parent), m_shortcuts(shortcuts)
{
    setObjectName(QStringLiteral("shortcutsDialog"));
    setWindowTitle(tr("Shortcuts"));
    resize(kWidth, kHeight);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Metrics::kGroups, Metrics::kGroups, Metrics::kGroups, Metrics::kGroups);
    layout->setSpacing(Metrics::kRelated);
    m_search = new QLineEdit(this);
    m_search->setObjectName(QStringLiteral("shortcutSearch"));
    m_search->setAccessibleName(tr("Search"));
    m_search->setToolTip(tr("Show only actions whose name or keys contain this text"));
    m_search->setPlaceholderText(tr("Search by action or key"));
    addClearButton(*m_search);
    m_tree = new QTreeWidget(this);
    m_tree->setObjectName(QStringLiteral("shortcutTree"));
    m_tree->setAccessibleName(tr("Actions and their keys"));
    m_tree->setToolTip(tr("Select an action, then press new keys below"));
    m_tree->setColumnCount(2);
    m_tree->setHeaderLabels({tr("Action"), tr("Keys")});
    m_tree->setIndentation(Metrics::kGroups);
    m_tree->setRootIsDecorated(false);
    m_tree->setUniformRowHeights(true);
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_tree->header()->setSectionResizeMode(1, QHeaderView::Fixed);
    m_tree->header()->resizeSection(1, kKeysColumn);
    m_tree->header()->setSectionsClickable(false);
    auto* inside = new QVBoxLayout(m_tree->viewport());
    m_nothing = makeMutedLabel(tr("No actions found"), m_tree->viewport());
    m_nothing->setObjectName(QStringLiteral("shortcutNothing"));
    inside->addWidget(m_nothing, 0, Qt::AlignHCenter | Qt::AlignTop);
    m_nothing->hide();
    layout->addWidget(m_search);
    layout->addWidget(m_tree, 1);
    collect(menus.actions(), nullptr, {});
    addViewKeys();
    addGestures();
    buildEditor(layout);
    connect(m_search, &QLineEdit::textChanged, this, &ShortcutsDialog::filter);
    connect(m_tree, &QTreeWidget::currentItemChanged, this, &ShortcutsDialog::showCurrent);
    connect(m_tree, &QTreeWidget::itemActivated, m_keys, [this] { m_keys->setFocus(); });
    connect(&m_shortcuts, &Shortcuts::changed, this, &ShortcutsDialog::refresh);
    refresh();
    showCurrent();
}

void ShortcutsDialog::collect(const QList<QAction*>& actions, QTreeWidgetItem* parent, const QString& path)
{
    const QList<QAction*> known = m_shortcuts.actions();
    for (QAction* action : actions)
    {
        if (action->isSeparator())
            continue;
        if (QMenu* menu = action->menu())
        {
            // A menu in a menu is written as a path; one heading per menu of the bar.
            if (parent != nullptr)
            {
                collect(menu->actions(), parent, path % plainText(*action) % QStringLiteral(" › "));
                continue;
            }
            auto* heading = new QTreeWidgetItem(m_tree, {plainText(*action)});
            makeHeading(heading);
            collect(menu->actions(), heading, {});
            if (heading->childCount() == 0)
                delete heading;
            continue;
        }
        if (parent == nullptr || !known.contains(action))
            continue; // recent files and the like have no keys of their own
        auto* item = new QTreeWidgetItem(parent, {QString(path % plainText(*action))});
        item->setToolTip(0, action->statusTip());
        item->setSizeHint(0, QSize(0, Metrics::kControl));
        m_actions.insert(item, action);
    }
}

void ShortcutsDialog::addViewKeys()
{
    auto* heading = new QTreeWidgetItem(m_tree, {tr("Keys of the views (cannot be changed)")});
    makeHeading(heading);
    for (const ViewKey& view : viewKeys())
    {
        QStringList keys;
        for (const QString& name : toQString(view.keys).split(u' '))
            keys << shown(QKeySequence(name, QKeySequence::PortableText));
        keys.removeDuplicates();
        addFixed(heading, toQString(view.place) % QStringLiteral(": ") % toQString(view.what),
                 keys.join(QStringLiteral("  ")));
    }
}

void ShortcutsDialog::addFixed(QTreeWidgetItem* heading, const QString& what, const QString& keys)
{
    auto* item = new QTreeWidgetItem(heading, {what, keys});
    item->setToolTip(0, what);
    item->setToolTip(1, keys);
    item->setSizeHint(0, QSize(0, Metrics::kControl));
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable); // keys lead to it; there is nothing to change
}

void ShortcutsDialog::addGestures()
{
    auto* heading = new QTreeWidgetItem(m_tree, {tr("Mouse (cannot be changed)")});
    makeHeading(heading);
    for (const Gesture& gesture : kGestures)
        addFixed(heading, tr(gesture.what), tr(gesture.how));
}

void ShortcutsDialog::buildEditor(QVBoxLayout* layout)
{
    m_name = new QLabel(this);
    m_name->setFont(Theme::bodyFont(true));
    m_name->setMinimumWidth(1);
    m_name->setWordWrap(true);
    m_name->setMinimumHeight(2 * m_name->fontMetrics().lineSpacing()); // of long lists of keys
    m_keys = makeKeysField(this);
    const auto button = [this](const char* name, const QString& text, const QString& tip) {
        auto* made = new QPushButton(text, this);
        made->setObjectName(QLatin1StringView(name));
        made->setAccessibleName(text);
        made->setToolTip(tip);
        made->setAutoDefault(false); // Return belongs to the keys being typed
        return made;
    };
    m_none = button("shortcutNone", tr("No keys"), tr("Remove the keys of this action. The action stays in the menu."));
    m_reset = button("shortcutReset", tr("Reset"), tr("Restore the default keys of this action"));
    m_resetAll = button("shortcutResetAll", tr("Reset all"), tr("Restore the default keys of every action"));
    auto* close = button("shortcutClose", tr("Close"), tr("Close. Changes are already applied."));
    auto* row = new QHBoxLayout;
    row->setSpacing(Metrics::kRelated);
    row->addWidget(m_name, 1);
    row->addWidget(m_keys);
    row->addWidget(m_none);
    row->addWidget(m_reset);
    layout->addLayout(row);
    m_message = new QLabel(this);
    m_message->setObjectName(QStringLiteral("shortcutMessage"));
    m_message->setWordWrap(true);
    m_message->setTextFormat(Qt::PlainText);
    m_message->setProperty("role", QStringLiteral("warning"));
    m_message->setMinimumHeight(2 * m_message->fontMetrics().lineSpacing()); // the dialog does not jump
    m_message->setAlignment(Qt::AlignTop);
    layout->addWidget(m_message);
    auto* last = new QHBoxLayout;
    last->addWidget(m_resetAll);
    last->addStretch(1);
    last->addWidget(close);
    layout->addLayout(last);
    m_keys->installEventFilter(this);
    connect(m_none, &QPushButton::clicked, this, [this] {
        if (QAction* action = current())
            take(m_shortcuts.setKeys(action, {}));
    });
    connect(m_reset, &QPushButton::clicked, this, [this] {
        if (QAction* action = current())
            take(m_shortcuts.reset(action));
    });
    connect(m_resetAll, &QPushButton::clicked, this, [this] {
        m_shortcuts.resetAll();
        take({});
    });
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
}

QAction* ShortcutsDialog::current() const
{
    return m_actions.value(m_tree->currentItem());
}

void ShortcutsDialog::choose(const QAction* action)
{
    for (auto entry = m_actions.constBegin(); entry != m_actions.constEnd(); ++entry)
        if (entry.value() == action)
            return m_tree->setCurrentItem(entry.key());
}

QString ShortcutsDialog::message() const
{
    return m_message->text();
}

void ShortcutsDialog::take(const QString& refusal)
{
    showCurrent();
    m_message->setText(refusal);
}

void ShortcutsDialog::showCurrent()
{
    const QAction* action = current();
    m_message->clear();
    const QTreeWidgetItem* item = m_tree->currentItem();
    const bool isFixed = action == nullptr && item != nullptr && item->parent() != nullptr;
    m_name->setText(isFixed             ? item->text(0) % QStringLiteral(": ") % item->text(1) // cut in its column
                    : action == nullptr ? tr("Select an action above")
                                        : plainText(*action));
    m_keys->setEnabled(action != nullptr);
    m_none->setEnabled(action != nullptr && !action->shortcut().isEmpty());
    m_reset->setEnabled(action != nullptr && m_shortcuts.isChanged(action));
    const QSignalBlocker quiet(m_keys);
    m_keys->setKeySequence(action == nullptr ? QKeySequence() : action->shortcut());
}

void ShortcutsDialog::refresh()
{
    bool anyChanged = false;
    for (auto entry = m_actions.constBegin(); entry != m_actions.constEnd(); ++entry)
    {
        const QAction* action = entry.value();
        if (action == nullptr)
            continue;
        const bool changed = m_shortcuts.isChanged(action);
        anyChanged = anyChanged || changed;
        entry.key()->setText(1, shown(action->shortcut()));
        entry.key()->setFont(1, Theme::bodyFont(changed));
        const QKeySequence builtIn = m_shortcuts.builtIn(action);
        entry.key()->setToolTip(1, !changed            ? QString()
                                   : builtIn.isEmpty() ? tr("Default: no keys")
                                                       : tr("Default: %1").arg(shown(builtIn)));
    }
    m_resetAll->setEnabled(anyChanged);
}

void ShortcutsDialog::filter(const QString& typed)
{
    bool anyHeading = false;
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i)
    {
        QTreeWidgetItem* heading = m_tree->topLevelItem(i);
        const bool isAsked = heading->text(0).contains(typed, Qt::CaseInsensitive);
        bool any = false;
        for (int row = 0; row < heading->childCount(); ++row)
        {
            QTreeWidgetItem* item = heading->child(row);
            const bool found = isAsked || item->text(0).contains(typed, Qt::CaseInsensitive) ||
                               item->text(1).contains(typed, Qt::CaseInsensitive);
            item->setHidden(!found);
            any = any || found;
        }
        heading->setHidden(!any);
        anyHeading = anyHeading || any;
    }
    m_nothing->setVisible(!anyHeading);
    m_tree->setAccessibleDescription(anyHeading ? QString() : m_nothing->text());
}

bool ShortcutsDialog::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_keys || event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    // Taken at once: the field itself waits a second for further keys. Those that walk through the
    // dialog and shut it keep doing so.
    auto* press = static_cast<QKeyEvent*>(event);
    const bool walks = press->key() == Qt::Key_Tab || press->key() == Qt::Key_Backtab ||
                       press->key() == Qt::Key_Escape || press->key() == Qt::Key_unknown;
    const bool modifier = press->key() == Qt::Key_Shift || press->key() == Qt::Key_Control ||
                          press->key() == Qt::Key_Alt || press->key() == Qt::Key_AltGr || press->key() == Qt::Key_Meta;
    if (walks || modifier)
        return QDialog::eventFilter(watched, event);
    if (QAction* action = current())
        take(m_shortcuts.setKeys(action, QKeySequence(press->keyCombination())));
    return true;
}

void ShortcutsDialog::keyPressEvent(QKeyEvent* event)
{
    // Return in the search field goes to the first hit, and shuts nothing.
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
    {
        if (m_search->hasFocus())
            m_tree->setFocus();
        return;
    }
    QDialog::keyPressEvent(event);
}

} // namespace headscope::ui
