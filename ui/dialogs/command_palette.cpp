// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/command_palette.h"

#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"

#include <QAction>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace headscope::ui
{
namespace
{

constexpr int kWidth = 520;
constexpr int kHeight = 380;
constexpr int kCommandRole = Qt::UserRole;

QString plainText(const QAction& action)
{
    QString text = action.text();
    return text.remove(u'&');
}

} // namespace

namespace
{

/// How well a typed word fits a text: a whole word of it, the beginning of one, somewhere inside, or not at all.
enum class Fit
{
    None,
    Inside,
    Begins,
    Whole,
};

Fit fitOf(const QString& text, const QString& word)
{
    Fit best = Fit::None;
    for (qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive); at >= 0 && best != Fit::Whole;
         at = text.indexOf(word, at + 1, Qt::CaseInsensitive))
    {
        const qsizetype end = at + word.size();
        const bool begins = at == 0 || !text.at(at - 1).isLetterOrNumber();
        const bool ends = end == text.size() || !text.at(end).isLetterOrNumber();
        best = std::max(best, !begins ? Fit::Inside : ends ? Fit::Whole : Fit::Begins);
    }
    return best;
}

/// What the action itself is called, without the menus it stands in.
QString nameOf(const QString& command)
{
    static const QString kSeparator = QStringLiteral(" › ");
    const qsizetype last = command.lastIndexOf(kSeparator);
    return last < 0 ? command : command.mid(last + kSeparator.size());
}

} // namespace

int matchScore(const QString& command, const QString& typed, const QString& tip)
{
    // What the action is called counts before the menus it stands in; a whole word before the beginning of one.
    constexpr int kInName[] = {0, 3, 30, 60};
    constexpr int kInPath[] = {0, 1, 10, 20};
    constexpr int kIsName = 200;
    const QString name = nameOf(command);
    const QStringList words = typed.split(u' ', Qt::SkipEmptyParts);
    int score = 1;
    for (const QString& word : words)
    {
        const Fit inPath = fitOf(command, word);
        const bool isExplained = fitOf(tip, word) >= Fit::Begins;
        if (inPath == Fit::None && !isExplained)
            return 0;
        score += std::max(kInName[static_cast<int>(fitOf(name, word))], kInPath[static_cast<int>(inPath)]);
    }
    return score + (words.join(u' ').compare(name, Qt::CaseInsensitive) == 0 ? kIsName : 0);
}

CommandPalette::CommandPalette(const QMenuBar& menus, QWidget* parent) : QDialog(parent)
{
    setObjectName(QStringLiteral("commandPalette"));
    setWindowTitle(tr("Commands"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(kWidth, kHeight);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Metrics::kPanel, Metrics::kPanel, Metrics::kPanel, Metrics::kPanel);
    layout->setSpacing(Metrics::kRelated);
    m_field = new QLineEdit(this);
    m_field->setObjectName(QStringLiteral("commandField"));
    m_field->setAccessibleName(tr("Command"));
    m_field->setPlaceholderText(tr("Type the name of a command"));
    m_list = new QTreeWidget(this);
    m_list->setObjectName(QStringLiteral("commandList"));
    m_list->setAccessibleName(tr("Commands"));
    m_list->setFocusPolicy(Qt::NoFocus); // the field keeps the keys
    m_list->setColumnCount(2);
    m_list->setHeaderHidden(true);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    auto* inside = new QVBoxLayout(m_list->viewport());
    m_none = makeMutedLabel(tr("No command found"), m_list->viewport());
    m_none->setObjectName(QStringLiteral("commandNone"));
    inside->addWidget(m_none, 0, Qt::AlignHCenter | Qt::AlignTop);
    layout->addWidget(m_field);
    layout->addWidget(m_list, 1);
    collect(menus.actions(), {});
    m_field->installEventFilter(this);
    connect(m_field, &QLineEdit::textChanged, this, &CommandPalette::refresh);
    connect(m_field, &QLineEdit::returnPressed, this, &CommandPalette::runCurrent);
    connect(m_list, &QTreeWidget::itemClicked, this, &CommandPalette::runCurrent);
    refresh();
}

void CommandPalette::collect(const QList<QAction*>& actions, const QString& path)
{
    for (QAction* action : actions)
    {
        if (action->isSeparator() || !action->isVisible())
            continue;
        const QString name = path.isEmpty() ? plainText(*action) : path % QStringLiteral(" › ") % plainText(*action);
        if (QMenu* menu = action->menu())
        {
            Q_EMIT menu->aboutToShow(); // menus that fill themselves
            collect(menu->actions(), name);
        }
        else
            m_commands.push_back({name, action});
    }
}

void CommandPalette::refresh()
{
    std::vector<std::pair<int, qsizetype>> found;
    for (qsizetype i = 0; i < m_commands.size(); ++i)
    {
        const Command& command = m_commands.at(i);
        const int score = command.action ? matchScore(command.path, m_field->text(), command.action->statusTip()) : 0;
        if (score > 0)
            found.emplace_back(command.action->isEnabled() ? score : score - 1000, i);
    }
    std::ranges::stable_sort(found, std::greater(), [](const auto& entry) { return entry.first; });
    m_list->clear();
    for (const auto& [score, index] : found)
    {
        const Command& command = m_commands.at(index);
        auto* item =
            new QTreeWidgetItem(m_list, {command.path, command.action->shortcut().toString(QKeySequence::NativeText)});
        item->setData(0, kCommandRole, QVariant::fromValue(index));
        item->setToolTip(0, command.action->statusTip());
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        item->setSizeHint(0, QSize(0, Metrics::kControl));
        item->setDisabled(!command.action->isEnabled());
    }
    m_none->setVisible(found.empty());
    m_list->setAccessibleDescription(found.empty() ? m_none->text() : QString());
    QTreeWidgetItem* first = m_list->topLevelItem(0);
    m_list->setCurrentItem(first != nullptr && !first->isDisabled() ? first : nullptr);
}

QStringList CommandPalette::shownCommands() const
{
    QStringList commands;
    for (int row = 0; row < m_list->topLevelItemCount(); ++row)
        commands << m_commands.at(m_list->topLevelItem(row)->data(0, kCommandRole).value<qsizetype>()).path;
    return commands;
}

void CommandPalette::runCurrent()
{
    const QTreeWidgetItem* item = m_list->currentItem();
    if (item == nullptr)
        return;
    const QPointer<QAction> action = m_commands.at(item->data(0, kCommandRole).value<qsizetype>()).action;
    accept();
    if (action)
        action->trigger();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_field && event->type() == QEvent::KeyPress)
    {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp || key == Qt::Key_PageDown)
        {
            const int step = key == Qt::Key_Up ? -1 : key == Qt::Key_Down ? 1 : key == Qt::Key_PageUp ? -8 : 8;
            const int present = m_list->indexOfTopLevelItem(m_list->currentItem());
            const int row = std::clamp(present + step, 0, std::max(0, m_list->topLevelItemCount() - 1));
            if (QTreeWidgetItem* item = m_list->topLevelItem(row); item != nullptr && !item->isDisabled())
                m_list->setCurrentItem(item);
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace headscope::ui
