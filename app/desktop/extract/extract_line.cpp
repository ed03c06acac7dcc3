// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/extract/extract_line.h"

#include "app/shell/parse_words.h"
#include "ui/dialogs/extract_request.h"
#include "ui/words/wording.h"

#include <memory>

namespace headscope::desktop
{

std::function<void(Fields&)> extractFields()
{
    return [line = std::make_shared<ExtractLine>()](Fields& f) {
        line->declare(f);
        f.find("--threads")->leastMeans("as in the settings");
        f.find("--seed")->label("Random seed", "The same seed selects the same documents.");
    };
}

Result<ExtractLine> extractLine(const ui::ExtractRequest& request, int threads)
{
    std::vector<std::string> words;
    for (const QString& word :
         QStringList{request.model, request.texts, QStringLiteral("-o"), request.output, QStringLiteral("--layers"),
                     request.layers, QStringLiteral("--stages"), request.stages} +
             request.options)
        words.push_back(ui::toStdString(word));
    ExtractLine line;
    Fields table;
    line.declare(table);
    HEADSCOPE_TRY([[maybe_unused]] const auto reading, shell::parseWords(table, words));
    if (line.common.threads == 0)
        line.common.threads = threads;
    line.common.overwrite = line.common.overwrite || request.overwrite;
    return line;
}

} // namespace headscope::desktop
