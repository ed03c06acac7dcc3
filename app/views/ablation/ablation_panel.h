// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/ablation/units_panel.h"
#include "model/base/strong_index.h"
#include "model/data/documents/document_set.h"
#include "model/data/model_info.h"
#include "model/data/results/importance_options.h"
#include "model/data/results/switch_off_results.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class QCheckBox;
class QLabel;
class QPushButton;
class QTableView;
class QTableWidget;

namespace headscope::ui
{

class FrameModel;
class ViewState;

/// Heads of a layer switched off in the running model, next to a cut of the cached vectors: how the documents' vectors
/// change, which documents are nearest then, and lines on the map.
class AblationPanel : public UnitsPanel
{
    Q_OBJECT

public:
    explicit AblationPanel(QWidget* parent = nullptr);
    /// Its controls are values of a state.
    void bindTo(ViewState& state);

    /// Another cache: its model and documents; nothing is switched off.
    void setModel(const ModelInfo& info, std::shared_ptr<const DocumentSet> documents);
    /// Heads to be switched off, from 0, of a layer, or of the one that is chosen.
    void setHeads(std::optional<std::int64_t> layer, const std::vector<std::int64_t>& heads);
    [[nodiscard]] const SwitchOffChoices& choices() const { return m_chosen; }
    /// The heads that are written, from 0, ascending; empty: none, or what is written is not understood.
    [[nodiscard]] std::vector<std::int64_t> heads() const;
    void setResult(std::shared_ptr<const SwitchOffResult> result);
    [[nodiscard]] std::shared_ptr<const SwitchOffResult> result() const { return m_result; }
    /// The document whose nearest ones are listed.
    void setPointed(std::optional<DocumentIndex> document);
    [[nodiscard]] bool linesShown() const;
    [[nodiscard]] QTableView* table() const { return m_table; }
    [[nodiscard]] QTableWidget* nearest() const { return m_nearest; }
    /// A value as written; row 0: cosine, 1: nearest that stay, 2: documents with another nearest one.
    [[nodiscard]] QString valueText(int row, bool inModel) const;

Q_SIGNALS:
    void forgetRequested();
    /// The cosines are to be a column of numbers of the documents.
    void columnRequested();
    void linesToggled(bool shown);
    void documentClicked(headscope::DocumentIndex document);

protected:
    void refresh() override;

private:
    static constexpr int kValues = 3;
    void makeControls();
    void makeResult(QWidget* page);
    QWidget* makeValues(QWidget* parent);
    void makeTables(QWidget* page);
    void connectControls();
    void refreshValues();
    void refreshTable();
    void refreshNearest();
    [[nodiscard]] QString nameOf(std::int64_t row) const;

    ModelInfo m_info;
    std::shared_ptr<const DocumentSet> m_documents;
    std::shared_ptr<const SwitchOffResult> m_result;
    std::optional<DocumentIndex> m_pointed;
    SwitchOffChoices m_chosen;
    AblationLimits m_limits;

    QCheckBox* m_lines = nullptr;
    QPushButton* m_column = nullptr;
    QPushButton* m_forget = nullptr;
    QLabel* m_names[kValues] = {};
    QLabel* m_inModel[kValues] = {};
    QLabel* m_byCut[kValues] = {};
    FrameModel* m_model = nullptr;
    QTableView* m_table = nullptr;
    QLabel* m_nearestTitle = nullptr;
    QTableWidget* m_nearest = nullptr;
};

} // namespace headscope::ui
