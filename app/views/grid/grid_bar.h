// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/map/map_view.h"
#include "ui/widgets/color_box.h"

#include <QFrame>
#include <QString>

#include <vector>

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;

namespace headscope::ui
{

class ViewState;

/// What the cells of a grid are.
struct GridChoice
{
    enum class Kind
    {
        Stages, ///< heads x the stages of the chosen layer
        Layers, ///< heads x layers, in the chosen stage
        Stored, ///< a set of the cache
    };
    Kind kind = Kind::Stages;
    int layers = 0; ///< of Layers: how many, spread over the model, the last one included; 0 = all
    QString stored; ///< name of the set

    bool operator==(const GridChoice&) const = default;
};

/// The bar under the grid: what, run, pause, stop, progress; colour, link, what is shown.
class GridBar : public QFrame
{
    Q_OBJECT

public:
    explicit GridBar(QWidget* parent = nullptr);
    /// Its controls are values of a state.
    void bindTo(ViewState& state);

    /// @param stages  of the chosen layer that the cache holds
    /// @param spread  the chosen stage
    /// @param layers  of the chosen stage that the cache holds
    void setChoices(std::span<const Stage> stages, Stage spread, int layers, const QStringList& stored);
    [[nodiscard]] GridChoice choice() const;
    void setChoice(const GridChoice& choice);
    void setColors(const std::vector<ColorOption>& colors);
    [[nodiscard]] QString color() const;
    /// Ignored where it is not offered. Emits colorChanged where it changes something.
    void setColor(const QString& id);
    void setRun(MapRunState state, const MapRunProgress& progress);
    void setShownText(const QString& text);
    /// Whether the run that is shown was stopped and may continue.
    void setMayGoOn(bool may);
    /// Whether the maps may be put into the cache now.
    void setStorable(bool storable);
    /// How far the maps that are there have come, while no run is on: "750 iterations", "stopped at 223 of 750
    /// iterations"; empty: there are none.
    void setMade(const QString& text);
    /// Whether the neighbours kept may be measured now.
    void setMeasurable(bool measurable);
    /// Whether noise replicates of the maps may be made now.
    void setFloorable(bool floorable);
    [[nodiscard]] bool linked() const;

Q_SIGNALS:
    void choiceChanged();
    void runRequested();
    void pauseRequested();
    void continueRequested();
    void stopRequested();
    void measureRequested();
    void floorRequested();
    void storeRequested();
    void colorChanged();
    void linkedChanged(bool linked);

private:
    void buildRun();
    void buildLook();
    void connectRun();
    void refresh();

    QComboBox* m_what = nullptr;
    QPushButton* m_start = nullptr;
    QPushButton* m_pause = nullptr;
    QPushButton* m_stop = nullptr;
    QProgressBar* m_progress = nullptr;
    QLabel* m_iterations = nullptr;
    QPushButton* m_floor = nullptr;
    QPushButton* m_goOn = nullptr;
    QPushButton* m_measure = nullptr;
    QPushButton* m_store = nullptr;
    ElidedLabel* m_shown = nullptr;
    QPushButton* m_link = nullptr;
    ColorBox* m_color = nullptr;
    MapRunState m_state = MapRunState::None;
    MapRunProgress m_run;
    bool m_measurable = false;
    bool m_floorable = false;
    bool m_mayGoOn = false;
    bool m_storable = false;
    QString m_made;
};

} // namespace headscope::ui
