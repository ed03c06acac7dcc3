// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/dialog_service.h"

#include <QDialog>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSpinBox;

namespace headscope::ui
{

/// Asks how wide a picture of a view shall be on paper, in millimetres, and how fine its pixels are. Text keeps its
/// size in points and the height follows from what is shown.
class FigureDialog : public QDialog
{
    Q_OBJECT

public:
    static constexpr double kLeastMm = 60;
    static constexpr double kMostMm = 1'000;

    explicit FigureDialog(const FigureSize& proposal, QWidget* parent = nullptr);

    [[nodiscard]] FigureSize chosenSize() const;

Q_SIGNALS:
    /// Save was chosen.
    void sizeChosen(const headscope::ui::FigureSize& size);

private:
    void makeFields(const FigureSize& proposal);
    void refresh();

    QComboBox* m_usual = nullptr;
    QDoubleSpinBox* m_width = nullptr;
    QSpinBox* m_dpi = nullptr;
    QLabel* m_pixels = nullptr;
};

} // namespace headscope::ui
