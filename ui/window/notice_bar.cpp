// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/notice_bar.h"

#include "ui/models/job_list_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStyle>
#include <QVBoxLayout>
#include <QVariant>

#include <algorithm>

namespace headscope::ui
{
namespace
{

QPushButton* makeButton(const QString& text, const QString& name, const QString& tip, QWidget* parent)
{
    auto* button = new QPushButton(text, parent);
    button->setObjectName(name);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setAutoDefault(false);
    return button;
}

QLabel* makeSentence(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText); // a file's name may look like markup
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

/// Sets a property that the style sheet looks at.
void dress(QWidget& widget, const char* property, const QVariant& value)
{
    widget.setProperty(property, value);
    widget.style()->unpolish(&widget);
    widget.style()->polish(&widget);
}

/// Coloured as a warning, or as any other text.
void colorHeading(QLabel& heading, bool warns)
{
    dress(heading, "role", warns ? QStringLiteral("warning") : QString());
}

QLabel* makeHeading(const QString& text, bool warns, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setFont(Theme::bodyFont(true));
    colorHeading(*label, warns);
    return label;
}

QLabel* makePlace(const QString& text, QWidget* parent)
{
    QLabel* label = makeMutedLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setFont(Theme::smallFont());
    return label;
}

constexpr int kNoticesHeight = 190; ///< at most; more scroll
constexpr int kMinHeight = 28;

/// As high as its rows, and content with less where the window is low.
class RowsArea : public QScrollArea
{
public:
    explicit RowsArea(QWidget* parent) : QScrollArea(parent)
    {
        setMinimumHeight(kMinHeight);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    }
    void setWish(int height)
    {
        setMaximumHeight(std::clamp(height, kMinHeight, kNoticesHeight));
        updateGeometry();
    }
    [[nodiscard]] QSize sizeHint() const override { return {QScrollArea::sizeHint().width(), maximumHeight()}; }
};

} // namespace

NoticeBar::NoticeBar(QWidget* parent) : QFrame(parent)
{
    setObjectName(QStringLiteral("noticeBar"));
    setAccessibleName(tr("Errors, and what you can do about them"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* layout = new QHBoxLayout;
    layout->setContentsMargins(Metrics::kPanel, Metrics::kGrid, Metrics::kPanel, Metrics::kGrid);
    layout->setSpacing(Metrics::kRelated);
    m_heading = makeHeading({}, true, this);
    m_heading->setObjectName(QStringLiteral("noticeHeading"));
    m_sentence = makeSentence({}, this);
    m_sentence->setObjectName(QStringLiteral("noticeSentence"));
    m_place = makePlace({}, this);
    m_place->setObjectName(QStringLiteral("noticePlace"));
    m_all = makeButton({}, QStringLiteral("noticeAll"), tr("Show or hide all errors, newest first"), this);
    m_all->setCheckable(true);
    m_act = makeButton({}, QStringLiteral("noticeAct"), {}, this);
    m_act->setAccessibleName(tr("Take the action that this message offers"));
    m_details =
        makeButton(tr("Details"), QStringLiteral("noticeDetails"), tr("Show the error in the log of all jobs"), this);
    m_close = makeButton(tr("Close"), QStringLiteral("noticeClose"), tr("Close this message (Escape)"), this);
    layout->addWidget(m_heading);
    layout->addWidget(m_sentence, 1);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_place, m_all, m_act, m_details, m_close})
        layout->addWidget(widget);
    column->addLayout(layout);
    buildList();
    column->addWidget(m_listPart);
    connect(m_all, &QPushButton::toggled, this, &NoticeBar::setListShown);
    connect(m_act, &QPushButton::clicked, this, [this] {
        if (const auto act = m_notices.empty() ? nullptr : m_notices.front().act)
            act();
    });
    connect(m_details, &QPushButton::clicked, this, &NoticeBar::detailsRequested);
    connect(m_close, &QPushButton::clicked, this, &NoticeBar::closeFirst);
    refresh();
}

void NoticeBar::buildList()
{
    m_listPart = new QWidget(this);
    m_listPart->setObjectName(QStringLiteral("noticeList"));
    auto* column = new QVBoxLayout(m_listPart);
    column->setContentsMargins(Metrics::kPanel, 0, Metrics::kPanel, Metrics::kRelated);
    column->setSpacing(Metrics::kGrid);
    m_scroll = new RowsArea(m_listPart);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* clear = makeButton(tr("Close all"), QStringLiteral("noticeCloseAll"), tr("Close all messages"), this);
    connect(clear, &QPushButton::clicked, this, &NoticeBar::clear);
    column->addWidget(m_scroll);
    column->addWidget(clear, 0, Qt::AlignRight);
    m_listPart->hide();
}

QString NoticeBar::placeOf(const Notice& notice)
{
    const QString time = notice.time.toString(QStringLiteral("HH:mm:ss"));
    return notice.job.isEmpty() ? time : notice.job % QStringLiteral(" · ") % time;
}

void NoticeBar::add(const QString& heading, const QString& sentence, const QString& job)
{
    put({heading, sentence, job, QDateTime::currentDateTime()});
}

void NoticeBar::offer(const QString& heading, const QString& sentence, const QString& job, const QString& action,
                      std::function<void()> act)
{
    put({heading, sentence, job, QDateTime::currentDateTime(), About::Program, action, std::move(act)});
}

void NoticeBar::put(Notice notice)
{
    const auto same = std::ranges::find_if(m_notices, [&notice](const Notice& known) {
        return known.heading == notice.heading && known.sentence == notice.sentence &&
               (notice.job.isEmpty() || known.job.isEmpty() || known.job == notice.job);
    });
    if (same != m_notices.end())
    {
        if (notice.job.isEmpty())
            notice.job = same->job;
        m_notices.erase(same);
    }
    if (m_notices.size() == kMost)
        m_notices.pop_back();
    m_notices.push_front(std::move(notice));
    refresh();
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void NoticeBar::takeEnd(const JobRecord& job)
{
    if (job.state == JobState::Failed)
    {
        const auto told = std::ranges::find_if(
            m_notices, [&job](const Notice& notice) { return notice.job.isEmpty() && notice.sentence == job.error; });
        if (told != m_notices.end())
            told->job = job.title;
    }
    else if (job.state == JobState::Done)
    {
        return settle(job.title);
    }
    refresh();
}

void NoticeBar::settle(const QString& job)
{
    if (!job.isEmpty() && std::erase_if(m_notices, [&job](const Notice& each) { return each.job == job; }) > 0)
        refresh();
}

void NoticeBar::setAbout(const QString& sentence, About about)
{
    for (Notice& notice : m_notices)
        if (notice.sentence == sentence)
            notice.about = about;
}

void NoticeBar::leaveCache()
{
    if (std::erase_if(m_notices, [](const Notice& each) { return each.about == About::OpenCache; }) > 0)
        refresh();
}

void NoticeBar::close(std::size_t place)
{
    if (place >= m_notices.size())
        return;
    m_notices.erase(m_notices.begin() + static_cast<std::ptrdiff_t>(place));
    refresh();
}

void NoticeBar::closeFirst()
{
    close(0);
}

void NoticeBar::clear()
{
    m_notices.clear();
    refresh();
}

void NoticeBar::setListShown(bool shown)
{
    m_all->setChecked(shown);
    m_listPart->setVisible(shown && m_notices.size() > 1);
    refreshList();
}

QString NoticeBar::sentence() const
{
    return m_notices.empty() ? QString() : m_notices.front().sentence;
}

QStringList NoticeBar::sentences() const
{
    QStringList all;
    for (const Notice& notice : m_notices)
        all << notice.sentence;
    return all;
}

void NoticeBar::refresh()
{
    if (m_notices.size() < 2)
    {
        m_all->setChecked(false);
        m_listPart->hide();
    }
    if (m_notices.empty())
        return hide();
    const Notice& first = m_notices.front();
    const bool isOffer = !first.action.isEmpty();
    m_heading->setText(first.heading);
    colorHeading(*m_heading, !isOffer);
    dress(*this, "offers", isOffer);
    m_act->setText(first.action);
    m_act->setAccessibleName(first.action);
    m_act->setVisible(isOffer);
    m_details->setVisible(!isOffer);
    m_sentence->setText(first.sentence);
    m_place->setText(placeOf(first));
    m_all->setText(tr("All %1 ▾").arg(m_notices.size()));
    m_all->setVisible(m_notices.size() > 1);
    setAccessibleDescription(first.heading % QStringLiteral(". ") % first.sentence);
    refreshList();
    show();
}

void NoticeBar::refreshList()
{
    if (m_listPart->isHidden())
        return;
    auto* rows = new QWidget;
    auto* column = new QVBoxLayout(rows);
    column->setContentsMargins(0, 0, Metrics::kRelated, 0);
    column->setSpacing(Metrics::kGrid);
    for (std::size_t i = 1; i < m_notices.size(); ++i) // the first stands above
    {
        const Notice& notice = m_notices[i];
        auto* row = new QHBoxLayout;
        row->setSpacing(Metrics::kRelated);
        row->addWidget(makeHeading(notice.heading, notice.action.isEmpty(), rows), 0, Qt::AlignTop);
        row->addWidget(makeSentence(notice.sentence, rows), 1, Qt::AlignTop);
        row->addWidget(makePlace(placeOf(notice), rows), 0, Qt::AlignTop);
        if (!notice.action.isEmpty())
        {
            auto* act = makeButton(notice.action, QStringLiteral("noticeActRow"), {}, rows);
            act->setAccessibleName(notice.action);
            connect(act, &QPushButton::clicked, this, notice.act, Qt::QueuedConnection); // it may go with its row
            row->addWidget(act, 0, Qt::AlignTop);
        }
        auto* close = makeButton(tr("Close"), QStringLiteral("noticeCloseRow"), tr("Close this message"), rows);
        close->setAccessibleName(tr("Close: %1").arg(notice.sentence));
        // The button goes with its row while it still speaks.
        connect(
            close, &QPushButton::clicked, this,
            [this, i] {
                this->close(i);
                QWidget* next = m_all->isVisible() ? m_all : m_close;
                next->setFocus(); // the keyboard stays here
            },
            Qt::QueuedConnection);
        row->addWidget(close, 0, Qt::AlignTop);
        column->addLayout(row);
    }
    column->addStretch(1);
    rows->setAutoFillBackground(false);
    m_scroll->setWidget(rows);
    m_scroll->viewport()->setAutoFillBackground(false);
    const int wanted = rows->layout()->hasHeightForWidth() ? rows->layout()->heightForWidth(std::max(300, width() - 40))
                                                           : rows->sizeHint().height();
    static_cast<RowsArea*>(m_scroll)->setWish(wanted);
}

void NoticeBar::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape)
        return QFrame::keyPressEvent(event);
    if (m_all->isChecked())
        setListShown(false);
    else
        closeFirst();
}

} // namespace headscope::ui
