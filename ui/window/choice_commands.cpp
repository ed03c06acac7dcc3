// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/choice_commands.h"

#include "ui/panels/data/data_panel.h"
#include "ui/panels/data/head_picker.h"
#include "ui/window/main_window.h"
#include "ui/words/translate.h"
#include "ui/words/wording.h"

#include <QClipboard>
#include <QGuiApplication>

#include <utility>
#include <vector>

namespace headscope::ui
{
namespace
{

constexpr MenuPlace kUndo{MenuId::Edit, 0};
constexpr MenuPlace kChoose{MenuId::Edit, 10};
constexpr MenuPlace kShow{MenuId::Edit, 20};
constexpr MenuPlace kCopy{MenuId::Edit, 30};
constexpr MenuPlace kHeads{MenuId::Heads, 0};

QKeySequence keys(const char* text)
{
    return QKeySequence(QLatin1StringView(text));
}

void chooseSameLabel(MainWindow& window)
{
    const auto primary = window.selection().selection().primary;
    const auto& overview = window.overview();
    const LabelColumn* column = overview ? overview->documents->label(window.choices().now().labelColumn) : nullptr;
    if (column == nullptr || !primary)
        return;
    const std::int32_t code = column->codes[primary->index()];
    std::vector<std::int64_t> same;
    for (std::size_t document = 0; document < column->codes.size(); ++document)
        if (column->codes[document] == code)
            same.push_back(static_cast<std::int64_t>(document));
    window.selection().setDocuments(std::move(same));
}

void chooseOthers(MainWindow& window)
{
    SelectionHub& hub = window.selection();
    auto others = complementOf(hub.selection().documents, window.overview()->documents->count());
    if (const auto shown = hub.shownOnly()) // what cannot be seen is not chosen
        others = combineSets(others, shown->documents, SetOperation::Intersect);
    hub.setDocuments(std::move(others));
}

void copyChosenIds(MainWindow& window)
{
    if (window.overview() == nullptr)
        return;
    std::vector<std::int64_t> documents = window.selection().selection().documents;
    if (const auto primary = window.selection().selection().primary; documents.empty() && primary)
        documents = {primary->value()};
    if (documents.empty())
        return;
    QStringList ids;
    for (const std::int64_t document : documents)
        ids << toQString(window.overview()->documents->ids[static_cast<std::size_t>(document)]);
    QGuiApplication::clipboard()->setText(ids.join(QLatin1Char('\n')));
    window.showNotice(tr("Copied the ids of %1").arg(countText(ids.size(), tr("document"), tr("documents"))));
}

void addDocumentCommands(MainWindow& window)
{
    Actions& actions = window.actions();
    SelectionHub& hub = window.selection();
    const auto any = [&hub] { return !hub.selection().documents.empty(); };
    actions.add({.id = QStringLiteral("actionUndo"),
                 .text = tr("Undo"),
                 .tip = tr("Undo the last change in any view"),
                 .keys = QKeySequence::Undo,
                 .place = kUndo,
                 .act = [&hub] { hub.undo(); },
                 .enabled = [&hub] { return hub.canUndo(); }});
    actions.add({.id = QStringLiteral("actionRedo"),
                 .text = tr("Redo"),
                 .tip = tr("Redo the undone change"),
                 .keys = QKeySequence::Redo,
                 .place = kUndo,
                 .act = [&hub] { hub.redo(); },
                 .enabled = [&hub] { return hub.canRedo(); }});
    actions.add({.id = QStringLiteral("actionChooseSame"),
                 .text = tr("Select all with this label"),
                 .tip = tr("Select every document with the label of the document in the Document tab"),
                 .keys = keys("Ctrl+T"),
                 .place = kChoose,
                 .act = [&window] { chooseSameLabel(window); },
                 .enabled =
                     [&window, &hub] {
                         return window.overview() && hub.selection().primary &&
                                !window.choices().now().labelColumn.empty();
                     }});
    actions.add({.id = QStringLiteral("actionChooseOthers"),
                 .text = tr("Invert document selection"),
                 .tip = tr("Select the documents that are not selected"),
                 .keys = keys("Ctrl+Shift+I"),
                 .place = kChoose,
                 .act = [&window] { chooseOthers(window); },
                 .enabled = [&window] { return window.overview() != nullptr; }});
    actions.add({.id = QStringLiteral("actionChooseNone"),
                 .text = tr("Clear document selection"),
                 .tip = tr("Clear the selection of documents"),
                 .keys = keys("Ctrl+Shift+D"),
                 .place = kChoose,
                 .act = [&hub] { hub.setDocuments({}); },
                 .enabled = any});
}

void addShownCommands(MainWindow& window)
{
    Actions& actions = window.actions();
    SelectionHub& hub = window.selection();
    const auto any = [&hub] { return !hub.selection().documents.empty(); };
    actions.add({.id = QStringLiteral("actionShowChosen"),
                 .text = tr("Show only selection"),
                 .tip = tr("Show only the selected documents in every view"),
                 .keys = keys("Ctrl+Shift+O"),
                 .place = kShow,
                 .act =
                     [&hub] {
                         hub.showOnly({{}, hub.selection().documents});
                     },
                 .enabled = any});
    actions.add({.id = QStringLiteral("actionShowAll"),
                 .text = tr("Show all documents"),
                 .tip = tr("Show all documents in every view"),
                 .keys = keys("Ctrl+Alt+O"),
                 .place = kShow,
                 .act = [&hub] { hub.showAll(); },
                 .enabled = [&hub] { return hub.shownOnly() != nullptr; }});
    actions.add({.id = QStringLiteral("actionCopyIds"),
                 .text = tr("Copy ids"),
                 .tip = tr("Copy the ids of the selected documents, one per line"),
                 .keys = keys("Ctrl+Shift+C"),
                 .place = kCopy,
                 .act = [&window] { copyChosenIds(window); },
                 .enabled = [&window, &hub, any] { return window.overview() && (hub.selection().primary || any()); }});
}

} // namespace

void addChoiceCommands(MainWindow& window)
{
    addDocumentCommands(window);
    addShownCommands(window);
    HeadPicker* picker = window.dataPanel().headPicker();
    Choices& choices = window.choices();
    Actions& actions = window.actions();
    actions.add({.id = QStringLiteral("actionAllHeads"),
                 .text = tr("All"),
                 .tip = tr("Select all heads or segments"),
                 .keys = keys("Ctrl+Shift+A"),
                 .place = kHeads,
                 .act = [picker] { picker->chooseAll(); }});
    actions.add({.id = QStringLiteral("actionNoHeads"),
                 .text = tr("None"),
                 .tip = tr("Clear the selection"),
                 .place = kHeads,
                 .act = [&choices] { choices.setHeads({}); }});
    actions.add({.id = QStringLiteral("actionInvertHeads"),
                 .text = tr("Invert selection"),
                 .tip = tr("Select the heads or segments that are not selected"),
                 .keys = keys("Ctrl+I"),
                 .place = kHeads,
                 .act = [picker] { picker->invert(); }});
}

} // namespace headscope::ui
