// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/named_sets.h"

#include <QAbstractListModel>

namespace headscope::ui
{

/// The named sets: colour, name (which can be edited in place), number of documents.
class SetListModel : public QAbstractListModel
{
    Q_OBJECT

public:
    enum Role
    {
        OnMapRole = Qt::UserRole + 20, ///< whether its dots have rings
    };

    explicit SetListModel(QObject* parent = nullptr);

    void setSets(const NamedSets& sets);
    [[nodiscard]] const NamedSets& sets() const { return m_sets; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    /// Only emits renameRequested: the owner of the sets renames.
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

Q_SIGNALS:
    void renameRequested(std::int64_t index, const QString& name);

private:
    NamedSets m_sets;
};

} // namespace headscope::ui
