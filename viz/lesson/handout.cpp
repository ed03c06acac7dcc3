// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/lesson/handout.h"

#include "model/base/output/output_file.h"
#include "viz/axis/text.h"
#include "viz/export/figure_export.h"
#include "viz/export/pdf_bytes.h"

#include <QBuffer>
#include <QHash>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>

#include <algorithm>
#include <string_view>

namespace headscope::viz
{
namespace
{

constexpr int kDpi = 1200;
constexpr QSizeF kPaper(595, 842); // A4 in points
constexpr double kMargin = 54;
constexpr double kTextPt = 11;
constexpr double kPictureRoom = 1.3; ///< of the height that a picture asks for, where the page has it
constexpr double kTitlePt = 17;
constexpr double kGap = 12;
constexpr double kWritingStep = 22;  ///< between lines to write on
constexpr int kWritingLines = 3;     ///< for an answer, or the reason of a ticked one
constexpr double kOptionTimes = 1.3; ///< of the height of a line, for an option

LessonStyle paperStyle()
{
    return {InkTheme::Light, kTextPt};
}

/// Hashes without a random seed while it lives: Qt writes the fonts of a PDF in the order of a QHash.
class SteadyHashes
{
public:
    SteadyHashes() { QHashSeed::setDeterministicGlobalSeed(); }
    ~SteadyHashes() { QHashSeed::resetRandomGlobalSeed(); }
    SteadyHashes(const SteadyHashes&) = delete;
    SteadyHashes& operator=(const SteadyHashes&) = delete;
};

/// Writes onto the page of a painter from the top down.
class Sheet
{
public:
    Sheet(QPainter& painter, const Handout& handout) : m_painter(painter), m_handout(handout) {}

    /// A new page, with its number.
    void begin()
    {
        const QString place = m_handout.words.page.arg(++m_page);
        const Inks& ink = inks(InkTheme::Light);
        const QFont small = smallFont(paperStyle());
        drawLine(m_painter, {kMargin, kMargin - 20, width() * 0.75, lineHeight(small)}, m_handout.title, small,
                 ink.secondary);
        drawLine(m_painter, {kMargin + width() * 0.75, kMargin - 20, width() * 0.25, lineHeight(small)}, place, small,
                 ink.secondary, Qt::AlignRight);
        drawLine(m_painter, {kMargin, kPaper.height() - kMargin + 8, width(), lineHeight(small)}, m_handout.of, small,
                 ink.secondary);
        m_top = kMargin;
    }
    void title(const QString& text)
    {
        m_top += paintBlock(m_painter, {kMargin, m_top}, width(), text, textFont(kTitlePt, QFont::DemiBold),
                            inks(InkTheme::Light).ink) +
                 kGap;
    }
    void paragraph(const QString& text, bool grey = false)
    {
        const Inks& ink = inks(InkTheme::Light);
        m_top += paintBlock(m_painter, {kMargin, m_top}, width(), text, bodyFont(paperStyle()),
                            grey ? ink.secondary : ink.ink) +
                 kGap;
    }
    /// A bold word, and a text beside it.
    void labelled(const QString& label, const QString& text)
    {
        const Inks& ink = inks(InkTheme::Light);
        drawLine(m_painter, {kMargin, m_top, labelWidth(), lineHeight(boldFont(paperStyle()))}, label,
                 boldFont(paperStyle()), ink.ink);
        m_top += paintBlock(m_painter, {kMargin + labelWidth(), m_top}, width() - labelWidth(), text,
                            bodyFont(paperStyle()), ink.ink) +
                 kGap;
    }
    [[nodiscard]] double labelledHeight(const QString& text) const
    {
        return blockHeight(text, bodyFont(paperStyle()), width() - labelWidth()) + kGap;
    }
    void picture(const LessonPicture& picture, double most)
    {
        const double height = std::min(most, kPictureRoom * lessonPictureHeight(picture, width(), paperStyle()));
        paintLessonPicture(m_painter, picture, {kMargin, m_top, width(), height}, paperStyle());
        m_top += height + 1.5 * kGap;
    }
    /// What to try, the question, and room for the answer.
    void tasks(const HandoutStep& step)
    {
        labelled(m_handout.words.attempt, step.attempt);
        labelled(m_handout.words.question, step.question);
        const Inks& ink = inks(InkTheme::Light);
        const double line = lineHeight(bodyFont(paperStyle()));
        const double left = kMargin + labelWidth();
        for (const QString& option : step.options)
        {
            m_painter.setPen(QPen(ink.ink, 0.8));
            m_painter.setBrush(Qt::NoBrush);
            m_painter.drawRect(QRectF(left, m_top + line * 0.15, line * 0.7, line * 0.7));
            drawLine(m_painter, {left + line * 1.2, m_top, width() - labelWidth() - line * 1.2, line}, option,
                     bodyFont(paperStyle()), ink.ink);
            m_top += line * kOptionTimes;
        }
        m_painter.setPen(QPen(ink.hairline, 0.8));
        for (int i = 0; i < kWritingLines; ++i)
        {
            m_top += kWritingStep;
            m_painter.drawLine(QPointF(left, m_top), QPointF(kMargin + width(), m_top));
        }
        m_top += kGap * 1.5;
    }
    [[nodiscard]] double tasksHeight(const HandoutStep& step) const
    {
        return labelledHeight(step.attempt) + labelledHeight(step.question) +
               static_cast<double>(step.options.size()) * lineHeight(bodyFont(paperStyle())) * kOptionTimes +
               kWritingLines * kWritingStep + kGap * 1.5;
    }
    /// A step without a picture.
    [[nodiscard]] double plainHeight(const HandoutStep& step) const
    {
        return blockHeight(step.title, textFont(kTitlePt, QFont::DemiBold), width()) +
               blockHeight(step.text, bodyFont(paperStyle()), width()) + 2 * kGap + tasksHeight(step);
    }
    [[nodiscard]] static double width() { return kPaper.width() - 2 * kMargin; }
    [[nodiscard]] double left() const { return kPaper.height() - kMargin - m_top; }

private:
    [[nodiscard]] double labelWidth() const
    {
        const QFont bold = boldFont(paperStyle());
        return std::max(textWidth(m_handout.words.attempt, bold), textWidth(m_handout.words.question, bold)) + kGap;
    }

