// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/head_measures.h"
#include "ui/forms/field_form.h"
#include "viz/atlas/head_dots.h"

#include <QFrame>
#include <QString>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

class QAction;
class QComboBox;
class QPushButton;
class QToolButton;

namespace headscope::ui
{

class ElidedLabel;
class ViewState;

/// The row under the atlas: its form, what place, size and colour say, what else can be measured.
class AtlasBar : public QFrame
{
    Q_OBJECT

public:
    enum class Form
    {
        Dots,
        Grid,
        Table,
    };

    explicit AtlasBar(QWidget* parent = nullptr);
    /// Its controls are values of a state.
    void bindTo(ViewState& state);

    /// Offers these measures. What was chosen stays chosen where it is there, and comes back when it is there again.
    void setMeasures(std::shared_ptr<const HeadMeasures> measures, bool grouped);
    [[nodiscard]] Form form() const;
    void setForm(Form form);
    /// What is shown: of what was chosen, and in place of what is not there the nearest to it.
    [[nodiscard]] viz::AtlasChoice choice() const;
    /// What was chosen, there or not.
    [[nodiscard]] const viz::AtlasChoice& wanted() const { return m_wanted; }
    void setWanted(const viz::AtlasChoice& choice);
    [[nodiscard]] bool orderedByPattern() const;
    [[nodiscard]] std::int64_t clusters() const { return m_options.clusters; }
    [[nodiscard]] std::int64_t documents() const { return m_options.documents; }
    void setRunning(bool running);
    void setNote(const QString& text);
    [[nodiscard]] QString note() const;
    /// What can be measured now, with the sentence of its tip; false: the entry is grey, and the tip says why.
    void setOffer(MeasureKind kind, bool possible, const QString& text, const QString& tip);
    [[nodiscard]] QAction* offer(MeasureKind kind) const;

Q_SIGNALS:
    void formChanged();
    void choiceChanged();
    void orderChanged();
    void clustersChanged();
    void stopRequested();
    void measureRequested(headscope::MeasureKind kind);

private:
    void buildForms();
    void buildBoxes();
    void buildMeasuring();
    [[nodiscard]] QComboBox* makeBox(const char* name, std::string viz::AtlasChoice::*key, const QString& title,
                                     const QString& tip);
    [[nodiscard]] std::string wantedColor() const;
    void fillBoxes();
    void fillBox(QComboBox* box, const QString& prefix, bool places) const;
    [[nodiscard]] QString colorOfNoMeasure() const;
    void takeBox(const QComboBox* box, std::string viz::AtlasChoice::*key);
    void refreshVisible();

    std::shared_ptr<const HeadMeasures> m_measures;
    bool m_grouped = false;
    std::vector<std::string> m_filled; ///< keys that the boxes offer, with the colour that is of no measure
    viz::AtlasChoice m_wanted;
    std::array<QToolButton*, 3> m_forms{};
    QComboBox* m_x = nullptr;
    QComboBox* m_y = nullptr;
    QComboBox* m_size = nullptr;
    QComboBox* m_color = nullptr;
    AtlasOptions m_options;
    FieldForm m_form;
    QToolButton* m_measure = nullptr;
    QPushButton* m_stop = nullptr;
    QAction* m_vectors = nullptr;
    QAction* m_attention = nullptr;
    QAction* m_labels = nullptr;
    QAction* m_file = nullptr;
    ElidedLabel* m_note = nullptr;
};

} // namespace headscope::ui
