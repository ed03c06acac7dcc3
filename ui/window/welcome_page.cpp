// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/welcome_page.h"

#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"

#include <QAbstractButton>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace headscope::ui
{
namespace
{

constexpr int kColumnWidth = 760;
constexpr int kTitlePx = 26;
constexpr int kSectionsGap = 40; // between demos and recent files

/// A row that opens something: a name, and a grey line below it.
class EntryButton : public QAbstractButton
{
public:
    /// @param picture  beside them, at half its size; may be null
    EntryButton(const QString& title, QString line, QImage picture, QWidget* parent)
        : QAbstractButton(parent), m_line(std::move(line)), m_picture(std::move(picture))
    {
        setText(title);
        setFocusPolicy(Qt::StrongFocus);
        setCursor(Qt::PointingHandCursor);
        setAttribute(Qt::WA_Hover);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }

    [[nodiscard]] QSize sizeHint() const override
    {
        const int lines = QFontMetrics(Theme::bodyFont(true)).height() + QFontMetrics(Theme::smallFont()).height();
        return {240,
                std::max(lines + Metrics::kPanel, m_picture.isNull() ? 0 : pictureSize().height() + Metrics::kPanel)};
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        const Colors& colors = Theme::instance().colors();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        if (underMouse() && isEnabled())
        {
            painter.setPen(Qt::NoPen);
            painter.setBrush(colors.hover);
            painter.drawRoundedRect(rect(), Metrics::kRadius, Metrics::kRadius);
        }
        if (hasFocus())
        {
            painter.setPen(colors.accent);
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), Metrics::kRadius, Metrics::kRadius);
        }
        int left = Metrics::kRelated;
        int y = Metrics::kGrid + 2;
        if (!m_picture.isNull())
        {
            const QRect place({left, (height() - pictureSize().height()) / 2}, pictureSize());
            painter.setOpacity(isEnabled() ? 1 : 0.4);
            painter.setRenderHint(QPainter::SmoothPixmapTransform);
            painter.drawImage(place, m_picture);
            painter.setPen(colors.hairline);
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5));
            painter.setOpacity(1);
            left += place.width() + Metrics::kRelated;
            y = place.top();
        }
        const int width = this->width() - left - Metrics::kRelated;
        QFont font = Theme::bodyFont(true);
        const QFontMetrics name(font);
        painter.setFont(font);
        painter.setPen(isEnabled() ? colors.accentText : colors.muted);
        y += name.ascent();
        painter.drawText(left, y, name.elidedText(text(), Qt::ElideMiddle, width));
        font = Theme::smallFont();
        const QFontMetrics small(font);
        painter.setFont(font);
        painter.setPen(colors.muted);
        y += name.descent() + small.ascent();
        painter.drawText(left, y, small.elidedText(m_line, Qt::ElideMiddle, width));
    }

private:
    [[nodiscard]] QSize pictureSize() const { return m_picture.size() / 2; }

    QString m_line;
    QImage m_picture;
};

QString shortFolder(const QString& path)
{
    const QString folder = QFileInfo(path).absolutePath();
    const QString home = QDir::homePath();
    return folder == home || folder.startsWith(home % u'/') ? QString(u'~' % folder.mid(home.size())) : folder;
}

} // namespace

