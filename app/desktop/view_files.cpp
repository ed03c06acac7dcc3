// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/view_files.h"

#include "model/base/file.h"
#include "model/data/head_ranges.h"
#include "ui/wording.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>
#include <QPainter>
#include <QPicture>
#include <QPixmap>
#include <QWidget>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

namespace headscope::desktop
{

viz::Drawing drawingOf(QWidget& widget)
{
    auto picture = std::make_shared<QPicture>();
    QPainter painter(picture.get());
    widget.render(&painter, QPoint(), QRegion(), QWidget::DrawWindowBackground | QWidget::DrawChildren);
    painter.end();
    return [picture, size = QSizeF(widget.size())](QPainter& target, const QRectF& box, double) {
        const double scale = std::min(box.width() / size.width(), box.height() / size.height());
        target.save();
        target.translate(box.topLeft());
        target.scale(scale, scale);
        target.drawPicture(0, 0, *picture);
        target.restore();
    };
}

QSizeF inchesOf(const QWidget& widget)
{
    constexpr double kTwoColumns = 6.75;
    return {kTwoColumns, kTwoColumns * widget.height() / std::max(1, widget.width())};
}

void copyPictureOf(QWidget& widget)
{
    QGuiApplication::clipboard()->setPixmap(widget.grab());
}

void copyView(ui::MainWindow& window, const cli::ResultTable& table, const QImage& picture)
{
    auto* data = new QMimeData;
    data->setText(ui::toQString(table.csv()));
    data->setData(QStringLiteral("text/csv"), QByteArray::fromStdString(table.csv()));
    if (!picture.isNull())
        data->setImageData(picture);
    QGuiApplication::clipboard()->setMimeData(data);
    const QString what = SaveJob::tr("Copied: table, %1 × %2")
                             .arg(ui::countText(table.rowCount(), SaveJob::tr("row"), SaveJob::tr("rows")),
                                  ui::countText(table.columnCount(), SaveJob::tr("column"), SaveJob::tr("columns")));
    window.showNotice(picture.isNull() ? what : SaveJob::tr("%1, and a picture").arg(what));
}

QStringList headsWords(const Study& study)
{
    if (study.allHeads() || study.heads().empty())
        return {};
    return {QStringLiteral("--heads"), ui::toQString(formatHeadRanges(study.heads()))};
}

void saveWidgetView(SaveJob& job, const QString& path, QWidget& widget, const QString& command,
                    std::function<cli::ResultTable()> table)
{
    const std::filesystem::path target = ui::toStdString(path);
    const bool csv = target.extension() == ".csv";
    if (csv || target.extension() == ".tex")
        return job.start(path, [table = std::move(table), target, csv, line = ui::toStdString(command)] {
            const cli::ResultTable made = table();
            return writeFileAtomically(target, csv ? made.csv() : "% " + line + "\n" + made.latex());
        });
    viz::FigureOptions options;
    options.overwrite = true; // the file dialog has asked
    options.sizeInches = inchesOf(widget);
    options.parameters = {{QStringLiteral("command"), command}};
    job.start(path,
              [drawing = drawingOf(widget), target, options] { return viz::exportDrawing(drawing, target, options); });
}

QStringList tableAndPictureFilters()
{
    return QStringList{SaveJob::tr("CSV table (*.csv)"), SaveJob::tr("LaTeX table (*.tex)")} + pictureFilters();
}

} // namespace headscope::desktop
