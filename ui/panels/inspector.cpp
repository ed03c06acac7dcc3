// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector.h"

#include "ui/models/roles.h"
#include "ui/panels/strength_bars.h"
#include "ui/theme/theme.h"
#include "ui/widgets.h"
#include "ui/wording.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPlainTextEdit>
#include <QTableView>
#include <QTextDocument>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui
{
namespace
{

constexpr int kPanelWidth = 268;
/// A document may be a megabyte; laying that out would stop the window.
constexpr std::size_t kTextLimit = 20'000;
constexpr int kTextMin = 40;
constexpr int kTextMax = 260;
constexpr int kNearRow = 24;

QToolButton* makeSwitch(const QString& name, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setObjectName(name);
    button->setProperty("flat", true);
    button->setFont(Theme::smallFont());
    button->setCheckable(true);
    button->setCursor(Qt::PointingHandCursor);
    return button;
}

QString flagText(std::uint8_t flags)
{
    QStringList words;
    if (hasFlag(flags, DocumentFlag::Empty))
        words << Inspector::tr("empty: no vectors");
    if (hasFlag(flags, DocumentFlag::Truncated))
        words << Inspector::tr("truncated");
    if (hasFlag(flags, DocumentFlag::Repaired))
        words << Inspector::tr("broken UTF-8 repaired");
    if (hasFlag(flags, DocumentFlag::NonFinite))
        words << Inspector::tr("some vectors are not finite");
    return words.join(QStringLiteral(" · "));
}

} // namespace

Inspector::Inspector(QWidget* parent) : QScrollArea(parent)
{
    setObjectName(QStringLiteral("inspector"));
    setAccessibleName(tr("Document"));
    setAccessibleDescription(tr("The document that was clicked, its strengths and its neighbours"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMinimumWidth(kPanelWidth);
    auto* page = new QWidget(this);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(Metrics::kPanel, Metrics::kPanel, Metrics::kPanel, Metrics::kPanel);
    layout->setSpacing(Metrics::kRelated);
    layout->addWidget(makeSectionLabel(tr("Document"), page));
    m_hint = makeMutedLabel({}, page);
    m_hint->setWordWrap(true);
    layout->addWidget(m_hint);
    m_content = new QWidget(page);
    auto* content = new QVBoxLayout(m_content);
    content->setContentsMargins(0, 0, 0, 0);
    content->setSpacing(Metrics::kRelated);
    layout->addWidget(m_content);
    buildDocument(m_content);
    buildNearest(m_content);
    m_selectionPart = new QWidget(page);
    auto* selection = new QVBoxLayout(m_selectionPart);
    selection->setContentsMargins(0, Metrics::kGrid, 0, 0);
    selection->setSpacing(Metrics::kRelated);
    selection->addWidget(makeSectionLabel(tr("Selection"), m_selectionPart));
    QVBoxLayout* card = nullptr;
    selection->addWidget(makeCard(m_selectionPart, &card));
    m_selectionCount = new QLabel(m_selectionPart);
    m_selectionHow = makeMutedLabel({}, m_selectionPart);
    m_selectionHow->setFont(Theme::smallFont());
    card->addWidget(m_selectionCount);
    card->addWidget(m_selectionHow);
    layout->addWidget(m_selectionPart);
    m_selectionPart->hide();
    layout->addStretch(1);
    setWidget(page);
    setDocuments(nullptr);
}

void Inspector::buildDocument(QWidget* page)
{
    auto* layout = static_cast<QVBoxLayout*>(page->layout());
    QVBoxLayout* card = nullptr;
    layout->addWidget(makeCard(page, &card));
    m_id = new ElidedLabel({}, page);
    m_id->setFont([] {
        QFont font = Theme::monoFont();
        font.setWeight(QFont::DemiBold);
        return font;
    }());
    m_id->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_second = makeMutedLabel({}, page);
    m_second->setFont(Theme::smallFont());
    m_second->setWordWrap(true);
    m_flags = new QLabel(page);
    m_flags->setFont(Theme::smallFont());
    m_flags->setProperty("role", QStringLiteral("warning"));
    m_flags->setWordWrap(true);
    m_text = new QPlainTextEdit(page);
    m_text->setObjectName(QStringLiteral("documentText"));
    m_text->setAccessibleName(tr("Text of the document"));
    m_text->setAccessibleDescription(tr("Its beginning; all of it where it is short"));
    m_text->setTabChangesFocus(true);
    m_text->setReadOnly(true);
    m_text->setFont(Theme::smallFont());
    m_text->document()->setDocumentMargin(0);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_text->setTabChangesFocus(true);
    card->addWidget(m_id);
    card->addWidget(m_second);
    card->addWidget(m_flags);
    card->addSpacing(Metrics::kGrid);
    card->addWidget(m_text);
    layout->addSpacing(Metrics::kGrid);
    m_strengthTitle = new SectionLabel({}, page);
    layout->addWidget(m_strengthTitle);
    m_bars = new StrengthBars(page);
    layout->addWidget(m_bars);
    connect(m_bars, &StrengthBars::headClicked, this, &Inspector::headClicked);
}

void Inspector::buildNearest(QWidget* page)
{
    m_nearestPart = new QWidget(page);
    auto* layout = new QVBoxLayout(m_nearestPart);
    layout->setContentsMargins(0, Metrics::kGrid, 0, 0);
    layout->setSpacing(Metrics::kRelated);
    auto* titles = new QHBoxLayout;
    titles->setSpacing(0);
    titles->addWidget(makeSectionLabel(tr("Nearest"), m_nearestPart));
    titles->addSpacing(Metrics::kGrid);
    m_headButton = makeSwitch(QStringLiteral("nearestHead"), m_nearestPart);
    m_headButton->setAccessibleName(tr("Nearest by one head"));
    m_fullButton = makeSwitch(QStringLiteral("nearestFull"), m_nearestPart);
    m_fullButton->setText(tr("full vector"));
    titles->addWidget(m_headButton);
    titles->addWidget(m_fullButton);
    titles->addStretch(1);
    layout->addLayout(titles);
    QVBoxLayout* card = nullptr;
    QFrame* frame = makeCard(m_nearestPart, &card);
    card->setContentsMargins(2, 2, 2, 2);
    layout->addWidget(frame);
    m_nearestModel = new NearestModel(this);
    m_nearestTable = new QTableView(frame);
    m_nearestTable->setObjectName(QStringLiteral("nearestTable"));
    m_nearestTable->setAccessibleName(tr("Nearest documents"));
    m_nearestTable->setModel(m_nearestModel);
    m_nearestTable->setFont(Theme::smallFont());
    m_nearestTable->setShowGrid(false);
    m_nearestTable->setWordWrap(false);
    m_nearestTable->setTextElideMode(Qt::ElideRight);
    m_nearestTable->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_nearestTable->setSelectionMode(QAbstractItemView::SingleSelection);
    m_nearestTable->horizontalHeader()->hide();
    m_nearestTable->verticalHeader()->hide();
    m_nearestTable->verticalHeader()->setDefaultSectionSize(kNearRow);
    m_nearestTable->horizontalHeader()->setMinimumSectionSize(44);
    m_nearestTable->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_nearestTable->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Fixed);
    m_nearestTable->setColumnWidth(1, 48);
    m_nearestTable->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    card->addWidget(m_nearestTable);
    page->layout()->addWidget(m_nearestPart);
    const auto choose = [this](bool full) {
        m_showFull = full;
        refreshNearest();
    };
    connect(m_headButton, &QToolButton::clicked, this, [choose] { choose(false); });
    connect(m_fullButton, &QToolButton::clicked, this, [choose] { choose(true); });
    const auto follow = [this](const QModelIndex& index) {
        Q_EMIT documentClicked(index.data(DocumentRole).toLongLong());
    };
    connect(m_nearestTable, &QTableView::clicked, this, follow);
    connect(m_nearestTable, &QTableView::activated, this, follow);
}

void Inspector::setDocuments(std::shared_ptr<const DocumentSet> documents)
{
    m_documents = std::move(documents);
    m_document.reset();
    m_head.reset();
    m_strengths.reset();
    setNearest({}, {}, {});
    setSelection(0, 0, {});
    refresh();
}

void Inspector::setLabelColumn(const std::string& column)
{
    m_labelColumn = column;
    refresh();
}

void Inspector::setStrengths(std::shared_ptr<const Strengths> strengths, Stage stage, const viz::HeadPalette& palette)
{
    m_strengths = std::move(strengths);
    m_stage = stage;
    m_palette = palette;
    refreshStrengths();
    refreshNearest();
}

void Inspector::showDocument(std::optional<std::int64_t> document, std::optional<std::int64_t> head)
{
    const bool other = document != m_document;
    m_document = document;
    m_head = head;
    if (other)
    {
        m_byHead.clear();
        m_byFull.clear();
        refresh();
    }
    refreshStrengths();
    refreshNearest();
}

void Inspector::refresh()
{
    const bool shown = m_documents != nullptr && m_document && *m_document < m_documents->count();
    m_content->setVisible(shown);
    m_hint->setVisible(!shown);
    m_hint->setText(m_documents == nullptr
                        ? tr("The document you click stands here, with its text and the strength of "
                             "each head.")
                        : tr("Click a point of the map or a cell of the heatmap to read its document."));
    if (!shown)
        return;
    const auto index = static_cast<std::size_t>(*m_document);
    m_id->setFullText(toQString(m_documents->ids[index]));
    QStringList second;
    if (const LabelColumn* column = m_documents->label(m_labelColumn); column && !column->category(index).empty())
        second << toQString(column->category(index));
    if (index < m_documents->tokens.size())
        second << countText(m_documents->tokens[index], tr("token"), tr("tokens"));
    m_second->setText(second.join(QStringLiteral(" · ")));
    m_second->setVisible(!second.isEmpty());
    const QString flags = index < m_documents->flags.size() ? flagText(m_documents->flags[index]) : QString();
    m_flags->setText(flags);
    m_flags->setVisible(!flags.isEmpty());
    if (m_documents->texts.empty())
    {
        m_text->setPlainText(tr("The cache holds no texts."));
    }
    else
    {
        const std::string& text = m_documents->texts[index];
        QString shownText = toQString(std::string_view(text).substr(0, kTextLimit));
        if (text.size() > kTextLimit)
            shownText += tr("\n\n(the first %1 of %2)").arg(bytesText(kTextLimit), bytesText(text.size()));
        m_text->setPlainText(shownText);
    }
    fitText();
}

void Inspector::fitText()
{
    // As tall as the text needs, up to a limit beyond which it scrolls.
    const int textWidth = std::max(100, (viewport()->width() > 100 ? viewport()->width() : kPanelWidth) - 50);
    const QFontMetrics metrics(m_text->font());
    const QRect box =
        metrics.boundingRect(QRect(0, 0, textWidth, 100'000), Qt::TextWordWrap, m_text->toPlainText().left(2000));
    m_text->setFixedHeight(std::clamp(box.height() + Metrics::kRelated, kTextMin, kTextMax));
}

void Inspector::refreshStrengths()
{
    const bool known = m_strengths != nullptr && m_document && *m_document < m_strengths->values.rows();
    m_strengthTitle->setVisible(known);
    m_bars->setVisible(known);
    if (!known)
        return;
    const auto row = m_strengths->values.row(*m_document);
    const bool oneHead = m_head && *m_head < static_cast<std::int64_t>(row.size());
    // Beside the value of one head there is no room to say again what a bar is.
    m_strengthTitle->setTitle(oneHead ? tr("Strength") : tr("Strength by %1").arg(unitText(m_stage)));
    std::vector<double> shares;
    shares.reserve(row.size());
    for (const float value : row)
        shares.push_back(m_strengths->topShare(value));
    m_bars->setStrengths({row.begin(), row.end()}, std::move(shares), m_stage, m_palette);
    m_bars->setCurrent(m_head);
    m_strengthTitle->setDetail(oneHead ? m_bars->barText(*m_head) : QString());
}

void Inspector::setNearest(std::vector<NearDocument> byHead, std::vector<NearDocument> byFull,
                           const QString& fullSource)
{
    m_byHead = std::move(byHead);
    m_byFull = std::move(byFull);
    m_fullButton->setToolTip(fullSource);
    refreshNearest();
}

void Inspector::refreshNearest()
{
    const bool anyHead = !m_byHead.empty();
    const bool full = m_showFull || !anyHead;
    const auto& nearest = full ? m_byFull : m_byHead;
    m_nearestPart->setVisible(!nearest.empty());
    m_headButton->setVisible(anyHead);
    if (m_head)
        m_headButton->setText(unitText(m_stage, HeadIndex(*m_head)).toLower());
    m_headButton->setChecked(!full);
    m_fullButton->setChecked(full);
    m_nearestModel->setDocuments(m_documents, nearest);
    m_nearestTable->setFixedHeight(kNearRow * static_cast<int>(nearest.size()) + 2);
}

void Inspector::setSelection(std::int64_t points, std::int64_t documents, const QString& how)
{
    m_selectionPart->setVisible(documents > 0);
    m_selectionCount->setText(tr("<b>%1</b> %2, %3")
                                  .arg(countText(points), points == 1 ? tr("point") : tr("points"),
                                       countText(documents, tr("document"), tr("documents"))));
    m_selectionHow->setText(how);
    m_selectionHow->setVisible(!how.isEmpty());
}

QString Inspector::headingText() const
{
    return m_content->isHidden() ? m_hint->text() : m_id->fullText();
}

QString Inspector::bodyText() const
{
    return m_text->toPlainText();
}

} // namespace headscope::ui
