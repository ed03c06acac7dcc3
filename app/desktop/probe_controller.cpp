// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/probe_controller.h"

#include "app/desktop/workflows/train_probes.h"
#include "ui/models/probe_table_model.h"
#include "ui/plots/probe_view.h"
#include "ui/settings/settings.h"
#include "ui/wording.h"
#include "viz/export/figures.h"

#include <utility>
#include <vector>

namespace headscope::desktop
{

using ProbeResults = std::vector<std::shared_ptr<const ProbeResult>>;

ProbeController::ProbeController(Study& study, QObject* parent) : Controller(parent), m_study(study), m_save(study)
{
    registerView();
    ui::ProbeView& view = m_study.window().probeView();
    connect(&m_study.window(), &ui::MainWindow::probeRequested, this, &ProbeController::train);
    connect(&view, &ui::ProbeView::trainRequested, this, &ProbeController::train);
    connect(&view, &ui::ProbeView::emptyActionRequested, this, &ProbeController::train);
    connect(&m_runner, &ui::JobRunner::cancelled, this, [this] {
        m_study.window().probeView().setEmpty(tr("No probe yet"), tr("The training was cancelled."), tr("Train probe"));
    });
    connect(&m_study, &Study::cacheChanged, this, [this] {
        m_runner.cancel();
        ui::ProbeView& shownView = m_study.window().probeView();
        shownView.setResults({}, m_study.palette());
        shownView.setEmpty(tr("No probe yet"),
                           tr("A linear probe tells how well the heads can be told apart from one vector: accuracy per "
                              "stage, as in the paper’s Table 1, and the recall of each head."),
                           tr("Train probe"));
    });
    connect(&m_study, &Study::paletteChanged, this, [this] {
        ui::ProbeView& shownView = m_study.window().probeView();
        shownView.setResults(shownView.model()->results(), m_study.palette());
    });
    connect(&m_save, &SaveJob::saved, this, &Controller::saved);
    view.setEmpty(tr("No probe yet"), tr("A linear probe would say how well the heads can be told apart, stage by "
                                         "stage. Open a cache first."));
}

void ProbeController::registerView()
{
    ui::ViewEntry entry;
    entry.id = ui::View::Probe;
    entry.title = tr("Probe");
    entry.widget = &m_study.window().probeView();
    entry.help = tr("How well multinomial logistic regression tells the head from one vector, on documents it has not "
                    "seen: accuracy per stage with a 95 % interval (Table 1 of the paper).");
    entry.filters = pictureFilters();
    entry.save = [this](const QString& path) { save(path); };
    m_study.window().addView(std::move(entry));
}

void ProbeController::stop()
{
    m_runner.cancel();
    m_save.stop();
}

void ProbeController::train()
{
    if (!m_study.cache() || m_runner.running())
        return;
    ui::ProbeView& view = m_study.window().probeView();
    const LayerIndex layer = m_study.layer();
    ProbeOptions options;
    options.split = view.split();
    options.seed = static_cast<std::uint64_t>(m_study.window().settings().number(ui::SettingKey::Seed));
    if (view.model()->rowCount() == 0)
        view.setEmpty(tr("Training the probe"), tr("One probe per stage of layer %1.").arg(layer.value()));
    m_study.beginJob(QStringLiteral("probe"), tr("Training the probe"), m_runner);
    m_runner.start<ProbeResults>(
        [reader = m_study.cache()->reader, layer, stages = m_study.cache()->overview->stagesOf(layer),
         heads = m_study.heads(), options, count = m_study.threads()](JobContext& job) {
            return trainProbes(*reader, layer, stages, heads, options, count, job);
        },
        [this](Result<ProbeResults> results) {
            ui::ProbeView& target = m_study.window().probeView();
            if (results)
            {
                target.setResults(std::move(*results), m_study.palette());
                return Q_EMIT shown(ui::View::Probe);
            }
            m_study.report(results.error());
            target.setEmpty(ui::errorHeading(results.error().code), ui::errorText(results.error()), tr("Train probe"),
                            true);
        });
}

void ProbeController::save(const QString& path)
{
    std::vector<ProbeResult> results;
    for (const auto& result : m_study.window().probeView().model()->results())
        results.push_back(*result);
    if (results.empty())
        return m_study.window().showNotice(tr("There is no probe to save yet."));
    viz::FigureOptions options;
    options.overwrite = true; // the file dialog has asked
    m_save.start(path, [results, model = m_study.cache()->overview->model,
                        target = std::filesystem::path(ui::toStdString(path)),
                        options] { return viz::exportProbe(results, model, target, options); });
}

} // namespace headscope::desktop
