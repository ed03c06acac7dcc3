// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/dialog_service.h"
#include "ui/forms/field_form.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QScrollArea;
class QTimer;
class QVBoxLayout;

namespace headscope::ui
{

class AnnotationEditor;
class FigurePreview;

/// "ACL, one column, 77 mm", from "acl-column".
[[nodiscard]] QString presetTitle(const FigurePreset& preset);

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
    void makeFields();
    void makePreview(QVBoxLayout& fields, QHBoxLayout& row);
    void fitPreview();
    void takeUsual();
    void refresh();
    void paintAgain();
    void takePicture(const Result<FigurePicture>& picture);
    [[nodiscard]] std::string presetNow() const;

    FigureSize m_size;
    FieldForm m_form;
    QComboBox* m_usual = nullptr;
    QLabel* m_pixels = nullptr;
    QLabel* m_readable = nullptr; ///< whether its smallest letters are
    QComboBox* m_sight = nullptr;
    QCheckBox* m_trueSize = nullptr; ///< even where that is more than there is room for
    QScrollArea* m_paper = nullptr;
    FigurePreview* m_preview = nullptr;
    AnnotationEditor* m_annotations = nullptr; ///< null: there is no preview either
    FigurePainter m_paint;
    QTimer* m_soon = nullptr; ///< while numbers are typed nothing is painted
};

} // namespace headscope::ui
