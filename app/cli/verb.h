// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/frames/json_type.h"
#include "app/results/figure_recipe.h"
#include "app/results/provenance.h"
#include "app/shell/common_options.h"
#include "app/shell/verbs.h"
#include "app/shell/wrong_use.h"
#include "model/base/fields/fields.h"
#include "model/base/job_context.h"
#include "model/base/result.h"

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope::viz
{
struct FigureSpec;
}

namespace headscope::cli
{

using shell::CommonOptions;
using shell::wrongUse;

/// The output of a verb: the object that --json prints, and the same as text.
struct Answer
{
    std::unique_ptr<viz::FigureSpec> panel; ///< what CommonOptions::panel asks for
    std::unique_ptr<Json> json;
    std::string text;
    std::vector<std::string> notices; ///< sentences for stderr

    Answer();
    Answer(Answer&&) noexcept;
    Answer& operator=(Answer&&) noexcept;
    ~Answer();
};

/// One verb of the command line: its options, and what it does with them.
class Verb
{
public:
    virtual ~Verb() = default;
    /// Declares the verb's options besides the common ones.
    virtual void declare(Fields& table) = 0;
    /// Does the work after the options were read.
    [[nodiscard]] virtual Result<Answer> run(const CommonOptions& common, JobContext& job) = 0;
    /// What its inputs are called in the recipe of a figure, where they lie elsewhere now.
    void setRecorded(std::vector<RecordedName> names) { m_recorded = std::move(names); }

protected:
    std::vector<RecordedName> m_recorded; // NOLINT(cppcoreguidelines-non-private-member-variables-in-classes)
};

/// A verb whose options are one of the commands of app/commands.
template <class C>
class VerbOf : public Verb
{
public:
    void declare(Fields& table) override { m_command.declare(table); }

protected:
    /// What its figure is made from again.
    [[nodiscard]] FigureRecipe figureRecipe(const CommonOptions& common) const
    {
        return recipeOf(commands::CommandLine<C>{m_command, common}, m_recorded);
    }

    /// Adds options as they were typed to what made a result.
    /// @param names  what results call them: "per_topic"
    void tell(Provenance& provenance, const CommonOptions& common, std::initializer_list<std::string_view> names) const
    {
        commands::CommandLine<C> typed{m_command, common};
        Fields rows;
        typed.declare(rows);
        provenance.add(rows, names);
    }

    C m_command;
};

#define HEADSCOPE_DECLARE_VERB(stem, name, summary, ...) [[nodiscard]] std::unique_ptr<Verb> make##stem##Verb();
HEADSCOPE_VERBS(HEADSCOPE_DECLARE_VERB, HEADSCOPE_NO_VERB, HEADSCOPE_DECLARE_VERB)
#undef HEADSCOPE_DECLARE_VERB

/// The verb of that name; null: headscope has none.
[[nodiscard]] std::unique_ptr<Verb> makeVerb(std::string_view name);

} // namespace headscope::cli
