// SPDX-License-Identifier: GPL-3.0-or-later
// What leaves the window: files, the clipboard, command lines.
#include "ui/main_window.h"

#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/replace_question.h"
#include "ui/settings/settings.h"
#include "ui/side_panels.h"
#include "ui/wording.h"

#include <QAction>
#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QRegularExpression>

#include <utility>

namespace headscope::ui
{
namespace
{

/// The first ending of a filter: "PNG picture (*.png)" -> "png".
QString endingOf(const QString& filter)
{
    static const QRegularExpression ending(QStringLiteral("\\*\\.(\\w+)"));
    return ending.match(filter).captured(1);
}

} // namespace

void MainWindow::addView(ViewEntry entry)
{
    const View id = entry.id;
    if (!m_views->has(id))
    {
        const int number = static_cast<int>(id) + 1;
        QAction* action = makeAction(QStringLiteral("actionView%1").arg(number), entry.title, tr("Show this view"),
                                     QKeySequence(QStringLiteral("Ctrl+%1").arg(number)));
        action->setData(number);
        connect(action, &QAction::triggered, this, [this, id] { setView(id); });
        QAction* before = m_viewsEnd;
        for (QAction* other : menu(MenuId::View)->actions())
            if (other->data().toInt() > number)
            {
                before = other;
                break;
            }
        menu(MenuId::View)->insertAction(before, action);
    }
    m_views->addView(std::move(entry));
    if (m_viewToRestore == QStringLiteral("actionView%1").arg(static_cast<int>(id) + 1))
        m_views->setCurrent(id);
    refreshActions();
}

void MainWindow::addSidePanel(const QString& id, const QString& title, QWidget* page)
{
    m_side->addPage(id, title, page);
    if (id == m_sidePanelToRestore)
        m_side->showPage(id);
}

void MainWindow::showSidePanel(const QString& id)
{
    m_showInspector->setChecked(true);
    m_side->showPage(id);
}

void MainWindow::copyChosenIds()
{
    if (overview() == nullptr)
        return;
    std::vector<std::int64_t> documents = m_selection.selection().documents;
    if (const auto primary = m_selection.selection().primary; documents.empty() && primary)
        documents = {*primary};
    if (documents.empty())
        return;
    QStringList ids;
    for (const std::int64_t document : documents)
        ids << toQString(overview()->documents->ids[static_cast<std::size_t>(document)]);
    QGuiApplication::clipboard()->setText(ids.join(QLatin1Char('\n')));
    showNotice(tr("Copied the ids of %1").arg(countText(ids.size(), tr("document"), tr("documents"))));
}

void MainWindow::copyView()
{
    if (const ViewEntry& entry = m_views->entry(view()); entry.copy)
        entry.copy();
}

void MainWindow::copyCommandLine()
{
    const ViewEntry& entry = m_views->entry(view());
    const QString line = entry.commandLine ? entry.commandLine() : QString();
    if (line.isEmpty())
        return showNotice(tr("There is nothing here yet that a command line could make."));
    QGuiApplication::clipboard()->setText(line);
    showNotice(tr("Copied: %1").arg(line));
}

void MainWindow::askSaveView()
{
    const ViewEntry& entry = m_views->entry(view());
    if (!entry.save || entry.filters.isEmpty())
        return;
    const QString ending = endingOf(entry.filters.constFirst());
    const QString name = entry.title.toLower() % u'.' % ending;
    m_dialogs.saveFile(this, tr("Save the view"), QDir(m_settings.text(SettingKey::LastFolder)).filePath(name),
                       entry.filters.join(QStringLiteral(";;")),
                       [this, ending, save = entry.save](const QString& path) {
                           withEnding(m_dialogs, this, path, ending, [this, save](const QString& target) {
                               m_settings.setText(SettingKey::LastFolder, QFileInfo(target).absolutePath());
                               saveSized(target, save);
                           });
                       });
}

void MainWindow::saveSized(const QString& target, const std::function<void(const QString& path)>& save)
{
    static const QStringList kPictures = {QStringLiteral("png"), QStringLiteral("pdf"), QStringLiteral("svg")};
    if (!kPictures.contains(QFileInfo(target).suffix().toLower()))
        return save(target);
    const FigureSize last{m_settings.real(SettingKey::FigureWidth), m_settings.number(SettingKey::FigureDpi)};
    m_dialogs.figureSize(this, last, [this, target, save](const FigureSize& size) {
        m_settings.setReal(SettingKey::FigureWidth, size.widthMm);
        m_settings.setNumber(SettingKey::FigureDpi, size.dpi);
        save(target);
    });
}

} // namespace headscope::ui
