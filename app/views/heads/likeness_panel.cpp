// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heads/likeness_panel.h"

#include "app/views/heads/head_plane.h"
#include "app/views/heads/likeness_matrix.h"
#include "ui/models/result_table.h"
#include "ui/state/bind_controls.h"
#include "ui/theme/theme.h"
#include "ui/view/view_pages.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QBoxLayout>
#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr std::size_t kNamed = 3; ///< pairs in the sentence

double valueOf(const LikePair& pair, LikenessPanel::Measure measure)
{
    switch (measure)
    {
    case LikenessPanel::Measure::Cka:
        return pair.cka;
    case LikenessPanel::Measure::MeanCosine:
        return pair.meanCosine;
    case LikenessPanel::Measure::NeighborOverlap:
        return pair.neighborOverlap;
    }
    return pair.cka;
}

} // namespace

LikenessPanel::LikenessPanel(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("likenessPanel"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kRelated);
    auto* top = new QHBoxLayout;
    top->setSpacing(Metrics::kGrid);
    m_title = new SectionLabel({}, this);
    top->addWidget(m_title, 1);
    auto* group = new QButtonGroup(this);
    const auto page = [this, group, top](const char* name, const QString& text, const QString& tip) {
        QToolButton* button = makePageButton(name, text, tip, this);
        group->addButton(button);
        top->addWidget(button);
        return button;
    };
    m_asPicture = page("likenessPicture", tr("Matrix"), tr("A matrix of all pairs, and a map"));
    m_asTable = page("likenessTable", tr("Pairs"), tr("A table of all pairs, most similar first"));
    m_asPicture->setChecked(true);
    stopAtChecked(group);
    layout->addLayout(top);
    m_pages = new QStackedWidget(this);
    layout->addWidget(m_pages, 1);
    makePictures();
    makeTable();
    m_most = makeMutedLabel({}, this);
    m_most->setObjectName(QStringLiteral("mostAlike"));
    m_key = makeMutedLabel({}, this);
    for (QLabel* label : {m_most, m_key})
    {
        label->setFont(Theme::smallFont());
        label->setWordWrap(true);
        layout->addWidget(label);
    }
    connect(m_asTable, &QToolButton::toggled, this, &LikenessPanel::setTableShown);
}

void LikenessPanel::bindTo(ViewState& state)
{
    bind(state, QStringLiteral("likenessPicture"), *m_asPicture);
    bind(state, QStringLiteral("likenessTable"), *m_asTable);
    bind(state, QStringLiteral("likenessPairs"), *m_table);
    bind(state, QStringLiteral("headLikeness"), *m_measure);
}

