// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lesson/lesson_presenter.h"

#include "ui/canvas/canvas_summary.h"
#include "ui/theme/theme.h"
#include "viz/axis/figure_texts.h"
#include "viz/axis/text.h"
#include "viz/color/inks.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <array>

namespace headscope::ui
{
namespace
{

constexpr std::array kTextShares = {0.34, 0.29, 0.25}; ///< of the width, for the texts
constexpr double kLargestText = 34;
constexpr double kMinText = 15;
constexpr double kLeastPicture = 9;
constexpr double kFootPad = 8;
constexpr double kTitleTimes = 1.5;
constexpr double kMostTimes = 3; ///< of the text beside a picture: the text in it

QFont titleFont(double textPx)
{
    return viz::textFont(textPx * kTitleTimes, QFont::DemiBold);
}

} // namespace

LessonPresenter::LessonPresenter(QWidget* parent) : QWidget(parent, Qt::Window)
{
    setObjectName(QStringLiteral("lessonPresenter"));
    setWindowTitle(tr("Lesson"));
    setAccessibleName(tr("Lesson in full screen"));
    setFocusPolicy(Qt::StrongFocus);
    m_theme = Theme::instance().vizTheme();
    setCanvasSummary(this, [this] {
        QStringList parts{m_place,   m_page.title,    m_page.text,  viz::lessonPictureWords(m_picture),
                          tryText(), m_page.question, optionsText()};
        for (qsizetype i = 0; i < m_controls.size(); ++i)
            parts << controlText(i);
        if (m_answer)
            parts << m_page.answer;
        return parts.join(u' ').remove(QStringLiteral("**"));
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
    arrange();
    noteCanvasChanged(this);
}

void LessonPresenter::setView(const QImage& view)
{
    m_view = view;
    arrange();
}

void LessonPresenter::setControls(const QList<LessonControl>& controls)
{
    QList<LessonControl> kept;
    for (const LessonControl& each : controls)
        if (!each.options.isEmpty())
            kept.append(each);
    const auto isSame = [](const LessonControl& a, const LessonControl& b) { return a.name == b.name; };
    if (!std::equal(kept.begin(), kept.end(), m_controls.begin(), m_controls.end(), isSame))
    {
        m_control = 0;
        for (qsizetype i = kept.size() - 1; i >= 0; --i)
            m_control = kept[i].slider ? i : m_control; // the first slider is what one tries
    }
    m_controls = kept;
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
        return viz::blockHeight(text, font, width) + textPx * 0.9;
    };
    const QFont body = viz::textFont(textPx);
    return block(m_page.title, titleFont(textPx)) + block(m_page.text, body) + block(m_page.question, body) +
           block(optionsText(), body) + block(tryText(), body) + block(m_page.answer, body) + 3 * textPx;
}

viz::LessonStyle LessonPresenter::pictureStyle(double textPx, double bodyPx) const
{
    return {m_theme, textPx, bodyPx / viz::kSmallTimes};
}

bool LessonPresenter::pictureFits(const QRectF& box, const viz::LessonStyle& style) const
{
    if (!m_view.isNull())
        return true;
    if (viz::lessonPictureHeight(m_picture, box.width(), style) > box.height())
        return false;
    viz::FigureDevice<QImage> canvas(1, 1, QImage::Format_ARGB32_Premultiplied);
    canvas.fill(Qt::transparent);
    QPainter painter(&canvas);
    viz::paintLessonPicture(painter, m_picture, box, style);
    painter.end();
    return canvas.cut.isEmpty();
}

QString LessonPresenter::optionsText() const
{
    QStringList lines;
    for (qsizetype i = 0; i < m_page.options.size(); ++i)
        lines << QStringLiteral("%1  %2").arg(QChar(u'A' + static_cast<char16_t>(i))).arg(m_page.options[i]);
    return lines.join(u'\n');
}

bool LessonPresenter::textsFit() const
{
    return textsHeight(m_places.texts.width(), m_places.textPx) <= m_places.texts.height();
}

bool LessonPresenter::pictureFits() const
{
    return m_places.picture.isEmpty() || pictureFits(m_places.picture, m_places.style);
}

void LessonPresenter::fitText(Places& places) const
{
    // Second lines of a picture are smaller than its text; they too are to be read from the last row.
    const auto fits = [&](double textPx) {
        return textsHeight(places.texts.width(), textPx) <= places.texts.height() &&
               (places.picture.isEmpty() ||
                pictureFits(places.picture, pictureStyle(textPx / viz::kSmallTimes, textPx)));
    };
    double textPx = std::min(kLargestText, height() / 26.0);
    while (textPx > kMinText && !fits(textPx))
        --textPx;
    places.textPx = textPx;
    // Where even that is too large, nothing is cut nonetheless.
    double pictureTextPx = kMostTimes * textPx;
    while (pictureTextPx > kLeastPicture && !places.picture.isEmpty() &&
           !pictureFits(places.picture, pictureStyle(pictureTextPx, textPx)))
        --pictureTextPx;
    places.style = pictureStyle(pictureTextPx, textPx);
}

void LessonPresenter::paintTexts(QPainter& painter, const QRectF& box, double textPx)
{
    const viz::Inks& ink = viz::inks(m_theme);
    const QFont body = viz::textFont(textPx);
    double top = box.top();
    const auto say = [&](const QString& text, const QFont& font, const QColor& color) {
        top += viz::paintBlock(painter, {box.left(), top}, box.width(), text, font, color) + textPx * 0.9;
    };
    say(m_page.title, titleFont(textPx), ink.ink);
    say(m_page.text, body, ink.ink);
    painter.setPen(QPen(ink.hairline, 1));
    painter.drawLine(QPointF(box.left(), top), QPointF(box.left() + box.width() * 0.3, top));
    top += textPx * 0.9;
    if (!m_page.attempt.isEmpty())
        say(tryText(), body, ink.secondary);
    say(m_page.question, body, ink.ink);
    if (!m_page.options.isEmpty())
        say(optionsText(), body, ink.secondary);
    if (m_answer)
        say(m_page.answer, body, ink.ink);
}

void LessonPresenter::resizeEvent(QResizeEvent*)
{
    arrange();
}

void LessonPresenter::arrange()
{
    // A picture with columns of words gets more of the width where that makes the letters of both larger.
    m_places = placesWith(kTextShares.front());
    for (const double share : kTextShares)
        if (Places places = placesWith(share); places.textPx > m_places.textPx + 0.5)
            m_places = places;
    update();
}

LessonPresenter::Places LessonPresenter::placesWith(double textShare) const
{
    const double edge = std::max(16.0, height() * 0.05);
    const QRectF whole = QRectF(rect()).adjusted(edge, edge, -edge, -edge);
    const bool hasPicture = m_picture.drawn() || !m_picture.note.isEmpty() || !m_view.isNull();
    const double texts = whole.width() * (hasPicture ? textShare : 0.7);
    Places places;
    places.texts = {whole.right() - texts, whole.top(), texts, whole.height() - edge};
    if (!hasPicture)
        places.texts.translate(-(whole.width() - texts) / 2, 0);
    else
        places.picture = {whole.left(), whole.top(), whole.width() - texts - 1.4 * edge, whole.height() - 1.1 * edge};
    fitText(places);
    const double line = viz::lineHeight(footFont(places)) + kFootPad;
    places.foot = {whole.left(), height() - edge * 0.5 - line, whole.width(), line};
    return places;
}

QFont LessonPresenter::footFont(const Places& places) const
{
    return viz::textFont(std::max(12.0, places.textPx * 0.6));
}

QString LessonPresenter::tryText() const
{
    return tr("Try: %1").arg(m_page.attempt);
}

QString LessonPresenter::controlText(qsizetype control) const
{
    const LessonControl& each = m_controls[control];
    const QString text = tr("%1: %2").arg(each.title, each.options.value(each.value));
    return control == m_control ? QStringLiteral("\u2191\u2193 ") % text : text;
}

QList<QRectF> LessonPresenter::controlBoxes(const Places& places) const
{
    QList<QRectF> boxes;
    const QFont font = footFont(places);
    double left = places.foot.left();
    for (qsizetype i = 0; i < m_controls.size(); ++i)
    {
        const double width = viz::textWidth(controlText(i), font) + 2 * kFootPad;
        boxes.append({left, places.foot.top(), width, places.foot.height()});
        left += width + kFootPad;
    }
    return boxes;
}

QString LessonPresenter::hintText() const
{
    QStringList parts{m_place, tr("Page Down: next step")};
    if (!m_answer)
        parts << tr("Space: show answer");
    if (m_controls.size() > 1)
        parts << tr("Tab: next control");
    parts << (m_theme == viz::InkTheme::Light ? tr("D: dark") : tr("D: light"))
          << (m_view.isNull() ? tr("Esc: back to the window") : tr("Esc: try it in the window"));
    return parts.join(QStringLiteral(" · "));
}

void LessonPresenter::paintFoot(QPainter& painter, const Places& places)
{
    const viz::Inks& ink = viz::inks(m_theme);
    const QFont font = footFont(places);
    const QList<QRectF> boxes = controlBoxes(places);
    for (qsizetype i = 0; i < boxes.size(); ++i)
    {
        painter.setPen(QPen(i == m_control ? ink.accent : ink.hairline, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(boxes[i], 4, 4);
        viz::drawLine(painter, boxes[i], controlText(i), font, i == m_control ? ink.ink : ink.secondary,
                      Qt::AlignCenter);
    }
    const double left = boxes.isEmpty() ? places.foot.left() : boxes.back().right() + kFootPad;
    viz::drawLine(painter, {left, places.foot.top(), places.foot.right() - left, places.foot.height()}, hintText(),
                  font, ink.secondary, Qt::AlignRight | Qt::AlignVCenter);
}

void LessonPresenter::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), viz::inks(m_theme).background);
    paintTexts(painter, m_places.texts, m_places.textPx);
    if (!m_view.isNull())
        paintView(painter, m_places.picture);
    else if (!m_places.picture.isEmpty())
        viz::paintLessonPicture(painter, m_picture, m_places.picture, m_places.style);
    paintFoot(painter, m_places);
}

void LessonPresenter::paintView(QPainter& painter, const QRectF& box)
{
    QSizeF size = m_view.size();
    size.scale(box.size(), Qt::KeepAspectRatio);
    const QRectF place(QPointF(box.center().x() - size.width() / 2, box.top()), size);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(place, m_view);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(viz::inks(m_theme).hairline, 1));
    painter.drawRect(place);
}

