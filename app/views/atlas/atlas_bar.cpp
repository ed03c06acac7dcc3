// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/atlas/atlas_bar.h"

#include "ui/state/bind_controls.h"
#include "ui/state/view_state.h"
#include "ui/theme/theme.h"
#include "ui/view/view_pages.h"
#include "ui/widgets/widgets.h"
#include "ui/widgets/wrap_row.h"
#include "ui/words/wording.h"
#include "viz/atlas/head_colors.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QJsonValue>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr std::array kForms = {AtlasBar::Form::Dots, AtlasBar::Form::Grid, AtlasBar::Form::Table};

std::string keyOf(const QComboBox& box)
{
    return toStdString(box.currentData().toString());
}

} // namespace

AtlasBar::AtlasBar(QWidget* parent)
    : QFrame(parent), m_form([this](Fields& f) { fields(f, m_options); }, QStringLiteral("atlas"), this)
{
    setObjectName(QStringLiteral("bar"));
    auto* row = new WrapRow(this);
    row->setContentsMargins(Metrics::kPanel, Metrics::kRelated, Metrics::kPanel, Metrics::kRelated);
    row->setSpacing(Metrics::kRelated);
    buildForms();
    buildBoxes();
    buildMeasuring();
    m_note = new ElidedLabel({}, this);
    m_note->setObjectName(QStringLiteral("atlasNote"));
    m_note->setProperty("role", QStringLiteral("muted"));
    m_note->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    row->addWidget(makeTogether({m_forms[0], m_forms[1], m_forms[2]}, 0, this));
    for (QWidget* widget :
         std::initializer_list<QWidget*>{m_y, m_x, m_size, m_color, m_form.editor("order"), m_form.editor("clusters")})
        row->addWidget(widget, 0, Qt::AlignVCenter);
    row->addWidget(makeTogether({m_measure, m_stop, m_form.editor("documents")}, Metrics::kRelated, this));
    row->addWidget(m_note, 1);
    setRunning(false);
    refreshVisible();
}

void AtlasBar::buildForms()
{
    m_forms[0] =
        makePageButton("atlasDots", tr("Points"), tr("One point per head of the model, placed by two measures"), this);
    m_forms[1] =
        makePageButton("atlasGrid", tr("Grid"), tr("Layers as rows, heads as columns, coloured by a measure"), this);
    m_forms[2] = makePageButton("atlasTable", tr("Table"),
                                tr("All values, one row per head. Click a column header to sort."), this);
    auto* group = new QButtonGroup(this);
    group->setExclusive(true);
    for (QToolButton* button : m_forms)
        group->addButton(button);
    m_forms[0]->setChecked(true);
    stopAtChecked(group);
    connect(group, &QButtonGroup::buttonToggled, this, [this](QAbstractButton*, bool checked) {
        if (!checked)
            return;
        refreshVisible();
        fillBoxes();
        Q_EMIT formChanged();
    });
}

QComboBox* AtlasBar::makeBox(const char* name, std::string viz::AtlasChoice::*key, const QString& title,
                             const QString& tip)
{
    auto* box = new QComboBox(this);
    box->setObjectName(QLatin1StringView(name));
    box->setAccessibleName(title);
    box->setToolTip(tip);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(16);
    box->setMaxVisibleItems(30);
    connect(box, &QComboBox::currentIndexChanged, this, [this, box, key] { takeBox(box, key); });
    return box;
}

void AtlasBar::buildBoxes()
{
    m_x = makeBox("atlasX", &viz::AtlasChoice::x, tr("Measure on the x axis"), tr("Measure on the horizontal axis"));
    m_y = makeBox("atlasY", &viz::AtlasChoice::y, tr("Measure on the y axis"), tr("Measure on the vertical axis"));
    m_size = makeBox("atlasSize", &viz::AtlasChoice::size, tr("Measure for point size"),
                     tr("Measure shown by the area of a point"));
    m_color = makeBox("atlasColor", &viz::AtlasChoice::color, tr("Measure for colour"),
                      tr("Measure shown by the colour of a point"));
    m_form.makeButton("order", this);
    m_form.makeAlone("clusters", this)->setFixedWidth(96);
    connect(&m_form, &FieldForm::edited, this, [this](const QString& key) {
        if (key == QStringLiteral("order"))
            Q_EMIT orderChanged();
        else if (key == QStringLiteral("clusters"))
            Q_EMIT clustersChanged();
    });
}