void LikenessPanel::makePictures()
{
    auto* part = new QWidget(m_pages);
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kRelated);
    m_measure = new QComboBox(part);
    m_measure->setObjectName(QStringLiteral("headLikeness"));
    m_measure->setAccessibleName(tr("Similarity measure"));
    const std::pair<QString, QString> measures[] = {
        {tr("CKA"), tr("Linear CKA, debiased: how similarly two heads or segments arrange the documents. 0 on average "
                       "if unrelated; may be slightly negative.")},
        {tr("Cosine of means"), tr("Cosine of the two mean vectors. It does not show how documents differ.")},
        {tr("Shared neighbours"),
         tr("Proportion of the 10 nearest documents that the two heads or segments have in common")}};
    for (const auto& [name, tip] : measures)
    {
        m_measure->addItem(name);
        m_measure->setItemData(m_measure->count() - 1, tip, Qt::ToolTipRole);
    }
    m_measure->setToolTip(tr("Similarity measure shown in the matrix and used to arrange the map"));
    layout->addWidget(m_measure, 0, Qt::AlignLeft);
    m_pictures = new QBoxLayout(QBoxLayout::LeftToRight);
    m_pictures->setSpacing(Metrics::kPanel);
    m_matrix = new PictureOf<LikenessMatrix>(part);
    m_plane = new PictureOf<HeadPlane>(part);
    m_pictures->addWidget(m_matrix, 1);
    m_pictures->addWidget(m_plane, 1);
    layout->addLayout(m_pictures, 1);
    m_pages->addWidget(part);
    connect(m_measure, &QComboBox::currentIndexChanged, this, &LikenessPanel::refresh);
    connect(m_matrix, &PictureWidget::itemPointed, this, [this](std::optional<std::size_t> cell) {
        const auto head = cell ? std::optional(HeadIndex(m_matrix->picture().headsOf(*cell).first)) : std::nullopt;
        m_plane->picture().setHoveredHead(head);
        Q_EMIT headHovered(head);
    });
    connect(m_plane, &PictureWidget::itemPointed, this, [this](std::optional<std::size_t> item) {
        const auto head = item ? std::optional(m_plane->picture().headOf(*item)) : std::nullopt;
        m_matrix->picture().setHoveredHead(head);
        Q_EMIT headHovered(head);
    });
    connect(m_matrix, &PictureWidget::itemClicked, this, [this](std::size_t cell) {
        const auto [first, second] = m_matrix->picture().headsOf(cell);
        std::vector<std::int64_t> heads = {std::min(first, second)};
        if (first != second)
            heads.push_back(std::max(first, second));
        Q_EMIT headsClicked(heads);
    });
    connect(m_plane, &PictureWidget::itemClicked, this,
            [this](std::size_t item) { Q_EMIT headsClicked({m_plane->picture().headOf(item).value()}); });
}

void LikenessPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    // Where there is more height than width, a matrix beside the map would be small, with nothing below it.
    m_pictures->setDirection(m_pages->height() > m_pages->width() ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

void LikenessPanel::makeTable()
{
    m_model = new FrameModel(
        {{"rank"}, {"head"}, {"other_head"}, {"cka"}, {"cka", Facet::Range}, {"mean_cosine"}, {"neighbor_overlap"}}, {},
        this);
    m_table = makeResultTable(m_model, QStringLiteral("likenessPairs"), {}, m_pages);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_pages->addWidget(m_table);
    // To pass through by Tab says nothing: a pair that is chosen does.
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this](const QItemSelection& chosen) {
                if (chosen.isEmpty())
                    return;
                const LikePair& pair = m_pairs[static_cast<std::size_t>(frameRow(chosen.indexes().constFirst()))];
                Q_EMIT headsClicked({pair.first, pair.second});
            });
}

void LikenessPanel::setReport(std::shared_ptr<const HeadReport> report, Stage stage, const ModelInfo& grouped,
                              const viz::HeadPalette& palette, const std::vector<std::int64_t>& heads)
{
    m_report = std::move(report);
    m_stage = stage;
    m_info = grouped;
    m_palette = palette;
    m_heads = heads;
    m_title->setTitle(tr("Similarity of %1").arg(unitsText(stage)));
    m_matrix->setAccessibleName(tr("Similarity of the %1").arg(unitsText(stage)));
    m_plane->setAccessibleName(tr("Map of the %1").arg(unitsText(stage)));
    m_table->setAccessibleName(tr("Pairs of %1").arg(unitsText(stage)));
    m_pairs = m_report != nullptr && m_report->redundancy ? likePairs(*m_report->redundancy, m_heads)
                                                          : std::vector<LikePair>();
    m_model->setFrame(headPairsFrame(m_pairs, unitName(stage)));
    refresh();
}

LikenessPanel::Measure LikenessPanel::measure() const
{
    return static_cast<Measure>(m_measure->currentIndex());
}

QString LikenessPanel::measureText() const
{
    return m_measure->currentText();
}

QString LikenessPanel::keyText() const
{
    return m_key->text();
}

