// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/topic_results.h"
#include "ui/forms/field_form.h"

#include <QFrame>

class QListView;
class QTimer;
class QVBoxLayout;

namespace headscope::ui
{

class TopicListModel;
class ViewState;

/// The card that chooses the columns of a heatmap: which topics, in which order, and which of their
/// documents. What is chosen takes effect a moment later, so that ten clicks make one heatmap.
class TopicChooser : public QFrame
{
    Q_OBJECT

public:
    explicit TopicChooser(QWidget* parent = nullptr);
    /// The documents are values of a state; topics have no control each.
    void bindTo(ViewState& state);

    [[nodiscard]] TopicListModel* topics() const { return m_topics; }
    /// Topics, perTopic and choice of these.
    void fill(HeatmapOptions& options) const;
    [[nodiscard]] std::int64_t perTopic() const { return m_options.perTopic; }

Q_SIGNALS:
    void changed();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void buildTopics(QVBoxLayout* layout);
    void buildDocuments(QVBoxLayout* layout);
    void moveTopic(int by);

    TopicListModel* m_topics = nullptr;
    QListView* m_list = nullptr;
    HeatmapOptions m_options;
    FieldForm m_form;
    QTimer* m_delay = nullptr;
};

} // namespace headscope::ui
