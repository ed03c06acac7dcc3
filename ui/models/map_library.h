// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/head_map.h"

#include <QImage>
#include <QObject>
#include <QString>

#include <cstdint>
#include <memory>
#include <vector>

namespace headscope::ui
{

/// A map that is kept next to others, of whatever layer and stage.
struct KeptMap
{
    std::uint64_t id = 0;               ///< from 1, never given twice
    std::shared_ptr<const HeadMap> map; ///< never null; named as the list shows it, measured where trust is set
    QImage thumbnail;                   ///< null until one was painted
    bool stored = false;                ///< is in the cache under its name
    bool measuring = false;             ///< its trust numbers are being measured
};

/// The maps of the open cache: those stored in it and those that were run. Views that show or
/// compare maps take them from here, and no map of another cache comes in; each value is immutable, a newer one
/// replaces it.
/// @threads GUI thread
class MapLibrary : public QObject
{
    Q_OBJECT

public:
    explicit MapLibrary(QObject* parent = nullptr);

    /// In the order they came.
    [[nodiscard]] const std::vector<KeptMap>& entries() const { return m_entries; }
    [[nodiscard]] std::vector<std::shared_ptr<const HeadMap>> maps() const;
    /// Null for an id that is not (or no longer) here.
    [[nodiscard]] const KeptMap* find(std::uint64_t id) const;
    /// The entry of this very map (by address), or null.
    [[nodiscard]] const KeptMap* find(const HeadMap* map) const;
    /// `wanted`, or with a number behind it where another entry has that name.
    [[nodiscard]] QString freeName(const QString& wanted, std::uint64_t except = 0) const;

    /// Keeps a map; its name is made unique.
    /// @return  its id; 0: the OriginGuard refuses the map
    std::uint64_t add(std::shared_ptr<const HeadMap> map, bool stored = false);
    /// A newer map in place of the one of this id: the run went on, or it was measured. Its name is
    /// kept; thumbnail and mark of storage stand for the old one and go, unless the points stayed
    /// where they were. One that the OriginGuard refuses changes nothing.
    void replace(std::uint64_t id, std::shared_ptr<const HeadMap> map);
    /// Names are different from each other and hold no slash, which a cache takes for a folder.
    void rename(std::uint64_t id, const QString& name);
    void setStored(std::uint64_t id, bool stored);
    void setMeasuring(std::uint64_t id, bool measuring);
    void setThumbnail(std::uint64_t id, const QImage& thumbnail);
    void remove(std::uint64_t id);
    void clear();

Q_SIGNALS:
    void added(quint64 id);
    void removed(quint64 id);
    /// Another map, name, thumbnail or mark of this id.
    void changed(quint64 id);

private:
    [[nodiscard]] KeptMap* entry(std::uint64_t id);

    std::vector<KeptMap> m_entries;
    std::uint64_t m_lastId = 0;
};

} // namespace headscope::ui
