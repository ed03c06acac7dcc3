// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/file_limit.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <string>

namespace headscope::test
{
namespace
{

/// The child: no code and sentence (of one line, as all are) for success.
void tell(int descriptor, const Status& done)
{
    if (done)
        return;
    const std::string text = std::to_string(static_cast<int>(done.error().code)) + ' ' + done.error().sentence() + '\n';
    for (std::size_t at = 0; at < text.size();)
    {
        const auto written = ::write(descriptor, text.data() + at, text.size() - at);
        if (written <= 0)
            std::_Exit(1);
        at += static_cast<std::size_t>(written);
    }
}

std::string allOf(int descriptor)
{
    std::string text;
    std::array<char, 4096> piece = {};
    for (auto read = ::read(descriptor, piece.data(), piece.size()); read > 0;
         read = ::read(descriptor, piece.data(), piece.size()))
        text.append(piece.data(), static_cast<std::size_t>(read));
    return text;
}

} // namespace

Status withFileLimit(std::uint64_t bytes, const std::function<Status()>& work)
{
    const auto failed = [](const std::string& what) { return Error{ErrorCode::Internal, what, {}, {}}; };
    std::array<int, 2> ends = {-1, -1};
    if (::pipe(ends.data()) != 0)
        return failed("no pipe to the child");
    const pid_t child = ::fork();
    if (child < 0)
        return failed("no child");
    if (child == 0)
    {
        ::close(ends[0]);
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit most = {bytes, bytes};
        ::setrlimit(RLIMIT_FSIZE, &most);
        tell(ends[1], work());
        std::_Exit(0);
    }
    ::close(ends[1]);
    const std::string said = allOf(ends[0]);
    ::close(ends[0]);
    int status = 0;
    if (::waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return failed("the child did not end by itself");
    if (said.empty())
        return {};
    const auto space = said.find(' ');
    return Error{
        static_cast<ErrorCode>(std::atoi(said.c_str())), said.substr(space + 1, said.size() - space - 2), {}, {}};
}

} // namespace headscope::test
