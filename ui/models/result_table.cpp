// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/result_table.h"

#include "ui/view/view_pages.h"

#include <QHeaderView>
#include <QTableView>

namespace headscope::ui
{

QTableView* makeResultTable(FrameModel* model, const QString& name, const QString& title, QWidget* parent,
                            QHeaderView* header)
{
    auto* table = new QTableView(parent);
    table->setObjectName(name);
    table->setAccessibleName(title);
    table->setModel(new FrameOrder(model, table));
    if (header != nullptr)
        table->setHorizontalHeader(header);
    dressTable(table);
    table->setSortingEnabled(true);
    table->sortByColumn(0, Qt::AscendingOrder);
    return table;
}

int frameRow(const QModelIndex& index)
{
    const auto* order = qobject_cast<const QAbstractProxyModel*>(index.model());
    return order == nullptr ? index.row() : order->mapToSource(index).row();
}

} // namespace headscope::ui
