// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs/match_picture.h"

#include "model/analysis/topics/match_intervals.h"
#include "viz/export/match_figure.h"

namespace headscope::cli
{

Status writeMatchPicture(const MatchResult& result, const CacheInput& input, const std::string& vectorsText,
                         const std::vector<std::int64_t>& heads, const FigureFiles& files)
{
    TopicMatch match;
    match.stage = input.stages.front();
    match.layer = input.layers.front();
    match.result = result;
    match.vectorsText = vectorsText;
    setMatchIntervals(match);
    return files.draw([&](const std::filesystem::path& path, const viz::FigureOptions& options) {
        return viz::exportMatch(match, input.model(), heads, path, options);
    });
}

} // namespace headscope::cli
