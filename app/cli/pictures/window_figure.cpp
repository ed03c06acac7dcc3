// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/pictures/window_figure.h"

#include "app/cli/figure_files.h"
#include "app/shell/quoted_command.h"
#include "model/base/output/output_file.h"
#include "model/data/frame/text_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace headscope::cli
{
namespace
{

WindowFigureMaker s_maker = nullptr;

Error cannotMake(const std::filesystem::path& file)
{
    return {ErrorCode::InvalidArgument,
            fmt::format("expected a figure that a verb draws, found one that was saved from the window; open it there "
                        "(drop it onto the window, or type {}) and save it again",
                        shell::quotedCommand("headscope", std::vector<std::string>{file.string()})),
            file.string(),
            {}};
}

} // namespace

void setWindowFigureMaker(WindowFigureMaker maker)
{
    s_maker = maker;
}

Result<Answer> runWindowFigure(const FigureRecipe& recipe, const std::filesystem::path& file,
                               const commands::FigureCommand& command, const CommonOptions& common, InputSearch& search,
                               JobContext& job)
{
    if (s_maker == nullptr)
        return cannotMake(file);
    if (command.text == "outlines")
        return wrongUse("--text", "expected \"text\" for a figure that was saved from the window, found \"outlines\"");
    const auto cache = std::ranges::find(recipe.inputs, "CACHE", &RecipeInput::option);
    if (cache == recipe.inputs.end())
        return Error{ErrorCode::BadFormat, "this recipe names no cache", file.string(), {}};
    WindowFigureRequest request{file, {}, command.output, command.preset, command.files, command.annotate};
    HEADSCOPE_TRY(request.cache, search.find(*cache, file));
    HEADSCOPE_CHECK(search.checkAllUsed());
    const std::vector<std::filesystem::path> read = {file, request.cache};
    HEADSCOPE_CHECK(checkOutputPath(request.output, common.overwrite, read));
    for (const char* ending : kBesideEndings)
        if (command.files)
            HEADSCOPE_CHECK(checkOutputPath(besideFigure(request.output, ending), common.overwrite, read));
    HEADSCOPE_TRY(const WindowFigureMade made, s_maker(request, job));
    Answer answer;
    (*answer.json)["view"] = made.view;
    (*answer.json)["notices"] = Json::array();
    tellFigure(answer, made.record, made.files, command.preset);
    answer.text = factsText({{"view", made.view}, {"output", command.output}});
    if (recipe.headscope != HEADSCOPE_VERSION || recipe.qt != qVersion())
        answer.notices.push_back(fmt::format("the recipe was made by Headscope {} with Qt {}, but this is Headscope {} "
                                             "with Qt {}: the figure may differ",
                                             recipe.headscope.substr(0, 40), recipe.qt.substr(0, 40), HEADSCOPE_VERSION,
                                             qVersion()));
    (*answer.json)["notices"] = answer.notices;
    return answer;
}

} // namespace headscope::cli
