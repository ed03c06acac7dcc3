// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/retrieval_input.h"

#include <string>

namespace headscope::desktop
{

class EngineServer;

/// A text as a query, embedded by `model` in the way the searched cache was made: as cli::queryText, with an engine
/// that stays.
/// @errors those of EngineServer::ask, addReference, checkChangedAsCache and cli::checkQueriesFit; BadFormat (an answer
/// that makes no sense)
[[nodiscard]] Result<cli::RetrievalQueries> embedQuery(EngineServer& engine, const std::string& text,
                                                       const std::string& model, const CacheInput& input,
                                                       const cli::SearchVectors& searched, JobContext& job);

} // namespace headscope::desktop
