// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heatmap/heatmap_bar.h"

#include "app/views/heatmap/topic_chooser.h"
#include "ui/canvas/legend/color_bar.h"
#include "ui/models/topic_list_model.h"
#include "ui/state/bind_controls.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/widgets/wrap_row.h"
#include "ui/words/wording.h"

#include <QComboBox>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>

namespace headscope::ui
{

HeatmapBar::HeatmapBar(QWidget* parent)
    : QFrame(parent), m_vectors([this](Fields& f) { fields(f, m_chosenVectors); }, QStringLiteral("heatmap"), this)
{
    setObjectName(QStringLiteral("bar"));
    auto* layout = new WrapRow(this);
    layout->setContentsMargins(Metrics::kPanel, Metrics::kRelated, Metrics::kPanel, Metrics::kRelated);
    layout->setSpacing(Metrics::kRelated);
    m_sort = new QComboBox(this);
    m_sort->setObjectName(QStringLiteral("heatmapSort"));
    m_sort->setAccessibleName(tr("Order of documents within a topic"));
    m_sort->setToolTip(
        tr("Order the documents within each topic by this row of the selected stage; the order applies to all stages"));
    m_rows = new QComboBox(this);
    m_rows->setObjectName(QStringLiteral("heatmapRows"));
    m_rows->setAccessibleName(tr("Order of the rows"));
    m_rows->addItem(tr("Rows: index"), static_cast<int>(HeatmapRows::Index));
    m_rows->addItem(tr("Rows: mean cosine"), static_cast<int>(HeatmapRows::GroupMean));
    m_rows->addItem(tr("Rows: correlation with full"), static_cast<int>(HeatmapRows::FollowsFull));
    m_rows->addItem(tr("Rows: raw η²"), static_cast<int>(HeatmapRows::Selectivity));
    m_rows->addItem(tr("Rows: clusters"), static_cast<int>(HeatmapRows::Clusters));
    m_topics = new QToolButton(this);
    m_topics->setObjectName(QStringLiteral("heatmapTopicsButton"));
    m_topics->setProperty("boxed", true);
    m_topics->setAccessibleName(tr("Select topics and documents"));
    m_topics->setToolTip(tr("Select topics, their order, and the number of documents per topic"));
    buildTopicVectors();
    m_chooser = new TopicChooser(this);
    m_chooser->hide();
    m_scale = new ColorBar(this);
    m_scale->setTitle(tr("cosine"));
    m_aroundZero = makeAroundZeroButton(*m_scale, this);
    m_shown = new ElidedLabel({}, this);
    m_shown->setObjectName(QStringLiteral("heatmapShown"));
    m_shown->setProperty("role", QStringLiteral("muted"));
    m_shown->setProperty("whole", true);
    m_shown->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_sort, m_rows, m_topics, m_vectors.editor("topic_vectors"),
                                                           m_vectors.editor("center"), m_scale, m_aroundZero})
        layout->addWidget(widget, 0, Qt::AlignVCenter);
    layout->addWidget(m_shown, 1);
    for (QComboBox* box : {m_sort, m_rows})
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(m_sort, &QComboBox::currentIndexChanged, this, &HeatmapBar::optionsChanged);
    connect(m_rows, &QComboBox::currentIndexChanged, this, &HeatmapBar::rowsChanged);
    connect(m_topics, &QToolButton::clicked, this, &HeatmapBar::openChooser);
    connect(m_chooser, &TopicChooser::changed, this, [this] {
        refreshTopicsText();
        Q_EMIT optionsChanged();
    });
    setHeads(0, {});
    setGrouped(false);
    refreshTopicsText();
}

void HeatmapBar::bindTo(ViewState& state)
{
    bind(state, QStringLiteral("heatmapSort"), *m_sort);
    bind(state, QStringLiteral("heatmapRows"), *m_rows);
    m_vectors.bindTo(state);
    m_chooser->bindTo(state);
    bind(state, QStringLiteral("colorBarAroundZero"), *m_aroundZero);
}

void HeatmapBar::buildTopicVectors()
{
    auto* kind = qobject_cast<QComboBox*>(m_vectors.makeAlone("topic_vectors", this));
    kind->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_vectors.makeButton("center", this);
    connect(&m_vectors, &FieldForm::edited, this, &HeatmapBar::topicVectorsChanged);
}

void HeatmapBar::setHeads(std::int64_t heads, const QString& unit)
{
    const QSignalBlocker quiet(m_sort);
    using By = ColumnOrder::By;
    const QVariant chosen = m_sort->currentData();
    m_sort->clear();
    const auto add = [this](const QString& text, const ColumnOrder& order) {
        m_sort->addItem(text, toQString(order.name()));
    };
    add(tr("Sort: full vector"), {By::Full, {}});
    add(tr("Sort: none"), {By::Index, {}});
    add(tr("Sort: clusters"), {By::Clusters, {}});
    for (std::int64_t head = 0; head < heads; ++head)
        add(tr("Sort: %1 %2").arg(unit).arg(shownNumber(HeadIndex(head))), ColumnOrder::byHead(HeadIndex(head)));
    m_sort->setCurrentIndex(std::max(0, m_sort->findData(chosen)));
}

void HeatmapBar::setGrouped(bool grouped)
{
    m_rows->setToolTip(tr("Order by mean cosine (largest first%1), correlation with full vector, between-topic "
                          "variance (raw η²) or clusters.")
                           .arg(grouped ? tr(", by KV group at stage 1") : QString()));
}

HeatmapOptions HeatmapBar::options() const
{
    HeatmapOptions options;
    m_chooser->fill(options);
    options.order = ColumnOrder::fromName(toStdString(m_sort->currentData().toString())).value_or(ColumnOrder());
    return options;
}

HeatmapRows HeatmapBar::rows() const
{
    return static_cast<HeatmapRows>(m_rows->currentData().toInt());
}

void HeatmapBar::setOrder(const ColumnOrder& order)
{
    if (const int at = m_sort->findData(toQString(order.name())); at >= 0)
        m_sort->setCurrentIndex(at);
}

void HeatmapBar::setShown(const QString& text, const QString& tip)
{
    m_shown->setTip(tip);
    m_shown->setFullText(text);
    m_shown->updateGeometry(); // with another row, or one fewer
}

QString HeatmapBar::shownText() const
{
    return m_shown->fullText();
}

void HeatmapBar::refreshTopicsText()
{
    const auto* topics = m_chooser->topics();
    m_topics->setText(
        tr("%1, %2 ▾")
            .arg(countText(topics->checkedCount(), tr("topic"), tr("topics")),
                 countText(topics->documentCount(m_chooser->perTopic()), tr("document"), tr("documents"))));
}

void HeatmapBar::openChooser()
{
    m_chooser->adjustSize();
    const QPoint corner = m_topics->mapToGlobal(QPoint(0, -m_chooser->height() - Metrics::kGrid));
    m_chooser->move(corner);
    m_chooser->show();
}

} // namespace headscope::ui