void AtlasBar::bindTo(ViewState& state)
{
    bind(state, QStringLiteral("atlasX"), *m_x);
    bind(state, QStringLiteral("atlasY"), *m_y);
    bind(state, QStringLiteral("atlasSize"), *m_size);
    bind(state, QStringLiteral("atlasColor"), *m_color);
    // In the grid the box may show another measure than was chosen, which is nobody's choice.
    const auto chosen = [this] {
        const int at = m_color->findData(toQString(m_wanted.color));
        return at < 0 ? QJsonValue(QJsonValue::Undefined) : QJsonValue(m_color->itemText(at));
    };
    state.add({.part = StatePart::Controls,
               .key = QStringLiteral("atlasColor"),
               .name = {},
               .read = chosen,
               .write = [](const QJsonValue&) { return true; }});
    m_form.bindTo(state);
    bind(state, QStringLiteral("atlasDots"), *m_forms[0]);
    bind(state, QStringLiteral("atlasGrid"), *m_forms[1]);
    bind(state, QStringLiteral("atlasTable"), *m_forms[2]);
}

void AtlasBar::buildMeasuring()
{
    m_measure = new QToolButton(this);
    m_measure->setObjectName(QStringLiteral("atlasMeasure"));
    m_measure->setProperty("boxed", true);
    m_measure->setText(tr("Measure"));
    m_measure->setAccessibleName(tr("Add measure"));
    m_measure->setToolTip(tr("Measure more properties of the heads"));
    m_measure->setPopupMode(QToolButton::InstantPopup);
    m_measure->setFocusPolicy(Qt::StrongFocus);
    auto* menu = new QMenu(m_measure);
    menu->setToolTipsVisible(true);
    const auto add = [&](const char* name, const QString& text, MeasureKind kind) {
        QAction* const action = menu->addAction(text);
        action->setObjectName(QLatin1StringView(name));
        connect(action, &QAction::triggered, this, [this, kind] { Q_EMIT measureRequested(kind); });
        return action;
    };
    m_vectors = add("atlasMeasureVectors", tr("Vectors of all layers"), MeasureKind::Vectors);
    m_attention = add("atlasMeasureAttention", tr("Attention over documents"), MeasureKind::Attention);
    m_labels = add("atlasMeasureLabels", tr("Label probe of each head"), MeasureKind::Labels);
    menu->addSeparator();
    m_file = add("atlasAddFile", tr("Statistics from a file…"), MeasureKind::File);
    m_measure->setMenu(menu);
    m_form.makeAlone("documents", this)->setFixedWidth(96);
    m_stop = new QPushButton(tr("Stop"), this);
    m_stop->setObjectName(QStringLiteral("atlasStop"));
    m_stop->setToolTip(tr("Stop measuring. Finished layers are kept."));
    connect(m_stop, &QPushButton::clicked, this, &AtlasBar::stopRequested);
}

AtlasBar::Form AtlasBar::form() const
{
    for (std::size_t i = 0; i < kForms.size(); ++i)
        if (m_forms[i]->isChecked())
            return kForms[i];
    return Form::Dots;
}

void AtlasBar::setForm(Form form)
{
    m_forms[static_cast<std::size_t>(form)]->setChecked(true);
}

void AtlasBar::setMeasures(std::shared_ptr<const HeadMeasures> measures, bool grouped)
{
    m_measures = std::move(measures);
    m_grouped = grouped;
    // A box that is open stays so while layer after layer is measured.
    std::vector<std::string> keys = {toStdString(colorOfNoMeasure())};
    for (const HeadMeasure& measure : m_measures->measures)
        keys.push_back(measure.key + '\n' + measure.title);
    if (keys == m_filled)
        return;
    m_filled = std::move(keys);
    fillBoxes();
    refreshVisible();
}

QString AtlasBar::colorOfNoMeasure() const
{
    return m_grouped ? tr("Colour: KV group") : tr("Colour: %1").arg(unitText(m_measures->stage));
}

