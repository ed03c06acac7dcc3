// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lesson/lesson_presenter.h"

#include "ui/canvas/canvas_summary.h"
#include "ui/theme/theme.h"
#include "viz/axis/figure_texts.h"
#include "viz/axis/text.h"
#include "viz/color/inks.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <variant>

namespace headscope::ui
{
namespace
{

constexpr std::array kTextShares = {0.34, 0.29, 0.25}; ///< of the width, for the texts
constexpr double kLinesHigh = 36; ///< of text that a screen is high; larger letters gain nothing
constexpr double kLargestText = 34;
constexpr double kMinText = 14;    ///< on the smallest screens; also of the foot
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
    setMouseTracking(true); // the pointer says where a click does something
    m_theme = Theme::instance().vizTheme();
    setCanvasSummary(this, [this] {
        QStringList parts{m_place,   m_page.title,    m_page.text,  viz::lessonPictureWords(m_picture),
                          tryText(), m_page.question, optionsText()};
        for (qsizetype i = 0; i < m_controls.size(); ++i)
            parts << controlText(i);
        if (m_answer)
            parts << m_page.answer;
        parts << m_waiting;
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

void LessonPresenter::expectView(bool expected)
{
    m_view = {};
    m_hasView = expected;
    arrange();
}

void LessonPresenter::setView(const QImage& view)
{
    m_view = view;
    update();
}

void LessonPresenter::setWaiting(const QString& job)
{
    if (std::exchange(m_waiting, job) == job)
        return;
    noteCanvasChanged(this);
    update();
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
    if (m_hasView)
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
    {
        const QString line = QStringLiteral("%1  %2").arg(QChar(u'A' + static_cast<char16_t>(i)), m_page.options[i]);
        lines << (i == m_page.guess ? QStringLiteral("**%1**").arg(line) : line); // what was guessed
    }
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
    double textPx = std::floor(std::clamp(height() / kLinesHigh, kMinText, kLargestText));
    while (textPx > kMinText && textsHeight(places.texts.width(), textPx) > places.texts.height())
        --textPx;
    places.textPx = textPx;
}

void LessonPresenter::fitPicture(Places& places) const
{
    // Second lines of a picture are smaller than its text; they too are to be read from the last row.
    double captionPx = places.textPx;
    while (captionPx > kMinText &&
           !pictureFits(places.picture, pictureStyle(captionPx / viz::kSmallTimes, captionPx)))
        --captionPx;
    // Where even that is too large, nothing is cut nonetheless.
    double pictureTextPx = kMostTimes * places.textPx;
    while (pictureTextPx > kLeastPicture && !pictureFits(places.picture, pictureStyle(pictureTextPx, captionPx)))
        --pictureTextPx;
    places.style = pictureStyle(pictureTextPx, captionPx);
}

double LessonPresenter::readable(const Places& places)
{
    return places.picture.isEmpty() ? places.textPx
                                    : std::min(places.textPx, places.style.textPx * viz::kSmallTimes);
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
    // A picture with columns of words gets more of the width where that makes the smaller letters of both larger.
    const QSizeF before = m_places.picture.size();
    m_places = placesWith(kTextShares.front());
    for (const double share : kTextShares)
        if (const Places places = placesWith(share); !m_hasView && readable(places) > readable(m_places) + 0.5)
            m_places = places;
    update();
    if (m_hasView && m_places.picture.size() != before)
        Q_EMIT viewRoomChanged();
}

LessonPresenter::Places LessonPresenter::placesWith(double textShare) const
{
    const double edge = std::max(16.0, height() * 0.05);
    const QRectF whole = QRectF(rect()).adjusted(edge, edge, -edge, -edge);
    const bool hasPicture = m_picture.drawn() || !m_picture.note.isEmpty() || m_hasView;
    const double texts = whole.width() * (hasPicture ? textShare : 0.7);
    Places places;
    places.texts = {whole.right() - texts, whole.top(), texts, whole.height() - edge};
    if (!hasPicture)
        places.texts.translate(-(whole.width() - texts) / 2, 0);
    else
        places.picture = {whole.left(), whole.top(), whole.width() - texts - 1.4 * edge, whole.height() - 1.1 * edge};
    fitText(places);
    if (hasPicture)
        fitPicture(places);
    const double line = viz::lineHeight(footFont(places)) + kFootPad;
    places.foot = {whole.left(), height() - edge * 0.5 - line, whole.width(), line};
    return places;
}

QFont LessonPresenter::footFont(const Places& places) const
{
    return viz::textFont(std::max(kMinText, places.textPx * 0.6));
}

double LessonPresenter::footPx() const
{
    return footFont(m_places).pixelSize();
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

QString LessonPresenter::hintText(double width, const QFont& font) const
{
    QStringList parts{m_place, tr("Page Down: next step")};
    if (!m_answer)
        parts << tr("Space: show answer");
    parts << (m_hasView ? tr("Esc: try it in the window") : tr("Esc: back to the window"));
    if (m_controls.size() > 1)
        parts << tr("Tab: next control");
    parts << (m_theme == viz::InkTheme::Light ? tr("D: dark") : tr("D: light"));
    const auto text = [&parts] { return parts.join(QStringLiteral(" · ")); };
    while (parts.size() > 1 && viz::textWidth(text(), font) > width) // what is needed least is last
        parts.removeLast();
    return text();
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
    const double width = places.foot.right() - left;
    viz::drawLine(painter, {left, places.foot.top(), width, places.foot.height()}, hintText(width, font), font,
                  ink.secondary, Qt::AlignRight | Qt::AlignVCenter);
}

void LessonPresenter::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), viz::inks(m_theme).background);
    paintTexts(painter, m_places.texts, m_places.textPx);
    if (m_hasView)
        paintView(painter, m_places.picture);
    else if (!m_places.picture.isEmpty())
        viz::paintLessonPicture(painter, m_picture, m_places.picture, m_places.style);
    paintFoot(painter, m_places);
}

void LessonPresenter::paintView(QPainter& painter, const QRectF& box)
{
    if (!m_view.isNull())
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
    if (!m_waiting.isEmpty())
        paintWaiting(painter, box);
}

void LessonPresenter::paintWaiting(QPainter& painter, const QRectF& box)
{
    const viz::Inks& ink = viz::inks(m_theme);
    const QFont font = viz::textFont(m_places.textPx, QFont::DemiBold);
    const double width = std::min(box.width(), viz::textWidth(m_waiting, font) + 4 * kFootPad);
    const double high = viz::lineHeight(font) + 2 * kFootPad;
    const QRectF place(box.center().x() - width / 2, box.bottom() - high - kFootPad, width, high);
    painter.setPen(QPen(ink.accent, 2));
    painter.setBrush(ink.background);
    painter.drawRoundedRect(place, 4, 4);
    viz::drawLine(painter, place, m_waiting, font, ink.ink, Qt::AlignCenter);
}

std::optional<std::int64_t> LessonPresenter::groupAt(QPointF place) const
{
    const auto* wiring = std::get_if<viz::HeadWiring>(&m_picture.content);
    if (m_hasView || wiring == nullptr)
        return std::nullopt;
    return viz::wiringGroupAt(*wiring, viz::lessonDrawingBox(m_picture, m_places.picture, m_places.style),
                              m_places.style, place);
}

} // namespace headscope::ui
