// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/replace_question.h"

#include "ui/words/translate.h"

#include <QFileInfo>
#include <QStringBuilder>

#include <utility>

namespace headscope::ui
{

void askToReplace(DialogService& dialogs, QWidget* parent, const QStringList& files, std::function<void()> then)
{
    QStringList there;
    for (const QString& file : files)
        if (QFileInfo::exists(file))
            there << QFileInfo(file).fileName();
    if (there.isEmpty())
        return then();
    const bool one = there.size() == 1;
    const QString text =
        (one ? tr("%1 already exists.") : tr("These files already exist: %1.")).arg(there.join(QStringLiteral(", ")));
    dialogs.ask(parent, {one ? tr("Replace the file?") : tr("Replace the files?"), text, {tr("Cancel"), tr("Replace")}},
                [then = std::move(then)](int answer) {
                    if (answer == 1)
                        then();
                });
}

void withEnding(DialogService& dialogs, QWidget* parent, const QString& path, const QString& ending,
                const std::function<void(const QString& target)>& then)
{
    if (!QFileInfo(path).suffix().isEmpty())
        return then(path);
    const QString target = path % u'.' % ending;
    askToReplace(dialogs, parent, {target}, [then, target] { then(target); });
}

} // namespace headscope::ui
