// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/export/panels/annotation.h"

#include <QPointF>
#include <QWidget>

#include <vector>

class QLineEdit;
class QListWidget;
class QToolButton;

namespace headscope::ui
{

/// What is written onto a figure, as a list: labels, arrows and boxes with their texts. Where they are is changed on
/// the preview.
class AnnotationEditor : public QWidget
{
    Q_OBJECT

public:
    static constexpr int kMost = 50;
    static constexpr int kLongestText = 60; ///< letters; four bytes each fit what a recipe takes

    explicit AnnotationEditor(std::vector<viz::Annotation> annotations, QWidget* parent = nullptr);

    /// Those that can be drawn: a label without a text is none.
    [[nodiscard]] std::vector<viz::Annotation> annotations() const;
    /// As they are listed.
    [[nodiscard]] const std::vector<viz::Annotation>& listed() const { return m_listed; }
    /// -1: none is chosen.
    [[nodiscard]] int chosen() const;
    void choose(int at);
    /// @param share  of the figure's content, from 0 to 1
    void move(int at, bool end, QPointF share);

Q_SIGNALS:
    void changed();
    void chosenChanged();

private:
    QToolButton* addButton(const QString& text, const char* name, const QString& tip, viz::Annotation annotation);
    void add(viz::Annotation annotation);
    void remove();
    void refresh(int chosen);
    void refreshText();

    std::vector<viz::Annotation> m_listed;
    QListWidget* m_list = nullptr;
    QLineEdit* m_text = nullptr;
    QToolButton* m_remove = nullptr;
    std::vector<QToolButton*> m_adders;
};

} // namespace headscope::ui