std::pair<const MatrixD*, const MatrixD*> LikenessPanel::shown() const
{
    if (m_report == nullptr || !m_report->redundancy)
        return {};
    const HeadRedundancy& alike = *m_report->redundancy;
    const HeadPlanes& planes = m_report->planes;
    switch (measure())
    {
    case Measure::Cka:
        break;
    case Measure::MeanCosine:
        return {&alike.meanCosine, &planes.meanCosine};
    case Measure::NeighborOverlap:
        return {&alike.neighborOverlap, &planes.neighborOverlap};
    }
    return {&alike.cka, &planes.cka};
}

bool LikenessPanel::isTableShown() const
{
    return m_pages->currentIndex() == 1;
}

void LikenessPanel::setTableShown(bool shown)
{
    m_pages->setCurrentIndex(shown ? 1 : 0);
    (shown ? m_asTable : m_asPicture)->setChecked(true);
    m_key->setVisible(!shown);
}

QString LikenessPanel::sentence() const
{
    return m_most->text();
}

void LikenessPanel::refresh()
{
    refreshSentence();
    const auto [values, places] = shown();
    if (values == nullptr)
    {
        m_matrix->picture().clear();
        m_plane->picture().clear();
        m_key->clear();
        return;
    }
    m_matrix->picture().setLikeness(*values, m_measure->currentText(), m_stage, m_info, m_palette, m_heads);
    if (measure() == Measure::Cka)
        m_matrix->picture().setIntervals(m_report->redundancy->ckaLow, m_report->redundancy->ckaHigh);
    m_plane->picture().setPlane(m_report, *places, m_info, m_palette, m_heads);
    m_key->setText(m_info.groupSize() > 1 ? tr("Discs: size = norm, fill = match, ring = selectivity, hull = KV group.")
                                          : tr("Discs: size = norm, fill = match, ring = selectivity."));
}

QString LikenessPanel::meanText() const
{
    const HeadRedundancy& alike = *m_report->redundancy;
    if (!std::isfinite(alike.meanCka))
        return {};
    const QString documents = countText(alike.documents, tr("document"), tr("documents"));
    if (!std::isfinite(alike.meanCkaCi95.low))
        return tr(" Mean over all pairs: %1 (%2).").arg(numberText(alike.meanCka), documents);
    return tr(" Mean over all pairs: %1 (95% CI: %2 to %3, jackknife over %4). For unrelated %5, the mean is about 0 "
              "and may be negative.")
        .arg(numberText(alike.meanCka), numberText(alike.meanCkaCi95.low), numberText(alike.meanCkaCi95.high),
             documents, unitsText(m_stage));
}

void LikenessPanel::refreshSentence()
{
    std::vector<LikePair> pairs = m_pairs;
    std::stable_sort(pairs.begin(), pairs.end(), [this](const LikePair& a, const LikePair& b) {
        return isMoreAlike(valueOf(a, measure()), valueOf(b, measure()));
    });
    pairs.resize(std::min(pairs.size(), kNamed));
    QStringList named;
    for (const LikePair& pair : pairs)
        if (const double value = valueOf(pair, measure()); std::isfinite(value))
            named << tr("%1 and %2 (%3)").arg(pair.first + 1).arg(pair.second + 1).arg(numberText(value));
    const QString by[] = {tr("CKA"), tr("the cosine of their means"), tr("shared neighbours")};
    QString text = named.isEmpty()
                       ? QString()
                       : tr("Most similar %1 by %2, out of %4: %3.")
                             .arg(unitsText(m_stage), by[m_measure->currentIndex()], named.join(QStringLiteral(", ")),
                                  countText(std::ssize(m_pairs), tr("pair"), tr("pairs")));
    if (measure() == Measure::Cka && !text.isEmpty())
        text += meanText();
    if (measure() == Measure::NeighborOverlap && !text.isEmpty() && m_report->redundancy->documents > 1)
        text += tr(" Chance %1.").arg(numberText(m_report->redundancy->neighborChance()));
    m_most->setText(text);
}

} // namespace headscope::ui
