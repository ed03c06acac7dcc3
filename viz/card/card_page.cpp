// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/card/card_page.h"

#include "model/data/key_sharing.h"
#include "model/data/results/card/card_text.h"
#include "viz/axis/text.h"
#include "viz/card/card_writer.h"
#include "viz/card/direction_strip.h"
#include "viz/card/label_legend.h"
#include "viz/chart/interval_rows.h"
#include "viz/color/category_palette.h"
#include "viz/color/head_palette.h"

#include <QPainter>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr double kTitlePt = 15;
constexpr double kSectionPt = 9;
constexpr double kTextPt = 8;
constexpr double kNotePt = 6.5;
constexpr double kGap = 6;        ///< between rows
constexpr double kColumnGap = 18; ///< between blocks of a row
constexpr double kParagraph = 2;
constexpr double kSmallQ = 0.05;
constexpr std::size_t kTopics = kMostStripLabels; ///< of the chart
constexpr std::size_t kStrips = 2;                ///< directions with their ends; of others a sentence

QString words(const std::string& text)
{
    return QString::fromStdString(text);
}

/// A sentence as it is printed: with true minus signs, and a test's result in one line.
QString sentenceWords(const std::string& text)
{
    static const QRegularExpression kMinus(QStringLiteral("(?<=[ (\u00a0])-(?=\\d)"));
    QString sentence = words(text).replace(kMinus, QStringLiteral("\u2212"));
    for (const QString& sign : {QStringLiteral(" = "), QStringLiteral(" < ")})
        sentence.replace(sign, QString(sign).replace(QLatin1Char(' '), QChar(0x00A0)));
    return sentence;
}

const CardSection* sectionOf(const std::vector<CardSection>& sections, CardPart part)
{
    const auto found =
        std::find_if(sections.begin(), sections.end(), [&](const CardSection& each) { return each.part == part; });
    return found != sections.end() ? &*found : nullptr;
}

/// What is known of a part, and what is missing; its notes are written under its chart.
Written sentencesOf(CardSection section, InkTheme theme)
{
    return [section = std::move(section), theme](Writer& writer) {
        const Inks& ink = inks(theme);
        for (const std::string& sentence : section.sentences)
        {
            writer.write(sentenceWords(sentence), textFont(kTextPt), ink.ink);
            writer.skip(kParagraph);
        }
        for (const std::string& sentence : section.missing)
        {
            writer.write(QStringLiteral("Missing: ") + words(sentence), textFont(kTextPt - 1), ink.secondary);
            writer.skip(kParagraph);
        }
    };
}

Written notesOf(std::vector<std::string> notes, InkTheme theme)
{
    return [notes = std::move(notes), theme](Writer& writer) {
        QStringList all;
        for (const std::string& note : notes)
            all << sentenceWords(note);
        if (!all.isEmpty())
            writer.write(all.join(QLatin1Char(' ')), textFont(kNotePt), inks(theme).secondary);
    };
}

QFont sectionFont()
{
    return textFont(kSectionPt, QFont::DemiBold);
}

double titleHeight()
{
    return lineHeight(sectionFont()) + 4;
}

void paintTitle(QPainter& painter, const QRectF& box, const QString& title, InkTheme theme)
{
    const Inks& ink = inks(theme);
    painter.setPen(QPen(ink.hairline, 0.7));
    painter.drawLine(QPointF(box.left(), box.top() + 0.35), QPointF(box.right(), box.top() + 0.35));
    drawLine(painter, {box.left(), box.top() + 2, box.width(), lineHeight(sectionFont())}, title, sectionFont(),
             ink.ink);
}

/// The words of an end: each with z, how often it stands there and in how many documents of both ends.
void writeWords(Writer& writer, const std::vector<ContrastWord>& list, bool isHigh, InkTheme theme)
{
    const Inks& ink = inks(theme);
    writer.writeBoth(QStringLiteral("word"), textFont(6), ink.secondary,
                     QStringLiteral("z \u00b7 uses here/there \u00b7 documents"), textFont(6), ink.secondary);
    if (list.empty())
        writer.write(QStringLiteral("none"), textFont(kTextPt - 1), ink.secondary);
    for (const ContrastWord& word : list)
    {
        const bool clear = word.q < kSmallQ;
        writer.writeBoth(words(word.word), textFont(kTextPt, clear ? QFont::DemiBold : QFont::Normal),
                         clear ? ink.ink : ink.secondary,
                         QStringLiteral("%1 \u00b7 %2/%3 \u00b7 %4")
                             .arg(fixedNumber(std::abs(word.z), 1))
                             .arg(isHigh ? word.highCount : word.lowCount)
                             .arg(isHigh ? word.lowCount : word.highCount)
                             .arg(word.documents),
                         textFont(6.5), ink.secondary);
    }
}

