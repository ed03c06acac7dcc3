// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/shell/copied_command.h"
#include "app/desktop/shell/view_files.h"
#include "app/results/circuit_frame.h"
#include "app/results/frame_output.h"
#include "app/results/provenance.h"
#include "app/views/circuits/circuits_controller.h"
#include "ui/words/wording.h"
#include "viz/export/circuits/circuit_figures.h"

#include <QImage>
#include <QPixmap>

#include <filesystem>

namespace headscope::desktop
{
namespace
{

/// What of a page is in front, as a figure.
viz::CircuitLook lookOf(const ui::CircuitsView& view)
{
    using enum viz::CircuitPicture;
    viz::CircuitLook look;
    look.kind = view.choices().compositionKind();
    look.centred = view.choices().center;
    switch (view.page())
    {
    case ui::CircuitPage::Pair:
        look.picture = Waterfall;
        if (const auto& open = view.waterfall()->picture().unfolded(); !open.empty())
            look.layer = *open.rbegin();
        break;
    case ui::CircuitPage::Corpus:
        look.picture = Grid;
        break;
    case ui::CircuitPage::Composition:
        look.picture = view.picture() == view.graph() ? Graph : Matrix;
        look.layers = view.matrix()->picture().layers();
        break;
    case ui::CircuitPage::Tokens:
        look.picture = Words;
        look.layer = view.words()->picture().layer();
        look.token = view.words()->picture().read();
        break;
    }
    return look;
}

} // namespace

QString CircuitsController::commandLine() const
{
    return {}; // the window's figure is followed as a view: its documents are a choice of the cache's
}

std::optional<ViewOutput> CircuitsController::output(const QString& path, const viz::FigureOptions& /*paper*/)
{
    const CircuitResultPtr result = m_view->result(m_view->page());
    if (!result)
        return nothing(tr("No circuits computed yet."));
    const std::filesystem::path target = ui::toStdString(path);
    if (!isTextTable(target))
        return ViewOutput{viz::figureOfCircuit(result, lookOf(*m_view))};
    return ViewOutput{{}, [result, target, kind = m_view->choices().compositionKind()] {
                          Provenance provenance;
                          provenance.add("verb", std::string("circuits"));
                          provenance.add("model", result->model);
                          return writeFrameFile(target, circuitFrame(*result, {.kind = kind}), provenance);
                      }};
}

void CircuitsController::copy()
{
    const CircuitResultPtr result = m_view->result(m_view->page());
    if (!result)
        return window().showNotice(tr("No circuits computed yet."));
    copyView(window(), circuitFrame(*result, {.kind = m_view->choices().compositionKind()}),
             m_view->picture()->grab().toImage());
}

} // namespace headscope::desktop
