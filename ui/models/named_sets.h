// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/documents/document_set.h"
#include "model/data/selection.h"

#include <QColor>
#include <QJsonObject>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::ui
{

/// Documents kept under a name and a colour.
struct NamedSet
{
    QString name;
    QColor color;
    std::vector<std::int64_t> documents; ///< ascending, without repeats
    bool onMap = false;                  ///< its dots have a ring of its colour

    bool operator==(const NamedSet&) const = default;
};

/// The named sets of a cache, in the order in which they were made. Names differ. A plain value.
class NamedSets
{
public:
    [[nodiscard]] const std::vector<NamedSet>& all() const { return m_sets; }
    [[nodiscard]] bool isEmpty() const { return m_sets.empty(); }
    [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(m_sets.size()); }
    [[nodiscard]] const NamedSet& at(std::int64_t index) const { return m_sets[static_cast<std::size_t>(index)]; }
    /// The set of this name, or nothing.
    [[nodiscard]] std::optional<std::int64_t> find(const QString& name) const;

    /// Keeps documents under a name; one of that name gets them and keeps its colour. An empty name
    /// becomes freeName().
    /// @return its index
    std::int64_t keep(const QString& name, std::vector<std::int64_t> documents, std::optional<QColor> color = {});
    /// False, and nothing changes, when the name is empty or another set's.
    bool rename(std::int64_t index, const QString& name);
    void recolor(std::int64_t index, const QColor& color);
    void setOnMap(std::int64_t index, bool on);
    void remove(std::int64_t index);

    /// "Set 1", "Set 2", ...: the first that is free.
    [[nodiscard]] QString freeName() const;
    /// Of setColors() the first that the fewest sets have.
    [[nodiscard]] QColor freeColor() const;

    /// The sets as a column of labels over `documents` documents. One in several sets has a label of its own,
    /// "A + B"; beyond 24 such mixtures the rest is "several sets".
    [[nodiscard]] LabelColumn asColumn(std::int64_t documents) const;
    /// The colour of a category of asColumn: the set's own, or the mean of the mixed ones.
    [[nodiscard]] QColor categoryColor(const QString& category) const;

    /// {"sets": [{"name", "color", "ids": [...], "onMap"}]}: by the ids, so that it fits the same documents in another
    /// cache.
    [[nodiscard]] QJsonObject toJson(const DocumentSet& documents) const;
    struct FromJson;
    /// What cannot be read is left out; ids that the documents lack are counted.
    [[nodiscard]] static FromJson fromJson(const QJsonObject& object, const DocumentSet& documents);

    bool operator==(const NamedSets&) const = default;

private:
    std::vector<NamedSet> m_sets;
};

struct NamedSets::FromJson
{
    NamedSets sets;
    std::int64_t unknownIds = 0;
};

/// The colours a set may have: distinguished by colour-blind eyes, seen on light and dark.
[[nodiscard]] const std::vector<QColor>& setColors();
/// "blue", "orange": what a colour of setColors() is called.
[[nodiscard]] QString setColorName(const QColor& color);

} // namespace headscope::ui
