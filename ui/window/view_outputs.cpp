// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/view_outputs.h"

#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/replace_question.h"
#include "ui/settings/field_settings.h"
#include "ui/settings/settings.h"
#include "ui/window/main_window.h"
#include "ui/words/translate.h"

#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include <functional>

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

Fields fieldsOf(FigurePaper& paper)
{
    Fields all;
    fields(all, paper);
    return all;
}

/// The size at which the last picture of a view was saved; of a view without one that of the last picture of any.
FigureSize lastSizeOf(const Settings& settings, ViewId view)
{
    const QJsonObject own =
        QJsonDocument::fromJson(settings.text(SettingKey::FigureSizes).toUtf8()).object().value(view.key()).toObject();
    FigureSize size;
    return takeValues(own, fieldsOf(size)) ? size : lastFigureSize(settings);
}

void keepSize(Settings& settings, ViewId view, FigurePaper size)
{
    const Fields values = fieldsOf(size);
    for (const Field& field : values.rows())
        settings.keep(kFigureGroup, field);
    QJsonObject all = QJsonDocument::fromJson(settings.text(SettingKey::FigureSizes).toUtf8()).object();
    all[view.key()] = valuesJson(values);
    settings.setText(SettingKey::FigureSizes, QString::fromUtf8(QJsonDocument(all).toJson(QJsonDocument::Compact)));
}

/// Asks for the size of a picture, and remembers it for its view; other files are saved at once.
void saveSized(MainWindow& window, ViewId view, const QString& target, const FigurePainter& preview,
               const std::function<void(const QString& path)>& save)
{
    static const QStringList kPictures = {QStringLiteral("png"), QStringLiteral("pdf"), QStringLiteral("svg")};
    if (!kPictures.contains(QFileInfo(target).suffix().toLower()))
        return save(target);
    Settings& settings = window.settings();
    FigureSize proposal = lastSizeOf(settings, view);
    if (const ViewEntry* entry = window.views().find(view))
        proposal.annotations = entry->annotations;
    window.dialogs().figureSize(&window, proposal, preview,
                                [&window, &settings, view, target, save](const FigureSize& size) {
                                    keepSize(settings, view, size);
                                    window.views().setAnnotations(view, size.annotations);
                                    save(target);
                                });
}

void askSaveView(MainWindow& window)
{
    const ViewEntry* entry = window.views().currentEntry();
    if (entry == nullptr || !entry->save || entry->filters.isEmpty())
        return;
    const QString ending = endingOf(entry->filters.constFirst());
    const QString name = entry->title.toLower() % u'.' % ending;
    Settings& settings = window.settings();
    window.dialogs().saveFile(
        &window, tr("Save the view"), QDir(settings.text(SettingKey::LastFolder)).filePath(name),
        entry->filters.join(QStringLiteral(";;")),
        [&window, ending, view = entry->id, preview = entry->preview, save = entry->save](const QString& path) {
            withEnding(window.dialogs(), &window, path, ending, [&window, view, preview, save](const QString& target) {
                window.settings().setText(SettingKey::LastFolder, QFileInfo(target).absolutePath());
                saveSized(window, view, target, preview, save);
            });
        });
}

void copyCommandLine(MainWindow& window)
{
    const ViewEntry* entry = window.views().currentEntry();
    const QString line = entry != nullptr && entry->commandLine ? entry->commandLine() : QString();
    if (line.isEmpty())
        return window.showNotice(tr("There is no command for this view yet."));
    QGuiApplication::clipboard()->setText(line);
    window.showNotice(tr("Copied: %1").arg(line));
}

} // namespace

FigureSize lastFigureSize(const Settings& settings)
{
    FigureSize size;
    settings.load(kFigureGroup, fieldsOf(size));
    return size;
}

void addOutputCommands(MainWindow& window)
{
    constexpr MenuPlace kSave{MenuId::File, 10};
    constexpr MenuPlace kCopy{MenuId::Edit, 30};
    // Whether the view in front, of what is open, has this function.
    const auto gives = [&window](auto ViewEntry::*function) {
        return [&window, function] {
            const ViewEntry* entry = window.views().currentEntry();
            return window.overview() != nullptr && entry != nullptr && entry->*function != nullptr;
        };
    };
    Actions& actions = window.actions();
    actions.add({.id = QStringLiteral("actionSaveView"),
                 .text = tr("Save view…"),
                 .tip = tr("Save (export) the view as a figure or a table"),
                 .keys = QKeySequence::Save,
                 .place = kSave,
                 .act = [&window] { askSaveView(window); },
                 .enabled = gives(&ViewEntry::save),
                 .toolBar = 30});
    actions.add({.id = QStringLiteral("actionCopyView"),
                 .text = tr("Copy view"),
                 .tip = tr("Copy the view to the clipboard"),
                 .keys = QKeySequence::Copy,
                 .place = kCopy,
                 .act =
                     [&window] {
                         if (const ViewEntry* entry = window.views().currentEntry(); entry != nullptr && entry->copy)
                             entry->copy();
                     },
                 .enabled = gives(&ViewEntry::copy)});
    actions.add({.id = QStringLiteral("actionCopyCommand"),
                 .text = tr("Copy as command"),
                 .tip = tr("Copy the command that produces the same result"),
                 .keys = QKeySequence(QStringLiteral("Ctrl+Alt+C")),
                 .place = kCopy,
                 .act = [&window] { copyCommandLine(window); },
                 .enabled = gives(&ViewEntry::commandLine)});
}

} // namespace headscope::ui
