// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lesson/lesson_list.h"

#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>

namespace headscope::ui
{
namespace
{

constexpr int kColumnWidth = 640;
constexpr int kTitlePx = 22;

QLabel* makePlain(const QString& text, const QFont& font, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setFont(font);
    label->setWordWrap(true);
    return label;
}

} // namespace

LessonList::LessonList(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("canvas"));
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(tr("Lessons"));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* area = new QScrollArea(this);
    m_scroll = area;
    area->setObjectName(QStringLiteral("lessonListScroll"));
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setFocusPolicy(Qt::NoFocus);
    outer->addWidget(area);
    auto* page = new QWidget(area);
    page->setObjectName(QStringLiteral("canvas"));
    page->setAttribute(Qt::WA_StyledBackground);
    area->setWidget(page);
    auto* centring = new QHBoxLayout(page);
    centring->setContentsMargins(Metrics::kGroups, Metrics::kGroups, Metrics::kGroups, Metrics::kGroups);
    m_column = new QWidget(page);
    m_column->setMaximumWidth(kColumnWidth);
    centring->addStretch(1);
    centring->addWidget(m_column, 100);
    centring->addStretch(1);
    auto* column = new QVBoxLayout(m_column);
    column->setSpacing(Metrics::kPanel);
    column->addStretch(1);
    QFont font = Theme::bodyFont(true);
    font.setPixelSize(kTitlePx);
    column->addWidget(makePlain(tr("Lessons"), font, m_column));
    auto* what =
        makeMutedLabel(tr("Guided lessons for a class or for self-study. Each step has something to try and a question "
                          "with a scored guess. At the end, the window returns to its previous state."),
                       m_column);
    what->setWordWrap(true);
    column->addWidget(what);
    m_entries = new QVBoxLayout;
    m_entries->setSpacing(Metrics::kPanel);
    column->addLayout(m_entries);
    m_faults = makePlain({}, Theme::smallFont(), m_column);
    m_faults->setObjectName(QStringLiteral("lessonFaults"));
    m_faults->setProperty("role", QStringLiteral("warning"));
    m_faults->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_faults);
    m_own = makePlain({}, Theme::smallFont(), m_column);
    m_own->setProperty("role", QStringLiteral("muted"));
    m_own->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_own);
    auto* back = new QPushButton(tr("Close"), m_column);
    back->setObjectName(QStringLiteral("lessonListClose"));
    back->setToolTip(tr("Back to the window (Esc)"));
    auto* row = new QHBoxLayout;
    row->addWidget(back);
    row->addStretch(1);
    column->addLayout(row);
    column->addStretch(2);
    connect(back, &QPushButton::clicked, this, &LessonList::leftAsked);
}

QWidget* LessonList::makeEntry(const LessonEntry& lesson)
{
    QVBoxLayout* inside = nullptr;
    QFrame* card = makeCard(m_column, &inside);
    inside->setSpacing(Metrics::kGrid);
    inside->addWidget(makePlain(lesson.title, Theme::bodyFont(true), card));
    auto* line = makePlain(lesson.line, Theme::smallFont(), card);
    line->setProperty("role", QStringLiteral("muted"));
    inside->addWidget(line);
    inside->addWidget(makePlain(lesson.summary, Theme::bodyFont(), card));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, Metrics::kGrid, 0, 0);
    const auto add = [&](const QString& text, const char* name, int step) {
        auto* button = new QPushButton(text, card);
        button->setObjectName(QLatin1StringView(name) % lesson.key);
        button->setAccessibleName(tr("%1: %2").arg(text, lesson.title));
        row->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, key = lesson.key, step] { Q_EMIT chosen(key, step); });
    };
    if (lesson.step > 0)
        add(tr("Continue at step %1").arg(lesson.step + 1), "lessonGoOn_", lesson.step);
    add(lesson.step > 0 ? tr("Start over") : tr("Start"), "lessonBegin_", 0);
    row->addStretch(1);
    inside->addLayout(row);
    return card;
}

void LessonList::setLessons(const QList<LessonEntry>& lessons, const QList<LessonFault>& faults, const QString& folder)
{
    clearLayout(*m_entries);
    for (const LessonEntry& lesson : lessons)
        m_entries->addWidget(makeEntry(lesson));
    QStringList sentences;
    for (const LessonFault& fault : faults)
        sentences << fault.sentence;
    m_faults->setText(sentences.join(u'\n'));
    m_faults->setVisible(!sentences.isEmpty());
    m_own->setText(tr("Your own lessons and translations are read from %1. The README in the program’s lessons folder "
                      "describes the format.")
                       .arg(folder));
    if (lessons.isEmpty())
        return;
    const QString key = lessons.front().key;
    auto* goOn = m_column->findChild<QPushButton*>(QStringLiteral("lessonGoOn_") % key);
    setFocusProxy(goOn != nullptr ? goOn : m_column->findChild<QPushButton*>(QStringLiteral("lessonBegin_") % key));
}

void LessonList::showFromTheTop()
{
    m_scroll->verticalScrollBar()->setValue(0);
    // A focused button that has no place yet scrolls to where it was once it has one.
    QTimer::singleShot(0, m_scroll, [this] { m_scroll->verticalScrollBar()->setValue(0); });
}

void LessonList::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    showFromTheTop();
}

void LessonList::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        return Q_EMIT leftAsked();
    QWidget::keyPressEvent(event);
}

} // namespace headscope::ui
