// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/extract/engine_client.h"

#include "ui/words/wording.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QStandardPaths>

#include <algorithm>
#include <array>
#include <csignal>
#include <utility>

namespace headscope::desktop
{
namespace
{

constexpr int kKillAfterMs = 2000; ///< it writes what it has computed
constexpr qsizetype kLogLines = 40;
constexpr qsizetype kTailInSentence = 6;

Progress progressFrom(const QJsonObject& line)
{
    Progress progress;
    progress.stage = ui::toStdString(line.value(u"stage").toString());
    progress.done = static_cast<std::uint64_t>(std::max(0.0, line.value(u"done").toDouble()));
    progress.total = static_cast<std::uint64_t>(std::max(0.0, line.value(u"total").toDouble()));
    progress.unit = ui::toStdString(line.value(u"unit").toString());
    progress.rate = line.value(u"rate").toDouble();
    progress.seconds = line.value(u"seconds").toDouble();
    progress.eta = line.value(u"eta").toDouble(-1);
    return progress;
}

ErrorCode codeFromName(const QString& name)
{
    for (int code = 0; code <= static_cast<int>(ErrorCode::Internal); ++code)
        if (name == ui::toQString(errorCodeName(static_cast<ErrorCode>(code))))
            return static_cast<ErrorCode>(code);
    return ErrorCode::Internal;
}

std::optional<Error> errorFrom(const QJsonObject& object)
{
    if (!object.contains(u"error"))
        return std::nullopt;
    const QJsonObject error = object.value(u"error").toObject();
    return Error{codeFromName(error.value(u"code").toString()), ui::toStdString(error.value(u"message").toString()),
                 ui::toStdString(error.value(u"file").toString()), ui::toStdString(error.value(u"place").toString())};
}

} // namespace

QString signalName(int number)
{
    static constexpr std::array<std::pair<int, const char*>, 9> kNames{{
        {SIGSEGV, "SIGSEGV (invalid memory access)"},
        {SIGKILL, "SIGKILL (killed, often because memory ran out)"},
        {SIGABRT, "SIGABRT (internal error)"},
        {SIGBUS, "SIGBUS (a file that it was reading became shorter)"},
        {SIGILL, "SIGILL (this CPU lacks an instruction that it needs)"},
        {SIGFPE, "SIGFPE (arithmetic error)"},
        {SIGTERM, "SIGTERM (asked to stop)"},
        {SIGINT, "SIGINT (interrupted)"},
        {SIGPIPE, "SIGPIPE (its output was closed)"},
    }};
    for (const auto& [signal, name] : kNames)
        if (signal == number)
            return QLatin1StringView(name);
    return EngineClient::tr("signal %1").arg(number);
}

QString findEngine()
{
    const QString name = QStringLiteral("headscope-engine");
    const QString beside = QDir(QCoreApplication::applicationDirPath()).filePath(name);
    if (QFileInfo(beside).isExecutable())
        return beside;
    const QString inPath = QStandardPaths::findExecutable(name);
    return inPath.isEmpty() ? name : inPath;
}

EngineClient::EngineClient(QString program, QObject* parent) : QObject(parent), m_program(std::move(program))
{
    m_killTimer.setSingleShot(true);
    m_killTimer.setInterval(kKillAfterMs);
    connect(&m_killTimer, &QTimer::timeout, this, [this] {
        if (m_process != nullptr)
            m_process->kill();
    });
}

EngineClient::~EngineClient()
{
    stopProcess();
}

void EngineClient::stopProcess()
{
    if (m_process == nullptr)
        return;
    m_process->disconnect(this);
    m_process->terminate(); // asks the process
    if (m_process->state() != QProcess::NotRunning && !m_process->waitForFinished(kKillAfterMs))
    {
        m_process->kill();
        m_process->waitForFinished(kKillAfterMs);
    }
    delete std::exchange(m_process, nullptr);
    m_killTimer.stop();
}

bool EngineClient::running() const
{
    return m_process != nullptr;
}

void EngineClient::start(const QString& verb, const QStringList& arguments)
{
    stopProcess();
    m_cancelled = false;
    m_inError = false;
    m_pending.clear();
    m_logTail.clear();
    m_process = new QProcess(this);
    connect(m_process, &QProcess::readyReadStandardError, this, &EngineClient::readErrors);
    connect(m_process, &QProcess::finished, this, &EngineClient::conclude);
    connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError what) {
        if (what != QProcess::FailedToStart)
            return; // a crash is told by finished()
        m_process->deleteLater();
        m_process = nullptr;
        Q_EMIT failed(Error{ErrorCode::FileNotFound,
                            "the engine could not be started; it is expected next to headscope, or in the search path",
                            ui::toStdString(m_program),
                            {}});
    });
    QStringList all{verb};
    all << arguments << QStringLiteral("--json") << QStringLiteral("--progress") << QStringLiteral("json");
    m_process->start(m_program, all, QIODevice::ReadOnly);
}

void EngineClient::cancel()
{
    if (m_process == nullptr || m_cancelled)
        return;
    m_cancelled = true;
    m_process->terminate(); // asks the process
    m_killTimer.start();
}

void EngineClient::readErrors()
{
    m_pending += m_process->readAllStandardError();
    for (qsizetype end = m_pending.indexOf('\n'); end >= 0; end = m_pending.indexOf('\n'))
    {
        const QByteArray line = m_pending.left(end);
        m_pending.remove(0, end + 1);
        takeLine(line);
    }
}

void EngineClient::takeLine(const QByteArray& line)
{
    if (line.trimmed().isEmpty())
        return;
    if (line.startsWith('{'))
    {
        const QJsonObject object = QJsonDocument::fromJson(line).object();
        if (object.contains(u"stage"))
        {
            if (!m_cancelled)
                Q_EMIT progressed(progressFrom(object));
            return;
        }
    }
    const QString text = QString::fromUtf8(line);
    m_logTail << text;
    if (m_logTail.size() > kLogLines)
        m_logTail.removeFirst();
    // "headscope: FILE: ..." and the list of problems below it are the error that failed() brings.
    if (!text.startsWith(u' '))
        m_inError = text.startsWith(u"headscope: ") && !text.startsWith(u"headscope: note: ");
    if (!m_inError)
        Q_EMIT logLine(text);
}

void EngineClient::conclude(int exitCode, QProcess::ExitStatus status)
{
    m_killTimer.stop();
    readErrors();
    takeLine(std::exchange(m_pending, {}));
    const QByteArray out = m_process->readAllStandardOutput();
    m_process->deleteLater();
    m_process = nullptr;
    if (m_cancelled)
        return Q_EMIT failed(JobContext::cancelled());
    const QJsonObject result = QJsonDocument::fromJson(out).object();
    if (status == QProcess::NormalExit && exitCode == 0)
        return Q_EMIT finished(result);
    if (status == QProcess::NormalExit)
        if (const auto error = errorFrom(result))
            return Q_EMIT failed(*error);
    QString sentence =
        status == QProcess::CrashExit
            ? tr("the engine was stopped by %1").arg(signalName(exitCode))
            : tr("the engine stopped unexpectedly (exit code %1); see the log for its output").arg(exitCode);
    if (!m_logTail.isEmpty())
        sentence += tr("; its last message: %1")
                        .arg(m_logTail.mid(std::max<qsizetype>(0, m_logTail.size() - kTailInSentence))
                                 .join(QStringLiteral(" / ")));
    Q_EMIT failed(Error{ErrorCode::Internal, ui::toStdString(sentence), {}, {}});
}

} // namespace headscope::desktop
