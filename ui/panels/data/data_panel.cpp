// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/data/data_panel.h"

#include "model/data/head_ranges.h"
#include "ui/dialogs/model_asks.h"
#include "ui/panels/data/head_picker.h"
#include "ui/panels/data/layer_strip.h"
#include "ui/panels/data/stage_cards.h"
#include "ui/state/choices.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"
#include "viz/scatter/point_coloring.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <filesystem>
#include <set>

namespace headscope::ui
{
namespace
{

/// Words that stand on one line.
QString together(QString words)
{
    return words.replace(u' ', QChar(QChar::Nbsp));
}

constexpr int kPanelWidth = 256;

QToolButton* makeFlatButton(const QString& text, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setText(text);
    button->setProperty("flat", true);
    button->setFont(Theme::smallFont());
    button->setCursor(Qt::PointingHandCursor);
    return button;
}

} // namespace

DataPanel::DataPanel(Choices& choices, QWidget* parent) : QScrollArea(parent), m_choices(choices)
{
    setObjectName(QStringLiteral("dataPanel"));
    setAccessibleName(tr("Data"));
    setAccessibleDescription(tr("The open cache, and which part of it the views show"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    setMinimumWidth(kPanelWidth);
    auto* page = new QWidget(this);
    auto* outer = new QVBoxLayout(page);
    outer->setContentsMargins(Metrics::kPanel, Metrics::kPanel, Metrics::kPanel, Metrics::kPanel);
    outer->setSpacing(Metrics::kRelated);
    outer->setAlignment(Qt::AlignTop);
    buildModel(page);
    buildHeads(page);
    outer->addStretch(1);
    setWidget(page);
    connect(&m_choices, &Choices::opened, this, &DataPanel::showAll);
    connect(&m_choices, &Choices::columnsChanged, this, &DataPanel::showColumns);
    connect(&m_choices, &Choices::sourceChanged, this, &DataPanel::showSource);
    connect(&m_choices, &Choices::headsChanged, this, &DataPanel::showHeads);
    connect(&m_choices, &Choices::labelChanged, this, &DataPanel::showLabel);
    connect(&m_choices, &Choices::colorChanged, this, &DataPanel::showColor);
    showAll();
}

void DataPanel::buildModel(QWidget* page)
{
    auto* outer = static_cast<QVBoxLayout*>(page->layout());
    outer->addWidget(makeSectionLabel(tr("Model"), page));
    QVBoxLayout* card = nullptr;
    outer->addWidget(makeCard(page, &card));
    m_name = new ElidedLabel({}, page);
    m_name->setFont(Theme::bodyFont(true));
    for (QLabel** line : {&m_shape, &m_changed, &m_size})
    {
        *line = makeMutedLabel({}, page);
        (*line)->setFont(Theme::smallFont());
        (*line)->setWordWrap(true);
    }
    m_changed->setObjectName(QStringLiteral("modelChanged"));
    m_changed->setToolTip(tr("All vectors of this cache are of the changed model. Texts are embedded by it, too."));
    m_path = new ElidedLabel({}, page);
    m_path->setProperty("role", QStringLiteral("muted"));
    m_path->setFont(Theme::smallFont());
    for (QWidget* line : std::initializer_list<QWidget*>{m_name, m_shape, m_changed, m_size, m_path})
        card->addWidget(line);
    m_asks = new QPushButton(tr("model files…"), page);
    m_asks->setFont(Theme::smallFont());
    m_asks->setCursor(Qt::PointingHandCursor);
    m_asks->setObjectName(QStringLiteral("modelFiles"));
    m_asks->setProperty("flush", true); // begins where the lines above begin
    m_asks->setAccessibleName(ModelAsks::title());
    m_asks->setToolTip(ModelAsks::title());
    card->addWidget(m_asks, 0, Qt::AlignLeft);
    connect(m_asks, &QPushButton::clicked, this, [this] {
        auto* dialog = new ModelAsksDialog(m_choices.overview()->asks, this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    });

    m_content = new QWidget(page);
    auto* layout = new QVBoxLayout(m_content);
    layout->setContentsMargins(0, Metrics::kGrid, 0, 0);
    layout->setSpacing(Metrics::kRelated);
    m_layerTitle = new SectionLabel(tr("Layer"), m_content);
    m_layers = new PictureOf<LayerStrip>(m_content);
    m_stages = new StageCards(m_content);
    layout->addWidget(m_layerTitle);
    layout->addWidget(m_layers);
    layout->addSpacing(Metrics::kGrid);
    auto* stages = new QHBoxLayout;
    stages->setSpacing(0);
    auto* where = makeFlatButton(tr("show stages…"), m_content);
    where->setObjectName(QStringLiteral("whereStages"));
    where->setAccessibleName(tr("Where stages are measured"));
    where->setToolTip(tr("Show where stages 1, 2 and 3 are measured in a layer of this model"));
    stages->addWidget(makeSectionLabel(tr("Stage"), m_content), 1);
    stages->addWidget(where);
    layout->addLayout(stages);
    connect(where, &QToolButton::clicked, this, &DataPanel::schemaAsked);
    layout->addWidget(m_stages);
    layout->addSpacing(Metrics::kGrid);
    outer->addWidget(m_content);
    connect(m_layers, &PictureWidget::itemClicked, &m_choices,
            [this](std::size_t layer) { m_choices.setLayer(LayerIndex(static_cast<std::int64_t>(layer))); });
    connect(m_stages, &StageCards::stageChosen, &m_choices, &Choices::setStage);
}

void DataPanel::buildHeads(QWidget* page)
{
    Q_UNUSED(page)
    auto* layout = static_cast<QVBoxLayout*>(m_content->layout());
    auto* titles = new QHBoxLayout;
    titles->setSpacing(0);
    m_headTitle = new SectionLabel({}, m_content);
    m_all = makeFlatButton(tr("all"), m_content);
    m_all->setObjectName(QStringLiteral("allHeads"));
    m_none = makeFlatButton(tr("none"), m_content);
    m_none->setObjectName(QStringLiteral("noHeads"));
    titles->addWidget(m_headTitle, 1);
    titles->addWidget(m_all);
    titles->addWidget(m_none);
    layout->addLayout(titles);
    m_picker = new HeadPicker(m_content);
    layout->addWidget(m_picker);
    m_headField = new QLineEdit(m_content);
    m_headField->setObjectName(QStringLiteral("headField"));
    m_headField->setPlaceholderText(QStringLiteral("1-4,9"));
    layout->addWidget(m_headField);
    m_headError = new QLabel(m_content);
    m_headError->setObjectName(QStringLiteral("headError"));
    m_headError->setFont(Theme::smallFont());
    m_headError->setProperty("role", QStringLiteral("warning"));
    m_headError->setWordWrap(true);
    m_headError->hide();
    layout->addWidget(m_headError);
    layout->addSpacing(Metrics::kGrid);
    layout->addWidget(makeSectionLabel(tr("Colour"), m_content));
    m_color = new QComboBox(m_content);
    m_color->setObjectName(QStringLiteral("colorBox"));
    m_color->setAccessibleName(tr("Colour of the points"));
    m_color->setToolTip(tr("What the colours of the map show"));
    layout->addWidget(m_color);
    layout->addSpacing(Metrics::kGrid);
    m_labelTitle = new SectionLabel(tr("Labels"), m_content);
    layout->addWidget(m_labelTitle);
    m_labels = new QComboBox(m_content);
    m_labels->setObjectName(QStringLiteral("labelBox"));
    m_labels->setAccessibleName(tr("Label column"));
    m_labels->setToolTip(tr("The label column used by colours, heatmap, probe and the Document tab"));
    layout->addWidget(m_labels);
    // A name of 300 characters must not widen the panel.
    for (QComboBox* box : {m_color, m_labels})
    {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(10);
        box->setMaxVisibleItems(24);
    }

    refreshUnits();
    connect(m_all, &QToolButton::clicked, m_picker, &HeadPicker::chooseAll);
    connect(m_none, &QToolButton::clicked, m_picker, &HeadPicker::chooseNone);
    connect(m_picker, &HeadPicker::headsChanged, &m_choices, &Choices::setHeads);
    connect(m_headField, &QLineEdit::editingFinished, this, &DataPanel::takeHeadText);
    connect(m_color, &QComboBox::currentIndexChanged, this,
            [this] { m_choices.setColor(ColorChoice::fromKey(toStdString(m_color->currentData().toString()))); });
    connect(m_labels, &QComboBox::currentIndexChanged, this,
            [this] { m_choices.setLabelColumn(toStdString(m_labels->currentData().toString())); });
}

void DataPanel::setHeadPalette(const viz::HeadPalette& palette)
{
    m_picker->picture().setHeadPalette(palette);
}

void DataPanel::showAll()
{
    const CacheOverview* overview = m_choices.overview().get();
    m_content->setVisible(overview != nullptr);
    showModel();
    if (overview == nullptr)
        return;
    std::set<std::int64_t> held;
    for (const auto& [layer, stages] : overview->stages)
        held.insert(layer.value());
    m_layers->picture().setLayers(std::max(overview->model.layers, held.empty() ? 0 : *held.rbegin() + 1), held);
    m_picker->setModel(overview->model);
    showSource();
    showColumns();
}

void DataPanel::showModel()
{
    const CacheOverview* overview = m_choices.overview().get();
    m_asks->setVisible(overview != nullptr && !overview->asks.empty());
    if (overview == nullptr)
    {
        m_name->setFullText(tr("Nothing open"));
        m_shape->setText(tr("Open a cache, or extract one from a model and texts."));
        m_changed->hide();
        m_size->hide();
        m_path->hide();
        return describe();
    }
    const ModelInfo& model = overview->model;
    m_name->setFullText(model.name.empty() ? tr("Unnamed model") : toQString(model.name));
    const QString dot = QStringLiteral(" · ");
    QStringList shape;
    if (!model.family.empty())
        shape << toQString(model.family);
    shape << countText(model.layers, tr("layer"), tr("layers")) << headsAndGroupsText(model);
    if (model.headDim > 0)
        shape << together(tr("head dimension %1").arg(model.headDim));
    if (model.modelDim > 0)
        shape << together(tr("hidden size %1").arg(model.modelDim));
    m_shape->setText(shape.join(dot));
    const QString changed = toQString(model.changes.words(model.kvHeads));
    m_changed->setText(tr("changed: %1").arg(changed));
    m_changed->setVisible(!changed.isEmpty());
    QStringList size{countText(overview->documents->count(), tr("document"), tr("documents")),
                     bytesText(overview->bytes)};
    if (!overview->pooling.empty())
        size << together(tr("%1 pooling").arg(toQString(overview->pooling)));
    if (!overview->dtype.empty())
        size << together(tr("stored as %1").arg(toQString(overview->dtype)));
    if (overview->truncated > 0)
        size << (overview->maxTokens > 0 ? tr("%1 truncated to %2 tokens")
                                               .arg(countText(overview->truncated), countText(overview->maxTokens))
                                         : tr("%1 truncated").arg(countText(overview->truncated)));
    m_size->setText(size.join(dot));
    m_path->setFullText(toQString(std::filesystem::path(overview->path).filename().string()));
    m_path->setTip(toQString(overview->path));
    m_size->show();
    m_path->show();
}

void DataPanel::showSource()
{
    const CacheOverview& overview = *m_choices.overview();
    const Choice& now = m_choices.now();
    m_layers->picture().setCurrent(now.layer);
    std::vector<Stage> stages = overview.stagesOf(now.layer);
    if (overview.has(now.layer, Stage::Embedding))
        stages.push_back(Stage::Embedding);
    m_stages->setAvailable(stages);
    m_stages->setPlace(overview.model, now.layer);
    m_stages->setCurrent(now.stage);
    m_picker->picture().setStage(now.stage);
    for (QWidget* of : std::initializer_list<QWidget*>{m_headTitle, m_all, m_none, m_picker, m_headField})
        of->setVisible(now.stage != Stage::Embedding); // one vector a document: nothing to select
    refreshUnits();
    const std::int64_t layers = overview.model.layers;
    QString detail = tr("%1 of 0–%2").arg(now.layer.value()).arg(std::max<std::int64_t>(0, layers - 1));
    if (now.layer.value() == layers - 1)
        detail += tr(", last");
    m_layerTitle->setDetail(detail);
    showHeads();
}

void DataPanel::refreshUnits()
{
    const Stage stage = m_choices.now().stage;
    const QString units = unitsTitle(stage);
    m_headTitle->setToolTip(
        tr("The %1 that every view shows. To hide points only, use the legend; to ablate, use Heads.")
            .arg(unitsText(stage)));
    m_all->setToolTip(tr("Select all %1").arg(unitsText(stage)));
    m_none->setToolTip(tr("Clear the selection of %1").arg(unitsText(stage)));
    m_headField->setAccessibleName(tr("%1 as ranges").arg(units));
    m_headField->setToolTip(tr("%1 as ranges, counted from 1: 1-4,9").arg(units));
    if (m_choices.overview() == nullptr || m_color->count() == 0)
        return;
    // The same choices under the names of the stage: nothing else is chosen.
    for (const ColorEntry& entry : m_choices.colorGroups().front().entries)
        if (const int at = m_color->findData(toQString(entry.choice.key())); at >= 0)
        {
            m_color->setItemText(at, entry.text);
            m_color->setItemData(at, entry.tip.isEmpty() ? entry.text : entry.tip, Qt::ToolTipRole);
        }
}

void DataPanel::showColumns()
{
    {
        const QSignalBlocker quiet(m_color);
        m_color->clear();
        for (const ColorGroup& group : m_choices.colorGroups())
        {
            if (!group.title.isEmpty())
            {
                m_color->addItem(group.title);
                const int heading = m_color->count() - 1;
                m_color->setItemData(heading, Theme::sectionFont(), Qt::FontRole);
                // A heading is read, never chosen.
                if (auto* items = qobject_cast<QStandardItemModel*>(m_color->model()))
                    items->item(heading)->setFlags(Qt::NoItemFlags);
            }
            for (const ColorEntry& entry : group.entries)
            {
                m_color->addItem(entry.text, toQString(entry.choice.key()));
                m_color->setItemData(m_color->count() - 1, entry.tip.isEmpty() ? entry.text : entry.tip,
                                     Qt::ToolTipRole);
            }
        }
    }
    {
        const QSignalBlocker quiet(m_labels);
        m_labels->clear();
        const DocumentSet& documents = *m_choices.overview()->documents;
        for (const std::string& name : m_choices.labelColumns())
        {
            m_labels->addItem(viz::columnTitle(*documents.label(name)), toQString(name));
            m_labels->setItemData(m_labels->count() - 1, toQString(name), Qt::ToolTipRole);
        }
        const bool any = m_labels->count() > 0;
        m_labels->setEnabled(any);
        if (!any)
            m_labels->addItem(tr("none in this cache"));
    }
    showColor();
    showLabel();
}

void DataPanel::showColor()
{
    const QSignalBlocker quiet(m_color);
    m_color->setCurrentIndex(m_color->findData(toQString(m_choices.now().color.key())));
}

void DataPanel::showLabel()
{
    const QSignalBlocker quiet(m_labels);
    m_labels->setCurrentIndex(std::max(0, m_labels->findData(toQString(m_choices.now().labelColumn))));
}

void DataPanel::takeHeadText()
{
    // Without an edit the empty field stands for "none"; typed, it means all of them.
    if (m_choices.overview() == nullptr || !m_headField->isModified())
        return;
    const auto heads = parseHeadRanges(toStdString(m_headField->text()), m_picker->headCount());
    m_headField->setProperty("invalid", !heads.has_value());
    m_headField->style()->unpolish(m_headField);
    m_headField->style()->polish(m_headField);
    m_headError->setVisible(!heads.has_value());
    if (!heads)
    {
        m_headError->setText(errorText(heads.error()));
        return;
    }
    m_choices.setHeads(*heads);
    showHeads(); // the text as it is written, even if they are the same
}

void DataPanel::showHeads()
{
    const std::vector<std::int64_t>& heads = m_choices.now().heads;
    m_picker->setHeads(heads);
    const auto count = std::ssize(heads);
    m_headTitle->setTitle(unitsText(m_choices.now().stage));
    m_headTitle->setDetail(count == m_picker->headCount() ? tr("all %1").arg(count)
                                                          : tr("%1 of %2").arg(count).arg(m_picker->headCount()));
    m_headField->setText(toQString(formatHeadRanges(heads)));
    m_headField->setProperty("invalid", false);
    m_headField->style()->unpolish(m_headField);
    m_headField->style()->polish(m_headField);
    m_headError->hide();
    describe();
}

void DataPanel::describe()
{
    if (m_choices.overview() == nullptr)
        return setAccessibleDescription(tr("Nothing is open."));
    const Choice& now = m_choices.now();
    setAccessibleDescription(tr("%1, layer %2, stage %3: %4, %5 of %6 selected")
                                 .arg(m_name->fullText())
                                 .arg(now.layer.value())
                                 .arg(toQString(stageName(now.stage)), stageTitle(now.stage),
                                      countText(std::ssize(now.heads)),
                                      countText(m_choices.headCount(), unitText(now.stage), unitsText(now.stage))));
}

} // namespace headscope::ui