void writeDocuments(Writer& writer, const CardEnd& end, std::size_t most, InkTheme theme)
{
    const Inks& ink = inks(theme);
    for (std::size_t i = 0; i < std::min(most, end.documents.size()); ++i)
    {
        const CardDocument& document = end.documents[i];
        const QString label = document.label.empty() ? QString() : words(document.label);
        writer.writeBoth(words(document.id), textFont(kTextPt - 1, QFont::DemiBold), ink.ink, label,
                         textFont(kTextPt - 1), ink.secondary);
        if (!document.text.empty())
            writer.write(words(document.text), textFont(kTextPt - 1), ink.secondary, 0, 1);
        writer.skip(1);
    }
}

/// @param colors  labels that the strips of directions distinguish, by the colours of the rows
IntervalRows topicRows(const CardTopics& topics, std::size_t colors, InkTheme theme)
{
    const CategoryPalette palette(static_cast<std::int64_t>(colors), theme);
    IntervalRows rows;
    RowColumn column;
    column.title = QStringLiteral("difference of cosines; filled: q < 0.05");
    column.line = 0;
    for (std::size_t i = 0; i < std::min(kTopics, topics.favours.size()); ++i)
    {
        const TopicFavour& favour = topics.favours[i];
        rows.names << QStringLiteral("%1 (%2)")
                          .arg(words(topics.names[static_cast<std::size_t>(favour.topic)]))
                          .arg(favour.documents);
        if (colors > 0)
            rows.colors.push_back(palette.color(favour.topic));
        RowNumber number;
        number.value = favour.difference;
        number.ci95 = favour.ci95;
        number.verdict = rowVerdict(favour.q);
        column.numbers.push_back(number);
    }
    rows.columns.push_back(std::move(column));
    return rows;
}

IntervalRows similarRows(const CardSimilarity& similar)
{
    IntervalRows rows;
    RowColumn column;
    column.title = QStringLiteral("debiased CKA");
    column.line = 0;
    column.high = 1;
    for (const CardSimilarHead& head : similar.nearest)
    {
        rows.names << QStringLiteral("layer %1, head %2").arg(head.layer.value()).arg(head.head.value() + 1);
        RowNumber number;
        number.value = head.cka;
        number.ci95 = head.ci95;
        column.numbers.push_back(number);
    }
    rows.columns.push_back(std::move(column));
    return rows;
}

/// Labels that the strips distinguish by colour.
std::size_t stripColors(const HeadCard& card)
{
    return card.topics && card.topics->names.size() <= kMostStripLabels ? card.topics->names.size() : 0;
}

/// A chart of topics, whose rows have the colours of the strips.
bool hasTopicChart(const HeadCard& card)
{
    return card.topics && std::isfinite(card.topics->favours.front().difference);
}

/// What is written of a direction: its sentence, and the words and documents of both ends.
class DirectionParts
{
public:
    DirectionParts(std::shared_ptr<const HeadCard> card, std::size_t number, InkTheme theme)
        : m_card(std::move(card)), m_number(number), m_theme(theme)
    {}

    [[nodiscard]] const CardDirection& direction() const { return m_card->directions->directions[m_number]; }
    [[nodiscard]] Written heading() const
    {
        return [this](Writer& writer) {
            writer.write(sentenceWords(directionText(direction(), m_number)), textFont(kTextPt), inks(m_theme).ink);
            writer.skip(kParagraph);
        };
    }
    [[nodiscard]] Written words(bool isHigh) const
    {
        return [this, isHigh](Writer& writer) {
            const CardEnd& end = endOf(isHigh);
            const Inks& ink = inks(m_theme);
            const QString label = end.label.empty() ? QString()
                                                    : QStringLiteral("%1 (%2 of %3)")
                                                          .arg(viz::words(end.label))
                                                          .arg(end.ofLabel)
                                                          .arg(direction().endDocuments);
            writer.writeBoth(isHigh ? QStringLiteral("High end") : QStringLiteral("Low end"),
                             textFont(kTextPt - 1, QFont::DemiBold), ink.ink, label, textFont(kTextPt - 1), ink.ink);
            if (direction().vocabulary > 0)
                writeWords(writer, end.words, isHigh, m_theme);
        };
    }
    [[nodiscard]] Written documents(bool isHigh) const
    {
        return
            [this, isHigh](Writer& writer) { writeDocuments(writer, endOf(isHigh), m_number == 0 ? 2 : 1, m_theme); };
    }
    /// Width of the words of an end; the strip has the rest.
    [[nodiscard]] static double sideOf(double width)
    {
        constexpr double kStripShare = 0.36;
        return (width - kStripShare * width - 2 * kColumnGap) / 2;
    }
    [[nodiscard]] double heightOfWords(double width) const
    {
        constexpr double kLeast = 40; // of the strip
        const double side = sideOf(width);
        return std::max({kLeast, measured(words(false), side), measured(words(true), side)}) + 3;
    }

private:
    [[nodiscard]] const CardEnd& endOf(bool isHigh) const { return isHigh ? direction().high : direction().low; }

