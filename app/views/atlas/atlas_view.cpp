// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/atlas/atlas_view.h"

#include "app/views/atlas/atlas_canvas.h"
#include "app/views/atlas/atlas_table.h"
#include "app/views/atlas/atlas_text.h"
#include "model/data/last_layer.h"
#include "ui/canvas/canvas_summary.h"
#include "ui/state/bind_controls.h"
#include "ui/state/origin_guard.h"
#include "ui/theme/theme.h"
#include "ui/view/view_pages.h"
#include "ui/widgets/widgets.h"
#include "ui/words/opened_file_kind.h"
#include "ui/words/wording.h"

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QStackedWidget>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace headscope::ui
{

AtlasView::AtlasView(QWidget* parent) : View(parent)
{
    setObjectName(QStringLiteral("atlasView"));
    setAccessibleName(tr("Atlas"));
    setAcceptDrops(true);
    setCanvasSummary(this, [this] { return summary(); });
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_pages = new ViewPages(this);
    auto* page = new QVBoxLayout(m_pages->page());
    page->setContentsMargins(0, 0, 0, 0);
    page->setSpacing(0);
    m_stack = new QStackedWidget(m_pages->page());
    m_canvas = new AtlasCanvas(m_stack);
    m_table = new AtlasTable(m_stack);
    m_stack->addWidget(m_canvas);
    m_stack->addWidget(m_table);
    page->addWidget(m_stack, 1);
    m_definitions = makeMutedLabel({}, m_pages->page());
    m_definitions->setObjectName(QStringLiteral("atlasDefinitions"));
    m_definitions->setWordWrap(true);
    m_definitions->setContentsMargins(20, Metrics::kGrid, 20, Metrics::kRelated);
    page->addWidget(m_definitions);
    m_lack = new QWidget(m_pages->page());
    auto* lack = new QHBoxLayout(m_lack);
    lack->setContentsMargins(20, 0, 20, Metrics::kPanel);
    lack->setSpacing(Metrics::kPanel);
    m_lackText = makeMutedLabel({}, m_lack);
    m_lackText->setObjectName(QStringLiteral("atlasLack"));
    m_lackText->setWordWrap(true);
    m_lackButton = new QPushButton(m_lack);
    m_lackButton->setObjectName(QStringLiteral("atlasLackAction"));
    m_lackButton->setToolTip(tr("Extract the layers that this cache does not hold"));
    lack->addWidget(m_lackText, 1);
    lack->addWidget(m_lackButton);
    page->addWidget(m_lack);
    m_lack->hide();
    layout->addWidget(m_pages, 1);
    m_bar = new AtlasBar(this);
    layout->addWidget(m_bar);
    m_bar->hide();
    useEmptyState(m_pages);
    bind(viewState(), QStringLiteral("atlasNumbers"), *m_table);
    m_bar->bindTo(viewState());
    connect(m_lackButton, &QPushButton::clicked, this, &AtlasView::lackActionRequested);
    connect(m_canvas, &PictureWidget::itemClicked, this,
            [this](std::size_t item) { Q_EMIT headClicked(m_canvas->picture().headOf(item)); });
    connect(m_table, &AtlasTable::headClicked, this, &AtlasView::headClicked);
    connect(m_canvas, &AtlasCanvas::headsPicked, &viewState(), &ViewState::tellActs);
    connect(m_canvas, &AtlasCanvas::unmarkRequested, &viewState(), &ViewState::tellActs);
    connect(m_canvas, &AtlasCanvas::headsPicked, this, &AtlasView::headsPicked);
    connect(m_canvas, &AtlasCanvas::unmarkRequested, this, &AtlasView::unmarkRequested);
    connect(m_canvas, &PictureWidget::itemPointed, this, [this](std::optional<std::size_t> item) {
        // Elsewhere only heads of the layer that is shown can be lit.
        const auto head = item ? std::optional(m_canvas->picture().headOf(*item)) : std::nullopt;
        Q_EMIT headHovered(head && head->layer == m_layer.value() ? std::optional(HeadIndex(head->head))
                                                                  : std::nullopt);
    });
    connect(m_bar, &AtlasBar::formChanged, this, &AtlasView::refresh);
    connect(m_bar, &AtlasBar::choiceChanged, this, &AtlasView::refresh);
    connect(m_bar, &AtlasBar::orderChanged, this, &AtlasView::refresh);
}

void AtlasView::setFilled(bool filled)
{
    m_pages->setFilled(filled);
    m_bar->setVisible(filled);
}

void AtlasView::setModel(const ModelInfo& info, const viz::HeadPalette& palette)
{
    m_info = info;
    m_palette = palette;
    std::vector<QString> groups;
    if (const std::int64_t members = info.groupSize(); members > 1 && members < info.heads)
        for (std::int64_t head = 0; head < info.heads; ++head)
            groups.push_back(viz::groupName(GroupIndex(head / members), members));
    m_canvas->setGroupNames(std::move(groups));
    refresh();
}

void AtlasView::setHeadPalette(const viz::HeadPalette& palette)
{
    m_palette = palette;
    refresh();
}

void AtlasView::setMeasures(std::shared_ptr<const HeadMeasures> measures)
{
    if (measures != nullptr)
    {
        auto& border = OriginGuard::instance();
        const bool admitted =
            border.admits(measures->origin, "the measures of heads") &&
            std::ranges::all_of(measures->measures, [&](const HeadMeasure& each) {
                return each.kind == MeasureKind::Place || border.admits(each.origin, "a measure of heads");
            });
        if (!admitted)
            return;
    }
    m_measures = std::move(measures);
    if (m_measures != nullptr)
    {
        const std::int64_t members = m_info.groupSize();
        m_bar->setMeasures(m_measures, members > 1 && members < m_info.heads);
    }
    m_canvas->picture().setMeasures(m_measures);
    m_table->setMeasures(m_measures, m_info);
    refresh();
}

void AtlasView::setPatternRanks(std::vector<std::int64_t> ranks)
{
    m_ranks = std::move(ranks);
    refresh();
}

void AtlasView::setChosen(LayerIndex layer, const std::vector<std::int64_t>& heads)
{
    m_layer = layer;
    m_heads = heads;
    refreshMarks();
}

void AtlasView::setMarked(std::vector<HeadPlace> marked)
{
    m_marked = std::move(marked);
    viewState().tellChanged(StatePart::Own, QStringLiteral("atlas_marked"));
    m_table->setMarked(m_marked);
    refreshMarks();
}

void AtlasView::setHoveredHead(std::optional<HeadIndex> head)
{
    m_canvas->picture().setHovered(head ? std::optional(HeadPlace{m_layer.value(), head->value()}) : std::nullopt);
}

viz::HeadMarks AtlasView::marks() const
{
    viz::HeadMarks marks;
    marks.marked = m_marked;
    marks.layer = m_layer.value();
    if (std::ssize(m_heads) < m_info.heads)
        for (const std::int64_t head : m_heads)
            marks.chosen.push_back({m_layer.value(), head});
    return marks;
}

void AtlasView::refreshMarks()
{
    m_canvas->picture().setMarks(marks());
    noteCanvasChanged(this);
}

void AtlasView::refresh()
{
    const AtlasBar::Form form = m_bar->form();
    m_stack->setCurrentIndex(form == AtlasBar::Form::Table ? 1 : 0);
    if (m_measures != nullptr)
    {
        const viz::AtlasChoice choice = m_bar->choice();
        if (form == AtlasBar::Form::Dots)
            m_canvas->picture().setDots(viz::headDots(*m_measures, choice, m_info, m_palette));
        else if (form == AtlasBar::Form::Grid)
            m_canvas->picture().setGrid(viz::headGrid(*m_measures, choice.color,
                                                      m_bar->orderedByPattern() ? m_ranks : std::vector<std::int64_t>(),
                                                      m_info, m_palette));
        m_canvas->picture().setForm(form == AtlasBar::Form::Grid ? AtlasPicture::Form::Grid : AtlasPicture::Form::Dots);
    }
    refreshDefinitions();
    refreshMarks();
    Q_EMIT shownChanged();
}

void AtlasView::refreshDefinitions()
{
    QStringList sentences;
    if (m_measures != nullptr && m_bar->form() != AtlasBar::Form::Table)
    {
        const viz::AtlasChoice choice = m_bar->choice();
        std::vector<std::string> keys = {choice.color};
        if (m_bar->form() == AtlasBar::Form::Dots)
            keys = {choice.y, choice.x, choice.size, choice.color};
        for (std::size_t i = 0; i < keys.size(); ++i)
        {
            const HeadMeasure* const measure = m_measures->find(keys[i]);
            const auto first = keys.begin() + static_cast<std::ptrdiff_t>(i);
            if (measure != nullptr && measure->kind != MeasureKind::Place &&
                std::find(keys.begin(), first, keys[i]) == first)
                sentences << definitionText(*measure);
        }
    }
    if (!sentences.isEmpty())
        if (const QString norm = finalNormText(); !norm.isEmpty())
            sentences << norm;
    m_definitions->setText(sentences.join(u'\n'));
    m_definitions->setVisible(!sentences.isEmpty());
}

QString AtlasView::finalNormText() const
{
    const LayerIndex last(m_info.layers - 1);
    const std::string_view note = finalNormNote(m_info, last, m_measures->stage);
    const bool measured = std::ranges::any_of(m_measures->measures, [&](const HeadMeasure& each) {
        return each.kind != MeasureKind::Place && each.value.rows() == m_info.layers &&
               std::ranges::any_of(each.value.row(last.value()), [](double value) { return std::isfinite(value); });
    });
    return note.empty() || !measured
               ? QString()
               : tr("Layer %1 is the last layer: its stage 3 is taken %2, unlike stage 3 of lower layers.")
                     .arg(QString::number(last.value()), toQString(note));
}

QString AtlasView::definitions() const
{
    return m_definitions->text();
}

void AtlasView::setLack(const QString& text, const QString& action)
{
    m_lackText->setText(text);
    m_lackButton->setText(action);
    m_lackButton->setVisible(!action.isEmpty());
    m_lack->setVisible(!text.isEmpty());
}

QString AtlasView::lackText() const
{
    return m_lack->isHidden() ? QString() : m_lackText->text();
}

const std::vector<viz::HeadDot>& AtlasView::shownDots() const
{
    return m_canvas->picture().scatter().dots().dots;
}

namespace
{

/// The one file that is dragged; "" where it is none that may hold statistics of heads.
QString draggedFile(const QMimeData& data)
{
    const QList<QUrl> urls = data.urls();
    if (urls.size() != 1 || !urls.constFirst().isLocalFile())
        return {};
    const QString path = urls.constFirst().toLocalFile();
    return fileKind(path) == FileKind::Cache ? path : QString();
}

} // namespace

void AtlasView::dragEnterEvent(QDragEnterEvent* event)
{
    if (m_measures != nullptr && !draggedFile(*event->mimeData()).isEmpty())
        event->acceptProposedAction();
    else
        event->ignore(); // the window's
}

void AtlasView::dropEvent(QDropEvent* event)
{
    const QString path = draggedFile(*event->mimeData());
    if (path.isEmpty())
        return event->ignore();
    event->acceptProposedAction();
    Q_EMIT fileDropped(path);
}

viz::HeadDots AtlasView::paperDots() const
{
    return m_measures == nullptr ? viz::HeadDots()
                                 : viz::headDots(*m_measures, m_bar->choice(), m_info,
                                                 viz::HeadPalette(m_palette.groups(), m_palette.members(),
                                                                  Theme::instance().paperTheme()));
}

viz::HeadGrid AtlasView::paperGrid() const
{
    return m_measures == nullptr
               ? viz::HeadGrid()
               : viz::headGrid(
                     *m_measures, m_bar->choice().color,
                     m_bar->orderedByPattern() ? m_ranks : std::vector<std::int64_t>(), m_info,
                     viz::HeadPalette(m_palette.groups(), m_palette.members(), Theme::instance().paperTheme()));
}

QString AtlasView::summary() const
{
    if (m_measures == nullptr || !m_pages->pageShown())
        return tr("No heads measured.");
    const viz::AtlasChoice choice = m_bar->choice();
    const auto titleOf = [this](const std::string& key) {
        const HeadMeasure* const measure = m_measures->find(key);
        return measure == nullptr ? unitText(m_measures->stage) : viz::measureTitle(*measure);
    };
    const QString units = unitsText(m_measures->stage);
    QString text;
    if (m_bar->form() == AtlasBar::Form::Dots)
        text = tr("%1 of %2 %3 as points: vertical axis %4, horizontal axis %5, coloured by %6.")
                   .arg(m_canvas->picture().scatter().dots().dots.size())
                   .arg(m_measures->count())
                   .arg(units, titleOf(choice.y), titleOf(choice.x), titleOf(choice.color));
    else
        text = tr("%1 %2 in %3, coloured by %4.")
                   .arg(countText(m_measures->count()), units, countText(m_measures->layers, tr("layer"), tr("layers")),
                        titleOf(choice.color));
    if (!m_marked.empty())
        text += tr(" %1 marked.").arg(m_marked.size());
    return text;
}

} // namespace headscope::ui
