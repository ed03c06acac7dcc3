// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/heads/pruning_curve.h"
#include "model/data/model_info.h"
#include "model/data/results/pruning_results.h"
#include "model/data/stage.h"
#include "ui/canvas/picture_widget.h"
#include "ui/forms/field_form.h"

#include <QWidget>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

class QLabel;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace headscope::ui
{

class FrameModel;
class ViewState;
struct FrameColumn;

/// What taking heads (or segments, or KV groups) away does to the match of the vectors that stay: the greedy order as a
/// curve or as a table, with what such orders gain on documents that had no part in choosing them, and each one alone.
class PruningPanel : public QWidget
{
    Q_OBJECT

public:
    explicit PruningPanel(QWidget* parent);
    /// Its controls are values of a state.
    void bindTo(ViewState& state);

    /// The words of another model or stage; steps are single heads again.
    void setModel(const ModelInfo& info, Stage stage);
    /// @param findings  the order at least; what is empty is not known yet
    /// @param groups    whether whole KV groups go at each step
    void setFindings(PruningFindings findings, bool groups);
    [[nodiscard]] const PruningFindings& findings() const { return m_findings; }
    /// What the best number of an order gains where it was chosen and elsewhere; "" while it is not known.
    [[nodiscard]] QString sentence() const;
    /// By which match the order is made.
    [[nodiscard]] QString title() const;
    /// How many of the first units are off now; none: another set is.
    void setCurrentStep(std::optional<std::int64_t> off);
    enum class Page
    {
        Curve,
        Table, ///< the order, step by step
        Alone, ///< each removed alone
    };
    void setPage(Page page);
    [[nodiscard]] Page page() const;
    /// Whether the order is shown as a table, and not as a curve.
    void setTableShown(bool shown);
    [[nodiscard]] bool isTableShown() const;
    [[nodiscard]] bool byGroups() const;
    [[nodiscard]] PictureOf<PruningCurve>* curve() const { return m_curve; }
    [[nodiscard]] QTableView* table() const { return m_table; }
    [[nodiscard]] QTableView* aloneTable() const { return m_aloneTable; }

Q_SIGNALS:
    void unitChanged();
    void stepClicked(std::int64_t off);

private:
    void buildPages();
    void refreshTitle();
    /// "Match at 5": of the columns.
    [[nodiscard]] QString matchTitle() const;
    [[nodiscard]] FrameColumn unitColumn() const;
    void refreshTable();
    void refreshAlone();
    void refreshSentence();
    [[nodiscard]] PruningCurve::Saves saves() const;

    ModelInfo m_info;
    Stage m_stage = Stage::HeadOutput;
    bool m_groups = false; ///< what the steps are
    PruningFindings m_findings;
    QLabel* m_title = nullptr;
    QLabel* m_sentence = nullptr;
    std::string m_units; ///< that go together
    FieldForm m_form;
    QToolButton* m_asCurve = nullptr;
    QToolButton* m_asTable = nullptr;
    QToolButton* m_asAlone = nullptr;
    QStackedWidget* m_pages = nullptr;
    PictureOf<PruningCurve>* m_curve = nullptr;
    QTableView* m_table = nullptr;
    FrameModel* m_model = nullptr;
    QTableView* m_aloneTable = nullptr;
    FrameModel* m_aloneModel = nullptr;
};

} // namespace headscope::ui
