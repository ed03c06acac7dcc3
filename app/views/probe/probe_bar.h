// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/results/probe_result.h"
#include "ui/forms/field_form.h"

#include <QWidget>

#include <string_view>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QToolButton;

namespace headscope::ui
{

class ElidedLabel;
class ViewState;

/// What the next training is to do.
struct ProbeChoice
{
    ProbeOptions options; ///< without control: that is asked for next to it
    bool allLayers = false;
    bool control = false;
};

/// The bar under the probe: Train and Stop, which layers, the control; and above it, unfolded, the
/// options with what they mean.
class ProbeBar : public QWidget
{
    Q_OBJECT

public:
    explicit ProbeBar(QWidget* parent = nullptr);
    /// Its controls are values of a state.
    void bindTo(ViewState& state);

    [[nodiscard]] ProbeChoice choice() const;
    void setSeed(std::uint64_t seed);
    /// The layer that is looked at, and how many the cache holds.
    void setLayers(LayerIndex current, std::int64_t held);
    void setRunning(bool running);
    /// The quiet line on the right: what is shown, or how far the training is.
    void setNote(const QString& text);
    [[nodiscard]] QString note() const;

Q_SIGNALS:
    void trainRequested();
    void stopRequested();
    void choiceChanged();

private:
    void buildOptions();
    void buildBar();
    /// An editor under its name, with a line that says what it means.
    void addOption(std::string_view key, int width, int column);
    void refresh();

    QWidget* m_panel = nullptr;
    ProbeOptions m_chosen;
    FieldForm m_form;
    QLabel* m_warning = nullptr;
    QPushButton* m_train = nullptr;
    QPushButton* m_stop = nullptr;
    QComboBox* m_layers = nullptr;
    QCheckBox* m_control = nullptr;
    QToolButton* m_options = nullptr;
    ElidedLabel* m_note = nullptr;
};

} // namespace headscope::ui
