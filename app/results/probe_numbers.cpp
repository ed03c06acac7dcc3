// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/probe_numbers.h"

#include "model/data/stage.h"

#include <string>
#include <utility>

namespace headscope
{

ResultTable probeNumbers(const std::vector<ProbeResult>& results)
{
    ResultTable table({"layer", "stage", "quantity", "head", "predicted", "value"});
    for (const ProbeResult& result : results)
    {
        const std::string layer = result.layer ? std::to_string(*result.layer) : std::string();
        const std::string stage(result.stage ? stageName(*result.stage) : "");
        const auto add = [&](const char* quantity, std::string head, std::string predicted, double value) {
            table.add({layer, stage, quantity, std::move(head), std::move(predicted), value});
        };
        add("train rows", "", "", static_cast<double>(result.trainRows));
        add("test rows", "", "", static_cast<double>(result.testRows));
        if (!result.testDocuments.empty())
            add("test documents", "", "", static_cast<double>(numTestDocuments(result)));
        add("accuracy", "", "", result.accuracy);
        add("accuracy, 95 % interval from", "", "", result.ci95Low);
        add("accuracy, 95 % interval to", "", "", result.ci95High);
        add("macro F1", "", "", result.macroF1);
        for (const HeadScore& score : result.perHead)
        {
            const std::string head = std::to_string(score.head + 1);
            add("precision", head, "", score.precision);
            add("recall", head, "", score.recall);
            add("recall, 95 % interval from", head, "", score.recallCi95.low);
            add("recall, 95 % interval to", head, "", score.recallCi95.high);
        }
        for (std::int64_t truth = 0; truth < result.confusion.rows(); ++truth)
            for (std::int64_t predicted = 0; predicted < result.confusion.cols(); ++predicted)
                add("test rows", std::to_string(truth + 1), std::to_string(predicted + 1),
                    static_cast<double>(result.confusion(truth, predicted)));
    }
    return table;
}

} // namespace headscope
