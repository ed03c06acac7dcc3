// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heatmap/topic_chooser.h"

#include "ui/models/topic_list_model.h"
#include "ui/state/bind_controls.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QListView>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

namespace headscope::ui
{
namespace
{

constexpr int kWidth = 340;
constexpr int kListHeight = 240;
constexpr int kDelayMs = 300;

QPushButton* addButton(QHBoxLayout* layout, const QString& name, const QString& text, const QString& tip)
{
    auto* button = new QPushButton(text);
    button->setObjectName(name);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    layout->addWidget(button);
    return button;
}

} // namespace

TopicChooser::TopicChooser(QWidget* parent)
    : QFrame(parent, Qt::Popup), m_form([this](Fields& f) { fields(f, m_options); }, QStringLiteral("heatmap"), this)
{
    setObjectName(QStringLiteral("floatingCard"));
    setAccessibleName(tr("Topics and documents of the heatmap"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Metrics::kPanel, Metrics::kPanel, Metrics::kPanel, Metrics::kPanel);
    layout->setSpacing(Metrics::kRelated);
    buildTopics(layout);
    layout->addSpacing(Metrics::kGrid);
    buildDocuments(layout);

    m_delay = new QTimer(this);
    m_delay->setSingleShot(true);
    m_delay->setInterval(kDelayMs);
    connect(m_topics, &TopicListModel::choiceChanged, m_delay, qOverload<>(&QTimer::start));
    connect(m_delay, &QTimer::timeout, this, &TopicChooser::changed);
    connect(&m_form, &FieldForm::edited, this, &TopicChooser::changed);
}

void TopicChooser::bindTo(ViewState& state)
{
    m_form.bindTo(state);
    connect(m_topics, &TopicListModel::choiceChanged, &state, [this, &state] {
        state.tellChanged(StatePart::Own, QStringLiteral("heatmap_topics"));
        if (isVisible()) // else they are of other labels
            state.tellActs();
    });
}

void TopicChooser::buildTopics(QVBoxLayout* layout)
{
    layout->addWidget(makeSectionLabel(tr("Topics"), this));
    m_topics = new TopicListModel(this);
    m_list = new QListView(this);
    m_list->setObjectName(QStringLiteral("heatmapTopics"));
    m_list->setAccessibleName(tr("Topics shown, in the order of the columns"));
    m_list->setModel(m_topics);
    m_list->setUniformItemSizes(true);
    m_list->setMinimumWidth(kWidth);
    m_list->setFixedHeight(kListHeight);
    m_list->setSpacing(2);
    layout->addWidget(m_list);
    auto* choose = new QHBoxLayout;
    choose->setSpacing(Metrics::kGrid);
    layout->addLayout(choose);
    connect(addButton(choose, QStringLiteral("topicsDefault"), tr("8 largest"),
                      tr("Select the 8 topics with the most documents")),
            &QPushButton::clicked, m_topics, &TopicListModel::checkDefault);
    connect(addButton(choose, QStringLiteral("topicsAll"), tr("All"), tr("Select all topics with documents")),
            &QPushButton::clicked, m_topics, &TopicListModel::checkAll);
    connect(addButton(choose, QStringLiteral("topicsNone"), tr("None"), tr("Clear the selection of topics")),
            &QPushButton::clicked, m_topics, &TopicListModel::checkNone);
    choose->addStretch(1);
    connect(addButton(choose, QStringLiteral("topicsByName"), tr("A–Z"), tr("Order of the labels")),
            &QPushButton::clicked, m_topics, &TopicListModel::sortByCode);
    connect(
        addButton(choose, QStringLiteral("topicsBySize"), tr("By size"), tr("Topics with the most documents first")),
        &QPushButton::clicked, m_topics, &TopicListModel::sortByFrequency);
    connect(addButton(choose, QStringLiteral("topicUp"), tr("↑"), tr("Move topic up (Ctrl+Up)")), &QPushButton::clicked,
            this, [this] { moveTopic(-1); });
    connect(addButton(choose, QStringLiteral("topicDown"), tr("↓"), tr("Move topic down (Ctrl+Down)")),
            &QPushButton::clicked, this, [this] { moveTopic(1); });
    for (const char* name : {"topicUp", "topicDown"})
        findChild<QPushButton*>(QLatin1StringView(name))->setProperty("square", true);
}

void TopicChooser::buildDocuments(QVBoxLayout* layout)
{
    layout->addWidget(makeSectionLabel(tr("Documents"), this));
    auto* documents = new QHBoxLayout;
    documents->setSpacing(Metrics::kRelated);
    layout->addLayout(documents);
    QWidget* perTopic = m_form.makeAlone("per_topic", this);
    perTopic->setFixedWidth(112);
    documents->addWidget(perTopic);
    documents->addWidget(m_form.makeAlone("choose", this), 1);
}

void TopicChooser::fill(HeatmapOptions& options) const
{
    options.topics = m_topics->chosen();
    options.perTopic = m_options.perTopic;
    options.choice = m_options.choice;
}

void TopicChooser::moveTopic(int by)
{
    const QModelIndex current = m_list->currentIndex();
    if (current.isValid())
        m_list->setCurrentIndex(m_topics->index(m_topics->moveTopic(current.row(), by)));
}

void TopicChooser::keyPressEvent(QKeyEvent* event)
{
    if (event->modifiers().testFlag(Qt::ControlModifier) &&
        (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down))
        return moveTopic(event->key() == Qt::Key_Up ? -1 : 1);
    QFrame::keyPressEvent(event);
}

} // namespace headscope::ui
