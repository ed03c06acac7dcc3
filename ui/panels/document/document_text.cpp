// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/document/document_text.h"

#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <string_view>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kMinHeight = 40;
constexpr int kFillsTheRoom = 4000; ///< characters; more need no measuring

/// The beginning of a UTF-8 text, no character cut.
std::string_view beginningOf(std::string_view text, std::size_t most)
{
    if (text.size() <= most)
        return text;
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80)
        --most;
    return text.substr(0, most);
}

/// Breaks long lines: at a space where there is one, which it takes the place of.
QString withShortLines(const QString& text, bool& broken)
{
    QString made;
    made.reserve(text.size() + text.size() / DocumentText::kLongestLine);
    qsizetype at = 0;
    while (at < text.size())
    {
        const qsizetype end = text.indexOf(u'\n', at);
        const qsizetype lineEnd = end < 0 ? text.size() : end;
        while (lineEnd - at > DocumentText::kLongestLine)
        {
            // Not farther back than this line: a search to the beginning of a megabyte would be made for each.
            const qsizetype space = QStringView(text).mid(at, DocumentText::kLongestLine).lastIndexOf(u' ');
            const bool atSpace = space > DocumentText::kLongestLine / 2;
            qsizetype cut = at + space;
            if (!atSpace)
            {
                cut = at + DocumentText::kLongestLine;
                cut -= text[cut].isLowSurrogate() ? 1 : 0;
            }
            made += QStringView(text).mid(at, cut - at);
            made += u'\n';
            at = cut + (atSpace ? 1 : 0);
            broken = true;
        }
        made += QStringView(text).mid(at, lineEnd - at);
        if (end >= 0)
            made += u'\n';
        at = lineEnd + 1;
    }
    return made;
}

} // namespace

DocumentText::DocumentText(QWidget* parent) : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kGrid);
    m_view = new QPlainTextEdit(this);
    m_view->setObjectName(QStringLiteral("documentText"));
    m_view->setAccessibleName(tr("Text of the document"));
    m_view->setAccessibleDescription(tr("The text, or its beginning if it is long"));
    m_view->setReadOnly(true);
    m_view->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_view->setFont(Theme::smallFont());
    m_view->document()->setDocumentMargin(0);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setTabChangesFocus(true);
    m_view->setUndoRedoEnabled(false);
    layout->addWidget(m_view);
    m_note = makeMutedLabel({}, this);
    m_note->setFont(Theme::smallFont());
    m_note->setWordWrap(true);
    layout->addWidget(m_note);
    m_all = new QPushButton(tr("Show all"), this);
    m_all->setObjectName(QStringLiteral("documentShowAll"));
    m_all->setAccessibleName(tr("Show the whole text"));
    m_all->setAutoDefault(false);
    layout->addWidget(m_all, 0, Qt::AlignLeft);
    connect(m_all, &QPushButton::clicked, this, &DocumentText::showAll);
    onThemeChange(this, [this] { markHits(); });
    m_note->hide();
    m_all->hide();
}

void DocumentText::setText(const std::string& text)
{
    m_text = text;
    m_notice.clear();
    m_showAll = false;
    refresh();
}

void DocumentText::setNotice(const QString& notice)
{
    m_text.clear();
    m_notice = notice;
    refresh();
}

void DocumentText::setQuery(const TextQuery& query)
{
    if (query == m_query)
        return;
    m_query = query;
    refreshNote();
    m_hits = m_query.hitsIn(m_view->toPlainText());
    markHits();
}

void DocumentText::showAll()
{
    m_showAll = true;
    refresh();
}

QString DocumentText::shownText() const
{
    return m_view->toPlainText();
}

void DocumentText::refresh()
{
    const std::string_view part = m_showAll ? std::string_view(m_text) : beginningOf(m_text, kLimit);
    m_broken = false;
    const QString shown = m_notice.isEmpty() ? withShortLines(toQString(part), m_broken) : m_notice;
    m_view->setPlainText(shown);
    m_shownBytes = part.size();
    refreshNote();
    m_hits = m_notice.isEmpty() ? m_query.hitsIn(shown) : std::vector<TextSpan>();
    fit();
    markHits();
}

void DocumentText::refreshNote()
{
    const bool cut = m_shownBytes < m_text.size();
    QStringList notes;
    if (cut)
        notes << tr("Showing the first %1 of %2.").arg(bytesText(m_shownBytes), bytesText(m_text.size()));
    if (cut && !m_query.isEmpty())
        notes << tr("Show all to see further search results.");
    if (m_broken)
        notes << tr("Lines of more than %1 characters are split.").arg(countText(kLongestLine));
    m_note->setText(notes.join(u' '));
    m_note->setVisible(!notes.isEmpty());
    m_all->setVisible(cut);
}

void DocumentText::markHits()
{
    const Colors& colors = Theme::instance().colors();
    QTextCharFormat format;
    format.setBackground(colors.accentPale);
    format.setForeground(colors.accentText);
    format.setFontUnderline(true); // colour alone is not seen by everyone
    // Formats of the layout, not of the text: blocks that nobody sees are never laid out for them.
    auto hit = m_hits.begin();
    m_marked = 0;
    for (QTextBlock block = m_view->document()->begin(); block.isValid(); block = block.next())
    {
        const qsizetype start = block.position();
        const qsizetype end = start + block.length();
        QList<QTextLayout::FormatRange> ranges;
        for (; hit != m_hits.end() && hit->start < end; ++hit)
        {
            const qsizetype from = std::max(hit->start, start);
            const qsizetype to = std::min(hit->start + hit->length, end);
            ranges << QTextLayout::FormatRange{static_cast<int>(from - start), static_cast<int>(to - from), format};
            ++m_marked;
            if (hit->start + hit->length > end)
                break; // a phrase over the end of a line goes on in the next
        }
        if (!ranges.isEmpty() || !block.layout()->formats().isEmpty())
            block.layout()->setFormats(ranges);
    }
    QTextCursor cursor(m_view->document());
    if (!m_hits.empty())
        cursor.setPosition(static_cast<int>(m_hits.front().start));
    m_view->setTextCursor(cursor);
    m_view->ensureCursorVisible();
    m_view->viewport()->update();
}

void DocumentText::setMostHeight(int height)
{
    if (std::exchange(m_mostHeight, height) != height)
        fit();
}

void DocumentText::fit()
{
    // As tall as the text needs, up to a limit beyond which it scrolls.
    const int room = std::max(100, (m_view->viewport()->width() > 100 ? m_view->viewport()->width() : width()) - 8);
    if (m_view->document()->characterCount() > kFillsTheRoom)
        return m_view->setFixedHeight(m_mostHeight);
    const QFontMetrics metrics(m_view->font());
    const QRect box = metrics.boundingRect(QRect(0, 0, room, 100'000), Qt::TextWordWrap, m_view->toPlainText());
    m_view->setFixedHeight(std::clamp(box.height() + Metrics::kRelated, kMinHeight, m_mostHeight));
}

void DocumentText::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fit();
}

} // namespace headscope::ui
