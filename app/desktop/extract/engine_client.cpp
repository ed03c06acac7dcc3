// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/extract/engine_client.h"

#include "app/shell/error_json.h"
#include "app/shell/progress_line.h"
#include "ui/words/wording.h"

#include <QJsonDocument>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace headscope::desktop
{
namespace
{

constexpr std::chrono::milliseconds kPatience{2000}; ///< it writes what it has computed
constexpr qsizetype kLogLines = 40;
constexpr qsizetype kTailInSentence = 6;

} // namespace

EngineClient::EngineClient(const QString& program, QObject* parent)
    : QObject(parent), m_program(ui::toStdString(program))
{
    m_killTimer.setSingleShot(true);
    m_killTimer.setInterval(kPatience);
    connect(&m_killTimer, &QTimer::timeout, this, [this] {
        if (m_process)
            m_process->kill();
    });
}

EngineClient::~EngineClient()
{
    stopProcess();
}

void EngineClient::stopProcess()
{
    ++m_run; // lines that are on their way are dropped
    m_killTimer.stop();
    if (!m_process)
        return;
    m_process->end(kPatience);
    m_reader.join();
    m_process.reset();
}

void EngineClient::start(const QString& verb, const QStringList& arguments)
{
    stopProcess();
    m_cancelled = false;
    m_inError = false;
    m_logTail.clear();
    std::vector<std::string> words{ui::toStdString(verb)};
    for (const QString& argument : arguments)
        words.push_back(ui::toStdString(argument));
    words.insert(words.end(), {"--json", "--progress", "json"});
    auto started = cli::EngineProcess::start(m_program, words, cli::EngineLines::Errors);
    const auto tell = [this, run = m_run](auto what) { // later, on this thread
        QMetaObject::invokeMethod(
            this,
            [this, run, what = std::move(what)] {
                if (run == m_run)
                    what();
            },
            Qt::QueuedConnection);
    };
    if (!started)
        return tell([this] {
            Q_EMIT failed(Error{
                ErrorCode::FileNotFound,
                "the engine could not be started; headscope-engine must be next to headscope or in the search path",
                m_program.string(),
                {}});
        });
    m_process.emplace(std::move(*started));
    m_reader = std::thread([this, tell, process = &*m_process] {
        while (auto line = process->readLine())
            tell([this, text = std::move(*line)] { takeLine(text); });
        tell([this, status = process->ending()] { conclude(status); });
    });
}

void EngineClient::cancel()
{
    if (!m_process || m_cancelled)
        return;
    m_cancelled = true;
    m_process->askToEnd();
    m_killTimer.start();
}

void EngineClient::takeLine(const std::string& line)
{
    const QString text = QString::fromUtf8(line);
    if (text.trimmed().isEmpty())
        return;
    if (const auto object = nlohmann::json::parse(line, nullptr, false); object.contains("stage"))
    {
        if (!m_cancelled)
            Q_EMIT progressed(shell::progressOf(object));
        return;
    }
    m_logTail << text;
    if (m_logTail.size() > kLogLines)
        m_logTail.removeFirst();
    // "headscope: FILE: ..." and the list of problems below it are the error that failed() brings.
    if (!text.startsWith(u' '))
        m_inError = text.startsWith(u"headscope: ") && !text.startsWith(u"headscope: note: ");
    if (!m_inError)
        Q_EMIT logLine(text);
}

void EngineClient::conclude(int status)
{
    m_killTimer.stop();
    m_reader.join();
    const std::string out = m_process->output();
    m_process.reset();
    if (m_cancelled)
        return Q_EMIT failed(JobContext::cancelled());
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return Q_EMIT finished(QJsonDocument::fromJson(QByteArray::fromStdString(out)).object());
    if (WIFEXITED(status))
        if (const auto error = shell::errorOf(nlohmann::json::parse(out, nullptr, false)))
            return Q_EMIT failed(*error);
    std::string sentence =
        fmt::format("the engine {}{}", cli::endingText(status), WIFEXITED(status) ? " without giving a reason" : "");
    if (!m_logTail.isEmpty())
        sentence +=
            "; its last message: " +
            ui::toStdString(
                m_logTail.mid(std::max<qsizetype>(0, m_logTail.size() - kTailInSentence)).join(QStringLiteral(" / ")));
    Q_EMIT failed(Error{ErrorCode::Internal, sentence, {}, {}});
}

} // namespace headscope::desktop
