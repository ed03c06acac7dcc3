// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/encode_options.h"

#include <fmt/format.h>

namespace headscope::engine
{

Result<EncodeOptions> encodeOptions(const EncodeChoices& choices)
{
    EncodeOptions options;
    if (choices.eos == "always")
        options.eos = EosPolicy::Always;
    else if (choices.eos == "never")
        options.eos = EosPolicy::Never;
    else if (choices.eos != "config")
        return Error{ErrorCode::WrongUse,
                     fmt::format("expected config, always or never, found \"{}\"", choices.eos),
                     {},
                     "--eos"};
    if (choices.specialTokens == "text")
        options.specialTokens = SpecialTokens::Text;
    else if (choices.specialTokens != "parse")
        return Error{ErrorCode::WrongUse,
                     fmt::format("expected parse or text, found \"{}\"", choices.specialTokens),
                     {},
                     "--special-tokens"};
    return options;
}

} // namespace headscope::engine
