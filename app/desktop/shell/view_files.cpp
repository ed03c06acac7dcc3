// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/shell/view_files.h"

#include "app/cli/line_recipe.h"
#include "model/base/output/output_file.h"
#include "model/data/frame/frame_text.h"
#include "model/data/head_ranges.h"
#include "ui/words/wording.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>
#include <QPixmap>
#include <QWidget>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

namespace headscope::desktop
{

void copyPictureOf(QWidget& widget)
{
    QGuiApplication::clipboard()->setPixmap(widget.grab());
}

void copyView(ui::MainWindow& window, const Frame& table, const QImage& picture)
{
    const CsvText csv = frameCsv(table);
    auto* data = new QMimeData;
    data->setText(ui::toQString(csv.bytes()));
    data->setData(QStringLiteral("text/csv"), QByteArray::fromStdString(csv.bytes()));
    if (!picture.isNull())
        data->setImageData(picture);
    QGuiApplication::clipboard()->setMimeData(data);
    const QString what =
        SaveJob::tr("Copied: table, %1 × %2")
            .arg(ui::countText(table.rows(), SaveJob::tr("row"), SaveJob::tr("rows")),
                 ui::countText(std::ssize(fileCells(table)), SaveJob::tr("column"), SaveJob::tr("columns")));
    window.showNotice(picture.isNull() ? what : SaveJob::tr("%1, and a picture").arg(what));
}

void savePartsView(SaveJob& job, const QString& path, std::vector<viz::FigurePart> parts, viz::FigureOptions options,
                   const QString& command, std::function<Frame()> table)
{
    const std::filesystem::path target = ui::toStdString(path);
    const bool csv = target.extension() == ".csv";
    if (csv || target.extension() == ".tex")
        return job.start(path, [table = std::move(table), target, csv, line = ui::toStdString(command)] {
            const Frame made = table();
            return csv ? writeCsvFile(target, frameCsv(made))
                       : writeLatexFile(target, latexComment(line) + frameLatexFile(made));
        });
    if (const std::string line = cli::recordedLines(ui::toStdString(command)); !line.empty())
        options.parameters = {{QStringLiteral("command"), ui::toQString(line)}};
    job.start(path, [parts = std::move(parts), target, options] { return viz::exportParts(parts, target, options); });
}

QStringList tableAndPictureFilters()
{
    return QStringList{SaveJob::tr("CSV table (*.csv)"), SaveJob::tr("LaTeX table (*.tex)")} + pictureFilters();
}

} // namespace headscope::desktop