bool LessonPresenter::step(int by)
{
    if (m_controls.isEmpty())
        return false;
    const LessonControl& control = m_controls[m_control];
    const int value = std::clamp(control.value + by, 0, static_cast<int>(control.options.size()) - 1);
    if (value != control.value)
        Q_EMIT changed(QString(control.name), value);
    return true;
}

bool LessonPresenter::focusNextPrevChild(bool next)
{
    if (m_controls.isEmpty())
        return QWidget::focusNextPrevChild(next);
    m_control = (m_control + (next ? 1 : m_controls.size() - 1)) % m_controls.size();
    update();
    return true;
}

void LessonPresenter::keyPressEvent(QKeyEvent* event)
{
    switch (event->key())
    {
    case Qt::Key_Down:
        if (step(-1))
            return;
        [[fallthrough]];
    case Qt::Key_PageDown:
    case Qt::Key_Right:
        return Q_EMIT nextAsked();
    case Qt::Key_Up:
        if (step(1))
            return;
        [[fallthrough]];
    case Qt::Key_PageUp:
    case Qt::Key_Left:
        return Q_EMIT backAsked();
    case Qt::Key_Space:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return Q_EMIT answerAsked();
    case Qt::Key_D:
        m_theme = m_theme == viz::InkTheme::Light ? viz::InkTheme::Dark : viz::InkTheme::Light;
        return arrange();
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
    if (event->button() != Qt::LeftButton)
        return;
    const QList<QRectF> boxes = controlBoxes(m_places);
    for (qsizetype i = 0; i < boxes.size(); ++i)
        if (boxes[i].contains(event->position()))
        {
            m_control = i;
            update();
            step(event->position().x() < boxes[i].center().x() ? -1 : 1);
            return;
        }
    if (!m_view.isNull() && m_places.picture.contains(event->position()))
        return; // it only looks alive
    Q_EMIT nextAsked();
}

void LessonPresenter::closeEvent(QCloseEvent* event)
{
    QWidget::closeEvent(event);
    Q_EMIT left();
}

} // namespace headscope::ui
