// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/documents/topic_merge.h"
#include "ui/canvas/picture_widget.h"
#include "viz/color/kept_scale.h"

#include <QWidget>

#include <map>
#include <memory>
#include <string>
#include <vector>

class QLabel;
class QPushButton;
class QSlider;
class QToolButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace headscope::viz
{
class MatrixTables;
}

namespace headscope::ui
{

class ColorBar;
class ViewState;

/// How similar the topics are (Figure 1 of the paper that README.md cites), and which of them might be merged: a
/// threshold that takes effect at once, the groups it makes with names to be edited, and what can be done with them.
class SimilarityPage : public QWidget
{
    Q_OBJECT

public:
    explicit SimilarityPage(QWidget* parent = nullptr);
    /// Its controls are values of a state.
    void bindTo(ViewState& state);
    [[nodiscard]] ColorBar* scale() const { return m_scale; }

    /// Topics in the order of their letters in the other modes; topics that are not named follow in their own order.
    void setLetterOrder(std::vector<std::string> names);
    /// Null: nothing to show. The threshold and the names typed are kept while the topics are the same.
    void setPath(std::shared_ptr<const TopicMergePath> path);
    [[nodiscard]] const std::shared_ptr<const TopicMergePath>& path() const { return m_path; }
    [[nodiscard]] PictureOf<viz::MatrixTables>* matrix() const { return m_matrix; }

    /// Another cache: the next similarities set the limits of the scale.
    void forgetScale();

    /// A whole number of thousandths, so that the line in the shell says the same.
    [[nodiscard]] double threshold() const;
    void setThreshold(double threshold);
    /// Groups at the threshold.
    [[nodiscard]] const TopicMerge& merge() const { return m_merge; }
    /// Old name to new, every topic, with the names that were typed.
    [[nodiscard]] std::map<std::string, std::string> labelMap() const;

Q_SIGNALS:
    void saveRequested();
    void applyRequested();

private:
    void buildPanel(QWidget* panel);
    void showTable();
    void showScale(const viz::ScaleChoice& choice);
    void refreshGroups();
    void takeName(QTreeWidgetItem* item);
    [[nodiscard]] QString nameOf(std::size_t group) const;

    std::vector<std::string> m_lettered;
    std::shared_ptr<const TopicMergePath> m_path;
    TopicMerge m_merge;
    std::map<std::vector<std::int32_t>, QString> m_names; ///< typed, by the group's topics
    PictureOf<viz::MatrixTables>* m_matrix = nullptr;
    ColorBar* m_scale = nullptr;
    QToolButton* m_aroundZero = nullptr;
    viz::KeptScale m_kept;
    QLabel* m_shown = nullptr;
    QSlider* m_threshold = nullptr;
    QLabel* m_value = nullptr;
    QLabel* m_becomes = nullptr;
    QTreeWidget* m_groups = nullptr;
    QPushButton* m_save = nullptr;
    QPushButton* m_apply = nullptr;
};

} // namespace headscope::ui
