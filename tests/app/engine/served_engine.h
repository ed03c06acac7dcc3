// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/app/engine/engine_run.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QList>
#include <QProcess>
#include <QTemporaryDir>

#include <algorithm>
#include <cstring>
#include <vector>

namespace headscope::test
{

/// A `headscope-engine serve` with a folder of its own for temporary files.
class ServedEngine
{
public:
    explicit ServedEngine(const QStringList& more = {})
    {
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("TMPDIR"), m_temporary.path());
        m_process.setProcessEnvironment(environment);
        m_process.start(text(program("headscope-engine")), QStringList{QStringLiteral("serve")} + more);
        m_process.waitForStarted(kPatienceMs);
    }
    ~ServedEngine()
    {
        if (m_process.state() == QProcess::NotRunning)
            return;
        m_process.closeWriteChannel();
        if (!m_process.waitForFinished(kPatienceMs))
            m_process.kill();
        m_process.waitForFinished(kPatienceMs);
    }
    ServedEngine(const ServedEngine&) = delete;
    ServedEngine& operator=(const ServedEngine&) = delete;

    void write(const QByteArray& line)
    {
        m_process.write(line + '\n');
        while (m_process.bytesToWrite() > 0 && m_process.waitForBytesWritten(kPatienceMs))
        {}
    }
    void send(const QJsonValue& id, const char* method, const QJsonObject& params = {})
    {
        write(QJsonDocument(QJsonObject{{QStringLiteral("id"), id},
                                        {QStringLiteral("method"), QLatin1StringView(method)},
                                        {QStringLiteral("params"), params}})
                  .toJson(QJsonDocument::Compact));
    }
    /// The next line; empty where none came in time.
    QJsonObject line(int timeoutMs = kPatienceMs)
    {
        QElapsedTimer timer;
        timer.start();
        while (!m_process.canReadLine() && timer.elapsed() < timeoutMs)
            if (!m_process.waitForReadyRead(static_cast<int>(timeoutMs - timer.elapsed())) &&
                m_process.state() == QProcess::NotRunning)
                break;
        return QJsonDocument::fromJson(m_process.readLine()).object();
    }
    /// The answer to a request, also one that came before another that was asked for; all lines on the way are kept
    /// in passed().
    QJsonObject answer(const QJsonValue& id, int timeoutMs = kPatienceMs)
    {
        const auto isIt = [&](const QJsonObject& each) {
            return each.value(u"id") == id && (each.contains(u"result") || each.contains(u"error"));
        };
        if (const auto early = std::find_if(m_unread.begin(), m_unread.end(), isIt); early != m_unread.end())
            return m_unread.takeAt(early - m_unread.begin());
        while (true)
        {
            const QJsonObject got = line(timeoutMs);
            if (got.isEmpty() || isIt(got))
                return got;
            m_passed << got;
            m_unread << got;
        }
    }
    QJsonObject ask(const QJsonValue& id, const char* method, const QJsonObject& params = {})
    {
        send(id, method, params);
        return answer(id);
    }

    [[nodiscard]] QProcess& process() { return m_process; }
    [[nodiscard]] const QList<QJsonObject>& passed() const { return m_passed; }
    [[nodiscard]] QString temporaryFolder() const { return m_temporary.path(); }

private:
    QTemporaryDir m_temporary;
    QProcess m_process;
    QList<QJsonObject> m_passed;
    QList<QJsonObject> m_unread; // those of m_passed that were not returned yet
};

/// The numbers of one block of an answer to `embed`.
inline std::vector<float> vectorsOf(const QJsonObject& result, const QJsonObject& block)
{
    const std::string bytes = contents(result.value(u"file").toString().toStdString());
    const auto shape = block.value(u"shape").toArray();
    std::vector<float> values(static_cast<std::size_t>(shape.at(0).toInteger() * shape.at(1).toInteger()));
    const auto offset = static_cast<std::size_t>(block.value(u"offset").toInteger());
    if (offset + values.size() * sizeof(float) > bytes.size())
        return {};
    std::memcpy(values.data(), bytes.data() + offset, values.size() * sizeof(float));
    return values;
}

} // namespace headscope::test
