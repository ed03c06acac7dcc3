// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lesson/lesson_picture_page.h"

#include "ui/canvas/canvas_summary.h"
#include "ui/theme/theme.h"
#include "ui/view/view_pages.h"
#include "ui/widgets/widgets.h"
#include "ui/widgets/wrap_row.h"

#include <QComboBox>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kSliderWidth = 200;
constexpr int kFieldWidth = 500; ///< of a sentence of a dozen words

QString nameOf(const LessonControl& control)
{
    return QStringLiteral("lesson_") % control.name;
}

/// Larger text where there is much room: a class may look from far away.
viz::LessonStyle styleFor(const QSize& size)
{
    constexpr double kUsual = 700;
    const double room = std::min(size.width(), size.height() * 3 / 2);
    return {Theme::instance().vizTheme(), std::clamp(13.0 * room / kUsual, 12.0, 16.0)};
}

} // namespace

LessonCanvas::LessonCanvas(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("lessonCanvas"));
    setAccessibleName(tr("Drawing of the step"));
    setMinimumSize(320, 200);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setCanvasSummary(this, [this] { return viz::lessonPictureWords(m_picture); });
    onThemeChange(this, [this] { update(); });
    constexpr int kMoveMs = 450;
    m_move.setStartValue(0.0);
    m_move.setEndValue(1.0);
    m_move.setDuration(kMoveMs);
    m_move.setEasingCurve(QEasingCurve::InOutCubic);
    connect(&m_move, &QVariantAnimation::valueChanged, this, [this](const QVariant& share) {
        if (auto* wiring = std::get_if<viz::HeadWiring>(&m_picture.content))
            wiring->share = share.toDouble();
        update();
    });
}

bool LessonCanvas::animates() const
{
    return isVisible() && style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this) > 0;
}

void LessonCanvas::setPicture(viz::LessonPicture picture)
{
    const auto* before = std::get_if<viz::HeadWiring>(&m_picture.content);
    const std::int64_t from = before == nullptr ? 0 : before->model.kvHeads;
    const std::int64_t heads = before == nullptr ? 0 : before->model.heads;
    m_move.stop();
    m_picture = std::move(picture);
    if (auto* wiring = std::get_if<viz::HeadWiring>(&m_picture.content);
        wiring != nullptr && wiring->model.heads == heads && from > 0 && wiring->model.kvHeads != from && animates())
    {
        wiring->fromKvHeads = from;
        m_move.start();
    }
    setCursor(std::holds_alternative<viz::HeadWiring>(m_picture.content) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    noteCanvasChanged(this);
    update();
}

QRectF LessonCanvas::room() const
{
    return QRectF(rect()).adjusted(Metrics::kGroups + Metrics::kGrid, Metrics::kGroups,
                                   -Metrics::kGroups - Metrics::kGrid, -Metrics::kPanel);
}

void LessonCanvas::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), Theme::instance().colors().canvas);
    viz::paintLessonPicture(painter, m_picture, room(), styleFor(size()));
}

