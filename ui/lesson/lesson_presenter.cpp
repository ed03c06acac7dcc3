// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lesson/lesson_presenter.h"

#include "ui/canvas/canvas_summary.h"
#include "ui/theme/theme.h"
#include "viz/axis/text.h"
#include "viz/color/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace headscope::ui
{
namespace
{

constexpr double kTextShare = 0.36; ///< of the width, for the texts
constexpr double kLargestText = 34;
constexpr double kLeastText = 15;
constexpr double kTitleTimes = 1.5;

QFont titleFont(double textPx)
{
    return viz::textFont(textPx * kTitleTimes, QFont::DemiBold);
}

} // namespace

LessonPresenter::LessonPresenter(QWidget* parent) : QWidget(parent, Qt::Window)
{
    setObjectName(QStringLiteral("lessonPresenter"));
    setWindowTitle(tr("Lesson"));
    setAccessibleName(tr("Lesson, large"));
    setFocusPolicy(Qt::StrongFocus);
    m_theme = Theme::instance().vizTheme();
    setCanvasSummary(this, [this] {
        QStringList parts{m_place, m_page.title, m_page.text, viz::lessonPictureWords(m_picture), m_page.question};
        if (m_answer)
            parts << m_page.answer;
        return parts.join(u' ');
    });
}

void LessonPresenter::setPage(const LessonPage& page, const viz::LessonPicture& picture, const QString& place)
{
    m_page = page;
    m_place = place;
    m_answer = false;
    setPicture(picture);
}

void LessonPresenter::setPicture(const viz::LessonPicture& picture)
{
    m_picture = picture;
    noteCanvasChanged(this);
    update();
}

void LessonPresenter::setAnswerShown(bool shown)
{
    m_answer = shown;
    noteCanvasChanged(this);
    update();
}

double LessonPresenter::textsHeight(double width, double textPx) const
{
    const auto block = [&](const QString& text, const QFont& font) {
        return viz::lesson::blockHeight(text, font, width) + textPx * 0.9;
    };
    const QFont body = viz::textFont(textPx);
    return block(m_page.title, titleFont(textPx)) + block(m_page.text, body) + block(m_page.question, body) +
           block(m_page.answer, body) + 3 * textPx;
}

double LessonPresenter::fittingText(const QRectF& box) const
{
    double textPx = std::min(kLargestText, height() / 26.0);
    while (textPx > kLeastText && textsHeight(box.width(), textPx) > box.height())
        --textPx;
    return textPx;
}

void LessonPresenter::paintTexts(QPainter& painter, const QRectF& box, double textPx)
{
    const viz::Inks& ink = viz::inks(m_theme);
    const QFont body = viz::textFont(textPx);
    double top = box.top();
    const auto say = [&](const QString& text, const QFont& font, const QColor& color) {
        top += viz::lesson::paintBlock(painter, {box.left(), top}, box.width(), text, font, color) + textPx * 0.9;
    };
    say(m_page.title, titleFont(textPx), ink.ink);
    say(m_page.text, body, ink.ink);
    painter.setPen(QPen(ink.hairline, 1));
    painter.drawLine(QPointF(box.left(), top), QPointF(box.left() + box.width() * 0.3, top));
    top += textPx * 0.9;
    say(m_page.question, body, ink.secondary);
    if (m_answer)
        say(m_page.answer, body, ink.ink);
}

void LessonPresenter::paintEvent(QPaintEvent*)
{
    const viz::Inks& ink = viz::inks(m_theme);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), ink.background);
    const double edge = std::max(16.0, height() * 0.05);
    const QRectF whole = QRectF(rect()).adjusted(edge, edge, -edge, -edge);
    const bool hasPicture = m_picture.drawn() || !m_picture.note.isEmpty();
    const double texts = hasPicture ? whole.width() * kTextShare : whole.width() * 0.7;
    const QRectF textBox(whole.right() - texts, whole.top(), texts, whole.height() - edge);
    const double textPx = fittingText(textBox);
    paintTexts(painter, hasPicture ? textBox : textBox.translated(-(whole.width() - texts) / 2, 0), textPx);
    if (hasPicture)
        viz::paintLessonPicture(
            painter, m_picture,
            {whole.left(), whole.top(), whole.width() - texts - 1.4 * edge, whole.height() - edge / 2},
            {m_theme, std::max(13.0, textPx * 0.8)});
    const QFont small = viz::textFont(std::max(12.0, textPx * 0.6));
    viz::drawLine(painter, {whole.left(), whole.bottom() - edge / 4, whole.width(), viz::lineHeight(small)},
                  m_answer ? m_place : tr("%1 · Space: the answer").arg(m_place), small, ink.secondary, Qt::AlignRight);
}

void LessonPresenter::keyPressEvent(QKeyEvent* event)
{
    switch (event->key())
    {
    case Qt::Key_PageDown:
    case Qt::Key_Right:
    case Qt::Key_Down:
        return Q_EMIT nextAsked();
    case Qt::Key_PageUp:
    case Qt::Key_Left:
    case Qt::Key_Up:
        return Q_EMIT backAsked();
    case Qt::Key_Space:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return Q_EMIT answerAsked();
    case Qt::Key_D:
        m_theme = m_theme == viz::Theme::Light ? viz::Theme::Dark : viz::Theme::Light;
        return update();
    case Qt::Key_Escape:
    case Qt::Key_F5:
        close();
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void LessonPresenter::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        Q_EMIT nextAsked();
}

void LessonPresenter::closeEvent(QCloseEvent* event)
{
    QWidget::closeEvent(event);
    Q_EMIT left();
}

} // namespace headscope::ui
