// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/engine/engine_verb.h"
#include "app/engine/serve/line_input.h"
#include "app/engine/serve/replies.h"
#include "app/engine/serve/request.h"
#include "app/engine/serve/serving.h"
#include "app/engine/serve/session.h"

#include <chrono>
#include <string_view>

namespace headscope::engine
{

/// The engine that stays (app/engine/PROTOCOL.md): reads requests from standard input, does one job after another
/// besides that, and answers on standard output.
/// @threads one
class Server
{
public:
    /// @param idleAfter  how long without a job until the model is let go
    Server(VerbContext& context, std::chrono::seconds idleAfter);
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    /// Until `quit`, until the input has ended and all is answered, or until nobody reads the answers.
    /// @errors Cancelled (a signal), Resource (standard input cannot be read)
    [[nodiscard]] Status run();

private:
    using Prepared = Result<JobWork>;

    /// An eventfd: a job was done, or a signal came.
    class Bell
    {
    public:
        Bell();
        ~Bell();
        Bell(const Bell&) = delete;
        Bell& operator=(const Bell&) = delete;
        void ring() const;
        void quiet() const;
        [[nodiscard]] int descriptor() const { return m_descriptor; }

    private:
        int m_descriptor;
    };

    /// After a while without jobs.
    void letGo();
    void takeLine(const LineInput::Line& line);
    void take(const Request& request);
    [[nodiscard]] Prepared prepare(const Request& request);
    void cancel(const Request& request);
    /// Reads the parameters into the variables of a table, the common ones included.
    /// @param command  gets them as they would be typed
    [[nodiscard]] Result<CommonOptions> readOptions(const Request& request, Fields& table, std::string& command);

    VerbContext& m_context;
    Bell m_bell;
    Serving m_serving;
    Replies m_replies;
    JsonParser m_parser;
    bool m_quits = false;
    Session m_session; ///< last: its thread uses all others
};

} // namespace headscope::engine