    std::shared_ptr<const HeadCard> m_card;
    std::size_t m_number;
    InkTheme m_theme;
};

} // namespace

CardPage::CardPage(HeadCard card, PaletteKind palette)
    : m_card(std::make_shared<const HeadCard>(std::move(card))), m_theme(InkTheme::Light, palette)
{
    m_rows.push_back({headingBlock()});
    m_rows.push_back({sectionBlock(CardPart::Writes), sectionBlock(CardPart::Reads)});
    m_rows.push_back({sectionBlock(CardPart::Directions)});
    if (m_card->directions)
        for (std::size_t i = 0; i < m_card->directions->directions.size(); ++i)
            m_rows.push_back(
                {i < kStrips ? directionBlock(i) : sentenceBlock(directionText(m_card->directions->directions[i], i))});
    m_rows.push_back({stacked(sectionBlock(CardPart::Topics), sectionBlock(CardPart::Probe)),
                      stacked(sectionBlock(CardPart::Similar), sectionBlock(CardPart::Importance))});
    m_rows.push_back({sectionBlock(CardPart::Partners)});
}

double CardPage::height(double width) const
{
    double height = 0;
    for (const Row& row : m_rows)
    {
        const auto count = static_cast<double>(row.size());
        double highest = 0;
        for (const Block& block : row)
            highest = std::max(highest, block.height((width - (count - 1) * kColumnGap) / count));
        height += highest + (&row == &m_rows.front() ? 0 : kGap);
    }
    return height;
}

void CardPage::paint(QPainter& painter, const QRectF& box) const
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    double top = box.top();
    for (const Row& row : m_rows)
    {
        const auto count = static_cast<double>(row.size());
        const double width = (box.width() - (count - 1) * kColumnGap) / count;
        double highest = 0;
        for (const Block& block : row)
            highest = std::max(highest, block.height(width));
        for (std::size_t i = 0; i < row.size(); ++i)
            row[i].paint(painter, {box.left() + static_cast<double>(i) * (width + kColumnGap), top, width, highest});
        top += highest + kGap;
    }
    painter.restore();
}

CardPage::Block CardPage::stacked(const Block& upper, const Block& lower)
{
    return {[=](double width) { return upper.height(width) + kGap + lower.height(width); },
            [=](QPainter& painter, const QRectF& box) {
                const double height = upper.height(box.width());
                upper.paint(painter, {box.left(), box.top(), box.width(), height});
                lower.paint(painter, box.adjusted(0, height + kGap, 0, 0));
            }};
}

CardPage::Block CardPage::headingBlock() const
{
    const auto card = m_card;
    const InkTheme theme = m_theme;
    const std::vector<CardSection> sections = cardSections(*card);
    const CardSection* place = sectionOf(sections, CardPart::Place);
    const Written body = [place = *place, theme](Writer& writer) {
        QStringList all;
        for (const std::string& sentence : place.sentences)
            all << sentenceWords(sentence);
        writer.write(all.join(QLatin1Char(' ')), textFont(kTextPt), inks(theme).ink);
    };
    const double title = lineHeight(textFont(kTitlePt, QFont::DemiBold)) + 4;
    return {[body, title](double width) { return title + measured(body, width); },
            [card, theme, body, title](QPainter& painter, const QRectF& box) {
                const Inks& ink = inks(theme);
                const HeadPalette palette(card->model, theme);
                painter.setPen(Qt::NoPen);
                painter.setBrush(palette.color(card->head));
                const double radius = title / 2 - 4;
                painter.drawEllipse(QPointF(box.left() + radius, box.top() + title / 2 - 2), radius, radius);
                const QFont font = textFont(kTitlePt, QFont::DemiBold);
                const QRectF line(box.left() + 2 * radius + 6, box.top(), box.width() - 2 * radius - 6, title - 4);
                drawLine(painter, line, words(cardTitle(*card)), font, ink.ink);
                drawLine(painter, line, words(card->model.name + ", " + card->cache), textFont(kTextPt), ink.secondary,
                         Qt::AlignRight | Qt::AlignVCenter);
                Writer writer(&painter, box.adjusted(0, title, 0, 0));
                body(writer);
            }};
}