WelcomePage::WelcomePage(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("canvas"));
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(tr("Welcome"));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* area = new QScrollArea(this);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setFocusPolicy(Qt::NoFocus);
    outer->addWidget(area);
    auto* page = new QWidget(area);
    page->setObjectName(QStringLiteral("canvas"));
    page->setAttribute(Qt::WA_StyledBackground);
    auto* centring = new QHBoxLayout(page);
    centring->setContentsMargins(Metrics::kGroups, Metrics::kGroups, Metrics::kGroups, Metrics::kGroups);
    m_column = new QWidget(page);
    m_column->setMaximumWidth(kColumnWidth);
    centring->addStretch(1);
    centring->addWidget(m_column, 100);
    centring->addStretch(1);
    area->setWidget(page);
    auto* layout = new QVBoxLayout(m_column);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kRelated);
    layout->addStretch(2);
    buildStart(layout);

    auto* lists = new QHBoxLayout;
    lists->setSpacing(kSectionsGap);
    const auto section = [this, lists](const QString& title, QLabel** label, QVBoxLayout** entries) {
        auto* column = new QVBoxLayout;
        column->setSpacing(Metrics::kGrid);
        *label = makeSectionLabel(title, m_column);
        (*label)->setContentsMargins(Metrics::kRelated, 0, 0, 0);
        column->addWidget(*label);
        *entries = new QVBoxLayout;
        (*entries)->setSpacing(2);
        column->addLayout(*entries);
        column->addStretch(1);
        lists->addLayout(column, 1);
    };
    section(tr("Bundled demos"), &m_demosTitle, &m_demos);
    section(tr("Recent files"), &m_recentTitle, &m_recent);
    layout->addLayout(lists);
    layout->addSpacing(Metrics::kGroups);
    auto* drop =
        makeMutedLabel(tr("Or drop a file onto the window: a cache (.h5), a project (.headscope), a model folder or "
                          "GGUF file, or texts (JSON, JSONL, CSV, TSV, plain text; also .gz and .zst)."),
                       m_column);
    drop->setWordWrap(true);
    drop->setContentsMargins(Metrics::kRelated, 0, 0, 0);
    layout->addWidget(drop);
    layout->addStretch(3);
    setDemos({});
    setRecent({});
}

void WelcomePage::buildStart(QVBoxLayout* layout)
{
    auto* title = new QLabel(QStringLiteral("Headscope"), m_column);
    QFont font = Theme::bodyFont(true);
    font.setPixelSize(kTitlePx);
    title->setFont(font);
    title->setContentsMargins(Metrics::kRelated, 0, 0, 0);
    auto* what =
        makeMutedLabel(tr("A microscope for the attention heads of embedding and language models. Run a model over "
                          "your texts, save the vectors of every head, and explore them as maps, heatmaps and tables."),
                       m_column);
    what->setWordWrap(true);
    what->setContentsMargins(Metrics::kRelated, 0, 0, 0);
    m_problem = new QLabel(m_column);
    m_problem->setObjectName(QStringLiteral("welcomeProblem"));
    m_problem->setProperty("role", QStringLiteral("warning"));
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_problem->setContentsMargins(Metrics::kRelated, Metrics::kRelated, 0, 0);
    m_problem->hide();
    const auto button = [this](const char* name, const QString& text, const QString& tip) {
        auto* made = new QPushButton(text, m_column);
        made->setObjectName(QLatin1StringView(name));
        made->setAccessibleName(text);
        made->setToolTip(tip);
        return made;
    };
    m_open = button("welcomeOpen", tr("Open…"), tr("Open a cache, a project, a figure, a model or texts"));
    auto* extract = button("welcomeExtract", tr("Extract…"),
                           tr("Run a model over texts and save the vectors of its heads in a cache"));
    auto* lessons =
        button("welcomeLessons", tr("Lessons…"), tr("Guided lessons in the views, with or without a model"));
    m_back = button("welcomeBack", {}, tr("Back to open cache"));
    m_back->hide();
    auto* row = new QHBoxLayout;
    row->setContentsMargins(Metrics::kRelated, Metrics::kRelated, 0, 0);
    row->setSpacing(Metrics::kRelated);
    for (QPushButton* each : {m_open, extract, lessons, m_back})
        row->addWidget(each);
    row->addStretch(1);
    layout->addWidget(title);
    layout->addWidget(what);
    layout->addWidget(m_problem);
    layout->addWidget(buildRecovery());
    layout->addLayout(row);
    layout->addSpacing(Metrics::kGroups);
    connect(m_open, &QPushButton::clicked, this, &WelcomePage::openAsked);
    connect(extract, &QPushButton::clicked, this, &WelcomePage::extractAsked);
    connect(lessons, &QPushButton::clicked, this, &WelcomePage::lessonsAsked);
    connect(m_back, &QPushButton::clicked, this, &WelcomePage::backAsked);
    setFocusProxy(m_open);
}

