// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/head_map.h"
#include "ui/canvas/legend/legend_state.h"
#include "ui/jobs/job_runner.h"
#include "viz/color/inks.h"
#include "viz/scatter/point_coloring.h"

#include <QObject>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui
{

/// The colours of a map's points and what the user has made of their legend. They come from a source, which is asked
/// again when something has changed; for a large map a worker colours the points; a newer request replaces an older
/// one.
/// @threads GUI thread
class MapColors : public QObject
{
    Q_OBJECT

public:
    /// Colours the points of a map; holds all it needs and may run on any thread, once or more.
    using Task = std::function<viz::PointColoring()>;
    using Source = std::function<Task(const std::shared_ptr<const HeadMap>& map, viz::InkTheme theme)>;

    /// Another map: its colours are not known yet, unless its points are those of the map before.
    void setMap(std::shared_ptr<const HeadMap> map);
    void setSource(Source source) { m_source = std::move(source); }
    /// Maps of more points are coloured by a worker.
    void setMostAtOnce(std::int64_t points) { m_mostAtOnce = points; }
    void setColoring(viz::PointColoring coloring);
    void recolor();
    /// Computes the colours of the map as shown, for another theme; never an empty function.
    [[nodiscard]] Task taskFor(viz::InkTheme theme) const;

    [[nodiscard]] const viz::PointColoring& coloring() const { return *m_coloring; }
    /// The same, never null, for a worker: other colours are another value.
    [[nodiscard]] const std::shared_ptr<const viz::PointColoring>& sharedColoring() const { return m_coloring; }
    /// Whether there is a map, and colours for it.
    [[nodiscard]] bool isKnown() const { return m_map != nullptr && !m_coloring->colors.empty(); }
    [[nodiscard]] bool busy() const { return m_runner.running(); }
    /// The state that the legend gives each colour; spans into this object, valid until the next change.
    [[nodiscard]] viz::ColorStates states() const { return {m_coloring->index, m_colorStates}; }

    /// The legend as it is on the canvas: that of the mode, with a hint where dots of this radius show no shapes.
    [[nodiscard]] viz::Legend legendOf(viz::ScatterMode mode, double deviceRadiusPx) const;
    /// Entries all of whose points are hidden or pale.
    [[nodiscard]] std::vector<viz::LegendHit> faded(const viz::PointStates& points) const;
    /// Codes of the labels, or KV groups, that come first in the legend of this title; empty: the default
    /// order.
    [[nodiscard]] std::vector<std::int32_t> orderOf(const QString& title) const { return m_legend.orderOf(title); }
    void forgetOrders() { m_legend.forgetOrders(); }

    /// Which labels the legend shows; those of the colours that are there now, or that were asked for and wait.
    [[nodiscard]] LabelsShown labelsShown() const;
    /// Hides and isolates labels of the legend of this title: now, or when it comes.
    void setLabelsShown(const LabelsShown& labels);

    // Requests from the legend's widget.
    void isolate(const viz::LegendHit& hit);
    void toggle(const viz::LegendHit& hit, const viz::PointStates& points);
    void showAll(const viz::PointStates& points);
    void move(std::int64_t code, int place);
    void forgetOrder();

Q_SIGNALS:
    void changed();
    /// Other labels are hidden or pale.
    void labelsChanged();
    /// Rows of the legend are in another order; the colours are the same.
    void rowsMoved();
    /// Entries of the legend of this title were put in another order, which the source has been asked for.
    void orderChanged(const QString& title);
    /// The marked heads are to be unmarked.
    void lightAllRequested();
    /// Only these heads are to be shown.
    void headsRequested(const std::vector<std::int64_t>& heads);

private:
    void take(const LegendState::Answer& answer);
    void takeOrder();

    std::shared_ptr<const HeadMap> m_map;
    std::shared_ptr<const viz::PointColoring> m_coloring = std::make_shared<viz::PointColoring>();
    Source m_source;
    LegendState m_legend;
    std::vector<viz::PointState> m_colorStates; ///< [C]
    std::optional<LabelsShown> m_wanted;        ///< of a legend that is not there yet
    std::int64_t m_mostAtOnce = 0;
    JobRunner m_runner; ///< last: its destructor waits for the worker
};

} // namespace headscope::ui
