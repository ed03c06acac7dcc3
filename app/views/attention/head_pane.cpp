// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/attention/head_pane.h"

#include "app/views/attention/attention_text.h"
#include "app/views/attention/head_chips.h"
#include "app/views/attention/token_lines_picture.h"
#include "app/views/attention/weight_matrix_picture.h"
#include "model/data/key_sharing.h"
#include "ui/canvas/panned_widget.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"
#include "viz/color/head_palette.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headscope::ui
{
namespace
{

/// A pane so much wider than high has its pictures side by side.
constexpr double kSideBySide = 1.15;
constexpr int kMinSideBySide = 560;

/// What owns the weights of a head; null: they are not held.
std::shared_ptr<const MatrixF> rowsOf(const AttentionRun& run, AttentionHead place)
{
    const auto found = std::find_if(run.weights.begin(), run.weights.end(), [place](const HeadWeights& each) {
        return each.layer == place.layer && each.head == place.head;
    });
    return found != run.weights.end() ? found->rows : nullptr;
}

} // namespace

HeadPane::HeadPane(QWidget* parent) : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kGrid);
    layout->addWidget(buildHead());
    m_pictures = new QSplitter(Qt::Vertical, this);
    m_pictures->setChildrenCollapsible(false);
    m_pictures->setHandleWidth(1);
    m_lines = new PannedOf<TokenLinesPicture>(m_pictures);
    m_matrix = new PannedOf<WeightMatrixPicture>(m_pictures);
    m_pictures->addWidget(m_lines);
    m_pictures->addWidget(m_matrix);
    m_pictures->setStretchFactor(0, 1);
    m_pictures->setStretchFactor(1, 1);
    m_pictures->setSizes({400, 460});
    layout->addWidget(m_pictures, 1);
    m_waiting = makeMutedLabel({}, this);
    m_waiting->setObjectName(QStringLiteral("attentionWaiting"));
    m_waiting->setWordWrap(true);
    m_waiting->setAlignment(Qt::AlignCenter);
    layout->addWidget(m_waiting, 1);
    m_waiting->hide();
    connectPictures();
    onThemeChange(this, [this] {
        if (m_content.run != nullptr)
            setContent(m_content);
    });
}

void HeadPane::connectPictures()
{
    TokenLinesPicture& lines = m_lines->picture();
    const WeightMatrixPicture& matrix = m_matrix->picture();
    connect(m_lines, &PictureWidget::itemPointed, this, [this, &lines](std::optional<std::size_t> item) {
        const auto end = item ? std::optional(lines.endOf(*item)) : std::nullopt;
        lines.setPointed(end);
        Q_EMIT tokenPointed(end);
    });
    connect(m_lines, &PictureWidget::itemClicked, this, [this, &lines](std::size_t item) {
        const viz::LineEnd end = lines.endOf(item);
        Q_EMIT tokenClicked(lines.kept() == end ? std::nullopt : std::optional(end));
    });
    connect(m_lines, &PannedWidget::groundClicked, this, [this] { Q_EMIT tokenClicked({}); });
    connect(m_lines, &PannedWidget::itemReached, this, [this, &lines](std::size_t item) {
        lines.setPointed({});
        Q_EMIT tokenReached(lines.endOf(item));
    });
    connect(m_matrix, &PictureWidget::itemPointed, this, [this, &matrix](std::optional<std::size_t> item) {
        Q_EMIT cellPointed(item ? std::optional(matrix.cellOf(*item)) : std::nullopt);
    });
    connect(m_matrix, &PictureWidget::itemClicked, this, [this, &matrix](std::size_t item) {
        const viz::WeightCell cell = matrix.cellOf(item);
        Q_EMIT cellChosen(matrix.chosen() == cell ? std::nullopt : std::optional(cell));
    });
    connect(m_matrix, &PannedWidget::groundClicked, this, [this] { Q_EMIT cellChosen({}); });
    connect(m_matrix, &PannedWidget::itemReached, this,
            [this, &matrix](std::size_t item) { Q_EMIT cellChosen(matrix.cellOf(item)); });
}

QWidget* HeadPane::buildHead()
{
    auto* head = new QWidget(this);
    auto* lines = new QVBoxLayout(head);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(0);
    auto* row = new QHBoxLayout;
    row->setSpacing(Metrics::kGrid);
    lines->addLayout(row);
    m_title = new ElidedLabel({}, head);
    m_title->setFont(Theme::bodyFont(true));
    m_title->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    m_detail = makeMutedLabel({}, head);
    m_detail->setWordWrap(true);
    m_chips = new HeadChips(head);
    m_pin = new QToolButton(head);
    m_pin->setObjectName(QStringLiteral("attentionPin"));
    m_pin->setProperty("flat", true);
    m_pin->setFocusPolicy(Qt::StrongFocus);
    row->addWidget(m_title);
    row->addWidget(m_chips);
    row->addStretch(1);
    row->addWidget(m_pin);
    lines->addWidget(m_detail);
    connect(m_pin, &QToolButton::clicked, this, [this] { Q_EMIT pinAsked(m_content.place); });
    return head;
}

