// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/column_text.h"

#include "ui/words/translate.h"
#include "ui/words/wording.h"

#include <QStringBuilder>

namespace headscope::ui
{
namespace
{

/// Names as the command line takes them: a comma inside of one is no end of it.
QString commaNames(const std::vector<std::string>& columns)
{
    QStringList names;
    for (const std::string& name : columns)
        names << toQString(name).replace(u'\\', QStringLiteral("\\\\")).replace(u',', QStringLiteral("\\,"));
    return names.join(u',');
}

} // namespace

QString roleName(ColumnRole role)
{
    switch (role)
    {
    case ColumnRole::Text:
        return tr("text");
    case ColumnRole::Id:
        return tr("id");
    case ColumnRole::Label:
        return tr("label");
    case ColumnRole::Number:
        return tr("number");
    case ColumnRole::Unused:
        break;
    }
    return tr("not used");
}

QString roleTip(ColumnRole role)
{
    switch (role)
    {
    case ColumnRole::Text:
        return tr("The text that the model processes. Exactly one column.");
    case ColumnRole::Id:
        return tr("The name of each document. Without such a column, documents are numbered.");
    case ColumnRole::Label:
        return tr("A category such as topic or language. The model also embeds the names of the categories. They "
                  "become the topic vectors.");
    case ColumnRole::Number:
        return tr("A number such as year, rating or length, to colour and filter by. Numbers have no topic vectors.");
    case ColumnRole::Unused:
        break;
    }
    return tr("Not stored in the cache");
}

QString faultText(const Error& error)
{
    const QString message = toQString(error.message);
    return error.place.empty() ? message : toQString(error.place) % QStringLiteral(": ") % message;
}

QStringList columnArguments(const DocumentPreview& preview, const std::vector<ColumnRole>& roles)
{
    const ColumnChoice choice = columnChoice(preview, roles);
    QStringList words;
    if (choice.text != ColumnChoice().text)
        words << QStringLiteral("--text-column") << toQString(choice.text);
    if (choice.id)
        words << QStringLiteral("--id-column") << toQString(*choice.id);
    if (choice.labels)
        words << QStringLiteral("--label-columns") << commaNames(*choice.labels);
    if (!choice.numbers.empty())
        words << QStringLiteral("--number-columns") << commaNames(choice.numbers);
    return words;
}

QString columnSummary(const DocumentPreview& preview, const std::vector<ColumnRole>& roles)
{
    QStringList parts;
    const std::int64_t rows = preview.rowsRead;
    parts << (preview.whole ? countText(rows, tr("document"), tr("documents"))
                            : tr("first %1 read").arg(countText(rows, tr("row"), tr("rows"))));
    for (const ColumnRole role : {ColumnRole::Text, ColumnRole::Id, ColumnRole::Label, ColumnRole::Number})
    {
        QStringList names;
        for (std::size_t i = 0; i < roles.size(); ++i)
            if (roles[i] == role)
                names << toQString(preview.columns[i].name);
        if (!names.isEmpty())
            parts << QStringLiteral("%1: %2").arg(roleName(role), names.join(QStringLiteral(", ")));
        else if (role == ColumnRole::Id)
            parts << tr("id: row number");
        else if (role == ColumnRole::Label)
            parts << tr("no labels");
    }
    if (preview.repaired > 0)
        parts << tr("%1 not valid UTF-8").arg(countText(preview.repaired, tr("row is"), tr("rows are")));
    return parts.join(QStringLiteral(" · "));
}

} // namespace headscope::ui