    QPainter& m_painter;
    const Handout& m_handout;
    double m_top = kMargin;
    int m_page = 0;
};

bool hasPicture(const HandoutStep& step)
{
    return step.picture.drawn() || !step.picture.note.isEmpty();
}

/// A step on the sheet, behind what is there already.
void paintStep(Sheet& sheet, const Handout& handout, std::size_t index)
{
    const HandoutStep& step = handout.steps[index];
    sheet.title(QStringLiteral("%1  %2").arg(index + 1).arg(step.title));
    if (index == 0)
        sheet.paragraph(handout.summary, true);
    sheet.paragraph(step.text);
    if (hasPicture(step))
        sheet.picture(step.picture, std::max(80.0, sheet.left() - sheet.tasksHeight(step)));
    sheet.tasks(step);
}

/// All steps; those without a picture are on one page with the step before where it has room.
void paintSteps(Sheet& sheet, QPdfWriter& writer, const Handout& handout)
{
    for (std::size_t index = 0; index < handout.steps.size(); ++index)
    {
        const HandoutStep& step = handout.steps[index];
        const bool joins = index > 0 && !hasPicture(step) && !hasPicture(handout.steps[index - 1]) &&
                           sheet.plainHeight(step) <= sheet.left();
        if (!joins)
        {
            if (index > 0)
                writer.newPage();
            sheet.begin();
        }
        paintStep(sheet, handout, index);
    }
}

void paintAnswers(Sheet& sheet, QPdfWriter& writer, const Handout& handout)
{
    writer.newPage();
    sheet.begin();
    sheet.title(handout.words.answers);
    for (std::size_t i = 0; i < handout.steps.size(); ++i)
    {
        const QString text = handout.steps[i].question % QStringLiteral("\n") % handout.steps[i].answer;
        if (sheet.labelledHeight(text) > sheet.left())
        {
            writer.newPage();
            sheet.begin();
        }
        sheet.labelled(QString::number(i + 1), text);
    }
}

Result<QByteArray> handoutBytes(const Handout& handout)
{
    QByteArray bytes;
    {
        const SteadyHashes hashes;
        QBuffer buffer(&bytes);
        buffer.open(QIODevice::WriteOnly);
        QPdfWriter writer(&buffer);
        writer.setResolution(kDpi);
        writer.setPageSize(QPageSize(QPageSize::A4));
        writer.setPageMargins(QMarginsF(0, 0, 0, 0));
        writer.setCreator(QStringLiteral("Headscope"));
        writer.setTitle(handout.title);
        QPainter painter;
        if (!painter.begin(&writer))
            return Error{ErrorCode::Internal, "the PDF painter did not start", {}, {}};
        painter.setRenderHints(QPainter::Antialiasing | QPainter::LosslessImageRendering);
        painter.scale(kDpi / kPointsPerInch, kDpi / kPointsPerInch);
        Sheet sheet(painter, handout);
        paintSteps(sheet, writer, handout);
        paintAnswers(sheet, writer, handout);
        painter.end();
    }
    fixPdfDate(bytes);
    return bytes;
}

} // namespace

Status exportHandout(const Handout& handout, const std::filesystem::path& path, bool overwrite)
{
    if (handout.steps.empty())
        return Error{ErrorCode::InvalidArgument, "a handout needs at least one step", path.string(), {}};
    HEADSCOPE_CHECK(checkOutputPath(path, overwrite));
    HEADSCOPE_TRY(const QByteArray bytes, handoutBytes(handout));
    return writeFileAtomically(path, std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

} // namespace headscope::viz
