// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/data_panel.h"

#include "model/data/head_ranges.h"
#include "ui/panels/color_entries.h"
#include "ui/panels/head_picker.h"
#include "ui/panels/layer_strip.h"
#include "ui/panels/stage_cards.h"
#include "ui/theme/theme.h"
#include "ui/widgets.h"
#include "ui/wording.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
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

DataPanel::DataPanel(QWidget* parent) : QScrollArea(parent)
{
    setObjectName(QStringLiteral("dataPanel"));
    setAccessibleName(tr("Data"));
    setAccessibleDescription(tr("What is open, and which of it the views show"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
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
    setOverview(nullptr);
}

void DataPanel::buildModel(QWidget* page)
{
    auto* outer = static_cast<QVBoxLayout*>(page->layout());
    outer->addWidget(makeSectionLabel(tr("Model"), page));
    QVBoxLayout* card = nullptr;
    outer->addWidget(makeCard(page, &card));
    m_name = new ElidedLabel({}, page);
    m_name->setFont(Theme::bodyFont(true));
    m_shape = makeMutedLabel({}, page);
    m_shape->setFont(Theme::smallFont());
    m_shape->setWordWrap(true);
    m_size = makeMutedLabel({}, page);
    m_size->setFont(Theme::smallFont());
    m_size->setWordWrap(true);
    m_path = new ElidedLabel({}, page);
    m_path->setProperty("role", QStringLiteral("muted"));
    m_path->setFont(Theme::smallFont());
    for (QWidget* line : std::initializer_list<QWidget*>{m_name, m_shape, m_size, m_path})
        card->addWidget(line);

    m_content = new QWidget(page);
    auto* layout = new QVBoxLayout(m_content);
    layout->setContentsMargins(0, Metrics::kGrid, 0, 0);
    layout->setSpacing(Metrics::kRelated);
    m_layerTitle = new SectionLabel(tr("Layer"), m_content);
    m_layers = new LayerStrip(m_content);
    m_stages = new StageCards(m_content);
    layout->addWidget(m_layerTitle);
    layout->addWidget(m_layers);
    layout->addSpacing(Metrics::kGrid);
    layout->addWidget(makeSectionLabel(tr("Stage"), m_content));
    layout->addWidget(m_stages);
    layout->addSpacing(Metrics::kGrid);
    outer->addWidget(m_content);
    connect(m_layers, &LayerStrip::layerChosen, this, [this] {
        showStages();
        Q_EMIT sourceChanged();
    });
    connect(m_stages, &StageCards::stageChosen, this, [this](Stage stage) {
        m_picker->setStage(stage);
        refreshUnits();
        showHeads();
        Q_EMIT sourceChanged();
    });
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
    m_color->setToolTip(tr("What the colours of the map say"));
    layout->addWidget(m_color);
    layout->addSpacing(Metrics::kGrid);
    m_labelTitle = new SectionLabel(tr("Labels"), m_content);
    layout->addWidget(m_labelTitle);
    m_labels = new QComboBox(m_content);
    m_labels->setObjectName(QStringLiteral("labelBox"));
    m_labels->setAccessibleName(tr("Label column"));
    m_labels->setToolTip(tr("The labels that colours, heatmap, probe and inspector speak of"));
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
    connect(m_picker, &HeadPicker::headsChanged, this, [this] {
        showHeads();
        Q_EMIT headsChanged();
    });
    connect(m_headField, &QLineEdit::editingFinished, this, &DataPanel::takeHeadText);
    connect(m_color, &QComboBox::currentIndexChanged, this, &DataPanel::colorChanged);
    connect(m_labels, &QComboBox::currentIndexChanged, this, &DataPanel::labelChanged);
}

void DataPanel::setHeadPalette(const viz::HeadPalette& palette)
{
    m_picker->setHeadPalette(palette);
}

void DataPanel::setOverview(std::shared_ptr<const CacheOverview> overview)
{
    m_overview = std::move(overview);
    m_content->setVisible(m_overview != nullptr);
    showModel();
    if (m_overview == nullptr)
        return;
    std::set<std::int64_t> held;
    for (const auto& [layer, stages] : m_overview->stages)
        held.insert(layer.value());
    m_layers->setLayers(std::max(m_overview->model.layers, held.empty() ? 0 : *held.rbegin() + 1), held);
    if (!held.empty())
        m_layers->setCurrent(LayerIndex(*held.rbegin()));
    const QSignalBlocker quiet(this);
    m_picker->setModel(m_overview->model);
    showStages();
    showColumns();
}

void DataPanel::setLabels(std::shared_ptr<const CacheOverview> overview, const std::string& column)
{
    m_overview = std::move(overview);
    {
        const QSignalBlocker quiet(this);
        showColumns();
    }
    const int at = std::max(0, m_labels->findData(toQString(column)));
    if (at == m_labels->currentIndex())
        Q_EMIT labelChanged(); // the same place, another column
    else
        m_labels->setCurrentIndex(at);
}

void DataPanel::showModel()
{
    if (m_overview == nullptr)
    {
        m_name->setFullText(tr("Nothing open"));
        m_shape->setText(tr("Open a cache, or extract one from a model and texts."));
        m_size->hide();
        m_path->hide();
        return describe();
    }
    const ModelInfo& model = m_overview->model;
    m_name->setFullText(model.name.empty() ? tr("Unnamed model") : toQString(model.name));
    const QString dot = QStringLiteral(" · ");
    QStringList shape;
    if (!model.family.empty())
        shape << toQString(model.family);
    shape << countText(model.layers, tr("layer"), tr("layers")) << headsAndGroupsText(model);
    if (model.headDim > 0)
        shape << together(tr("head size %1").arg(model.headDim));
    if (model.modelDim > 0)
        shape << together(tr("model size %1").arg(model.modelDim));
    m_shape->setText(shape.join(dot));
    QStringList size{countText(m_overview->documents->count(), tr("document"), tr("documents")),
                     bytesText(m_overview->bytes)};
    if (!m_overview->pooling.empty())
        size << together(tr("%1 pooling").arg(toQString(m_overview->pooling)));
    if (!m_overview->dtype.empty())
        size << toQString(m_overview->dtype);
    if (m_overview->truncated > 0)
        size << (m_overview->maxTokens > 0
                     ? tr("%1 cut to %2 tokens").arg(countText(m_overview->truncated), countText(m_overview->maxTokens))
                     : tr("%1 cut").arg(countText(m_overview->truncated)));
    m_size->setText(size.join(dot));
    m_path->setFullText(toQString(std::filesystem::path(m_overview->path).filename().string()));
    m_path->setTip(toQString(m_overview->path));
    m_size->show();
    m_path->show();
}

void DataPanel::showStages()
{
    const auto stages = m_overview->stagesOf(m_layers->current());
    m_stages->setAvailable(stages);
    if (!stages.empty() && !m_overview->has(m_layers->current(), m_stages->current()))
        m_stages->setCurrent(stages.front());
    else
        m_stages->setCurrent(m_stages->current());
    m_picker->setStage(m_stages->current());
    refreshUnits();
    const std::int64_t layers = m_overview->model.layers;
    QString detail = tr("%1 of 0–%2").arg(m_layers->current().value()).arg(std::max<std::int64_t>(0, layers - 1));
    if (m_layers->current().value() == layers - 1)
        detail += tr(", last");
    m_layerTitle->setDetail(detail);
    showHeads();
}

void DataPanel::refreshUnits()
{
    const QString unit = unitText(stage());
    const QString units = unitsTitle(stage());
    m_headTitle->setToolTip(
        tr("The %1 that every view shows: dots of the map, rows of the heatmap and of Heads, classes "
           "of the probe, voters in Retrieval. Hiding in the map’s legend is paint alone; the ticks "
           "in Heads are an experiment.")
            .arg(unitsText(stage())));
    m_all->setToolTip(tr("Choose every %1").arg(unit));
    m_none->setToolTip(tr("Choose no %1").arg(unit));
    m_headField->setAccessibleName(tr("%1 as ranges").arg(units));
    m_headField->setToolTip(tr("%1 as ranges, counted from 1: 1-4,9").arg(units));
    if (m_overview == nullptr || m_color->count() == 0)
        return;
    // The same choices under the names of the stage: nothing else is chosen.
    for (const ColorEntry& entry : colorEntries(*m_overview, stage()))
        if (const int at = m_color->findData(toQString(entry.choice.key())); at >= 0)
        {
            m_color->setItemText(at, entry.text);
            m_color->setItemData(at, entry.tip.isEmpty() ? entry.text : entry.tip, Qt::ToolTipRole);
        }
}

void DataPanel::showColumns()
{
    fillColors();
    const QSignalBlocker quietLabels(m_labels);
    m_labels->clear();
    for (const LabelColumn& column : m_overview->documents->labels)
    {
        if (!isGroups(column))
            continue;
        m_labels->addItem(labelColumnText(column), toQString(column.name));
        m_labels->setItemData(m_labels->count() - 1, toQString(column.name), Qt::ToolTipRole);
    }
    const bool any = m_labels->count() > 0;
    m_labels->setEnabled(any);
    if (!any)
        m_labels->addItem(tr("none in this cache"));
}

void DataPanel::fillColors()
{
    const ColorChoice before = colorChoice();
    const QSignalBlocker quiet(m_color);
    m_color->clear();
    const auto add = [this](const ColorEntry& entry) {
        m_color->addItem(entry.text, toQString(entry.choice.key()));
        m_color->setItemData(m_color->count() - 1, entry.tip.isEmpty() ? entry.text : entry.tip, Qt::ToolTipRole);
    };
    for (const ColorEntry& entry : colorEntries(*m_overview, stage()))
        add(entry);
    for (const auto& [title, entries] : m_colorGroups)
    {
        m_color->addItem(title);
        const int heading = m_color->count() - 1;
        m_color->setItemData(heading, Theme::sectionFont(), Qt::FontRole);
        // A heading is read, never chosen.
        if (auto* items = qobject_cast<QStandardItemModel*>(m_color->model()))
            items->item(heading)->setFlags(Qt::NoItemFlags);
        for (const ColorEntry& entry : entries)
            add(entry);
    }
    setColorChoice(before);
}

void DataPanel::setColorGroup(const QString& title, std::vector<ColorEntry> entries)
{
    const ColorChoice before = colorChoice();
    const auto there = std::ranges::find(m_colorGroups, title, &std::pair<QString, std::vector<ColorEntry>>::first);
    if (entries.empty() && there == m_colorGroups.end())
        return;
    if (entries.empty())
        m_colorGroups.erase(there);
    else if (there == m_colorGroups.end())
        m_colorGroups.emplace_back(title, std::move(entries));
    else
        there->second = std::move(entries);
    if (m_overview == nullptr)
        return;
    fillColors();
    if (!(colorChoice() == before))
        Q_EMIT colorChanged();
}

bool DataPanel::setColorChoice(const ColorChoice& choice)
{
    const int at = m_color->findData(toQString(choice.key()));
    if (at >= 0)
        m_color->setCurrentIndex(at);
    return at >= 0;
}

void DataPanel::takeHeadText()
{
    // Without an edit the empty field stands for "none"; typed, it means all of them.
    if (m_overview == nullptr || !m_headField->isModified())
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
    m_picker->setHeads(*heads);
    showHeads();
}

void DataPanel::showHeads()
{
    const auto heads = m_picker->heads();
    const auto count = static_cast<std::int64_t>(heads.size());
    const QString units = unitsText(stage());
    m_headTitle->setTitle(units);
    m_headTitle->setDetail(count == m_picker->headCount() ? tr("all %1").arg(count)
                                                          : tr("%1 of %2").arg(count).arg(m_picker->headCount()));
    m_headField->setText(toQString(formatHeadRanges(heads)));
    m_headField->setProperty("invalid", false);
    m_headField->style()->unpolish(m_headField);
    m_headField->style()->polish(m_headField);
    m_headError->hide();
    describe();
}

LayerIndex DataPanel::layer() const
{
    return m_layers->current();
}

void DataPanel::describe()
{
    if (m_overview == nullptr)
        return setAccessibleDescription(tr("Nothing is open."));
    setAccessibleDescription(tr("%1, layer %2, stage %3: %4, %5 of %6 chosen")
                                 .arg(m_name->fullText())
                                 .arg(layer().value())
                                 .arg(toQString(stageName(stage())), stageTitle(stage()),
                                      countText(std::ssize(heads())),
                                      countText(m_overview->model.heads, unitText(stage()), unitsText(stage()))));
}

Stage DataPanel::stage() const
{
    return m_stages->current();
}

void DataPanel::setStage(Stage stage)
{
    if (m_overview == nullptr || !m_overview->has(layer(), stage) || stage == m_stages->current())
        return;
    m_stages->card(stage)->click();
}

void DataPanel::setLayer(LayerIndex chosen)
{
    if (m_overview == nullptr || !m_overview->stages.contains(chosen) || chosen == layer())
        return;
    m_layers->setCurrent(chosen);
    showStages();
    Q_EMIT sourceChanged();
}

std::vector<std::int64_t> DataPanel::heads() const
{
    return m_picker->heads();
}

ColorChoice DataPanel::colorChoice() const
{
    return ColorChoice::fromKey(toStdString(m_color->currentData().toString()));
}

std::string DataPanel::labelColumn() const
{
    return toStdString(m_labels->currentData().toString());
}

} // namespace headscope::ui
