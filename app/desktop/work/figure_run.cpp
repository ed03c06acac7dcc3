// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/work/figure_run.h"

#include "app/cli/pictures/page_recipe.h"
#include "app/desktop/shell/view_controller.h"
#include "app/desktop/work/panel_page.h"
#include "app/desktop/work/work_session.h"
#include "ui/view/view.h"
#include "ui/words/wording.h"

#include <QDateTime>
#include <QFileInfo>
#include <QTemporaryDir>

#include <algorithm>
#include <utility>

namespace headscope::desktop
{
namespace
{

constexpr int kLookMs = 50;

} // namespace

FigureRun::FigureRun(Study& study, WorkSession& session, const std::vector<Controller*>& controllers, QObject* parent)
    : QObject(parent), m_study(study), m_session(session), m_controllers(controllers), m_pages(study)
{
    m_look.setInterval(kLookMs);
    connect(&m_look, &QTimer::timeout, this, &FigureRun::look);
    connect(&m_study, &Study::cacheClosing, this, &FigureRun::finish);
    connect(&m_study, &Study::sourceFailed, this, [this](const Error& error) {
        if (m_running && m_at < std::ssize(m_figures))
            end(QString::fromStdString(error.message));
    });
    connect(&m_pages, &SaveJob::saved, this, [this] {
        if (!m_running || !m_saving)
            return;
        SavedFigure saved = figure();
        saved.savedMs = QDateTime::currentMSecsSinceEpoch();
        saved.origin = QString::fromStdString(m_study.origin().hash);
        Q_EMIT pageSaved(saved);
        end({});
    });
    connect(&m_pages, &SaveJob::failed, this, [this](const Error& error) {
        if (m_running && m_saving)
            end(ui::errorText(error));
    });
    for (Controller* controller : m_controllers)
        if (auto* view = qobject_cast<ViewController*>(controller))
        {
            const auto isMine = [this](const QString& file) {
                return m_running && m_saving && m_figures[static_cast<std::size_t>(m_at)].file == file;
            };
            connect(view, &ViewController::figureSaved, this, [this, isMine](const SavedFigure& figure) {
                if (isMine(figure.file))
                    end({});
            });
            connect(view, &ViewController::figureFailed, this, [this, isMine](const QString& file, const QString& why) {
                if (isMine(file))
                    end(why);
            });
        }
}

FigureRun::~FigureRun() = default;

void FigureRun::start(std::vector<SavedFigure> figures)
{
    m_figures = std::move(figures);
    m_before = m_session.gather();
    m_session.hold(true);
    m_running = true;
    m_stopping = false;
    m_at = -1;
    next();
}

void FigureRun::stop()
{
    m_stopping = true;
    if (m_running && !m_saving && m_at < std::ssize(m_figures))
        end(tr("Stopped"));
}

void FigureRun::next()
{
    ++m_at;
    m_panels.clear();
    m_staging.reset();
    if (m_stopping || m_at >= std::ssize(m_figures))
        return putBack();
    Q_EMIT begun(m_at);
    show();
}

void FigureRun::show()
{
    const SavedFigure& view = shownNow();
    if (viewOf(view) == nullptr)
        return end(tr("There is no such view"));
    const bool same = view.origin == QString::fromStdString(m_study.origin().hash);
    m_session.show(view.state, same, [this, at = m_at, panel = m_panels.size()](QStringList lost) {
        if (!m_running || at != m_at || panel != m_panels.size())
            return;
        lost.removeAll(WorkSession::tr("documents")); // others than before are why it is saved again
        if (!lost.isEmpty())
        {
            const QString what = tr("Differs from the saved figure: %1").arg(lost.join(QStringLiteral(", ")));
            return end(figure().panels.empty()
                           ? what
                           : tr("panel (%1): %2").arg(viz::panelLetter(std::ssize(m_panels)), what));
        }
        m_stillMs = 0;
        m_look.start();
    });
}

bool FigureRun::isComputing(const Study& study, const std::vector<Controller*>& controllers)
{
    const auto* shown = qobject_cast<const ui::View*>(study.window().views().currentEntry()->widget);
    return study.loading() || study.computing() ||
           std::ranges::any_of(controllers,
                               [](Controller* each) {
                                   const auto* view = qobject_cast<ViewController*>(each);
                                   return view != nullptr && view->busy();
                               }) ||
           (shown != nullptr && shown->catchingUp());
}

void FigureRun::look()
{
    m_stillMs = isComputing(m_study, m_controllers) ? 0 : m_stillMs + kLookMs;
    if (m_stillMs < kStillMs)
        return;
    m_look.stop();
    if (m_at >= std::ssize(m_figures))
        return finish();
    save();
}

void FigureRun::save()
{
    m_saving = true;
    if (figure().panels.empty())
        return viewOf(figure())->saveAgain(figure().file, figure().size);
    collect();
}

void FigureRun::collect()
{
    if (m_staging == nullptr)
        m_staging = std::make_shared<QTemporaryDir>();
    const QString name = QFileInfo(figure().file).fileName();
    const auto numbers = cli::besidePanel(ui::toStdString(m_staging->filePath(name)), m_panels.size(), ".csv");
    viewOf(shownNow())
        ->collect(
            pageOf(figure()).place, m_staging->filePath(name),
            figure().size.files ? ui::toQString(numbers.string()) : QString(),
            [this, at = m_at](const Result<std::shared_ptr<const FigureBundle>>& panel) {
                if (!m_running || at != m_at)
                    return;
                if (!panel)
                    return end(
                        tr("panel (%1): %2").arg(viz::panelLetter(std::ssize(m_panels)), ui::errorText(panel.error())));
                m_panels.push_back(*panel);
                if (m_panels.size() == figure().panels.size())
                    return writePage();
                m_saving = false;
                if (m_stopping)
                    return end(tr("Stopped"));
                show();
            });
}

void FigureRun::writePage()
{
    m_pages.start(figure().file, [page = figure(), panels = m_panels, staging = m_staging] {
        return desktop::writePage(page, panels, ui::toStdString(staging->path()));
    });
}

void FigureRun::end(const QString& why)
{
    m_look.stop();
    m_saving = false;
    Q_EMIT ended(m_at, why);
    // The view is still in its own function.
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (m_running)
                next();
        },
        Qt::QueuedConnection);
}

void FigureRun::putBack()
{
    m_at = static_cast<int>(std::ssize(m_figures));
    m_session.show(m_before, true, [this](const QStringList&) {
        m_stillMs = 0;
        m_look.start();
    });
}

void FigureRun::finish()
{
    m_look.stop();
    if (!std::exchange(m_running, false))
        return;
    m_saving = false;
    m_pages.stop();
    m_session.hold(false);
    Q_EMIT finished();
}

const SavedFigure& FigureRun::shownNow() const
{
    return figure().panels.empty() ? figure() : figure().panels[m_panels.size()];
}

ViewController* FigureRun::viewOf(const SavedFigure& figure) const
{
    for (Controller* controller : m_controllers)
        if (auto* view = qobject_cast<ViewController*>(controller); view != nullptr && view->id().key() == figure.view)
            return view;
    return nullptr;
}

} // namespace headscope::desktop
