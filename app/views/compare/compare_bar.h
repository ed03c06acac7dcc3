// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/compare/compare_lines.h"
#include "app/views/grid/grid_bar.h"
#include "model/data/maps/map_pair.h"
#include "ui/canvas/picture_widget.h"

#include <QFrame>
#include <QString>

#include <vector>

class QComboBox;
class QLabel;
class QPushButton;
class QSlider;

namespace headscope::ui
{

class ChangeBars;
class ColorBox;
class ViewState;
struct ColorOption;

/// The bar under the compared maps: the place between them, lines to where points went, how many neighbours changed,
/// colours.
class CompareBar : public QFrame
{
    Q_OBJECT

public:
    explicit CompareBar(QWidget* parent);
    /// Its controls are values of a state.
    void bindTo(ViewState& state);

    void setColors(const std::vector<ColorOption>& colors);
    [[nodiscard]] QString color() const;
    /// Ignored where it is not offered. Emits colorChanged where it changes something.
    void setColor(const QString& id);
    /// 0: map A, 1: map B.
    void showShare(double share);
    void showPlaying(bool playing);
    void showLines(CompareLines lines);
    void setDifference(const MapDifference& difference, const QString& text, const QString& tip);
    /// Whether noise floors of the two maps may be asked for.
    void setFloorable(bool floorable);
    /// Without the slider and what belongs to it: maps side by side have no place between them.
    void setShareShown(bool shown);

Q_SIGNALS:
    void playClicked();
    void shareMoved(double share);
    void linesChosen(headscope::ui::CompareLines lines);
    void colorChanged();
    void floorRequested();

private:
    void buildShare();
    void buildChoices();

    QPushButton* m_play = nullptr;
    QSlider* m_slider = nullptr;
    QLabel* m_place = nullptr;
    QComboBox* m_lines = nullptr;
    QLabel* m_changed = nullptr;
    PictureOf<ChangeBars>* m_bars = nullptr;
    ColorBox* m_color = nullptr;
    QPushButton* m_floor = nullptr;
};

} // namespace headscope::ui
