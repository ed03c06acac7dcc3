// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/dialog_service.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QHBoxLayout;
class QLabel;
class QScrollArea;
class QSpinBox;
class QTimer;
class QVBoxLayout;

namespace headscope::viz
{
struct FigurePreset;
} // namespace headscope::viz

namespace headscope::ui
{

class AnnotationEditor;
class FigurePreview;

/// "ACL, one column, 77 mm", from "acl-column".
[[nodiscard]] QString presetTitle(const viz::FigurePreset& preset);

/// Asks how wide a picture of a view shall be on paper, for which venue, and how fine its pixels are; shows it at that
/// size in a column of text, also as it looks without colours or to the colour-blind, and takes what is to be written
/// onto it. The height follows from what is shown.
class FigureDialog : public QDialog
{
    Q_OBJECT

public:
    /// @param paint  makes the picture; null: none is shown
    explicit FigureDialog(const FigureSize& proposal, FigurePainter paint = {}, QWidget* parent = nullptr);

    [[nodiscard]] FigureSize chosenSize() const;

Q_SIGNALS:
    /// Save was chosen.
    void sizeChosen(const headscope::ui::FigureSize& size);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeFields(const FigureSize& proposal);
    void makePreview(QVBoxLayout& fields, QHBoxLayout& row);
    void fitPreview();
    void takeUsual();
    void refresh();
    void paintAgain();
    void takePicture(const Result<FigurePicture>& picture);
    [[nodiscard]] QString presetNow() const;

    QComboBox* m_usual = nullptr;
    QDoubleSpinBox* m_width = nullptr;
    QSpinBox* m_dpi = nullptr;
    QCheckBox* m_files = nullptr;
    QLabel* m_pixels = nullptr;
    QLabel* m_readable = nullptr; ///< whether its smallest letters are
    QComboBox* m_sight = nullptr;
    QCheckBox* m_trueSize = nullptr; ///< even where that is more than there is room for
    QScrollArea* m_paper = nullptr;
    FigurePreview* m_preview = nullptr;
    AnnotationEditor* m_annotations = nullptr; ///< null: there is no preview either
    FigurePainter m_paint;
    std::vector<viz::Annotation> m_written; ///< as proposed
    QTimer* m_soon = nullptr;               ///< while numbers are typed nothing is painted
};

} // namespace headscope::ui
