// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lesson/lesson_column.h"

#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

namespace headscope::ui
{
namespace
{

constexpr int kWidth = 348;
constexpr int kMinWidth = 288; ///< beside a view in a small window
constexpr int kTitlePx = 18;
constexpr int kTextPx = 14;

QFont readingFont(int pixels, bool bold)
{
    QFont font = Theme::bodyFont(bold);
    font.setPixelSize(pixels);
    return font;
}

/// Terms in asterisks are bold; all else of the text is plain.
QString markedText(const QString& text)
{
    QStringList parts = text.split(QStringLiteral("**"));
    for (qsizetype i = 0; i < parts.size(); ++i)
    {
        const QString plain = parts[i].toHtmlEscaped();
        parts[i] = i % 2 == 1 ? QStringLiteral("<b>%1</b>").arg(plain) : plain;
    }
    return parts.join(QString());
}

QLabel* makeReading(const char* name, int pixels, bool bold, QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setObjectName(QLatin1StringView(name));
    label->setTextFormat(Qt::PlainText);
    label->setFont(readingFont(pixels, bold));
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

LessonColumn::LessonColumn(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("lessonColumn"));
    setAccessibleName(tr("Lesson"));
    setMinimumWidth(kMinWidth);
    setMaximumWidth(kWidth);
    auto* outer = new QHBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    auto* edge = new QFrame(this);
    edge->setFixedWidth(1);
    onThemeChange(edge, [edge] {
        edge->setStyleSheet(QStringLiteral("background: %1").arg(Theme::instance().colors().hairline.name()));
    });
    outer->addWidget(edge);
    auto* column = new QVBoxLayout;
    column->setContentsMargins(Metrics::kGroups, Metrics::kPanel, Metrics::kGroups, Metrics::kPanel);
    column->setSpacing(Metrics::kRelated);
    outer->addLayout(column, 1);
    buildHead();
    auto* area = new QScrollArea(this);
    m_scroll = area;
    area->setObjectName(QStringLiteral("lessonScroll"));
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    area->viewport()->setAutoFillBackground(false);
    auto* body = new QWidget(area);
    buildBody(body);
    area->setWidget(body);
    body->setAutoFillBackground(false);
    column->addWidget(area, 1);
    buildFoot();
}

QToolButton* LessonColumn::addTool(const char* name, const QString& text, const QString& tip)
{
    auto* button = new QToolButton(this);
    button->setObjectName(QLatin1StringView(name));
    button->setText(text);
    button->setToolTip(tip);
    button->setAccessibleName(text);
    button->setProperty("flat", true);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

void LessonColumn::buildHead()
{
    auto* column = static_cast<QVBoxLayout*>(layout()->itemAt(1)->layout());
    auto* row = new QHBoxLayout;
    row->setSpacing(Metrics::kGrid);
    m_lesson = makeMutedLabel({}, this);
    m_lesson->setWordWrap(true);
    row->addWidget(m_lesson, 1);
    QToolButton* end = addTool("lessonEnd", tr("End lesson"), tr("End the lesson and restore the window (Esc)"));
    end->setAccessibleName(tr("End the lesson"));
    row->addWidget(end, 0, Qt::AlignTop);
    column->addLayout(row);
    m_progress = new QProgressBar(this);
    m_progress->setObjectName(QStringLiteral("lessonProgress"));
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Steps"));
    column->addWidget(m_progress);
    auto* second = new QHBoxLayout;
    second->setSpacing(Metrics::kRelated);
    m_list = addTool("lessonSteps", {}, tr("All steps"));
    m_list->setPopupMode(QToolButton::InstantPopup);
    m_menu = new QMenu(m_list);
    m_list->setMenu(m_menu);
    m_list->setStyleSheet(QStringLiteral("padding-right: 16px")); // of the arrow
    second->addWidget(m_list);
    second->addStretch(1);
    QToolButton* present = addTool("lessonPresent", tr("Start presentation"), tr("Show the step in full screen (F5)"));
    QToolButton* handout =
        addTool("lessonHandout", tr("Handout…"), tr("Save the lesson as a PDF, with answers on the last page"));
    second->addWidget(present);
    second->addWidget(handout);
    column->addLayout(second);
    connect(end, &QToolButton::clicked, this, &LessonColumn::endAsked);
    connect(present, &QToolButton::clicked, this, &LessonColumn::presentAsked);
    connect(handout, &QToolButton::clicked, this, &LessonColumn::handoutAsked);
}

void LessonColumn::buildBody(QWidget* body)
{
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, Metrics::kRelated, Metrics::kGrid, 0);
    column->setSpacing(Metrics::kRelated);
    m_title = makeReading("lessonTitle", kTitlePx, true, body);
    m_text = makeReading("lessonText", kTextPx, false, body);
    m_text->setTextFormat(Qt::RichText);
    column->addWidget(m_title);
    column->addWidget(m_text);
    m_choice = new QWidget(body);
    auto* choice = new QHBoxLayout(m_choice);
    choice->setContentsMargins(0, Metrics::kGrid, 0, 0);
    choice->setSpacing(Metrics::kGrid);
    m_picture = addTool("lessonPicture", tr("Picture"), tr("Show the drawing of this step"));
    m_live = addTool("lessonLive", {}, tr("Show the view of this step with the open cache"));
    for (QToolButton* each : {m_picture, m_live})
    {
        each->setProperty("flat", QVariant());
        each->setProperty("boxed", true);
        each->setCheckable(true);
        choice->addWidget(each);
    }
    choice->addStretch(1);
    column->addWidget(m_choice);
    m_problem = makeReading("lessonProblem", Theme::smallFont().pixelSize(), false, body);
    m_problem->setProperty("role", QStringLiteral("warning"));
    m_problem->hide();
    column->addWidget(m_problem);
    m_waiting = makeReading("lessonWaiting", kTextPx, true, body);
    m_waiting->hide();
    column->addWidget(m_waiting);
    column->addSpacing(Metrics::kRelated);
    column->addWidget(makeSectionLabel(tr("Try"), body));
    m_attempt = makeReading("lessonTry", kTextPx, false, body);
    column->addWidget(m_attempt);
    column->addSpacing(Metrics::kRelated);
    column->addWidget(makeSectionLabel(tr("Question"), body));
    m_question = makeReading("lessonQuestion", kTextPx, false, body);
    column->addWidget(m_question);
    m_options = new QVBoxLayout;
    m_options->setSpacing(Metrics::kGrid);
    column->addLayout(m_options);
    m_outcome = makeReading("lessonOutcome", kTextPx, true, body);
    m_outcome->hide();
    column->addWidget(m_outcome);
    m_answer = makeReading("lessonAnswer", kTextPx, false, body);
    m_answer->setTextFormat(Qt::RichText);
    m_answer->hide();
    column->addWidget(m_answer);
    column->addStretch(1);
    connect(m_picture, &QToolButton::clicked, this, [this] { Q_EMIT liveAsked(false); });
    connect(m_live, &QToolButton::clicked, this, [this] { Q_EMIT liveAsked(true); });
}

void LessonColumn::buildFoot()
{
    auto* column = static_cast<QVBoxLayout*>(layout()->itemAt(1)->layout());
    // Below what scrolls: it is there however long the text is.
    m_reveal = new QPushButton(tr("Show answer"), this);
    m_reveal->setObjectName(QStringLiteral("lessonReveal"));
    column->addWidget(m_reveal);
    connect(m_reveal, &QPushButton::clicked, this, &LessonColumn::showAnswer);
    auto* row = new QHBoxLayout;
    row->setSpacing(Metrics::kRelated);
    m_back = new QPushButton(tr("Back"), this);
    m_back->setObjectName(QStringLiteral("lessonBack"));
    m_back->setToolTip(tr("Previous step (Page Up)"));
    m_next = new QPushButton(tr("Next"), this);
    m_next->setObjectName(QStringLiteral("lessonNext"));
    m_next->setDefault(true);
    row->addWidget(m_back, 1);
    row->addWidget(m_next, 2);
    column->addLayout(row);
    setFocusProxy(m_next);
    connect(m_back, &QPushButton::clicked, this, &LessonColumn::backAsked);
    connect(m_next, &QPushButton::clicked, this, &LessonColumn::nextAsked);
}

void LessonColumn::setLesson(const QString& title, const QStringList& steps)
{
    m_lesson->setText(title);
    m_steps = steps;
    m_menu->clear();
    for (int i = 0; i < steps.size(); ++i)
        m_menu->addAction(tr("%1  %2").arg(i + 1).arg(steps[i]), this, [this, i] { Q_EMIT stepAsked(i); });
    m_progress->setRange(0, static_cast<int>(steps.size()));
}

void LessonColumn::setPage(const LessonPage& page, int step, bool live)
{
    const bool another = step != m_step || page.title != m_page.title;
    m_page = page;
    m_step = step;
    m_list->setText(tr("%1 of %2").arg(step + 1).arg(m_steps.size()));
    m_list->setAccessibleName(tr("Step %1 of %2").arg(step + 1).arg(m_steps.size()));
    m_progress->setValue(step + 1);
    m_title->setText(page.title);
    m_text->setText(markedText(page.text));
    m_attempt->setText(page.attempt);
    m_question->setText(page.question);
    m_answer->setText(markedText(page.answer));
    showOptions();
    if (another)
    {
        m_answer->hide();
        m_reveal->show();
        setProblem({});
        m_scroll->verticalScrollBar()->setValue(0);
        // Not onto a slider of the next picture, whose keys would be the slider's.
        if (const QWidget* focus = window()->focusWidget(); focus == nullptr || !isAncestorOf(focus))
            m_reveal->setFocus();
    }
    m_choice->setVisible(!page.view.isEmpty() && page.picture);
    m_live->setText(tr("%1 view").arg(page.view));
    setLive(live);
    m_back->setEnabled(step > 0);
    const bool last = step + 1 == m_steps.size();
    m_next->setText(last ? tr("End lesson") : tr("Next"));
    m_next->setToolTip(last ? tr("End the lesson and restore the window") : tr("Next step (Page Down)"));
    setAccessibleDescription(tr("Step %1 of %2: %3").arg(step + 1).arg(m_steps.size()).arg(page.title));
}

void LessonColumn::showOptions()
{
    clearLayout(*m_options);
    const bool guessed = m_page.guess >= 0;
    QWidget* before = m_live; // in the tab order
    for (int i = 0; i < m_page.options.size(); ++i)
    {
        auto* option = new QPushButton(m_page.options[i], m_question->parentWidget());
        option->setObjectName(QStringLiteral("lessonOption_%1").arg(i + 1));
        option->setEnabled(!guessed);
        option->setCheckable(guessed);
        option->setChecked(i == m_page.guess);
        option->setToolTip(i == m_page.guess ? tr("Your guess") : tr("Guess this answer. The first guess counts."));
        m_options->addWidget(option, 0, Qt::AlignLeft);
        option->show();
        setTabOrder(before, option);
        before = option;
        connect(option, &QPushButton::clicked, this, [this, i] { Q_EMIT this->guessed(i); });
    }
    setTabOrder(before, m_reveal);
    const QString outcome = m_page.guess == m_page.right
                                ? tr("Correct.")
                                : tr("Not correct. Answer: %1.").arg(m_page.options.value(m_page.right));
    const QString scored = m_page.readFirst ? tr("%1 Not scored, because the answer had been shown.").arg(outcome)
                                            : tr("%1 Score: %2.").arg(outcome, m_page.score);
    m_outcome->setText(guessed ? scored : QString());
    m_outcome->setVisible(guessed);
}

void LessonColumn::setLive(bool live)
{
    m_picture->setChecked(!live);
    m_live->setChecked(live);
}

bool LessonColumn::answerShown() const
{
    return !m_answer->isHidden();
}

void LessonColumn::showAnswer()
{
    const bool hadFocus = m_reveal->hasFocus();
    m_answer->show();
    m_reveal->hide();
    Q_EMIT answerRead();
    if (hadFocus)
        m_next->setFocus();
    QTimer::singleShot(0, m_answer, [this] { keepAnswerInView(); });
}

void LessonColumn::keepAnswerInView()
{
    if (m_answer->isHidden())
        return;
    m_scroll->widget()->layout()->activate(); // so that it has its place
    if (!m_outcome->isHidden())
        m_scroll->ensureWidgetVisible(m_outcome, 0, Metrics::kRelated);
    m_scroll->ensureWidgetVisible(m_answer, 0, Metrics::kRelated);
}

void LessonColumn::setWaiting(const QString& job)
{
    m_waiting->setText(job);
    m_waiting->setVisible(!job.isEmpty());
}

void LessonColumn::setProblem(const QString& sentence)
{
    m_problem->setText(sentence);
    m_problem->setVisible(!sentence.isEmpty());
}

} // namespace headscope::ui
