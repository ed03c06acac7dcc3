// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/shell/autosave.h"

#include "app/desktop/shell/controller.h"
#include "model/base/log.h"
#include "ui/jobs/job_strip.h"
#include "ui/window/notice_bar.h"
#include "ui/words/wording.h"

#include <QAction>
#include <QMenu>
#include <QStandardPaths>

#include <algorithm>
#include <iterator>
#include <utility>

namespace headscope::desktop
{
/// The file that was written, and what was set aside on the way.
struct Autosave::Written
{
    Result<std::filesystem::path> file;
    std::vector<Error> problems;
    std::optional<Error> besideFailed; ///< why it is not beside the cache
};

namespace
{

constexpr int kSoonMs = 1000;
constexpr int kRunsMs = 10'000;
constexpr int kAgainMs = 15'000;
/// Writing takes no more than this share of the time while something runs.
constexpr qint64 kRestPerWrite = 20;

QString pathText(const std::filesystem::path& path)
{
    return ui::toQString(path.string());
}

} // namespace

Autosave::Written Autosave::writeWork(const Request& request)
{
    Written written{keepWork(*request.reader, request.work, request.places, *request.book), {}, {}};
    written.problems.swap(request.book->problems);
    written.besideFailed = request.book->besideFailed;
    return written;
}

QString workText(const ResultStore& work)
{
    const auto tr = [](const char* text) { return Autosave::tr(text); };
    QStringList parts;
    const auto add = [&parts](std::int64_t count, const QString& one, const QString& many) {
        if (count > 0)
            parts << ui::countText(count, one, many);
    };
    add(std::ssize(work.sets), tr("named set"), tr("named sets"));
    add(std::ssize(work.maps), tr("map"), tr("maps"));
    add(std::ssize(work.grids), tr("grid"), tr("grids"));
    add(std::ssize(work.probes), tr("probe"), tr("probes"));
    add(std::ssize(work.figures), tr("listed figure"), tr("listed figures"));
    if (parts.size() < 2)
        return parts.join(QString());
    const QString last = parts.takeLast();
    return tr("%1 and %2").arg(parts.join(QStringLiteral(", ")), last);
}

bool isOneThing(const ResultStore& work)
{
    return work.sets.size() + work.maps.size() + work.grids.size() + work.probes.size() + work.figures.size() == 1;
}

Autosave::Autosave(Study& study, std::vector<Controller*> controllers, QObject* parent)
    : QObject(parent), m_study(study), m_controllers(std::move(controllers)),
      m_writer(std::make_unique<ui::JobRunner>())
{
    const auto every = [this](QTimer& timer, int ms, bool once, auto act) {
        timer.setInterval(ms);
        timer.setSingleShot(once);
        connect(&timer, &QTimer::timeout, this, act);
    };
    every(m_soon, kSoonMs, true, &Autosave::write);
    every(m_again, kAgainMs, true, &Autosave::writeAgain);
    every(m_runs, kRunsMs, false, &Autosave::watchRuns);
    for (const Controller* controller : m_controllers)
        connect(controller, &Controller::workChanged, this, &Autosave::noteChange);
    connect(&m_study, &Study::cacheChanged, this, &Autosave::onCacheOpened);
    connect(&m_study, &Study::cacheLeaving, this, &Autosave::leaveCache);
    m_study.setWorkPlaces([this](const QString& path) { return placesOf(path); });
    m_forget = m_study.window().actions().add(
        {.id = QStringLiteral("actionForgetWork"),
         .text = tr("Delete autosaved analyses…"),
         .tip = tr("Delete the named sets, maps, probes and figure list that are saved next to the cache"),
         .place = {ui::MenuId::File, 80},
         .act = [this] { askToForget(); }});
}

Autosave::~Autosave()
{
    m_study.setWorkPlaces({});
    if (m_dirty && m_enabled && !m_letGo && m_study.cache() && m_book != nullptr)
        m_waiting.push_back(request());
    m_writer.reset(); // waits for what is being written
    std::ranges::move(m_failed, std::back_inserter(m_waiting));
    for (const Request& each : m_waiting)
    {
        // What the worker has just written is written no second time: its book says so.
        const Written written = writeWork(each);
        // No window is left to say it in.
        for (const Error& problem : written.problems)
            logMessage(LogLevel::Warning, problem.sentence());
        if (!written.file)
            logMessage(LogLevel::Warning, written.file.error().sentence());
    }
}

void Autosave::setEnabled(bool enabled)
{
    m_enabled = enabled;
    m_forget->setVisible(enabled);
}

std::optional<WorkPlaces> Autosave::placesOf(const QString& path) const
{
    if (!m_enabled)
        return std::nullopt;
    WorkPlaces places;
    places.beside = !m_study.window().isDemo(path);
    const QString data = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation);
    if (!data.isEmpty())
        places.home = ui::toStdString(data % QStringLiteral("/headscope/work"));
    return places;
}

