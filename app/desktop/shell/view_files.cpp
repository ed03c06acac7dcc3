// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/shell/view_files.h"

#include "app/cli/line_recipe.h"
#include "model/base/output/output_file.h"
#include "model/data/frame/frame_text.h"
#include "model/data/head_ranges.h"
#include "ui/words/wording.h"
#include "viz/export/figure_text.h"

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
    window.showNotice(picture.isNull() ? what : SaveJob::tr("%1, and an image").arg(what));
}

ViewOutput partsOutput(const QString& path, std::vector<viz::FigurePart> parts, const QString& command,
                       std::function<Frame()> table)
{
    const std::filesystem::path target = ui::toStdString(path);
    const bool csv = target.extension() == ".csv";
    if (csv || target.extension() == ".tex")
        return {{}, [table = std::move(table), target, csv, line = ui::toStdString(command)] {
                    const Frame made = table();
                    return csv ? writeCsvFile(target, frameCsv(made))
                               : writeLatexFile(target, latexComment(line) + frameLatexFile(made));
                }};
    viz::FigureParameters parameters;
    if (const std::string line = cli::recordedLines(ui::toStdString(command)); !line.empty())
        parameters = {{QStringLiteral("command"), ui::toQString(line)}};
    return {viz::describedFigure(viz::figureOfParts(std::move(parts)), {}, std::move(parameters))};
}

QStringList tableAndPictureFilters()
{
    return QStringList{SaveJob::tr("CSV table (*.csv)"), SaveJob::tr("LaTeX table (*.tex)")} + pictureFilters();
}

} // namespace headscope::desktop