/// A measure each, with a line between kinds.
void AtlasBar::fillBox(QComboBox* box, const QString& prefix, bool places) const
{
    std::optional<MeasureKind> kind;
    for (const HeadMeasure& measure : m_measures->measures)
    {
        if (!places && measure.kind == MeasureKind::Place)
            continue;
        if (kind != measure.kind && box->count() > 0)
            box->insertSeparator(box->count());
        kind = measure.kind;
        box->addItem(prefix.arg(toQString(measure.title)), toQString(measure.key));
        box->setItemData(box->count() - 1, toQString(measure.definition), Qt::ToolTipRole);
    }
}

/// In the grid rows and columns are layers and heads: their own colours would say nothing there.
std::string AtlasBar::wantedColor() const
{
    const HeadMeasure* const wanted = m_measures->find(m_wanted.color);
    if (form() != Form::Grid || (wanted != nullptr && wanted->kind != MeasureKind::Place))
        return m_wanted.color;
    const auto first = std::ranges::find_if(
        m_measures->measures, [](const HeadMeasure& measure) { return measure.kind != MeasureKind::Place; });
    return first == m_measures->measures.end() ? m_wanted.color : first->key;
}

void AtlasBar::fillBoxes()
{
    if (m_measures == nullptr)
        return;
    const QSignalBlocker quiet[] = {QSignalBlocker(m_x), QSignalBlocker(m_y), QSignalBlocker(m_size),
                                    QSignalBlocker(m_color)};
    for (QComboBox* box : {m_x, m_y, m_size, m_color})
        box->clear();
    m_size->addItem(tr("Size: equal"), QString());
    m_color->addItem(colorOfNoMeasure(), toQString(viz::kColorByHead));
    fillBox(m_x, tr("X: %1"), true);
    fillBox(m_y, tr("Y: %1"), true);
    fillBox(m_size, tr("Size: %1"), false);
    fillBox(m_color, tr("Colour: %1"), true);
    const auto choose = [](QComboBox* box, const std::string& key, int otherwise) {
        const int at = box->findData(toQString(key));
        box->setCurrentIndex(at >= 0 ? at : std::min(otherwise, box->count() - 1));
    };
    constexpr int kFirstMeasure = 3; // behind layer, number and the line under them
    choose(m_x, m_wanted.x, 0);
    choose(m_y, m_wanted.y, m_y->count() > kFirstMeasure ? kFirstMeasure : 1);
    choose(m_size, m_wanted.size, 0);
    choose(m_color, wantedColor(), 0);
}

/// What the user chose in a box; the others keep what was chosen in them, there or not.
void AtlasBar::takeBox(const QComboBox* box, std::string viz::AtlasChoice::*key)
{
    m_wanted.*key = keyOf(*box);
    Q_EMIT choiceChanged();
}

viz::AtlasChoice AtlasBar::choice() const
{
    return {keyOf(*m_x), keyOf(*m_y), keyOf(*m_size), keyOf(*m_color)};
}

void AtlasBar::setWanted(const viz::AtlasChoice& choice)
{
    m_wanted = choice;
    fillBoxes();
    Q_EMIT choiceChanged();
}

bool AtlasBar::orderedByPattern() const
{
    return m_options.isOrdered && !m_form.editor("order")->isHidden();
}

void AtlasBar::refreshVisible()
{
    const bool dots = form() == Form::Dots;
    const bool pattern = m_measures != nullptr && m_measures->find("pattern") != nullptr;
    m_x->setVisible(dots);
    m_y->setVisible(dots);
    m_size->setVisible(dots);
    m_color->setVisible(form() != Form::Table);
    m_form.editor("order")->setVisible(form() == Form::Grid && pattern);
    m_form.editor("clusters")->setVisible(pattern);
}

void AtlasBar::setRunning(bool running)
{
    showRunning(*m_measure, *m_stop, running);
    m_form.editor("documents")->setVisible(!running);
}

void AtlasBar::setNote(const QString& text)
{
    m_note->setFullText(text);
}

QString AtlasBar::note() const
{
    return m_note->fullText();
}

QAction* AtlasBar::offer(MeasureKind kind) const
{
    switch (kind)
    {
    case MeasureKind::Attention:
        return m_attention;
    case MeasureKind::Labels:
        return m_labels;
    case MeasureKind::File:
        return m_file;
    default:
        return m_vectors;
    }
}

void AtlasBar::setOffer(MeasureKind kind, bool possible, const QString& text, const QString& tip)
{
    QAction* const action = offer(kind);
    action->setEnabled(possible);
    action->setText(text);
    action->setToolTip(tip);
}

} // namespace headscope::ui
