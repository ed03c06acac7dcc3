// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/head_results.h"
#include "model/data/model_info.h"
#include "viz/color/head_palette.h"

#include <QPicture>
#include <QSize>
#include <QString>
#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeView;

namespace headscope::ui
{

class EmptyState;
class HeadPlane;
class HeadTableModel;
class HeadTableProxy;
class LikenessMatrix;
class PruningCurve;
class ViewPages;

/// The heads tab: statistics of every head, how alike they are, their map, and what is lost when some
/// are switched off.
class HeadsView : public QWidget
{
    Q_OBJECT

public:
    enum class Likeness
    {
        Cka,
        MeanCosine,
        NeighborOverlap,
    };

    explicit HeadsView(QWidget* parent = nullptr);

    void setModel(const ModelInfo& info, const viz::HeadPalette& palette);
    void setHeadPalette(const viz::HeadPalette& palette);
    /// Shows a report, or the empty state when null.
    void setReport(std::shared_ptr<const HeadReport> report);
    [[nodiscard]] const ModelInfo& modelInfo() const { return m_info; }
    [[nodiscard]] std::shared_ptr<const HeadReport> report() const { return m_report; }
    void setEmpty(const QString& title, const QString& text, const QString& action = {}, bool isError = false);

    /// Heads that are chosen in the window, 0-based, ascending: rows, pictures and means speak of them. What
    /// is switched on and off is another matter, and of all heads.
    void setShownHeads(const std::vector<std::int64_t>& heads);
    /// Which heads are on. [H]
    void setKept(const std::vector<bool>& kept);
    /// What those on are good for; nothing while it is measured.
    void setMask(const std::optional<MaskValues>& values);
    [[nodiscard]] const std::optional<MaskValues>& mask() const { return m_mask; }
    void setHistory(bool canUndo, bool canRedo);
    /// The greedy order, and how many of its first units are off now (none: another set is).
    void setCurve(std::vector<PruningStep> steps, bool groups);
    void setCurrentStep(std::optional<std::int64_t> off);
    /// A head under the pointer of another view.
    void setHoveredHead(std::optional<std::int64_t> head);

    [[nodiscard]] bool byGroups() const;
    [[nodiscard]] Likeness likeness() const;
    [[nodiscard]] HeadTableModel* model() const { return m_model; }
    [[nodiscard]] QTreeView* table() const { return m_table; }
    [[nodiscard]] HeadTableProxy* proxy() const { return m_proxy; }
    [[nodiscard]] LikenessMatrix* matrix() const { return m_matrix; }
    [[nodiscard]] HeadPlane* plane() const { return m_plane; }
    [[nodiscard]] PruningCurve* curve() const { return m_curve; }
    [[nodiscard]] EmptyState* emptyState() const;
    /// What a screen reader is told is on the tab now.
    [[nodiscard]] QString summary() const;
    /// A value of the panel as written: row 0..2 match, 3 retrieval, 4 probe; `on`: of the heads on.
    [[nodiscard]] QString valueText(int row, bool on) const;
    /// What the value is.
    [[nodiscard]] QString valueName(int row) const;
    /// What is said under the values; may be empty.
    [[nodiscard]] QString maskText() const;
    [[nodiscard]] static int valueCount() { return kValues; }
    /// The measure of likeness, as written.
    [[nodiscard]] QString likenessText() const;
    /// Which heads and documents the tab speaks of.
    [[nodiscard]] QString ofText() const;

    /// A picture of the tab for a figure: in the colours of paper, laid out anew for this size in pixels. Null where
    /// there is nothing to see.
    enum class Picture
    {
        Matrix,
        Plane,
        Curve,
    };
    [[nodiscard]] QPicture pictureOf(Picture which, QSize size) const;

Q_SIGNALS:
    void headsSwitched(const std::vector<std::int64_t>& heads, bool on);
    void undoRequested();
    void redoRequested();
    void allOnRequested();
    void saveMaskRequested();
    void unitChanged();
    void stepClicked(std::int64_t off);
    void probeRequested();
    void headsClicked(const std::vector<std::int64_t>& heads);
    void headHovered(std::optional<std::int64_t> head);
    void emptyActionRequested();
    void allHeadsRequested();

protected:
    void showEvent(QShowEvent* event) override;

private:
    static constexpr int kValues = 5;
    QWidget* makeTablePart(QWidget* page);
    QWidget* makeLikenessPart(QWidget* page);
    QWidget* makeSwitchPart(QWidget* page);
    void connectPictures();
    void refreshPictures();
    /// Of the chosen measure: how alike heads are, and where they lie.
    [[nodiscard]] std::pair<const MatrixD*, const MatrixD*> shownLikeness() const;
    void refreshOf();
    void fitColumns();
    void refreshMask();

    ModelInfo m_info;
    viz::HeadPalette m_palette;
    std::shared_ptr<const HeadReport> m_report;
    std::optional<MaskValues> m_mask;
    std::vector<std::int64_t> m_heads; ///< chosen
    bool m_fitted = false;             ///< columns, since the view was shown

    ViewPages* m_pages = nullptr;
    QLineEdit* m_filter = nullptr;
    QLabel* m_of = nullptr;
    QTreeView* m_table = nullptr;
    HeadTableModel* m_model = nullptr;
    HeadTableProxy* m_proxy = nullptr;
    QComboBox* m_likeness = nullptr;
    LikenessMatrix* m_matrix = nullptr;
    HeadPlane* m_plane = nullptr;
    QLabel* m_names[kValues] = {};
    QLabel* m_all[kValues] = {};
    QLabel* m_on[kValues] = {};
    QLabel* m_saved = nullptr;
    QPushButton* m_undo = nullptr;
    QPushButton* m_redo = nullptr;
    QPushButton* m_allOn = nullptr;
    QPushButton* m_saveMask = nullptr;
    QPushButton* m_probe = nullptr;
    QComboBox* m_unit = nullptr;
    PruningCurve* m_curve = nullptr;
};

} // namespace headscope::ui
