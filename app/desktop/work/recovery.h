// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/work/work_document.h"

#include <QLockFile>
#include <QString>

#include <memory>
#include <optional>

namespace headscope::desktop
{

/// The copy of a window's work that is left when the program does not end as it should. Each window has a file of its
/// own in one folder, with a lock next to it that a process which is gone no longer holds.
/// @threads one at a time
class Recovery
{
public:
    /// @param folder  made when the first copy is written
    explicit Recovery(QString folder) : m_folder(std::move(folder)) {}
    /// The program ends as it should, or the window closes: the copy is removed.
    ~Recovery();
    Recovery(const Recovery&) = delete;
    Recovery& operator=(const Recovery&) = delete;

    /// The work that another window left behind, the newest; it can be taken by take() or removed by discard().
    /// Files that cannot be read are no work.
    [[nodiscard]] std::optional<WorkDocument> find();
    /// The copy that was found is this window's from now on: it stays until it is written over.
    void take();
    void discard();

    /// Where this window's copy is to be written, with the lock held; "" where the folder cannot be written.
    [[nodiscard]] QString file();
    /// Nothing is worth being recovered any more.
    void remove();

private:
    QString m_folder;
    QString m_file; ///< of this window
    std::unique_ptr<QLockFile> m_lock;
    QString m_found; ///< of another
    std::unique_ptr<QLockFile> m_foundLock;
};

} // namespace headscope::desktop
