// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/find/chosen_csv.h"

#include "ui/words/wording.h"

namespace headscope::desktop
{

CsvText chosenCsv(const ui::ChosenTable& table, const std::vector<std::int64_t>& rows)
{
    using Kind = ui::ChosenTable::Kind;
    CsvText csv("document");
    for (int column = 0; column < table.columnCount(); ++column)
    {
        csv += ",";
        switch (table.kind(column))
        {
        case Kind::Id:
            csv += "id";
            break;
        case Kind::Text:
            csv += "text";
            break;
        case Kind::Label:
            csv += csvField(ui::toStdString(table.title(column)), CsvTexts::Safe);
            break;
        case Kind::Points:
            csv += "points";
            break;
        case Kind::Heads:
            csv += table.stage() == Stage::HeadOutput ? Literal("heads") : Literal("segments");
            break;
        }
    }
    csv += "\n";
    for (const std::int64_t row : rows)
    {
        csv.append("{}", table.documentOf(row).value());
        for (int column = 0; column < table.columnCount(); ++column)
        {
            csv += ",";
            // A count is written as files want it, without the separators of a language.
            csv += table.kind(column) == Kind::Points
                       ? CsvText::format("{}", table.pointCount(row))
                       : csvField(ui::toStdString(table.text(row, column)), CsvTexts::Safe);
        }
        csv += "\n";
    }
    return csv;
}

} // namespace headscope::desktop
