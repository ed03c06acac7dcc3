// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/engine/engine_servers.h"
#include "app/desktop/shell/analysis_controller.h"
#include "app/desktop/shell/live_results.h"
#include "app/views/atlas/measure_heads.h"
#include "model/analysis/heads/pattern_clusters.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui
{
class AtlasView;
}

namespace headscope::desktop
{

/// The atlas: measures of all heads of the open cache, layer by layer in the background, begun when the tab is first
/// looked at; attention statistics by an engine, label probes and statistics of files when they are asked for.
/// @threads GUI thread
class AtlasController : public AnalysisController
{
    Q_OBJECT

public:
    /// @param engines  of the window; must outlive this
    AtlasController(Study& study, EngineServers& engines, QObject* parent = nullptr);

    void leave() override;
    void saveState(QJsonObject& state) const override;
    void restoreState(const QJsonObject& state) override;
    [[nodiscard]] ui::AtlasView& view() const { return *m_view; }
    /// Measures the attention of all heads over documents of the cache, by the model that made it.
    void measureAttention();
    void probeLabels();
    void addFile(const QString& path);
    /// The chosen head of the window, with its layer; the only one already: all are chosen again.
    void chooseHead(const HeadPlace& head);
    void markHeads(const std::vector<HeadPlace>& heads, Qt::KeyboardModifiers keys);

Q_SIGNALS:
    /// The user wants a cache with all layers of this model.
    void extractRequested(const QString& model);

protected:
    std::optional<ViewOutput> output(const QString& path, const viz::FigureOptions& paper) override;
    void copy() override;
    [[nodiscard]] QString commandLine() const override { return {}; }
    void begin() override { measureVectors(kByItself); }

private:
    using Measured = std::vector<HeadMeasure>;

    void connectView();
    void connectStudy();
    bool fillView();
    void onCacheOpened();
    void forgetVectors();
    /// Forgets what depends on labels or on which documents are shown, and begins again.
    void takeInputs();
    /// Layers of the cache with the chosen stage, in the order in which they are measured.
    [[nodiscard]] std::vector<LayerIndex> heldLayers() const;
    [[nodiscard]] std::vector<LayerIndex> layersToMeasure() const;
    [[nodiscard]] AtlasRequest request() const;
    /// @param limit  seconds that a run may take which the user did not start; 0: no limit
    void measureVectors(double limit);
    void takeVectors(const AtlasMeasured& measured);
    void finishVectors(Result<AtlasMeasured> done);
    void takeAttention(Result<Measured> measures);
    void refreshPattern();
    void askFile();
    /// A file that was dropped on the view: statistics are added, anything else is opened.
    void takeDropped(const QString& path);
    /// Why attention cannot be measured; "": it can.
    [[nodiscard]] QString lackOfAttention() const;
    /// Puts together what is known, and shows it.
    void showMeasures();
    void showOffers();
    void showLack();
    void showNote(const QString& outcome = {});
    void showChosen();
    [[nodiscard]] bool anyRuns() const;

    EngineServers& m_engines;
    ui::AtlasView* m_view = nullptr;
    std::map<LayerIndex, std::shared_ptr<const AtlasLayer>> m_layers; ///< of this stage, labels and shown documents
    std::optional<HeadMeasure> m_probed;
    Measured m_attention; ///< of heads: not shown with segments
    Measured m_added;     ///< of files
    std::shared_ptr<const PatternClusters> m_pattern;
    double m_secondsOfLayer = 0; ///< that a layer took here
    LiveResults<AtlasMeasured> m_liveVectors;
    LiveResults<HeadMeasure> m_liveProbe;
    // Last: their destructors wait for workers.
    ui::JobRunner m_vectorRunner;
    ui::JobRunner m_probeRunner;
    ui::JobRunner m_attentionRunner;
    ui::JobRunner m_fileRunner;
    ui::JobRunner m_patternRunner;
};

} // namespace headscope::desktop
