// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/words/window_text.h"

#include "model/base/fields/fields.h"
#include "ui/words/translate.h"
#include "ui/words/wording.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

namespace headscope::ui
{
namespace
{

/// Options, and what the window calls them.
QList<std::pair<QString, QString>>& namedOptions()
{
    static QList<std::pair<QString, QString>> all;
    return all;
}

} // namespace

void nameOptions(const Fields& options)
{
    namedOptions().clear();
    for (const Field& field : options.options())
        if (!field.title.empty())
            namedOptions().emplace_back(
                toQString(field.typedName()),
                QCoreApplication::translate("ExtractOptions", std::string(field.title).c_str()));
}

QString amongText(std::int64_t k, std::int64_t topics)
{
    return topics > 0 && k >= topics ? tr("among %1 (all %2 topics)").arg(k).arg(topics) : tr("among %1").arg(k);
}

QString withoutOptions(const QString& sentence)
{
    static const QRegularExpression option(QStringLiteral("(?<![\\w-])--[a-z][a-z-]*"));
    if (!sentence.contains(option))
        return sentence;
    QStringList parts;
    for (QString part : sentence.split(QStringLiteral("; ")))
    {
        part.replace(QStringLiteral("--layers"), tr("layers"));
        for (const auto& [option, label] : namedOptions())
        {
            const QRegularExpression name(QStringLiteral("(?<![\\w-])%1(?![\\w-])").arg(option));
            part.replace(name, QStringLiteral("“%1”").arg(label));
        }
        // What the window has no words for is advice for the shell alone.
        if (parts.isEmpty() || !part.contains(option))
            parts << part;
    }
    return parts.join(QStringLiteral("; "));
}

} // namespace headscope::ui
