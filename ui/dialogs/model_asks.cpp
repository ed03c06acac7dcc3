// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/model_asks.h"

#include "ui/theme/theme.h"
#include "ui/words/window_text.h"
#include "ui/words/wording.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QVBoxLayout>

namespace headscope::ui
{
namespace
{

constexpr QSize kAsksSize{760, 520};

QTableWidgetItem* lineItem(const QString& text)
{
    auto* item = new QTableWidgetItem(text);
    item->setTextAlignment(Qt::AlignLeft | Qt::AlignTop);
    item->setToolTip(text);
    return item;
}

} // namespace

ModelAsks::ModelAsks(QWidget* parent) : QTableWidget(0, 2, parent)
{
    setObjectName(QStringLiteral("modelAsks"));
    setAccessibleName(title());
    setHorizontalHeaderLabels({tr("Property"), tr("What the model files specify, and the default")});
    horizontalHeader()->setSectionsClickable(false);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    setShowGrid(false);
    setWordWrap(true);
    setTextElideMode(Qt::ElideNone);
    setTabKeyNavigation(false);
    setEditTriggers(NoEditTriggers);
    setSelectionBehavior(SelectRows);
    setVerticalScrollMode(ScrollPerPixel);
    connect(horizontalHeader(), &QHeaderView::sectionResized, this, &QTableView::resizeRowsToContents);
}

void ModelAsks::setLines(const FactLines& lines)
{
    setRowCount(static_cast<int>(lines.size()));
    int row = 0;
    for (const auto& [name, text] : lines)
    {
        setItem(row, 0, lineItem(toQString(name)));
        setItem(row++, 1, lineItem(withoutOptions(toQString(text))));
    }
}

QString ModelAsks::title()
{
    return tr("What the model’s files specify, and what Headscope does by default");
}

ModelAsksDialog::ModelAsksDialog(const FactLines& lines, QWidget* parent) : QDialog(parent)
{
    setObjectName(QStringLiteral("modelAsksDialog"));
    setWindowTitle(ModelAsks::title());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Metrics::kGroups, Metrics::kGroups, Metrics::kGroups, Metrics::kGroups);
    layout->setSpacing(Metrics::kGroups);
    auto* list = new ModelAsks(this);
    list->setLines(lines);
    layout->addWidget(list, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(buttons);
    resize(kAsksSize);
}

} // namespace headscope::ui
