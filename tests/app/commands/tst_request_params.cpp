// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/request_params.h"

#include "app/commands/attention/attention_command.h"
#include "app/commands/command_line.h"
#include "app/commands/extract_command.h"
#include "app/commands/inspect_command.h"
#include "app/commands/tokenize_command.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;
using namespace headscope::commands;
using Json = nlohmann::json;

/// Commands as the parameters of requests.
class TestRequestParams : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyWhatDiffersIsAsked()
    {
        QCOMPARE(shell::requestParams(CommandLine<AttentionCommand>()), Json::object());
        CommandLine<AttentionCommand> line;
        line.command.model = "model.gguf";
        line.command.text = "a text";
        line.command.statistics = true;
        line.command.thumbnails = 64;
        line.command.encode.eos = "always";
        line.command.maxTokens = "77";
        line.command.ablation.ablate = "29:1-3";
        line.command.layers = "5";
        line.common.threads = 2;
        QCOMPARE(shell::requestParams(line), Json({{"model", "model.gguf"},
                                                   {"text", "a text"},
                                                   {"statistics", true},
                                                   {"thumbnails", 64},
                                                   {"eos", "always"},
                                                   {"max-tokens", "77"},
                                                   {"ablate", "29:1-3"},
                                                   {"layers", "5"},
                                                   {"threads", 2}}));
    }

    void whatIsMeantToBeEmptyIsAsked()
    {
        CommandLine<ExtractCommand> line;
        line.command.inputs = {"a.jsonl", "b.jsonl"};
        line.command.output = "off.h5";
        line.command.labelColumns = "";
        line.common.seed = 7;
        QCOMPARE(
            shell::requestParams(line),
            Json({{"documents", {"a.jsonl", "b.jsonl"}}, {"output", "off.h5"}, {"label-columns", ""}, {"seed", 7}}));
    }

    void requestsTakeATextInPlaceOfAFile()
    {
        CommandLine<TokenizeCommand> line;
        line.command.model = "model";
        line.command.text = "-5 °C";
        line.command.input = "no file is read";
        QCOMPARE(shell::requestParams(line), Json({{"model", "model"}, {"text", "-5 °C"}}));
    }

    void namesAreThoseOfTheOptions()
    {
        CommandLine<InspectCommand> line;
        Fields table;
        line.declareServed(table);
        QCOMPARE(shell::parameterName(*table.find("CACHE")), std::string("cache"));
        QCOMPARE(shell::parameterName(*table.find("--hashes")), std::string("hashes"));
        CommandLine<ExtractCommand> extract;
        Fields options;
        extract.declareServed(options);
        QCOMPARE(shell::parameterName(*options.find("-o")), std::string("output"));
        QCOMPARE(shell::parameterName(*options.find("--layers")), std::string("layers"));
    }
};

HEADSCOPE_TEST_GUILESS(TestRequestParams)
#include "tst_request_params.moc"
