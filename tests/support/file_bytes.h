// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>

#include <filesystem>

namespace headscope::test
{

/// All of a file; empty where there is none.
inline QByteArray bytesOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline QByteArray bytesOf(const std::filesystem::path& path)
{
    return bytesOf(QString::fromStdString(path.string()));
}

} // namespace headscope::test
