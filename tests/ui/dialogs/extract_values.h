// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/command_line.h"
#include "app/commands/extract_command.h"

#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"
#include "ui/dialogs/documents_table.h"
#include "ui/dialogs/extract_dialog.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <functional>
#include <memory>

/// What the tests of the extract dialog share: a table of somebody's own, and a dialog that lacks nothing.
namespace headscope::test
{

template <class T>
T* child(QWidget& parent, const char* name)
{
    return parent.findChild<T*>(QLatin1StringView(name));
}

/// Nr, Description, Group: what the reader finds in a table of somebody's own.
inline DocumentPreview ownTable(const QString& file)
{
    DocumentPreview preview;
    preview.file = file.toStdString();
    const std::pair<const char*, double> columns[] = {{"Nr", 2}, {"Description", 70}, {"Group", 6}, {"Old, Code", 3}};
    for (const auto& [name, length] : columns)
    {
        ColumnFacts facts;
        facts.name = name;
        facts.present = 12;
        facts.different = length > 6 ? 12 : 3;
        facts.meanLength = length;
        preview.columns.push_back(facts);
    }
    preview.columns[0].textOnly = false;
    preview.columns[3].textOnly = false;
    preview.columns[2].notId =
        Error{ErrorCode::BadFormat, "expected unique ids, found \"tools\"", preview.file, "line 3"};
    for (int row = 0; row < 12; ++row)
        preview.rows.push_back({row + 2,
                                {std::to_string(row + 1),
                                 "A hammer drives nails into wood, and number " + std::to_string(row) + " is longer.",
                                 row % 3 == 0 ? "tools" : "plants", std::to_string(row % 3)}});
    preview.rowsRead = 12;
    preview.whole = true;
    return preview;
}

/// What the program does: waits until the rows are asked for, and shows some.
inline void show(ui::ExtractDialog& dialog, const QString& file,
                 const std::function<void(DocumentPreview&)>& change = {})
{
    QSignalSpy wanted(&dialog, &ui::ExtractDialog::previewWanted);
    if (dialog.request().texts != file)
        dialog.setTexts(file);
    WAIT_COMPARE(wanted.count(), 1);
    QCOMPARE(wanted.at(0).at(0).toString(), file);
    DocumentPreview preview = ownTable(file);
    if (change)
        change(preview);
    dialog.setPreview(std::make_shared<const DocumentPreview>(std::move(preview)));
}

inline QString makeFile(const QTemporaryDir& folder, const char* name)
{
    const QString path = folder.filePath(QLatin1StringView(name));
    QFile file(path);
    return file.open(QIODevice::WriteOnly) ? path : QString();
}

/// The options of the command.
inline std::function<void(Fields&)> extractFields()
{
    return
        [line = std::make_shared<commands::CommandLine<commands::ExtractCommand>>()](Fields& f) { line->declare(f); };
}

/// A dialog that lacks nothing.
struct FilledExtractDialog
{
    QTemporaryDir folder;
    PreparedDialogs dialogs;
    ui::ExtractDialog dialog{dialogs, extractFields(), nullptr};
    QString texts;

    FilledExtractDialog()
    {
        dialog.setModel(makeFile(folder, "m.gguf"));
        texts = makeFile(folder, "own.csv");
        dialog.show();
        show(dialog, texts);
        test::passMs(350); // typing has paused
    }
    ui::DocumentsTable& documents() { return dialog.documents(); }
    QStringList options() { return dialog.request().options; }
};

} // namespace headscope::test
