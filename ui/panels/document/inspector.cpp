// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/document/inspector.h"

#include "ui/panels/data/strength_bars.h"
#include "ui/panels/document/document_text.h"
#include "ui/panels/document/nearest_lists.h"
#include "ui/state/origin_guard.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QPlainTextEdit>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui
{
namespace
{

constexpr int kPanelWidth = 268;

QString flagText(std::uint8_t flags)
{
    QStringList words;
    if (hasFlag(flags, DocumentFlag::Empty))
        words << Inspector::tr("empty: no vectors");
    if (hasFlag(flags, DocumentFlag::Truncated))
        words << Inspector::tr("truncated");
    if (hasFlag(flags, DocumentFlag::Repaired))
        words << Inspector::tr("invalid UTF-8 repaired");
    if (hasFlag(flags, DocumentFlag::NonFinite))
        words << Inspector::tr("some vectors are not finite");
    return words.join(QStringLiteral(" · "));
}

} // namespace

Inspector::Inspector(QWidget* parent) : QScrollArea(parent)
{
    setObjectName(QStringLiteral("inspector"));
    setAccessibleName(tr("Document"));
    setAccessibleDescription(tr("The selected document, its norms and its neighbours"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    setMinimumWidth(kPanelWidth);
    auto* page = new QWidget(this);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(Metrics::kPanel, Metrics::kPanel, Metrics::kPanel, Metrics::kPanel);
    layout->setSpacing(Metrics::kRelated);
    m_title = new SectionLabel(tr("Document"), page);
    layout->addWidget(m_title);
    m_hint = makeMutedLabel({}, page);
    m_hint->setWordWrap(true);
    layout->addWidget(m_hint);
    m_content = new QWidget(page);
    auto* content = new QVBoxLayout(m_content);
    content->setContentsMargins(0, 0, 0, 0);
    content->setSpacing(Metrics::kRelated);
    layout->addWidget(m_content);
    buildDocument(m_content);
    m_nearest = new NearestLists(m_content);
    content->addWidget(m_nearest);
    connect(m_nearest, &NearestLists::documentClicked, this, &Inspector::documentClicked);
    m_selectionPart = new QWidget(page);
    auto* selection = new QVBoxLayout(m_selectionPart);
    selection->setContentsMargins(0, Metrics::kGrid, 0, 0);
    selection->setSpacing(Metrics::kRelated);
    selection->addWidget(makeSectionLabel(tr("Selection"), m_selectionPart));
    QVBoxLayout* card = nullptr;
    selection->addWidget(makeCard(m_selectionPart, &card));
    m_selectionCount = new QLabel(m_selectionPart);
    m_selectionCount->setTextFormat(Qt::RichText); // numbers and words of ours
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
    m_text = new DocumentText(page);
    auto* labels = new QWidget(page);
    m_labelLayout = new QVBoxLayout(labels);
    m_labelLayout->setContentsMargins(0, 0, 0, 0);
    m_labelLayout->setSpacing(2);
    card->addWidget(m_id);
    card->addWidget(m_second);
    card->addWidget(labels);
    card->addWidget(m_flags);
    card->addSpacing(Metrics::kGrid);
    card->addWidget(m_text);
    layout->addSpacing(Metrics::kGrid);
    m_strengthTitle = new SectionLabel({}, page);
    layout->addWidget(m_strengthTitle);
    m_bars = new PictureOf<StrengthBars>(page);
    layout->addWidget(m_bars);
    m_place = makeMutedLabel({}, page);
    m_place->setFont(Theme::smallFont());
    m_place->setWordWrap(true);
    layout->addWidget(m_place);
    connect(m_bars, &PictureWidget::itemClicked, this,
            [this](std::size_t head) { Q_EMIT headClicked(HeadIndex(static_cast<std::int64_t>(head))); });
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

void Inspector::setQuery(const TextQuery& query)
{
    m_text->setQuery(query);
}

void Inspector::setStrengths(std::shared_ptr<const Strengths> strengths, Stage stage, const viz::HeadPalette& palette)
{
    if (strengths != nullptr && !OriginGuard::instance().admits(strengths->origin, "strengths"))
        strengths = nullptr;
    m_strengths = std::move(strengths);
    m_stage = stage;
    m_palette = palette;
    refreshStrengths();
    refreshNearest();
}

void Inspector::showDocument(std::optional<DocumentIndex> document, std::optional<HeadIndex> head)
{
    const bool other = document != m_document;
    m_document = document;
    m_head = head;
    if (other)
    {
        m_byHead.clear();
        m_byFull.clear();
        m_whyNotByHead.clear();
        m_whyNotByFull.clear();
        refresh();
    }
    refreshStrengths();
    refreshNearest();
}

void Inspector::refresh()
{
    const bool shown = m_documents != nullptr && m_document && m_document->value() < m_documents->count();
    m_content->setVisible(shown);
    m_hint->setVisible(!shown);
    m_hint->setText(m_documents == nullptr
                        ? tr("Open a cache and click a point to read its document.")
                        : tr("Click a point of the map or a cell of the heatmap to read its document."));
    m_title->setDetail(shown ? tr("%1 of %2").arg(countText(shownNumber(*m_document)), countText(m_documents->count()))
                             : QString());
    if (!shown)
        return;
    const auto index = m_document->index();
    m_id->setFullText(toQString(m_documents->ids[index]));
    const bool hasLength = index < m_documents->tokens.size();
    m_second->setText(hasLength ? countText(m_documents->tokens[index], tr("token"), tr("tokens")) : QString());
    m_second->setVisible(hasLength);
    refreshLabels();
    const QString flags = index < m_documents->flags.size() ? flagText(m_documents->flags[index]) : QString();
    m_flags->setText(flags);
    m_flags->setVisible(!flags.isEmpty());
    if (m_documents->texts.empty())
        m_text->setNotice(tr("The cache holds no texts."));
    else
        m_text->setText(m_documents->texts[index]);
}

void Inspector::refreshLabels()
{
    const auto index = m_document->index();
    struct Line
    {
        QString text;
        bool chosen = false;
    };
    std::vector<Line> lines;
    for (const LabelColumn& column : m_documents->labels)
    {
        const QString value = toQString(column.category(index));
        const QString name = toQString(column.name);
        lines.push_back(
            {name % QStringLiteral(": ") % (value.isEmpty() ? tr("none") : value), column.name == m_labelColumn});
    }
    std::ranges::stable_partition(lines, &Line::chosen);
    while (m_labels.size() < std::ssize(lines))
    {
        auto* label = new ElidedLabel({}, m_content);
        label->setFont(Theme::smallFont());
        label->setProperty("role", QStringLiteral("muted"));
        m_labelLayout->addWidget(label);
        m_labels << label;
    }
    for (qsizetype i = 0; i < m_labels.size(); ++i)
    {
        const bool used = i < std::ssize(lines);
        m_labels.at(i)->setVisible(used);
        m_labels.at(i)->setFullText(used ? lines[static_cast<std::size_t>(i)].text : QString());
    }
}

QStringList Inspector::labelLines() const
{
    QStringList lines;
    for (const ElidedLabel* label : m_labels)
        if (!label->isHidden())
            lines << label->fullText();
    return lines;
}

void Inspector::refreshStrengths()
{
    const bool known = m_strengths != nullptr && m_document && m_document->value() < m_strengths->values.rows();
    m_strengthTitle->setVisible(known);
    m_bars->setVisible(known);
    m_place->setVisible(false);
    if (!known)
        return;
    const auto row = m_strengths->values.row(m_document->value());
    const bool oneHead = m_head && m_head->value() < static_cast<std::int64_t>(row.size());
    // Beside the value of one head there is no room to say again what a bar is.
    m_strengthTitle->setTitle(oneHead ? tr("Norm") : tr("Norm by %1").arg(unitText(m_stage)));
    std::vector<double> shares;
    shares.reserve(row.size());
    for (const float value : row)
        shares.push_back(m_strengths->topShare(value));
    m_bars->picture().setStrengths({row.begin(), row.end()}, std::move(shares), m_stage, m_palette);
    m_bars->picture().setCurrent(numberOf(m_head));
    m_strengthTitle->setDetail(oneHead ? m_bars->picture().textOf(static_cast<std::size_t>(m_head->value())).title
                                       : QString());
    if (!oneHead)
        return;
    QStringList place;
    if (m_palette.grouped() && unitName(m_stage) == "head")
        place << tr("In KV group %1, whose heads share one KV head.").arg(m_head->value() / m_palette.members() + 1);
    if (const auto rank = m_strengths->place(row[m_head->index()]))
        place << tr("Larger than %1 of the %2 norms (all documents and all %3).")
                     .arg(countText(std::ssize(m_strengths->sorted) - *rank),
                          countText(std::ssize(m_strengths->sorted)), unitsText(m_stage));
    m_place->setText(place.join(u' '));
    m_place->setVisible(!place.isEmpty());
}

void Inspector::setNearest(std::vector<NearDocument> byHead, std::vector<NearDocument> byFull,
                           const QString& fullSource, const QString& whyNotByHead, const QString& whyNotByFull)
{
    for (auto* nearest : {&byHead, &byFull})
        std::erase_if(*nearest, [this](const NearDocument& each) {
            return m_documents == nullptr || each.document.value() < 0 || each.document.value() >= m_documents->count();
        });
    m_byHead = std::move(byHead);
    m_byFull = std::move(byFull);
    m_fullSource = fullSource;
    m_whyNotByHead = whyNotByHead;
    m_whyNotByFull = whyNotByFull;
    refreshNearest();
}

void Inspector::refreshNearest()
{
    m_nearest->setNearest(m_documents, m_byHead, m_byFull,
                          m_head ? unitText(m_stage, *m_head).toLower() : unitText(m_stage), m_fullSource,
                          m_whyNotByHead, m_whyNotByFull);
    describe();
    fitHeights();
}

void Inspector::describe()
{
    if (m_documents == nullptr || !m_document || m_document->value() >= m_documents->count())
        return setAccessibleDescription(m_hint->text());
    QStringList parts{m_id->fullText(), m_second->text()};
    parts << labelLines();
    if (!m_strengthTitle->isHidden())
        parts << m_strengthTitle->detail();
    const auto first = [this](const QString& how, const std::vector<NearDocument>& nearest) {
        if (nearest.empty())
            return QString();
        return how.arg(toQString(m_documents->ids[nearest.front().document.index()]));
    };
    parts << first(tr("nearest by head: %1"), m_byHead) << m_whyNotByHead
          << first(tr("nearest by full vector: %1"), m_byFull) << m_whyNotByFull;
    parts.removeAll(QString());
    setAccessibleDescription(parts.join(QStringLiteral(", ")));
}

int Inspector::wantedHeight() const
{
    // Layouts of layouts hear of a change only when events are handled: all forget what they knew, and
    // the items that hold widgets, which keep sizes of their own.
    for (QWidget* each : widget()->findChildren<QWidget*>())
        each->updateGeometry();
    for (QLayout* each : widget()->findChildren<QLayout*>())
        each->invalidate();
    QLayout* layout = widget()->layout();
    layout->invalidate();
    return layout->hasHeightForWidth() ? layout->totalHeightForWidth(viewport()->width())
                                       : layout->totalSizeHint().height();
}

void Inspector::fitHeights()
{
    takeExcess();
    // Those that wantedHeight() made forget would not hear that they must be laid out again.
    for (QWidget* each : widget()->findChildren<QWidget*>())
        each->updateGeometry();
    for (QLayout* each : widget()->findChildren<QLayout*>())
        each->update();
    widget()->layout()->update();
}

void Inspector::takeExcess()
{
    // What does not fit is taken from the text first, which scrolls, then from the lists, in whole rows.
    m_text->setMostHeight(DocumentText::kMaxHeight);
    m_nearest->setMostRows(NearestLists::kMaxRows);
    if (m_content->isHidden())
        return;
    const int excess = wantedHeight() - viewport()->height();
    if (excess <= 0)
        return;
    m_text->setMostHeight(std::max(DocumentText::kReadableHeight, m_text->view()->height() - excess));
    for (int rows = NearestLists::kMaxRows; rows > NearestLists::kMinRows; --rows)
    {
        if (wantedHeight() <= viewport()->height())
            return;
        m_nearest->setMostRows(rows - 1);
    }
}

void Inspector::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    fitHeights();
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
    return m_text->shownText();
}

} // namespace headscope::ui
