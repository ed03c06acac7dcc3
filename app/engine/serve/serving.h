// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/engine/engine_verb.h"
#include "app/engine/serve/request.h"
#include "app/engine/serve/resident_model.h"
#include "model/base/output/temporary_path.h"
#include "model/base/result.h"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

namespace headscope::engine
{

/// Files of vectors for requests that name none: the newest stay, and all go with this.
/// @threads one
class VectorFiles
{
public:
    /// A name that is not taken; the file of a much earlier one is removed.
    /// @errors Resource
    [[nodiscard]] Result<std::filesystem::path> next();

private:
    TemporaryPath m_folder;
    std::deque<TemporaryPath> m_files;
    std::uint64_t m_count = 0;
};

/// What `serve` keeps from request to request.
struct Serving
{
    ResidentModel model;
    VectorFiles files;
};

/// Declares the parameters of a method.
/// @return  what answers a request: like a verb with --json
using DeclareServed = std::function<RunVerb(Fields& table, Serving& serving)>;

/// What a request may name.
struct ServedMethod
{
    std::string_view name;
    DeclareServed declare;
    bool (*takes)(const Request&) = nullptr; ///< which of the requests it answers; null: those that no other takes

    [[nodiscard]] bool answers(const Request& request) const { return takes == nullptr || takes(request); }
};

/// Those that are no verbs, then the verbs that are Served; where several have one name, the first that takes a request
/// answers it. `cancel` and `quit` are no jobs, and not among them.
[[nodiscard]] const std::vector<ServedMethod>& servedMethods();

/// Forms of `serve` alone: what is asked for or answered differs from that of the verb, or there is no verb
/// (app/engine/PROTOCOL.md).
[[nodiscard]] RunVerb declareServedOpen(Fields& table, Serving& serving);
[[nodiscard]] RunVerb declareServedEmbed(Fields& table, Serving& serving);
[[nodiscard]] RunVerb declareServedTokenize(Fields& table, Serving& serving);
[[nodiscard]] RunVerb declareServedAttention(Fields& table, Serving& serving);

/// A form whose parameters are those of a command.
/// @param run  gives the answer as JSON
template <class C>
[[nodiscard]] RunVerb formOf(Fields& table, Serving& serving, void (C::*declare)(Fields&),
                             Result<std::string> (*run)(const C&, Serving&, VerbContext&))
{
    auto command = std::make_shared<C>();
    ((*command).*declare)(table);
    return [command, run, &serving](VerbContext& context) -> Status {
        HEADSCOPE_TRY(const std::string json, run(*command, serving, context));
        answer(
            context, [&] { return json; }, [&] { return json + '\n'; });
        return {};
    };
}

} // namespace headscope::engine
