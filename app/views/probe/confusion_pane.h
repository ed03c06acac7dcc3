// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/selection.h"
#include "ui/canvas/picture_widget.h"
#include "ui/models/probe_table_model.h"

#include <QWidget>

#include <cstdint>
#include <vector>

class QBoxLayout;
class QComboBox;
class QLabel;
class QVBoxLayout;

namespace headscope::ui
{

class ConfusionPicture;
class ElidedLabel;
class SectionLabel;
class ViewState;

/// A large number with its name above and an explanation below. In one line the explanation is in the tip.
class FigureLabel : public QWidget
{
    Q_OBJECT

public:
    explicit FigureLabel(const QString& title, const QString& tip, QWidget* parent = nullptr);
    void setTitle(const QString& title);
    void setTip(const QString& tip);
    void setFigure(const QString& value, const QString& detail);
    void setInOneLine(bool inOneLine);
    [[nodiscard]] QString title() const;
    [[nodiscard]] QString value() const;
    [[nodiscard]] QString detail() const;
    [[nodiscard]] QString detailInOneLine() const;
    [[nodiscard]] QString tip() const { return m_tip; }

private:
    void refresh();

    QBoxLayout* m_line = nullptr;
    QLabel* m_title = nullptr;
    QLabel* m_value = nullptr;
    QLabel* m_detail = nullptr;
    QString m_tip;
    bool m_inOneLine = false;
};

/// One probe in detail: accuracy, the errors inside and across KV groups, and the confusion matrix. In a low room the
/// numbers have a line each; where that is not enough, the pane scrolls.
class ConfusionPane : public QWidget
{
    Q_OBJECT

public:
    explicit ConfusionPane(QWidget* parent = nullptr);
    /// Its controls are values of a state.
    void bindTo(ViewState& state);

    /// A row without a result shows nothing.
    void setRow(const ProbeRow& row, const ModelInfo& info);
    [[nodiscard]] PictureOf<ConfusionPicture>* matrix() const { return m_matrix; }
    [[nodiscard]] FigureLabel* accuracy() const { return m_accuracy; }
    [[nodiscard]] FigureLabel* within() const { return m_within; }
    [[nodiscard]] FigureLabel* across() const { return m_across; }
    /// What is wrong with the fit, or what the chosen cell holds.
    [[nodiscard]] QString note() const;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// The documents behind a cell of the matrix, and what it says.
    void documentsChosen(const std::vector<std::int64_t>& documents, headscope::SetOperation operation,
                         const QString& what);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildFigures(QVBoxLayout* layout);
    void buildControls(QVBoxLayout* layout);
    /// Gives the numbers as many lines as the room has for them.
    void fit();
    /// The share of the errors inside groups next to that of chance; false where it is not known.
    [[nodiscard]] bool showGroupNull(const ProbeResult& result);
    /// A cell was clicked: its documents are chosen, or with Shift added to those that are.
    void choose(std::size_t item, Qt::KeyboardModifiers keys);

    QWidget* m_inside = nullptr;
    SectionLabel* m_title = nullptr;
    FigureLabel* m_accuracy = nullptr;
    FigureLabel* m_within = nullptr;
    FigureLabel* m_across = nullptr;
    QComboBox* m_values = nullptr;
    QComboBox* m_shades = nullptr;
    PictureOf<ConfusionPicture>* m_matrix = nullptr;
    QLabel* m_details = nullptr;
    QLabel* m_note = nullptr;
    QString m_warnings;
};

} // namespace headscope::ui