QWidget* WelcomePage::buildRecovery()
{
    m_recovery = new QWidget(m_column);
    m_recovery->setObjectName(QStringLiteral("welcomeRecovery"));
    auto* column = new QVBoxLayout(m_recovery);
    column->setContentsMargins(Metrics::kRelated, Metrics::kRelated, 0, Metrics::kRelated);
    column->setSpacing(Metrics::kRelated);
    m_question = new QLabel(m_recovery);
    m_question->setTextFormat(Qt::PlainText);
    m_question->setWordWrap(true);
    column->addWidget(m_question);
    auto* row = new QHBoxLayout;
    row->setSpacing(Metrics::kRelated);
    const auto button = [this, row](const char* name, const QString& text, const QString& tip) {
        auto* made = new QPushButton(text, m_recovery);
        made->setObjectName(QLatin1StringView(name));
        made->setToolTip(tip);
        row->addWidget(made);
        return made;
    };
    const auto* restore =
        button("welcomeRestore", tr("Restore"), tr("Restore the project with its views and selections"));
    const auto* discard = button("welcomeDiscard", tr("Discard"), tr("Delete the autosaved copy of this project"));
    row->addStretch(1);
    column->addLayout(row);
    connect(restore, &QPushButton::clicked, this, &WelcomePage::recoveryAsked);
    connect(discard, &QPushButton::clicked, this, &WelcomePage::recoveryDiscarded);
    m_recovery->hide();
    return m_recovery;
}

void WelcomePage::setRecovery(const QString& question)
{
    m_question->setText(question);
    m_recovery->setVisible(!question.isEmpty());
}

QWidget* WelcomePage::makeEntry(const QString& name, const QString& title, const QString& line, const QString& path,
                                bool enabled, const QImage& picture)
{
    auto* entry = new EntryButton(title, line, picture, m_column);
    entry->setObjectName(name);
    entry->setAccessibleName(title);
    entry->setAccessibleDescription(line);
    entry->setToolTip(path);
    entry->setStatusTip(path);
    entry->setEnabled(enabled);
    connect(entry, &QAbstractButton::clicked, this, [this, path] { Q_EMIT openRequested(path); });
    return entry;
}

void WelcomePage::setDemos(const QList<Demo>& demos)
{
    clearLayout(*m_demos);
    m_demosTitle->setVisible(!demos.isEmpty());
    for (const Demo& demo : demos)
        m_demos->addWidget(makeEntry(QStringLiteral("welcomeDemo"), demo.title, demo.line, demo.path, true));
}

void WelcomePage::setRecent(const QStringList& paths)
{
    clearLayout(*m_recent);
    for (const QString& path : paths)
    {
        const bool there = QFileInfo::exists(path);
        const QString folder = shortFolder(path);
        m_recent->addWidget(makeEntry(QStringLiteral("welcomeRecent"), QFileInfo(path).fileName(),
                                      there ? folder : tr("missing: %1").arg(folder), path, there,
                                      m_pictures ? m_pictures(path) : QImage()));
    }
    if (!paths.isEmpty())
        return;
    auto* none = makeMutedLabel(tr("No recent files."), m_column);
    none->setContentsMargins(Metrics::kRelated, 0, 0, 0);
    m_recent->addWidget(none);
}

void WelcomePage::setProblem(const QString& sentence)
{
    m_problem->setText(sentence);
    m_problem->setVisible(!sentence.isEmpty());
}

QString WelcomePage::problem() const
{
    return m_problem->text();
}

void WelcomePage::setOpenFile(const QString& name)
{
    m_back->setVisible(!name.isEmpty());
    m_back->setText(tr("Back to %1").arg(name));
    m_back->setAccessibleName(m_back->text());
}

void WelcomePage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && !m_back->isHidden())
        return Q_EMIT backAsked();
    if (event->key() == Qt::Key_Down || event->key() == Qt::Key_Up)
    {
        focusNextPrevChild(event->key() == Qt::Key_Down);
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace headscope::ui
