// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/dialog_parts.h"

#include "ui/theme/theme.h"
#include "ui/words/translate.h"

#include <QDialog>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace headscope::ui
{

QGridLayout* makeFieldGrid(std::initializer_list<std::pair<QString, QWidget*>> fields, int fieldWidth, QWidget* parent)
{
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(Metrics::kPanel);
    grid->setVerticalSpacing(Metrics::kRelated);
    int row = 0;
    for (const auto& [text, field] : fields)
    {
        auto* label = new QLabel(text, parent);
        label->setBuddy(field);
        field->setFixedWidth(fieldWidth);
        grid->addWidget(label, row, 0);
        grid->addWidget(field, row++, 1);
    }
    return grid;
}

DialogButtons makeDialogButtons(QDialog& dialog, const QString& text, const QString& name, QWidget* beside)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(Metrics::kRelated);
    auto* cancel = new QPushButton(tr("Cancel"), &dialog);
    auto* act = new QPushButton(text, &dialog);
    act->setObjectName(name);
    act->setDefault(true);
    if (beside != nullptr)
        row->addWidget(beside, 1);
    else
        row->addStretch(1);
    row->addWidget(cancel);
    row->addWidget(act);
    QObject::connect(cancel, &QPushButton::clicked, &dialog, &QDialog::reject);
    return {row, act};
}

} // namespace headscope::ui
