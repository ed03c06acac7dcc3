// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/results/pruning_results.h"
#include "model/data/stage.h"
#include "ui/canvas/picture_widget.h"

#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

class QGridLayout;
class QLabel;
class QPushButton;
class QTableView;

namespace headscope::ui
{

class PruningCurve;
class PruningPanel;
class SectionLabel;

/// Measures of the cached vectors of the heads (or segments) that are on next to those of all, with the difference and
/// its interval; the greedy order as a curve or as a table; each one alone.
class SwitchPanel : public QWidget
{
    Q_OBJECT

public:
    explicit SwitchPanel(QWidget* parent = nullptr);

    /// Shows another model or stage; steps are single heads again.
    void setModel(const ModelInfo& info, Stage stage);
    /// Which heads are on. [H]
    void setKept(const std::vector<bool>& kept);
    void setHistory(bool canUndo, bool canRedo);
    void setMask(const std::optional<MaskEffects>& values);
    /// The greedy order and what else is known of taking units away.
    void setCurve(PruningFindings findings, bool groups);
    /// How many of the order's first units are off (none: the heads that are off are not its first).
    void setCurrentStep(std::optional<std::int64_t> off);
    /// Whether the order is shown as a table, and not as a curve.
    void setTableShown(bool shown);
    [[nodiscard]] bool isTableShown() const;
    [[nodiscard]] bool byGroups() const;
    /// The match that orders the heads, of all and of those that are on, as a sentence; "" without a mask.
    [[nodiscard]] QString summary() const;
    [[nodiscard]] PruningPanel* order() const { return m_order; }
    [[nodiscard]] PictureOf<PruningCurve>* curve() const;
    [[nodiscard]] QTableView* table() const;
    /// A difference as written, with its interval; row as of valueText().
    [[nodiscard]] QString differenceText(int row) const;
    /// What the difference and its interval are.
    [[nodiscard]] QString differenceTip() const;
    /// A value as written: row 0..2 match, 3 retrieval, 4 probe; `on`: of the heads that are on.
    [[nodiscard]] QString valueText(int row, bool on) const;
    /// Whether anything is known of a value.
    [[nodiscard]] bool isMeasured(int row) const;
    /// What the value is.
    [[nodiscard]] QString valueName(int row) const;
    [[nodiscard]] static int valueCount() { return kValues; }
    /// What is said under the values; may be empty.
    [[nodiscard]] QString noteText() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

Q_SIGNALS:
    void undoRequested();
    void redoRequested();
    void allOnRequested();
    void saveMaskRequested();
    void unitChanged();
    void stepClicked(std::int64_t off);
    void probeRequested();

private:
    static constexpr int kValues = 5;
    QWidget* makeButtons();
    QGridLayout* makeValues();
    void refreshWords();
    void refreshMask();
    void refreshNames();
    void reserveNote();
    [[nodiscard]] static QString savedText(const MaskEffects& values, const ModelInfo& info, Stage stage);

    ModelInfo m_info;
    Stage m_stage = Stage::HeadOutput;
    std::optional<MaskEffects> m_mask;

    SectionLabel* m_title = nullptr;
    QPushButton* m_undo = nullptr;
    QPushButton* m_redo = nullptr;
    QPushButton* m_allOn = nullptr;
    QPushButton* m_saveMask = nullptr;
    QPushButton* m_probe = nullptr;
    QLabel* m_allTitle = nullptr;
    QLabel* m_onTitle = nullptr;
    QLabel* m_names[kValues] = {};
    QLabel* m_all[kValues] = {};
    QLabel* m_on[kValues] = {};
    QLabel* m_differenceTitle = nullptr;
    QLabel* m_differences[kValues] = {};
    QLabel* m_saved = nullptr;
    PruningPanel* m_order = nullptr;
};

} // namespace headscope::ui