Autosave::Request Autosave::request() const
{
    Request made{m_study.cache()->reader, {}, {}, m_book};
    made.places = placesOf(ui::toQString(m_study.cache()->overview->path)).value_or(WorkPlaces());
    for (const Controller* controller : m_controllers)
        controller->addWork(made.work);
    return made;
}

bool Autosave::unsaved() const
{
    return m_enabled && (m_dirty || !m_waiting.empty() || !m_failed.empty());
}

QString Autosave::keptText() const
{
    return m_enabled && m_study.cache() && m_book != nullptr ? workText(request().work) : QString();
}

void Autosave::noteChange()
{
    if (!m_enabled || m_readOnly || !m_study.cache())
        return;
    m_dirty = true;
    if (!m_soon.isActive())
        m_soon.start();
    if (!m_runs.isActive())
        m_runs.start();
}

void Autosave::watchRuns()
{
    const bool busy = std::ranges::any_of(m_controllers, [](const Controller* each) { return each->busy(); });
    if (busy && m_waiting.empty() && (!m_sinceWrite.isValid() || m_sinceWrite.elapsed() > kRestPerWrite * m_writeMs))
        write();
}

void Autosave::leaveCache(OpenedCache& next)
{
    if (m_study.cache())
        for (Controller* controller : m_controllers)
            controller->settleWork();
    if (m_dirty && !m_letGo)
        write();
    m_soon.stop();
    m_dirty = false;
    m_letGo = false;
    m_book = nullptr;
    if (!next.work)
        return;
    // What is not on the disk yet is newer than what was read there.
    for (const std::deque<Request>* requests : {&m_failed, &m_waiting})
        for (const Request& each : *requests)
            if (each.reader->info().identity == next.reader->info().identity &&
                each.reader->path() == next.reader->path())
            {
                m_book = each.book;
                next.work->work = each.work;
            }
    if (m_book == nullptr)
        m_book = std::make_shared<WorkBook>(next.work->book);
}

void Autosave::onCacheOpened()
{
    m_toldPlace = false;
    if (!m_study.cache()->work)
        return;
    const FoundWork& found = *m_study.cache()->work;
    for (const Error& problem : found.problems)
        m_study.report(problem);
    m_runs.start();
    const QString what = workText(found.work);
    if (what.isEmpty())
        return;
    const QString text =
        (isOneThing(found.work) ? tr("Restored %1 from your last session") : tr("Restored %1 from your last session"))
            .arg(what);
    m_study.window().jobStrip().addLog(found.file.empty() ? text : tr("%1: %2").arg(text, pathText(found.file)));
    m_study.window().showNotice((isOneThing(found.work)
                                     ? tr("%1. To delete it, use File > Delete autosaved analyses.")
                                     : tr("%1. To delete them, use File > Delete autosaved analyses."))
                                    .arg(text));
}

void Autosave::write()
{
    m_soon.stop();
    if (!m_enabled || !m_study.cache() || m_book == nullptr)
        return;
    m_dirty = false;
    // Of what waits, the newest of each cache alone.
    const auto same = std::find_if(m_waiting.begin() + (m_writing ? 1 : 0), m_waiting.end(),
                                   [this](const Request& each) { return each.book == m_book; });
    if (same != m_waiting.end())
        *same = request();
    else
        m_waiting.push_back(request());
    if (!m_writing)
        writeNext();
}

