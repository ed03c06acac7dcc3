// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/run_curve.h"
#include "ui/forms/field_form.h"
#include "ui/models/map_library.h"
#include "ui/models/map_run_state.h"
#include "ui/settings/run_steps.h"

#include <QPointer>
#include <QScrollArea>

#include <cstdint>
#include <optional>
#include <vector>

class QLabel;
class QPushButton;
class QSlider;
class QToolButton;
class QVBoxLayout;

namespace headscope::ui
{

class ElidedLabel;
class KlChart;
template <class P>
class PictureOf;
class RunForm;
class RunList;
class SectionLabel;
class Settings;

/// The side panel of the map's run: its buttons, the curve of its divergence, its history, the
/// parameters of the next one, and the maps that are kept.
class RunPanel : public QScrollArea
{
    Q_OBJECT

public:
    /// @param settings  must outlive the panel
    /// @param library   of the list; once it is deleted the list is empty
    RunPanel(Settings& settings, MapLibrary& library, QWidget* parent = nullptr);

    [[nodiscard]] RunForm* form() const { return m_form; }
    [[nodiscard]] const RunSteps& steps() const { return m_steps; }
    [[nodiscard]] RunList* list() const { return m_list; }
    [[nodiscard]] PictureOf<KlChart>* chart() const { return m_chart; }
    [[nodiscard]] QSlider* history() const { return m_history; }

    /// Whether a map can be run at all, and a sentence about it ("432 points", or why not).
    void setReady(bool ready, const QString& sentence);
    void setRun(MapRunState state, const MapRunProgress& progress);
    void setCurve(const RunCurve& curve);
    /// The iterations of the run that can be looked back at, and the newest; none: there is no run.
    void setHistory(std::vector<int> iterations, int newest);
    /// Which map of the run the view shows: that of an iteration, or (nothing) the newest.
    void setLookedAt(std::optional<int> iteration, double kl);
    /// Whether the view shows a map that is not of the run, to which curve and slider do not apply.
    void setAside(bool aside);
    /// Whether kept maps can be stored: a cache is open, and it is a file that can hold maps.
    void setStorable(bool storable);

Q_SIGNALS:
    void runRequested();
    void pauseRequested();
    void continueRequested();
    void stopRequested();
    void goOnRequested(int iterations, double exaggeration);
    void perturbRequested(double share, int iterations);
    /// The run is to be shown as it was at this iteration.
    void iterationRequested(int iteration);
    void newestRequested();
    void showRequested(quint64 id);
    void storeRequested(quint64 id);
    void measureRequested(quint64 id);
    void copyCommandRequested(quint64 id);

private:
    void buildControls(QVBoxLayout* layout);
    void buildGoOn(QVBoxLayout* layout);
    /// A line of a number of the steps, and the button that acts by it.
    [[nodiscard]] QPushButton* addAmount(QVBoxLayout& rows, const char* key, const QString& name, const QString& label,
                                         const QString& action, const QString& tip);
    /// The steps as the settings keep them.
    void loadSteps();
    void buildHistory(QVBoxLayout* layout);
    void buildKept(QVBoxLayout* layout);
    void rename();
    void showKeptMenu(const QPoint& place);
    void refreshControls();
    void refreshHistory();
    void refreshKept();
    void moveHistory(int iteration);

    Settings& m_settings;
    QPointer<MapLibrary> m_library; ///< deleted before the panels when a window closes
    SectionLabel* m_title = nullptr;
    QPushButton* m_run = nullptr;
    QPushButton* m_pause = nullptr;
    QPushButton* m_stop = nullptr;
    QLabel* m_sentence = nullptr;
    QWidget* m_goOn = nullptr;
    RunSteps m_steps;
    FieldForm m_stepFields;
    QPushButton* m_moreButton = nullptr;
    QPushButton* m_noiseButton = nullptr;
    QWidget* m_past = nullptr;
    PictureOf<KlChart>* m_chart = nullptr;
    ElidedLabel* m_at = nullptr;
    QToolButton* m_newest = nullptr;
    QSlider* m_history = nullptr;
    RunForm* m_form = nullptr;
    SectionLabel* m_keptTitle = nullptr;
    RunList* m_list = nullptr;
    QLabel* m_keptHint = nullptr;
    QWidget* m_keptButtons = nullptr;
    QPushButton* m_rename = nullptr;
    QPushButton* m_store = nullptr;
    QPushButton* m_remove = nullptr;

    bool m_ready = false;
    bool m_storable = false;
    MapRunState m_state = MapRunState::None;
    MapRunProgress m_progress;
    std::vector<int> m_iterations;
    int m_newestIteration = 0;
    bool m_aside = false;
    std::optional<int> m_lookedAt;
    double m_lookedAtKl = 0;
};

} // namespace headscope::ui
