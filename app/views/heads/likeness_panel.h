// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/results/head_pairs.h"
#include "model/data/results/head_results.h"
#include "ui/canvas/picture_widget.h"
#include "viz/color/head_palette.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

class QBoxLayout;
class QComboBox;
class QLabel;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace headscope::ui
{

class FrameModel;
class HeadPlane;
class LikenessMatrix;
class SectionLabel;
class ViewState;

/// How similar heads or segments are: a square with its scale and a map, or all pairs as a table, and a sentence that
/// names the most alike.
class LikenessPanel : public QWidget
{
    Q_OBJECT

public:
    enum class Measure
    {
        Cka,
        MeanCosine,
        NeighborOverlap,
    };

    explicit LikenessPanel(QWidget* parent = nullptr);
    /// Its controls are values of a state.
    void bindTo(ViewState& state);

    /// @param grouped  the model as rows of this stage fall into groups (groupedAt)
    /// @param heads    those that are shown, 0-based, ascending
    void setReport(std::shared_ptr<const HeadReport> report, Stage stage, const ModelInfo& grouped,
                   const viz::HeadPalette& palette, const std::vector<std::int64_t>& heads);
    [[nodiscard]] Measure measure() const;
    /// Its name, as written.
    [[nodiscard]] QString measureText() const;
    /// Of the chosen measure: the similarities [H, H] and the positions [H, 2]; null where nothing is known.
    [[nodiscard]] std::pair<const MatrixD*, const MatrixD*> shown() const;
    /// What the discs of the map say; may be empty.
    [[nodiscard]] QString keyText() const;
    /// Whether the pairs are shown as a table, and not as a picture.
    void setTableShown(bool shown);
    [[nodiscard]] bool isTableShown() const;
    [[nodiscard]] PictureOf<LikenessMatrix>* matrix() const { return m_matrix; }
    [[nodiscard]] PictureOf<HeadPlane>* plane() const { return m_plane; }
    [[nodiscard]] QTableView* table() const { return m_table; }
    /// "Most alike heads by CKA: 3 and 4 (0.93), 5 and 6 (0.91)."
    [[nodiscard]] QString sentence() const;

Q_SIGNALS:
    void headsClicked(const std::vector<std::int64_t>& heads);
    void headHovered(std::optional<headscope::HeadIndex> head);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void makePictures();
    void makeTable();
    void refresh();
    void refreshSentence();
    /// The mean over all pairs of the report with its interval.
    [[nodiscard]] QString meanText() const;

    std::shared_ptr<const HeadReport> m_report;
    Stage m_stage = Stage::HeadOutput;
    ModelInfo m_info;
    viz::HeadPalette m_palette;
    std::vector<std::int64_t> m_heads;
    std::vector<LikePair> m_pairs;

    SectionLabel* m_title = nullptr;
    QToolButton* m_asPicture = nullptr;
    QToolButton* m_asTable = nullptr;
    QComboBox* m_measure = nullptr;
    QStackedWidget* m_pages = nullptr;
    QBoxLayout* m_pictures = nullptr;
    PictureOf<LikenessMatrix>* m_matrix = nullptr;
    PictureOf<HeadPlane>* m_plane = nullptr;
    QTableView* m_table = nullptr;
    FrameModel* m_model = nullptr;
    QLabel* m_most = nullptr;
    QLabel* m_key = nullptr;
};

} // namespace headscope::ui