std::vector<HeadIndex> HeadPane::drawnHeads() const
{
    std::vector<HeadIndex> heads{m_content.place.head};
    if (m_content.look.overlay)
        heads = groupHeads(m_content.run->model, m_content.place.head);
    std::erase_if(heads, [this](HeadIndex head) {
        return rowsOf(*m_content.run, {m_content.place.layer, head}) == nullptr;
    });
    return heads;
}

void HeadPane::setContent(Content content)
{
    const bool otherText = m_content.names != content.names;
    m_content = std::move(content);
    if (m_content.run == nullptr || m_content.names == nullptr)
        return;
    if (otherText)
    {
        m_madeLines.reset();
        m_madeMatrix.reset();
        m_lines->picture().setTokens(m_content.names);
        m_matrix->picture().setTokens(m_content.names);
    }
    const AttentionLook& look = m_content.look;
    const bool held = rowsOf(*m_content.run, m_content.place) != nullptr;
    m_lines->setVisible(look.lines);
    m_matrix->setVisible(look.matrix);
    m_pictures->setVisible(held && (look.lines || look.matrix));
    m_waiting->setText(held ? tr("Click Lines or Matrix below to show this head.")
                            : tr("Thumbnails of all heads are shown. The weights of this head are being computed."));
    m_waiting->setVisible(m_pictures->isHidden());
    refreshHead();
    refreshLines();
    refreshMatrix();
}

void HeadPane::refreshHead()
{
    const AttentionHead place = m_content.place;
    const ModelInfo& model = m_content.run->model;
    const std::vector<HeadIndex> heads = drawnHeads();
    const bool overlaid = m_content.look.overlay && m_content.look.lines && heads.size() > 1;
    m_title->setFullText(placeText(place));
    m_detail->setText(sharingText(model, place.head));
    m_detail->setVisible(m_content.alone);
    m_title->setTip(m_content.alone ? QString() : sharingText(model, place.head));
    const viz::HeadPalette palette(model, Theme::instance().vizTheme());
    std::vector<std::pair<QColor, QString>> chips;
    for (const HeadIndex head : overlaid ? heads : std::vector<HeadIndex>{place.head})
        chips.emplace_back(palette.color(head), overlaid ? QString::number(shownNumber(head)) : QString());
    m_chips->setChips(std::move(chips));
    const QString word = m_content.beside ? tr("Close") : m_content.pinned ? tr("Unpin") : tr("Pin");
    m_pin->setText(word);
    m_pin->setAccessibleName(tr("%1 %2").arg(word, placeText(place)));
    m_pin->setToolTip(m_content.pinned
                          ? tr("Unpin this head (P)")
                          : tr("Keep this head visible next to the selected head. You can pin up to three heads (P)."));
}

void HeadPane::refreshLines()
{
    const std::vector<HeadIndex> heads = drawnHeads();
    if (!m_content.look.lines || heads.empty())
        return;
    Made made{{}, m_content.look.withoutFirst, Theme::instance().vizTheme()};
    for (const HeadIndex head : heads)
        made.rows.push_back(rowsOf(*m_content.run, {m_content.place.layer, head}).get());
    if (std::exchange(m_madeLines, made) == made)
        return;
    const viz::HeadPalette palette(m_content.run->model, made.theme);
    std::vector<viz::LineSource> sources;
    for (const HeadIndex head : heads)
        sources.push_back({viz::ShownWeights(rowsOf(*m_content.run, {m_content.place.layer, head}),
                                             m_content.run->causal, made.withoutFirst),
                           palette.color(head)});
    m_lines->picture().setLines(std::make_shared<const viz::LinePool>(std::move(sources)));
}

void HeadPane::refreshMatrix()
{
    const auto rows = rowsOf(*m_content.run, m_content.place);
    if (!m_content.look.matrix || rows == nullptr)
        return;
    Made made{{rows.get()}, m_content.look.withoutFirst, viz::InkTheme::Light};
    if (std::exchange(m_madeMatrix, made) == made)
        return;
    m_matrix->picture().setWeights(
        std::make_shared<const viz::WeightPyramid>(viz::ShownWeights(rows, m_content.run->causal, made.withoutFirst)));
}

void HeadPane::setCell(std::optional<TokenIndex> reading, std::optional<TokenIndex> read)
{
    using Side = viz::LineEnd::Side;
    m_lines->picture().setKept(reading ? std::optional(viz::LineEnd{Side::Reading, reading->value()})
                               : read  ? std::optional(viz::LineEnd{Side::Read, read->value()})
                                       : std::nullopt);
    m_matrix->picture().setChosen(reading && read ? std::optional(viz::WeightCell{reading->value(), read->value()})
                                                  : std::nullopt);
}

void HeadPane::setPointed(std::optional<viz::LineEnd> end)
{
    m_lines->picture().setPointed(end);
}

void HeadPane::fitAll()
{
    m_lines->picture().showAll();
    m_matrix->picture().showAll();
}

QString HeadPane::waiting() const
{
    return m_waiting->isHidden() ? QString() : m_waiting->text();
}

QString HeadPane::title() const
{
    return m_title->fullText();
}

void HeadPane::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const bool beside = width() >= kMinSideBySide && width() > kSideBySide * height();
    m_pictures->setOrientation(beside ? Qt::Horizontal : Qt::Vertical);
}

} // namespace headscope::ui
