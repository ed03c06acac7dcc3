// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/color_choice.h"
#include "ui/window/cache_overview.h"

#include <QObject>
#include <QScopedValueRollback>
#include <QString>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace headscope::ui
{

/// What the views show of the open cache: layer, stage, heads, labels and colours.
struct Choice
{
    LayerIndex layer;
    Stage stage = Stage::HeadOutput;
    std::vector<std::int64_t>
        heads;               ///< of the stage, 0-based, ascending; {0}: the one vector of the sentence embedding
    std::string labelColumn; ///< "": the cache has no labels
    ColorChoice color;

    bool operator==(const Choice&) const = default;
};

/// Colourings that belong together, under a heading of their own.
struct ColorGroup
{
    QString title; ///< "": those of every cache, which need none
    std::vector<ColorEntry> entries;
};

/// The one place that knows what is open and chosen, as plain values. The data panel shows and changes
/// them, the views and their controllers observe them; which documents are chosen and shown is
/// SelectionHub's. What the cache does not hold cannot be chosen.
/// @threads GUI thread
class Choices : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// The colourings on offer; the first is the default.
    using ColorSource = std::function<std::vector<ColorEntry>(const CacheOverview&, Stage)>;
    /// Sets the source of the colourings; without it none are offered. To be called before a cache opens.
    void setColorSource(ColorSource source) { m_colorSource = std::move(source); }

    /// Null: nothing is open; the other values then stay unchanged.
    [[nodiscard]] const std::shared_ptr<const CacheOverview>& overview() const { return m_overview; }
    [[nodiscard]] const Choice& now() const { return m_now; }
    /// Also while nothing is open.
    [[nodiscard]] bool allHeads() const;
    /// Heads or segments of the stage.
    [[nodiscard]] std::int64_t headCount() const;
    /// The chosen heads of the stages of layers, whatever the stage: for what shows several stages.
    [[nodiscard]] const std::vector<std::int64_t>& headsOfLayers() const;
    /// Names of the label columns that can be chosen.
    [[nodiscard]] std::vector<std::string> labelColumns() const;
    /// What can be coloured by, in the words of the stage.
    [[nodiscard]] const std::vector<ColorGroup>& colorGroups() const { return m_colorGroups; }

    /// Another cache (null: none): its last layer, the stage that was chosen where it has that, all heads, its first
    /// label column, the colours that were chosen where it has them. Emits opened() alone.
    void open(std::shared_ptr<const CacheOverview> overview);
    /// The same cache with other label columns, of which one is chosen (the first where there is no such one).
    /// Emits columnsChanged(), then labelChanged().
    void setColumns(std::shared_ptr<const CacheOverview> overview, const std::string& labelColumn);

    /// With the stage that was chosen, or the first of the layer. Ignored for a layer that the cache does not hold.
    /// Like setStage() it changes the heads where the stage has others: chosen heads come back with a stage of heads.
    void setLayer(LayerIndex layer);
    /// Ignored for a stage that the layer does not have.
    void setStage(Stage stage);
    /// Indices outside the stage are left out.
    void setHeads(const std::vector<std::int64_t>& heads);
    void chooseAllHeads();
    /// These heads alone, or all again when they are chosen alone already.
    void isolateHeads(const std::vector<std::int64_t>& heads);
    /// Ignored for a column that cannot be chosen.
    void setLabelColumn(const std::string& column);
    /// @return false: it is not offered, and what was chosen stays
    bool setColor(const ColorChoice& color);
    /// Offers colourings under a heading, below those of every cache; they replace those of the same heading, and
    /// none take it away. What is chosen stays chosen where it is still there.
    void setColorGroup(const QString& title, std::vector<ColorEntry> entries);
    /// While it lives, what is chosen is not the user's choice: a result brings it.
    [[nodiscard]] QScopedValueRollback<bool> byProgram() { return QScopedValueRollback<bool>(m_byProgram, true); }
    [[nodiscard]] bool isByProgram() const { return m_byProgram; }
    /// Announces that the meaning of the chosen colours has changed.
    void recolor() { Q_EMIT colorChanged(); }

Q_SIGNALS:
    /// Another cache, or none.
    void opened();
    /// Other labels or colours are offered.
    void columnsChanged();
    /// Another layer or stage.
    void sourceChanged();
    void headsChanged();
    void labelChanged();
    void colorChanged();

private:
    [[nodiscard]] bool offers(const ColorChoice& color) const;
    void fillColors();
    void changeSource(LayerIndex layer, Stage stage);

    std::shared_ptr<const CacheOverview> m_overview;
    ColorSource m_colorSource;
    Choice m_now;
    std::vector<std::int64_t> m_otherHeads = {
        0}; ///< chosen of the layers' stages while the embedding is shown, or back
    bool m_byProgram = false;
    std::vector<ColorGroup> m_colorGroups = {ColorGroup{}};
};

} // namespace headscope::ui
