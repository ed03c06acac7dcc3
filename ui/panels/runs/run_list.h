// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/run_list_model.h"

#include <QListView>

#include <cstdint>
#include <optional>

namespace headscope::ui
{

/// The maps that are kept, as a list of small pictures. A click or Enter shows one, F2 renames it,
/// Delete forgets it. As high as its rows: the panel around it scrolls.
class RunList : public QListView
{
    Q_OBJECT

public:
    /// Side of a thumbnail, in logical pixels.
    static constexpr int kThumbnail = 48;

    explicit RunList(MapLibrary& library, QWidget* parent = nullptr);

    [[nodiscard]] RunListModel* runs() const { return m_model; }
    /// The entry that the keyboard is on.
    [[nodiscard]] std::optional<std::uint64_t> currentId() const;
    void setCurrentId(std::uint64_t id);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void showRequested(quint64 id);
    void removeRequested(quint64 id);
    void currentIdChanged();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    RunListModel* m_model = nullptr;
};

} // namespace headscope::ui
