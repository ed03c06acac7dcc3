// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/dialog_service.h"

#include "ui/dialogs/figures/figure_dialog.h"

#include <QDir>
#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>

#include <utility>

namespace headscope::ui
{
namespace
{

void show(QFileDialog* dialog, std::function<void(const QString& path)> then)
{
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &QFileDialog::fileSelected, dialog, std::move(then));
    dialog->open();
}

} // namespace

void DesktopDialogs::openFile(QWidget* parent, const QString& title, const QString& folder, const QString& filter,
                              std::function<void(const QString& path)> then)
{
    auto* dialog = new QFileDialog(parent, title, folder, filter);
    dialog->setFileMode(QFileDialog::ExistingFile);
    show(dialog, std::move(then));
}

void DesktopDialogs::openFolder(QWidget* parent, const QString& title, const QString& folder,
                                std::function<void(const QString& path)> then)
{
    auto* dialog = new QFileDialog(parent, title, folder);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    show(dialog, std::move(then));
}

void DesktopDialogs::saveFile(QWidget* parent, const QString& title, const QString& proposal, const QString& filter,
                              std::function<void(const QString& path)> then)
{
    auto* dialog = new QFileDialog(parent, title, proposal, filter);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    dialog->selectFile(QDir::cleanPath(proposal));
    show(dialog, std::move(then));
}

void DesktopDialogs::figureSize(QWidget* parent, const FigureSize& proposal, const FigurePainter& paint,
                                std::function<void(const FigureSize& size)> then)
{
    auto* dialog = new FigureDialog(proposal, paint, parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &FigureDialog::sizeChosen, dialog, std::move(then));
    dialog->open();
}

void DesktopDialogs::ask(QWidget* parent, const Question& question, std::function<void(int answer)> then)
{
    auto* box = new QMessageBox(QMessageBox::NoIcon, question.title, question.text, QMessageBox::NoButton, parent);
    box->setTextFormat(Qt::PlainText);
    box->setAttribute(Qt::WA_DeleteOnClose);
    QList<QPushButton*> buttons;
    for (const QString& answer : question.answers)
        buttons << box->addButton(answer, buttons.isEmpty() ? QMessageBox::RejectRole : QMessageBox::AcceptRole);
    if (!buttons.isEmpty())
    {
        box->setEscapeButton(buttons.front());
        box->setDefaultButton(buttons.front());
    }
    if (question.textNow)
    {
        constexpr int kLookMs = 500;
        auto* look = new QTimer(box);
        QObject::connect(look, &QTimer::timeout, box, [box, textNow = question.textNow] {
            if (const auto text = textNow(); !text)
                box->reject();
            else if (*text != box->text())
                box->setText(*text);
        });
        look->start(kLookMs);
    }
    QObject::connect(box, &QMessageBox::finished, box, [box, buttons, then = std::move(then)] {
        then(static_cast<int>(
            std::max<qsizetype>(0, buttons.indexOf(qobject_cast<QPushButton*>(box->clickedButton())))));
    });
    box->open();
}

} // namespace headscope::ui
