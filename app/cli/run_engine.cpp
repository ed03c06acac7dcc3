// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run_engine.h"

#include "app/cli/engine_process.h"

#include <sys/wait.h>

namespace headscope::cli
{
namespace
{

ErrorCode codeOf(int exitCode)
{
    switch (exitCode)
    {
    case 2:
        return ErrorCode::WrongUse;
    case 3:
        return ErrorCode::BadFormat;
    case 4:
        return ErrorCode::Resource;
    case 130:
    case 143:
        return ErrorCode::Cancelled;
    default:
        return ErrorCode::Internal;
    }
}

} // namespace

Result<std::string> runEngine(const std::filesystem::path& engine, const std::vector<std::string>& arguments,
                              std::string_view input, JobContext& job)
{
    HEADSCOPE_TRY(auto process, EngineProcess::start(engine, arguments, EngineLines::None, input));
    const int status = process.ending(job);
    HEADSCOPE_CHECK(job.checkStop());
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return process.output();
    const std::string ending = "headscope-engine " + endingText(status);
    if (WIFSIGNALED(status))
        return Error{ErrorCode::Internal, ending, engine.string(), {}};
    const std::string sentence = process.lastWords();
    return Error{codeOf(WEXITSTATUS(status)), sentence.empty() ? ending : sentence, {}, {}};
}

} // namespace headscope::cli
