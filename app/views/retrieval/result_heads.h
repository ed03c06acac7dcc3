// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/circuits/circuit_result.h"
#include "model/data/model_info.h"
#include "ui/view/head_source.h"
#include "viz/color/head_palette.h"

#include <QWidget>

#include <optional>
#include <vector>

class QLabel;
class QPushButton;
class QTableView;

namespace headscope::ui
{

class FrameModel;

/// Which heads make a result similar to the query: what each adds to the cosine of their full vectors, the largest part
/// first, or why that is not known.
class ResultHeads : public QWidget, public HeadSource
{
    Q_OBJECT

public:
    explicit ResultHeads(QWidget* parent);

    /// Another cache.
    void setModel(const ModelInfo& info, const viz::HeadPalette& palette);
    void setHeadPalette(const viz::HeadPalette& palette);
    /// @param result    of a pair: the query and the document; one of another origin than the open cache is refused
    /// @param document  its title
    void setResult(const CircuitResultPtr& result, const QString& document);
    /// Says why no heads are shown.
    /// @param action  the words of a button (actionRequested); empty: there is none
    void setWaiting(const QString& text, const QString& action = {});
    [[nodiscard]] bool isFilled() const { return m_result != nullptr; }
    /// What is said above the table, or in its place.
    [[nodiscard]] QString text() const;
    [[nodiscard]] QTableView* table() const { return m_table; }
    /// Of the current row.
    [[nodiscard]] std::optional<viz::ItemHead> headMeant() const override;

Q_SIGNALS:
    void actionRequested();
    /// A row was selected.
    void headClicked(headscope::LayerIndex layer, headscope::HeadIndex head);

private:
    [[nodiscard]] viz::ItemHead headOf(int frameRow) const;
    [[nodiscard]] QVariant extra(int row, int column, int role) const;

    ModelInfo m_info;
    viz::HeadPalette m_palette;
    CircuitResultPtr m_result;
    std::vector<PairTerm> m_terms; ///< rows of the table
    QLabel* m_text = nullptr;
    QPushButton* m_action = nullptr;
    FrameModel* m_model = nullptr;
    QTableView* m_table = nullptr;
};

} // namespace headscope::ui
