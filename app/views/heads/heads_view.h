// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/heads/head_tree.h"
#include "model/data/model_info.h"
#include "model/data/results/head_results.h"
#include "model/data/results/pruning_results.h"
#include "ui/canvas/picture_widget.h"
#include "ui/view/view.h"
#include "ui/window/view_id.h"
#include "viz/color/head_palette.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class QBoxLayout;
class QLabel;
class QLineEdit;
class QStackedWidget;
class QToolButton;

namespace headscope::ui
{

class ElidedLabel;
class HeadPlane;
class HeadTableModel;
class HeadTableProxy;
class LikenessMatrix;
class LikenessPanel;
class PruningCurve;
class RunningPage;
class SectionLabel;
class SwitchPanel;
class ViewPages;

inline constexpr ViewId kHeadsView("heads");

/// The heads tab: statistics of every head, how similar they are, their map, and what is lost when some are switched
/// off.
class HeadsView : public View
{
    Q_OBJECT

public:
    explicit HeadsView(QWidget* parent = nullptr);

    void setModel(const ModelInfo& info, const viz::HeadPalette& palette, Stage stage = Stage::HeadOutput);
    /// Another stage of the same model: rows and words are those of heads or of segments, and nothing is known yet.
    void setStage(Stage stage);
    void setHeadPalette(const viz::HeadPalette& palette);
    /// Shows a report, or the empty state when null.
    void setReport(std::shared_ptr<const HeadReport> report);
    [[nodiscard]] const ModelInfo& modelInfo() const { return m_info; }
    [[nodiscard]] Stage stage() const { return m_stage; }
    [[nodiscard]] const std::vector<std::int64_t>& shownHeads() const { return m_heads; }
    [[nodiscard]] std::shared_ptr<const HeadReport> report() const { return m_report; }

    /// Heads that are chosen in the window, 0-based, ascending: rows, pictures and means speak of them. Switching
    /// heads on and off is independent of it and covers all heads.
    void setShownHeads(const std::vector<std::int64_t>& heads);
    /// Which heads are on. [H]
    void setKept(const std::vector<bool>& kept);
    /// Measures of the heads that are on; nothing while they are measured.
    void setMask(const std::optional<MaskEffects>& values);
    [[nodiscard]] const std::optional<MaskEffects>& mask() const { return m_mask; }
    void setHistory(bool canUndo, bool canRedo);
    /// The greedy order and what else is known of taking units away.
    void setCurve(PruningFindings findings, bool groups);
    /// How many of the order's first units are off (none: the heads that are off are not its first).
    void setCurrentStep(std::optional<std::int64_t> off);
    /// A head under the pointer of another view.
    void setHoveredHead(std::optional<HeadIndex> head);
    /// Heads that are marked in all views; empty also deselects the rows.
    void setLitHeads(const std::vector<std::int64_t>& heads);

    /// Which heads are on. [H]
    [[nodiscard]] const std::vector<bool>& kept() const { return m_kept; }
    /// Whether the page of the running model is in front, and not that of the cached vectors.
    void setRunningShown(bool shown);
    [[nodiscard]] bool isRunningShown() const;
    [[nodiscard]] RunningPage* running() const { return m_running; }
    [[nodiscard]] bool byGroups() const;
    [[nodiscard]] HeadTableModel* model() const { return m_model; }
    [[nodiscard]] HeadTree* table() const { return m_table; }
    [[nodiscard]] HeadTableProxy* proxy() const { return m_proxy; }
    /// All that the tab shows, whatever part of it is scrolled into sight.
    [[nodiscard]] QWidget* content() const { return m_content; }
    [[nodiscard]] LikenessPanel* alike() const { return m_alike; }
    [[nodiscard]] SwitchPanel* switches() const { return m_switches; }
    [[nodiscard]] PictureOf<LikenessMatrix>* matrix() const;
    [[nodiscard]] PictureOf<HeadPlane>* plane() const;
    [[nodiscard]] PictureOf<PruningCurve>* curve() const;
    /// What a screen reader says about the content of the tab.
    [[nodiscard]] QString summary() const;
    /// A value of the panel as written: row 0..2 match, 3 retrieval, 4 probe; `on`: of the heads on.
    [[nodiscard]] QString valueText(int row, bool on) const;
    /// Which heads and documents the numbers of the tab cover.
    [[nodiscard]] QString ofText() const;
    /// The line under the table.
    [[nodiscard]] QString legendText() const;

Q_SIGNALS:
    void headsSwitched(const std::vector<std::int64_t>& heads, bool on);
    void undoRequested();
    void redoRequested();
    void allOnRequested();
    void saveMaskRequested();
    void unitChanged();
    void stepClicked(std::int64_t off);
    void probeRequested();
    /// These heads are to be marked in the other views; none: no row is selected.
    void headsClicked(const std::vector<std::int64_t>& heads);
    void headHovered(std::optional<headscope::HeadIndex> head);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void bindState();
    QWidget* makeSources();
    QWidget* makeTablePart(QWidget* page);
    void connectTable();
    void showLegend();
    /// Heads of the rows that are chosen in the table, ascending; a group stands for all of its.
    [[nodiscard]] std::vector<std::int64_t> chosenRows() const;
    void connectPanels();
    void layOutFor(Stage stage);
    /// The lower parts are side by side only where both have the room that they need.
    void arrangeLower();
    void refreshLikeness();
    void refreshOf();
    void fitColumns();

    ModelInfo m_info;
    Stage m_stage = Stage::HeadOutput;
    viz::HeadPalette m_palette;
    std::shared_ptr<const HeadReport> m_report;
    std::optional<MaskEffects> m_mask;
    std::vector<std::int64_t> m_heads; ///< chosen
    std::vector<bool> m_kept;          ///< [H] on; empty: not set yet
    bool m_fitted = false;             ///< columns, since the view was shown

    QToolButton* m_asCached = nullptr;
    QToolButton* m_asRunning = nullptr;
    QStackedWidget* m_sources = nullptr; ///< numbers of the cached vectors, or of the running model
    RunningPage* m_running = nullptr;
    ViewPages* m_pages = nullptr;
    QWidget* m_content = nullptr;
    SectionLabel* m_title = nullptr;
    QLineEdit* m_filter = nullptr;
    ElidedLabel* m_of = nullptr;
    QLabel* m_legend = nullptr;         ///< the signs of the table, or all of how it was tested
    QToolButton* m_legendAll = nullptr; ///< on: all of it
    HeadTree* m_table = nullptr;
    HeadTableModel* m_model = nullptr;
    HeadTableProxy* m_proxy = nullptr;
    QBoxLayout* m_lower = nullptr; ///< similarity and switches, next to or under each other
    LikenessPanel* m_alike = nullptr;
    SwitchPanel* m_switches = nullptr;
};

} // namespace headscope::ui
