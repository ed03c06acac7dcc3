// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/map_library.h"

#include <QAbstractListModel>
#include <QPointer>

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::ui
{

/// The maps of a library as a list: name, picture, parameters in short, and how far each can be
/// trusted. Newest first; a name can be edited.
class RunListModel : public QAbstractListModel
{
    Q_OBJECT

public:
    enum Role
    {
        IdRole = Qt::UserRole + 100, ///< of the library, quint64
        SourceRole,                  ///< "Layer 31, stage 1 · perplexity 30"
        ShortSourceRole,             ///< "L31, stage 1 · perplexity 30", where there is little room
        NumbersRole,                 ///< "KL 1.23 · kept 43% · trust 0.95"
        StoredRole,                  ///< bool: is in the cache
        ShownRole,                   ///< bool: the view shows it now
        MarkRole,                    ///< next to the name: "in cache", "stopped at 348"; may be empty
    };

    /// @param library  once it is deleted the list is empty
    explicit RunListModel(MapLibrary& library, QObject* parent = nullptr);

    void setShown(std::optional<std::uint64_t> id);
    [[nodiscard]] std::optional<std::uint64_t> shown() const { return m_shown; }
    [[nodiscard]] std::uint64_t idAt(int row) const;
    /// Row of an id, or -1.
    [[nodiscard]] int rowOf(std::uint64_t id) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    QPointer<MapLibrary> m_library;   ///< deleted before the panels when a window closes
    std::vector<std::uint64_t> m_ids; ///< newest first
    std::optional<std::uint64_t> m_shown;
};

/// "30", "30 + 300" of several.
[[nodiscard]] QString perplexityText(const TsneOptions& options);

/// Every parameter of a map that is not its default, in words: "perplexity 30 · 750 iterations · cosine".
[[nodiscard]] QString parametersText(const HeadMap& map);

/// "stopped at 348 of 750 iterations" of a run that was left before its end, else "750 iterations".
[[nodiscard]] QString iterationsText(const HeadMap& map);

} // namespace headscope::ui