CardPage::Block CardPage::sentenceBlock(const std::string& sentence) const
{
    const Written body = [sentence, theme = m_theme](Writer& writer) {
        writer.write(sentenceWords(sentence), textFont(kTextPt), inks(theme).ink);
    };
    return {[body](double width) { return measured(body, width); },
            [body](QPainter& painter, const QRectF& box) {
                Writer writer(&painter, box);
                body(writer);
            }};
}

CardPage::Block CardPage::chartOf(CardPart part) const
{
    const bool hasStrips = m_card->directions && !m_card->directions->directions.empty();
    if (part == CardPart::Directions && hasStrips && stripColors(*m_card) > 0 && !hasTopicChart(*m_card))
    {
        const LabelLegend legend(m_card->topics->names, kTextPt - 1, m_theme);
        return {[legend](double width) { return legend.height(width); },
                [legend](QPainter& painter, const QRectF& box) { legend.paint(painter, box); }};
    }
    IntervalRows rows;
    if (part == CardPart::Topics && hasTopicChart(*m_card))
        rows = topicRows(*m_card->topics, stripColors(*m_card), m_theme);
    if (part == CardPart::Similar && m_card->similar && !m_card->similar->nearest.empty())
        rows = similarRows(*m_card->similar);
    if (rows.names.isEmpty())
        return {[](double) { return 0.0; }, [](QPainter&, const QRectF&) {}};
    return {[rows](double width) { return intervalRowsHeight(rows, width, kTextPt - 0.5) + 4; },
            [rows](QPainter& painter, const QRectF& box) { paintIntervalRows(painter, rows, box, kTextPt - 0.5); }};
}

CardPage::Block CardPage::sectionBlock(CardPart part) const
{
    const std::vector<CardSection> sections = cardSections(*m_card);
    CardSection section = *sectionOf(sections, part);
    const bool hasStrips = part == CardPart::Directions && m_card->directions && m_card->directions->varies;
    if (hasStrips) // which say the same
        section.sentences.clear();
    if (hasStrips && stripColors(*m_card) > 0 && hasTopicChart(*m_card))
        section.notes.emplace_back("Bar colours: labels, see topics.");
    const QString title = words(section.title);
    const Written notes = notesOf(section.notes, m_theme);
    const Written body = sentencesOf(section, m_theme);
    const Block chart = chartOf(part);
    const InkTheme theme = m_theme;
    return {[=](double width) {
                return titleHeight() + measured(body, width) + chart.height(width) + measured(notes, width);
            },
            [=](QPainter& painter, const QRectF& box) {
                paintTitle(painter, box, title, theme);
                Writer writer(&painter, box.adjusted(0, titleHeight(), 0, 0));
                body(writer);
                const double height = chart.height(box.width());
                chart.paint(painter, {box.left(), writer.top(), box.width(), height});
                writer.skip(height);
                notes(writer);
            }};
}

CardPage::Block CardPage::directionBlock(std::size_t number) const
{
    const auto card = m_card;
    const InkTheme theme = m_theme;
    const DirectionParts parts(card, number, theme);
    return {[parts](double width) {
                const double half = (width - kColumnGap) / 2;
                return measured(parts.heading(), width) + parts.heightOfWords(width) +
                       std::max(measured(parts.documents(false), half), measured(parts.documents(true), half));
            },
            [parts, card, theme](QPainter& painter, const QRectF& box) {
                Writer heading(&painter, box);
                parts.heading()(heading);
                const double side = DirectionParts::sideOf(box.width());
                const double height = parts.heightOfWords(box.width());
                const QRectF line(box.left(), heading.top(), box.width(), height - 3);
                const double half = (box.width() - kColumnGap) / 2;
                for (const bool isHigh : {false, true})
                {
                    Writer end(&painter, {isHigh ? line.right() - side : line.left(), line.top(), side, 0});
                    parts.words(isHigh)(end);
                    Writer texts(&painter, {isHigh ? box.right() - half : box.left(), line.top() + height, half, 0});
                    parts.documents(isHigh)(texts);
                }
                paintDirectionStrip(painter,
                                    {line.left() + side + kColumnGap, line.top() + 2,
                                     box.width() - 2 * (side + kColumnGap), std::min(line.height() - 2, 70.0)},
                                    parts.direction(), stripColors(*card), theme);
            }};
}

} // namespace headscope::viz
