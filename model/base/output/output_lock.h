// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/output/temporary_path.h"
#include "model/base/result.h"

#include <filesystem>
#include <optional>
#include <string>

namespace headscope
{

/// The right to write one file, held by one at a time on all machines that see it: a run that takes hours, or
/// reading a file and rewriting it with something added.
///
/// It is a lock on a file ".NAME.lock" beside it, which says who holds it, goes with this object, and holds nobody
/// up once its process has ended. Where the file system has no locks, the file itself is the lock: of a process of
/// this machine that has ended it is taken over, of another machine it stands until somebody removes it.
class OutputLock
{
public:
    /// @errors Resource: somebody holds it, by process, machine and time; the lock file cannot be made
    [[nodiscard]] static Result<OutputLock> take(const std::filesystem::path& target);
    /// The same, but waits until it is free.
    /// @errors Resource, Cancelled
    [[nodiscard]] static Result<OutputLock> wait(const std::filesystem::path& target, JobContext& job);
    /// Who holds the right to write a file, in words; nothing where nobody does, or where its process has ended. Asks
    /// without a lock of its own: whoever comes meanwhile is not held up.
    [[nodiscard]] static std::optional<std::string> holder(const std::filesystem::path& target);
    OutputLock(OutputLock&& other) noexcept;
    OutputLock& operator=(OutputLock&&) = delete;
    ~OutputLock();

private:
    OutputLock(TemporaryPath file, int descriptor);
    /// Nothing where somebody holds it, who is then in `holder`.
    static Result<std::optional<OutputLock>> tryTake(const std::filesystem::path& place, std::string& holder);

    TemporaryPath m_file;
    int m_descriptor = -1;
};

} // namespace headscope
