// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/data/choice_buttons.h"

#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QToolButton>

namespace headscope::ui
{

ChoiceButtons::ChoiceButtons(const QString& what, const QString& name, QWidget* parent) : QWidget(parent)
{
    setObjectName(name);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0); // four words side by side in a narrow panel
    struct Entry
    {
        const char* id;
        QString text;
        QString tip;
        SetOperation operation;
    };
    const Entry entries[] = {
        {"Choose", tr("Select"), tr("Select only %1").arg(what), SetOperation::Replace},
        {"Add", tr("Add"), tr("Add %1 to the selection").arg(what), SetOperation::Add},
        {"Remove", tr("Remove"), tr("Remove %1 from the selection").arg(what), SetOperation::Remove},
        {"Intersect", tr("Intersect"), tr("Keep only %1 in the selection").arg(what), SetOperation::Intersect}};
    for (const Entry& entry : entries)
    {
        QAbstractButton* button = nullptr;
        if (entry.operation == SetOperation::Replace)
        {
            auto* push = new QPushButton(entry.text, this);
            push->setAutoDefault(false);
            button = push;
        }
        else
        {
            auto* tool = new QToolButton(this);
            tool->setText(entry.text);
            tool->setProperty("flat", true);
            tool->setFont(Theme::smallFont());
            tool->setFocusPolicy(Qt::StrongFocus);
            button = tool;
        }
        button->setObjectName(name % QLatin1StringView(entry.id));
        button->setAccessibleName(entry.tip);
        button->setToolTip(entry.tip);
        layout->addWidget(button);
        connect(button, &QAbstractButton::clicked, this,
                [this, operation = entry.operation] { Q_EMIT chosen(operation); });
    }
    layout->addStretch(1);
}

} // namespace headscope::ui
