// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>

namespace headscope::test
{

/// What an engine played by a shell script is made of.
struct EngineScript
{
    QByteArray body = "";   ///< runs for each request but cancel, with its $line, $id and $method
    QByteArray cancel = ""; ///< runs for cancel, with the $request that is to be cancelled
    QByteArray before = ""; ///< runs first
    QByteArray hello = "{\"protocol\":1,\"version\":\"0\"}";
};

/// A line of such a script that answers its request: `fields` are those beside the id.
inline QByteArray answering(const QByteArray& fields, const QByteArray& id = "$id")
{
    return "echo \"{\\\"id\\\":" + id + "," + QByteArray(fields).replace("\"", "\\\"") + "}\"\n";
}

/// Says that a request was cancelled, as the engine does.
inline QByteArray answeringCancelled()
{
    return answering(R"("error":{"code":"cancelled","message":"cancelled"})", "$request");
}

/// Writes a script that speaks as `headscope-engine serve` (app/engine/PROTOCOL.md).
[[nodiscard]] inline bool writeEngine(const QString& path, const EngineScript& script)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return false;
    file.write("#!/bin/sh\n" + script.before + "\necho '" + script.hello +
               "'\nwhile read -r line; do\n"
               "id=${line#*'\"id\":'}; id=${id%%,*}\n"
               "method=${line#*'\"method\":\"'}; method=${method%%'\"'*}\n"
               "request=${line#*'\"request\":'}; request=${request%%\\}*}\n"
               "if [ $method = cancel ]; then :\n" +
               script.cancel + "\nelse :\n" + script.body + "\nfi\ndone\n");
    file.close();
    return file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

} // namespace headscope::test
