// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/words/window_words.h"

#include "ui/dialogs/extract_option_rows.h"
#include "ui/words/translate.h"
#include "ui/words/wording.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

namespace headscope::ui
{

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
        part.replace(QStringLiteral("--layers, counted from 0,"), tr("layers"));
        part.replace(QStringLiteral("--layers"), tr("layers"));
        for (const OptionRow& row : kExtractOptions)
        {
            const QRegularExpression name(QStringLiteral("(?<![\\w-])%1(?![\\w-])").arg(toQString(row.option)));
            part.replace(name, QStringLiteral("“%1”").arg(QCoreApplication::translate("ExtractOptions", row.label)));
        }
        // What the window has no words for is advice for the shell alone.
        if (parts.isEmpty() || !part.contains(option))
            parts << part;
    }
    return parts.join(QStringLiteral("; "));
}

} // namespace headscope::ui
