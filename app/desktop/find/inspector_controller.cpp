// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/find/inspector_controller.h"

#include "app/desktop/find/find_nearest.h"
#include "model/io/cache/full_vectors.h"
#include "ui/jobs/job_strip.h"
#include "ui/panels/document/inspector.h"
#include "ui/words/wording.h"

#include <utility>
#include <vector>

namespace headscope::desktop
{
namespace
{

constexpr std::int64_t kNearest = 6;

struct Nearest
{
    std::vector<ui::NearDocument> byHead;
    std::vector<ui::NearDocument> byFull;
    std::shared_ptr<const FullVectors> full; ///< kept, so that the next click reads no file
    QString whyNotByHead;                    ///< "" where there is an answer
    QString whyNotByFull;
};

} // namespace

InspectorController::InspectorController(Study& study, QObject* parent) : Controller(parent), m_study(study)
{
    connect(&m_study.window().selection(), &ui::SelectionHub::primaryChanged, this, &InspectorController::findNearest);
    connect(&m_study.window().selection(), &ui::SelectionHub::shownChanged, this, &InspectorController::findNearest);
    connect(&m_study, &Study::sourceChanged, this, [this] {
        m_runner.cancel();
        showStrengths();
    });
    connect(&m_study, &Study::sourceLoaded, this, [this] {
        showStrengths();
        findNearest();
    });
    connect(&m_study, &Study::paletteChanged, this, &InspectorController::showStrengths);
}

void InspectorController::leave()
{
    m_study.window().inspector().setNearest({}, {}, {});
    m_study.window().inspector().setStrengths(nullptr, m_study.stage(), m_study.palette());
}

void InspectorController::showStrengths()
{
    m_study.window().inspector().setStrengths(m_study.source().strengths, m_study.stage(), m_study.palette());
}

void InspectorController::findNearest()
{
    const Selection& chosen = m_study.window().selection().selection();
    const SourceData& source = m_study.source();
    if (!chosen.primary || source.vectors == nullptr)
        return m_runner.cancel();
    m_study.run<Nearest>(
        m_runner,
        [reader = m_study.cache()->reader, vectors = source.vectors, full = source.full, document = *chosen.primary,
         head = chosen.primaryHead, among = m_study.window().selection().shownDocuments(),
         count = m_study.threads()](JobContext& job) -> Result<Nearest> {
            Nearest nearest{{}, {}, full, {}, {}};
            if (head && head->value() < vectors->heads())
            {
                nearest.whyNotByHead = noDirectionText(ui::unitText(vectors->stage(), *head),
                                                       directionOf(vectors->vector(document, *head)));
                HEADSCOPE_TRY(nearest.byHead, nearestRows(vectors->head(*head), document, kNearest, among, count, job));
            }
            if (nearest.full == nullptr)
            {
                HEADSCOPE_TRY(FullPair read,
                              fullVectors(*reader, vectors->layer(), vectors->stage(), std::nullopt, job));
                nearest.full = std::make_shared<const FullVectors>(std::move(read.documents));
            }
            nearest.whyNotByFull =
                noDirectionText(tr("The full vector"), directionOf(nearest.full->vectors->full(document)));
            HEADSCOPE_TRY(nearest.byFull, nearestRows(nearest.full->matrix(), document, kNearest, among, count, job));
            return nearest;
        },
        [this](Result<Nearest> nearest) {
            if (!nearest)
            {
                m_study.window().inspector().setNearest({}, {}, {}); // those of the document before are not its own
                return m_study.window().jobStrip().addLog(ui::errorText(nearest.error()));
            }
            m_study.keepFull(nearest->full);
            m_study.window().inspector().setNearest(std::move(nearest->byHead), std::move(nearest->byFull),
                                                    ui::toQString(nearest->full->source), nearest->whyNotByHead,
                                                    nearest->whyNotByFull);
        });
}

} // namespace headscope::desktop
