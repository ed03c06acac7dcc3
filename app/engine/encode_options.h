// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/encode_choices.h"
#include "model/base/result.h"
#include "model/tokenize/tokenizer.h"

namespace headscope::engine
{

using commands::EncodeChoices;

/// The choices as the tokenizer takes them.
/// @errors WrongUse
[[nodiscard]] Result<EncodeOptions> encodeOptions(const EncodeChoices& choices);

/// A result without its value.
template <class T>
[[nodiscard]] Status toStatus(const Result<T>& result)
{
    return result ? Status() : Status(result.error());
}

} // namespace headscope::engine
