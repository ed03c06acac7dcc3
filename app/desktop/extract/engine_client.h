// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/engine_process.h"
#include "model/base/error.h"
#include "model/base/job_context.h"

#include <QJsonObject>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <optional>
#include <string>
#include <thread>

namespace headscope::desktop
{

/// Runs one verb of headscope-engine at a time as a process of its own.
///
/// The engine prints one JSON object on stdout and progress lines (JSON, one a line) on stderr;
/// every other line of stderr is its log (its error comes by failed() alone). It may crash, run out of memory or be
/// killed: the window gets a sentence and the last lines of the log. cancel() asks it to end, and ends it after a
/// second.
/// @threads GUI thread
class EngineClient : public QObject
{
    Q_OBJECT

public:
    explicit EngineClient(const QString& program, QObject* parent = nullptr);
    /// Ends a running engine: asks, waits a second at most, then kills.
    ~EngineClient() override;

    /// Starts `program VERB ARGUMENTS --json --progress json`. A run that still continues is ended first.
    void start(const QString& verb, const QStringList& arguments);
    void cancel();
    [[nodiscard]] bool running() const { return m_process.has_value(); }
    [[nodiscard]] qint64 processId() const { return m_process ? m_process->id() : 0; }

Q_SIGNALS:
    void progressed(const headscope::Progress& progress);
    void logLine(const QString& line);
    void finished(const QJsonObject& result);
    /// Everything that is not success; code Cancelled after cancel().
    void failed(const headscope::Error& error);

private:
    void takeLine(const std::string& line);
    void conclude(int status);
    void stopProcess();

    std::filesystem::path m_program;
    std::optional<cli::EngineProcess> m_process;
    std::thread m_reader; ///< of its standard error
    int m_run = 0;        ///< counts those that were started
    QTimer m_killTimer;
    QStringList m_logTail;
    bool m_cancelled = false;
    bool m_inError = false; ///< the last line of the log belongs to an error
};

} // namespace headscope::desktop