void LessonCanvas::mousePressEvent(QMouseEvent* event)
{
    const auto* wiring = std::get_if<viz::HeadWiring>(&m_picture.content);
    if (wiring == nullptr || event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    const viz::LessonStyle style = styleFor(size());
    if (const auto group =
            viz::wiringGroupAt(*wiring, viz::lessonDrawingBox(m_picture, room(), style), style, event->position()))
        Q_EMIT groupClicked(*group);
}

LessonPicturePage::LessonPicturePage(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("lessonPicturePage"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_canvas = new LessonCanvas(this);
    column->addWidget(m_canvas, 1);
    m_bar = makeViewBar(this, &m_row);
    column->addWidget(m_bar);
    m_busy = makeMutedLabel({}, m_bar);
    m_busy->setObjectName(QStringLiteral("lessonBusy"));
    m_busy->hide();
    m_bar->hide();
    connect(m_canvas, &LessonCanvas::groupClicked, this,
            [this](std::int64_t group) { Q_EMIT changed(QStringLiteral("group"), static_cast<int>(group) + 1); });
}

void LessonPicturePage::setPicture(viz::LessonPicture picture)
{
    m_canvas->setPicture(std::move(picture));
}

void LessonPicturePage::setControls(const QList<LessonControl>& controls)
{
    const bool same = std::equal(controls.begin(), controls.end(), m_controls.begin(), m_controls.end(),
                                 [](const LessonControl& a, const LessonControl& b) {
                                     return a.name == b.name && a.title == b.title && a.options == b.options &&
                                            a.slider == b.slider && a.field == b.field;
                                 });
    m_controls = controls;
    if (!same)
        build(controls);
    show(controls);
    m_bar->setVisible(!controls.isEmpty() || !m_busy->text().isEmpty());
}

void LessonPicturePage::setBusy(const QString& doing)
{
    m_busy->setText(doing);
    m_busy->setVisible(!doing.isEmpty());
    m_bar->setVisible(!m_controls.isEmpty() || !doing.isEmpty());
}

void LessonPicturePage::build(const QList<LessonControl>& controls)
{
    clearLayout(*m_row, m_busy);
    for (const LessonControl& control : controls)
    {
        QWidget* made = makeControl(control);
        m_row->addWidget(made);
        made->show(); // at once, as the ones before were
    }
    m_row->addStretch(1);
    m_row->addWidget(m_busy);
}

QWidget* LessonPicturePage::makeControl(const LessonControl& control)
{
    if (control.field)
        return makeField(control);
    if (control.slider && !control.options.isEmpty())
        return makeSlider(control);
    if (control.options.isEmpty())
    {
        auto* button = new QPushButton(control.title, m_bar);
        button->setObjectName(nameOf(control));
        connect(button, &QPushButton::clicked, this, [this, name = control.name] { Q_EMIT changed(name, 0); });
        return button;
    }
    auto* whole = new QWidget(m_bar);
    auto* row = new QHBoxLayout(whole);
    row->setContentsMargins(0, 0, Metrics::kRelated, 0);
    row->setSpacing(Metrics::kRelated);
    auto* title = makeMutedLabel(control.title, whole);
    row->addWidget(title);
    auto* box = new QComboBox(whole);
    box->setObjectName(nameOf(control));
    box->setAccessibleName(control.title);
    box->addItems(control.options);
    title->setBuddy(box);
    row->addWidget(box);
    connect(box, &QComboBox::currentIndexChanged, this,
            [this, name = control.name](int value) { Q_EMIT changed(name, value); });
    return whole;
}

QWidget* LessonPicturePage::makeField(const LessonControl& control)
{
    auto* whole = new QWidget(m_bar);
    auto* row = new QHBoxLayout(whole);
    row->setContentsMargins(0, 0, Metrics::kRelated, 0);
    row->setSpacing(Metrics::kRelated);
    auto* title = makeMutedLabel(control.title, whole);
    auto* field = new QLineEdit(control.text, whole);
    field->setObjectName(nameOf(control));
    field->setAccessibleName(control.title);
    field->setMinimumWidth(kFieldWidth);
    field->setCursorPosition(0); // a longer one is read from its beginning
    field->setToolTip(tr("Type a sentence and press Return. The model runs on it."));
    title->setBuddy(field);
    row->addWidget(title);
    row->addWidget(field);
    connect(field, &QLineEdit::returnPressed, this,
            [this, field, name = control.name] { Q_EMIT typed(name, field->text()); });
    return whole;
}

QWidget* LessonPicturePage::makeSlider(const LessonControl& control)
{
    auto* whole = new QWidget(m_bar);
    auto* row = new QHBoxLayout(whole);
    row->setContentsMargins(0, 0, Metrics::kRelated, 0);
    row->setSpacing(Metrics::kRelated);
    auto* title = makeMutedLabel(control.title, whole);
    row->addWidget(title);
    auto* slider = new QSlider(Qt::Horizontal, whole);
    slider->setObjectName(nameOf(control));
    slider->setAccessibleName(control.title);
    slider->setRange(0, std::max(0, static_cast<int>(control.options.size()) - 1));
    slider->setPageStep(1);
    slider->setFixedWidth(kSliderWidth);
    title->setBuddy(slider);
    auto* value = new QLabel(whole);
    value->setObjectName(nameOf(control) % QStringLiteral("_value"));
    int widest = 0;
    for (const QString& option : control.options)
        widest = std::max(widest, value->fontMetrics().horizontalAdvance(option));
    value->setMinimumWidth(widest + 2);
    row->addWidget(slider);
    row->addWidget(value);
    connect(slider, &QSlider::valueChanged, this,
            [this, name = control.name](int place) { Q_EMIT changed(name, place); });
    return whole;
}

void LessonPicturePage::show(const QList<LessonControl>& controls)
{
    for (const LessonControl& control : controls)
    {
        if (auto* box = m_bar->findChild<QComboBox*>(nameOf(control)))
        {
            const QSignalBlocker quiet(box);
            box->setCurrentIndex(control.value);
        }
        if (auto* field = m_bar->findChild<QLineEdit*>(nameOf(control)); field != nullptr && !field->hasFocus())
        {
            field->setText(control.text);
            field->setCursorPosition(0);
        }
        if (auto* slider = m_bar->findChild<QSlider*>(nameOf(control)))
        {
            const QSignalBlocker quiet(slider);
            slider->setValue(control.value);
        }
        if (auto* value = m_bar->findChild<QLabel*>(nameOf(control) % QStringLiteral("_value")))
            value->setText(control.options.value(control.value));
    }
}

} // namespace headscope::ui