void Autosave::writeAgain()
{
    m_again.stop();
    std::ranges::move(m_failed, std::back_inserter(m_waiting));
    m_failed.clear();
    if (m_dirty)
        return write();
    if (!m_waiting.empty() && !m_writing)
        writeNext();
}

void Autosave::writeNext()
{
    m_writing = true;
    m_sinceWrite.start();
    m_writer->start<Written>([each = m_waiting.front()](JobContext&) -> Result<Written> { return writeWork(each); },
                             [this](Result<Written> written) {
                                 m_writeMs = m_sinceWrite.restart();
                                 if (written)
                                     finishWrite(std::move(*written));
                                 else
                                     finishWrite({std::move(written).error(), {}, {}});
                             });
}

void Autosave::finishWrite(Written written)
{
    m_writing = false;
    Request done = std::move(m_waiting.front());
    m_waiting.pop_front();
    for (const Error& problem : written.problems)
        m_study.report(problem);
    if (written.file)
    {
        if (m_failed.empty())
            m_failure.clear();
        m_study.window().notices().settle(jobOf(done));
        tellPlace(*written.file, written.besideFailed, done);
        Q_EMIT kept(pathText(*written.file));
    }
    else
    {
        const Error error = std::move(written.file).error();
        tellFailure(error, done);
        if (done.book == m_book)
            m_dirty = true;
        else
            m_failed.push_back(std::move(done));
        m_again.start();
        Q_EMIT keepFailed(error);
    }
    if (!m_waiting.empty())
        writeNext();
    else if (m_goOn)
        settle();
}

void Autosave::tellPlace(const std::filesystem::path& file, const std::optional<Error>& besideFailed,
                         const Request& request)
{
    if (file.empty() || file.parent_path() != request.places.home || request.book != m_book ||
        std::exchange(m_toldPlace, true))
        return;
    const QString what = tr("its named sets, maps, probes and figure list are saved in %1").arg(pathText(file));
    const QString text = besideFailed
                             ? tr("Saving next to the cache failed (%1): %2").arg(ui::errorText(*besideFailed), what)
                             : tr("The bundled demo is read-only: %1").arg(what);
    m_study.window().jobStrip().addLog(text);
    if (request.places.beside)
        m_study.window().showNotice(text);
}

void Autosave::tellFailure(const Error& error, const Request& request)
{
    const QString what = workText(request.work);
    const QString file = pathText(request.reader->path().filename());
    QString failure = what.isEmpty()
                          ? tr("Autosaved analyses of %1 could not be deleted: %2").arg(file, ui::errorText(error))
                          : tr("%1 of %2 could not be saved: %3").arg(what, file, ui::errorText(error));
    if (failure == m_failure)
        return; // another attempt in vain: it was said, and whoever closed the notice has read it
    m_failure = std::move(failure);
    m_study.window().jobStrip().addLog(m_failure);
    ui::NoticeBar& notices = m_study.window().notices();
    notices.settle(jobOf(request)); // what was said before is said anew
    notices.add(tr("Autosave failed"), m_failure, jobOf(request));
}

QString Autosave::jobOf(const Request& request)
{
    return tr("Saving analyses of %1").arg(pathText(request.reader->path().filename()));
}

void Autosave::keepBefore(const QString& leaving, std::function<void()> goOn, std::function<void()> stay)
{
    if (const auto before = std::exchange(m_stay, {}))
        before(); // who waited makes way
    m_goOn = {};
    if (!unsaved())
        return goOn();
    m_leaving = leaving;
    m_goOn = std::move(goOn);
    m_stay = std::move(stay);
    writeAgain();
}

void Autosave::settle()
{
    if (!m_failure.isEmpty())
        return askWhatToDo();
    if (m_dirty) // changed while it was written
        return write();
    m_stay = {};
    if (const auto goOn = std::exchange(m_goOn, {}))
        goOn();
}

} // namespace headscope::desktop
