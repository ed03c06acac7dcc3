// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>

namespace headscope::ui
{

/// What to extract, as `headscope-engine extract` takes it.
struct ExtractRequest
{
    QString model = {};
    QString texts = {};
    QString layers = {}; ///< "last", "all" or "0,15,20-31"
    QString stages = {}; ///< "1,2,3"
    QString output = {};
    bool overwrite = false;   ///< the cache exists and may be replaced
    QStringList options = {}; ///< further words of the command line: "--text-column", "Description", ...
};

/// What a model does where an option says "auto"; 0 and "" while it is not known.
struct ModelDefaults
{
    std::int64_t layers = 0;
    std::int64_t maxTokens = 0;
    QString pooling = {};
    QString eos = {};
};

} // namespace headscope::ui
