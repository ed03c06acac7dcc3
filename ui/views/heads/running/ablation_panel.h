// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/documents/document_set.h"
#include "model/data/model_info.h"
#include "model/data/results/switch_off_results.h"

#include <QString>
#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QStackedWidget;
class QTableView;
class QTableWidget;

namespace headscope::ui
{

class ElidedLabel;
class EmptyState;
class FrameModel;

/// What is asked for when heads are switched off in the running model.
struct SwitchOffChoices
{
    std::int64_t layer = 0;
    std::vector<std::int64_t> heads; ///< from 0, ascending; empty: none, or what is typed is not understood
    bool mean = false;
    std::int64_t documents = 0;
};

/// Heads of a layer switched off in the running model, beside a cut of the cached vectors: how the documents' vectors
/// change, which documents are nearest then, and lines on the map.
class AblationPanel : public QWidget
{
    Q_OBJECT

public:
    static constexpr std::int64_t kDefaultDocuments = 500;

    explicit AblationPanel(QWidget* parent = nullptr);

    /// Another cache: its model and documents; nothing is switched off.
    void setModel(const ModelInfo& info, std::shared_ptr<const DocumentSet> documents);
    /// The layer that the window shows, which is asked for unless the user chose another.
    void setLayer(std::int64_t layer);
    /// Heads to be switched off, from 0, of a layer, or of the one that is chosen.
    void setHeads(std::optional<std::int64_t> layer, const std::vector<std::int64_t>& heads);
    [[nodiscard]] SwitchOffChoices choices() const;
    /// Why nothing can be switched off; "": it can.
    void setObstacle(const QString& text, const QString& action = {});
    void setBusy(bool busy);
    void setProblem(const QString& title, const QString& text);
    void setResult(std::shared_ptr<const SwitchOffResult> result);
    [[nodiscard]] std::shared_ptr<const SwitchOffResult> result() const { return m_result; }
    /// The document whose nearest ones are listed.
    void setPointed(std::optional<DocumentIndex> document);
    [[nodiscard]] bool linesShown() const;
    [[nodiscard]] EmptyState* emptyState() const { return m_empty; }
    [[nodiscard]] QTableView* table() const { return m_table; }
    [[nodiscard]] QTableWidget* nearest() const { return m_nearest; }
    /// What was switched off over what.
    [[nodiscard]] QString ofText() const;
    /// The sentence under the values.
    [[nodiscard]] QString legendText() const;
    /// A value as written; row 0: cosine, 1: nearest that stay, 2: documents with another nearest one.
    [[nodiscard]] QString valueText(int row, bool inModel) const;

Q_SIGNALS:
    void switchOffRequested();
    void forgetRequested();
    /// The cosines are to be a column of numbers of the documents.
    void columnRequested();
    void obstacleActionRequested();
    void linesToggled(bool shown);
    void documentClicked(headscope::DocumentIndex document);

private:
    static constexpr int kValues = 3;
    QWidget* makeControls();
    QWidget* makeResult();
    QWidget* makeValues(QWidget* parent);
    void makeTables(QWidget* page);
    void connectControls();
    void refresh();
    void refreshValues();
    void refreshTable();
    void refreshNearest();
    [[nodiscard]] QString nameOf(std::int64_t row) const;

    ModelInfo m_info;
    std::shared_ptr<const DocumentSet> m_documents;
    std::shared_ptr<const SwitchOffResult> m_result;
    std::optional<DocumentIndex> m_pointed;
    QString m_obstacle;
    QString m_obstacleAction;
    bool m_isBusy = false;
    bool m_layerChosen = false;

    ElidedLabel* m_of = nullptr;
    QSpinBox* m_layer = nullptr;
    QLineEdit* m_heads = nullptr;
    QComboBox* m_ablation = nullptr;
    QSpinBox* m_count = nullptr;
    QPushButton* m_run = nullptr;
    QCheckBox* m_lines = nullptr;
    QPushButton* m_column = nullptr;
    QPushButton* m_forget = nullptr;
    QStackedWidget* m_pages = nullptr;
    EmptyState* m_empty = nullptr;
    QLabel* m_names[kValues] = {};
    QLabel* m_inModel[kValues] = {};
    QLabel* m_byCut[kValues] = {};
    QLabel* m_legend = nullptr;
    FrameModel* m_model = nullptr;
    QTableView* m_table = nullptr;
    QLabel* m_nearestTitle = nullptr;
    QTableWidget* m_nearest = nullptr;
};

} // namespace headscope::ui
