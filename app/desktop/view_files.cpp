// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/view_files.h"

#include "model/base/file.h"
#include "model/data/head_ranges.h"
#include "ui/wording.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMimeData>
#include <QPainter>
#include <QPicture>
#include <QPixmap>
#include <QScrollBar>
#include <QWidget>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

namespace headscope::desktop
{

namespace
{

/// What one turns and presses has no place in a figure; what is switched on says something.
bool isControl(const QWidget& widget)
{
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
        return !button->isChecked();
    return qobject_cast<const QLineEdit*>(&widget) != nullptr || qobject_cast<const QScrollBar*>(&widget) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(&widget) != nullptr;
}

/// Paints a widget and what is in it but for controls; of a choice, what is chosen.
void drawFigure(QWidget& widget, QPainter& painter, QPoint place, QWidget::RenderFlags flags)
{
    if (isControl(widget))
        return;
    painter.save();
    if (const auto* choice = qobject_cast<const QComboBox*>(&widget))
    {
        painter.setFont(choice->font());
        painter.setPen(choice->palette().color(QPalette::Text));
        painter.drawText(QRect(place, widget.size()), Qt::AlignLeft | Qt::AlignVCenter, choice->currentText());
    }
    else
    {
        // No clip of ours: a QPicture plays it in other coordinates than it was set in.
        painter.translate(place);
        widget.render(&painter, QPoint(), QRegion(), flags);
        painter.translate(-place);
        for (QObject* child : widget.children())
            if (auto* inner = qobject_cast<QWidget*>(child);
                inner != nullptr && inner->isVisible() && !inner->isWindow())
                drawFigure(*inner, painter, place + inner->pos(), {});
    }
    painter.restore();
}

} // namespace

viz::Drawing drawingOf(QWidget& widget)
{
    auto picture = std::make_shared<QPicture>();
    QPainter painter(picture.get());
    drawFigure(widget, painter, QPoint(), QWidget::DrawWindowBackground);
    painter.end();
    return [picture, size = QSizeF(widget.size())](QPainter& target, const QRectF& box, double) {
        // A picture grows by the dots per inch of where it is played; here the box says how large it is.
        const double dpi = double(picture->logicalDpiX()) / target.device()->logicalDpiX();
        const double scale = dpi * std::min(box.width() / size.width(), box.height() / size.height());
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
    const std::string csv = table.csv();
    auto* data = new QMimeData;
    data->setText(ui::toQString(csv));
    data->setData(QStringLiteral("text/csv"), QByteArray::fromStdString(csv));
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
