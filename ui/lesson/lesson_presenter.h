// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lesson/lesson_page.h"

#include <QImage>
#include <QWidget>

#include <optional>

namespace headscope::ui
{

/// A step before a class: its picture and text on the whole screen, in large letters, light or dark. Page Up, Page
/// Down, Left and Right go from step to step; Up and Down change the control of the picture that is in front, Tab takes
/// the next one (a click on a control does both); a click on a head of a drawing that heads can be clicked in highlights
/// its KV group, and a click on the text goes to the next step; Space shows the answer, D changes light and dark, Escape
/// goes back to the window.
class LessonPresenter : public QWidget
{
    Q_OBJECT

public:
    explicit LessonPresenter(QWidget* parent);

    void setPage(const LessonPage& page, const viz::LessonPicture& picture, const QString& place);
    void setPicture(const viz::LessonPicture& picture);
    /// Whether the step is about a view, in place of a picture: it gets its room, and setView() follows.
    void expectView(bool expected);
    /// That view: its figure in the room that it has, or what the window shows in its place.
    void setView(const QImage& view);
    [[nodiscard]] const QImage& shownView() const { return m_view; }
    [[nodiscard]] QRectF viewRoom() const { return m_places.picture; }
    /// Its text is as large as that of the step.
    [[nodiscard]] viz::LessonStyle viewStyle() const { return {m_theme, m_places.textPx}; }
    /// What is still being measured of what the text speaks of; "": nothing.
    void setWaiting(const QString& job);
    [[nodiscard]] const QString& waiting() const { return m_waiting; }
    /// What the picture lets its readers change; buttons are left to the window.
    void setControls(const QList<LessonControl>& controls);
    void setAnswerShown(bool shown);
    /// Whether all texts fit into their column at the size in which they are painted.
    [[nodiscard]] bool textsFit() const;
    /// Whether the picture fits its box without a line that is cut.
    [[nodiscard]] bool pictureFits() const;
    /// The height of the text beside the picture, and of the text in it.
    [[nodiscard]] double textPx() const { return m_places.textPx; }
    [[nodiscard]] const viz::LessonStyle& pictureStyle() const { return m_places.style; }
    /// The height of controls and hints along the foot.
    [[nodiscard]] double footPx() const;
    [[nodiscard]] QRectF pictureRoom() const { return m_places.picture; }
    [[nodiscard]] bool answerShown() const { return m_answer; }
    [[nodiscard]] viz::InkTheme look() const { return m_theme; }
    [[nodiscard]] const QList<LessonControl>& controls() const { return m_controls; }

Q_SIGNALS:
    void nextAsked();
    void backAsked();
    void answerAsked();
    void changed(const QString& control, int value);
    /// A view is to be painted in another size.
    void viewRoomChanged();
    /// Closed by its keys, or by the desktop.
    void left();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    void closeEvent(QCloseEvent* event) override;

private:
    /// Where things go.
    struct Places
    {
        QRectF picture;
        QRectF texts;
        QRectF foot; ///< controls and hints
        double textPx = 0;
        viz::LessonStyle style; ///< of the picture
    };
    /// Finds where things go, and how large they are.
    void arrange();
    [[nodiscard]] Places placesWith(double textShare) const;
    /// The largest sizes at which texts and picture fit, each by itself: a full picture makes no letters of the text
    /// smaller.
    void fitText(Places& places) const;
    void fitPicture(Places& places) const;
    /// How well a class reads both: the smaller of the two.
    [[nodiscard]] static double readable(const Places& places);
    [[nodiscard]] viz::LessonStyle pictureStyle(double textPx, double bodyPx) const;
    [[nodiscard]] bool pictureFits(const QRectF& box, const viz::LessonStyle& style) const;
    [[nodiscard]] QFont footFont(const Places& places) const;
    [[nodiscard]] QString controlText(qsizetype control) const;
    /// One box a control, along the foot.
    [[nodiscard]] QList<QRectF> controlBoxes(const Places& places) const;
    /// As many of the hints as fit.
    [[nodiscard]] QString hintText(double width, const QFont& font) const;
    [[nodiscard]] QString tryText() const;
    void paintFoot(QPainter& painter, const Places& places);
    void paintView(QPainter& painter, const QRectF& box);
    void paintWaiting(QPainter& painter, const QRectF& box);
    /// The KV group of a drawing under a place of the window, from 0.
    [[nodiscard]] std::optional<std::int64_t> groupAt(QPointF place) const;
    /// Whether there is a control, and it was changed or is at its end.
    bool step(int by);
    void paintTexts(QPainter& painter, const QRectF& box, double textPx);
    /// The options of the question in one text; "": there are none.
    [[nodiscard]] QString optionsText() const;
    /// How high the texts are at a size.
    [[nodiscard]] double textsHeight(double width, double textPx) const;

    LessonPage m_page;
    viz::LessonPicture m_picture;
    QImage m_view;
    QString m_waiting;
    bool m_hasView = false;
    Places m_places;
    QList<LessonControl> m_controls; ///< those with options
    qsizetype m_control = 0;         ///< that Up and Down change
    QString m_place;                 ///< "3 of 9"
    viz::InkTheme m_theme = viz::InkTheme::Light;
    bool m_answer = false;
};

} // namespace headscope::ui
