// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/verb.h"
#include "model/base/fields/fields.h"

#include <memory>
#include <utility>

namespace headscope::cli
{

/// A verb with its options, as a recipe, a line or nobody typed them. Does not move: the table refers to the rest.
struct ReadVerb
{
    std::unique_ptr<Verb> verb;
    CommonOptions common;
    Fields table;

    explicit ReadVerb(std::unique_ptr<Verb> which) : verb(std::move(which))
    {
        verb->declare(table);
        common.declare(table);
    }
    ReadVerb(const ReadVerb&) = delete;
    ReadVerb& operator=(const ReadVerb&) = delete;
};

} // namespace headscope::cli
