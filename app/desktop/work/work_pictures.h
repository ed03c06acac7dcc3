// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QString>

namespace headscope::desktop
{

/// Small pictures of work files, as the window looked when they were saved: files of a folder, named by a hash of the
/// work's path. They are of no importance: what cannot be written or read is no picture.
/// @threads GUI thread
class WorkPictures
{
public:
    /// @param folder  made when the first picture is kept; "": none are kept, and there are none
    explicit WorkPictures(QString folder = {}) : m_folder(std::move(folder)) {}

    [[nodiscard]] bool areKept() const { return !m_folder.isEmpty(); }
    /// @param work  absolute
    /// @cost writes some ten thousand bytes
    void keep(const QString& work, const QImage& window) const;
    /// Null: there is none, it is damaged, or the work is newer than it.
    [[nodiscard]] QImage of(const QString& work) const;

    /// As it is on the welcome page, in logical pixels; kept twice as large.
    static constexpr int kWidth = 96;
    static constexpr int kHeight = 60;
    /// The oldest are removed beyond as many.
    static constexpr int kMost = 60;

private:
    [[nodiscard]] QString fileOf(const QString& work) const;

    QString m_folder;
};

} // namespace headscope::desktop
