// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/app/tour/tour.h"
#include "ui/panels/data_panel.h"
#include "ui/panels/head_picker.h"
#include "ui/plots/retrieval_view.h"

#include <QLineEdit>

namespace headscope::tour
{

/// A text asks: first which model it needs is said, then the model is chosen and the answer comes.
inline void textQuery(Tour& t)
{
    const QString model = qEnvironmentVariable("HEADSCOPE_TOUR_MODEL");
    auto* view = t.find<ui::RetrievalView>(QStringLiteral("retrievalView"));
    if (model.isEmpty() || view == nullptr || !t.view(QStringLiteral("Retrieval")))
        return;
    auto* field = t.find<QLineEdit>(QStringLiteral("queryText"));
    QTest::mouseClick(field, Qt::LeftButton);
    QTest::keyClicks(field, QStringLiteral("How do planets move around the sun?"));
    t.shoot(QStringLiteral("text-query-needs-model"), 600);
    t.dialogs().nextPath = model;
    t.click(QStringLiteral("queryModel"));
    t.shoot(QStringLiteral("text-query-embedding"), 500);
    if (!QTest::qWaitFor([view] { return view->comparison() != nullptr && !view->comparison()->document; }, 120'000))
        return t.notThere(QStringLiteral("the answer to a text"));
    t.shoot(QStringLiteral("text-query"), 800);
}

/// What is picked at the left is what every view shows.
inline void chosenHeads(Tour& t)
{
    ui::HeadPicker* picker = t.window().dataPanel().headPicker();
    picker->setHeads({0, 4, 5});
    for (const char* name : {"Heatmap", "Heads", "Retrieval", "Layers", "Probe"})
    {
        t.view(QString::fromLatin1(name));
        t.settle();
        t.shoot(QStringLiteral("chosen-%1").arg(QString::fromLatin1(name).toLower()), 900);
    }
    t.view(QStringLiteral("Heads"));
    picker->chooseNone();
    t.shoot(QStringLiteral("chosen-none"), 500);
    picker->setHeads({4});
    t.shoot(QStringLiteral("chosen-one-heads"), 500);
    t.view(QStringLiteral("Heatmap"));
    t.shoot(QStringLiteral("chosen-one-heatmap"), 500);
    picker->chooseAll();
    t.window().showNormal();
    t.window().resize(1184, 820);
    for (const char* name : {"Heatmap", "Heads", "Retrieval"})
    {
        t.view(QString::fromLatin1(name));
        t.settle();
        t.shoot(QStringLiteral("narrow-%1").arg(QString::fromLatin1(name).toLower()), 900);
    }
    t.window().showMaximized();
    QTest::qWait(400);
}

} // namespace headscope::tour
