// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/figures/annotation_editor.h"

#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QShortcut>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headscope::ui
{
namespace
{

using Kind = viz::Annotation::Kind;

QString lineOf(const viz::Annotation& annotation)
{
    const QString kind = annotation.kind == Kind::Arrow ? AnnotationEditor::tr("Arrow")
                         : annotation.kind == Kind::Box ? AnnotationEditor::tr("Box")
                                                        : AnnotationEditor::tr("Label");
    return annotation.text.isEmpty() ? kind : AnnotationEditor::tr("%1: %2").arg(kind, annotation.text);
}

} // namespace

AnnotationEditor::AnnotationEditor(std::vector<viz::Annotation> annotations, QWidget* parent)
    : QWidget(parent), m_listed(std::move(annotations))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kGrid);
    layout->addWidget(makeSectionLabel(tr("Annotations"), this));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(Metrics::kRelated);
    const auto at = [](double x, double y) { return viz::AnnotationPoint{{x, y}, false}; };
    for (QToolButton* button :
         {addButton(tr("Label"), "markLabel", tr("Place text on the figure"),
                    {Kind::Label, at(0.5, 0.5), {}, tr("Text")}),
          addButton(tr("Arrow"), "markArrow", tr("Draw an arrow to a place, with text at its start"),
                    {Kind::Arrow, at(0.35, 0.35), at(0.5, 0.5), tr("Text")}),
          addButton(tr("Box"), "markBox", tr("Frame a part of the figure, with optional text above"),
                    {Kind::Box, at(0.35, 0.35), at(0.65, 0.65), {}})})
        buttons->addWidget(button);
    m_remove = new QToolButton(this);
    m_remove->setObjectName(QStringLiteral("markRemove"));
    m_remove->setText(tr("Remove"));
    m_remove->setToolTip(tr("Remove the selected annotation"));
    m_remove->setFixedHeight(Metrics::kControl);
    connect(m_remove, &QToolButton::clicked, this, &AnnotationEditor::remove);
    buttons->addStretch(1);
    buttons->addWidget(m_remove);
    layout->addLayout(buttons);
    m_list = new QListWidget(this);
    m_list->setObjectName(QStringLiteral("markList"));
    m_list->setAccessibleName(tr("Annotations of the figure"));
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    constexpr int kRows = 3;
    m_list->setFixedHeight(kRows * Metrics::kControl);
    layout->addWidget(m_list);
    m_text = new QLineEdit(this);
    m_text->setObjectName(QStringLiteral("markText"));
    m_text->setAccessibleName(tr("Text of the selected annotation"));
    m_text->setMaxLength(kLongestText);
    layout->addWidget(m_text);
    connect(m_list, &QListWidget::currentRowChanged, this, [this] {
        refreshText();
        Q_EMIT chosenChanged();
    });
    connect(m_text, &QLineEdit::textEdited, this, [this](const QString& text) {
        if (chosen() < 0)
            return;
        viz::Annotation& one = m_listed[static_cast<std::size_t>(chosen())];
        one.text = text.trimmed();
        m_list->currentItem()->setText(lineOf(one));
        Q_EMIT changed();
    });
    auto* gone = new QShortcut(QKeySequence(Qt::Key_Delete), m_list);
    gone->setContext(Qt::WidgetShortcut);
    connect(gone, &QShortcut::activated, this, &AnnotationEditor::remove);
    refresh(-1);
}

QToolButton* AnnotationEditor::addButton(const QString& text, const char* name, const QString& tip,
                                         viz::Annotation annotation)
{
    auto* button = new QToolButton(this);
    button->setObjectName(QLatin1StringView(name));
    button->setText(tr("+ %1").arg(text));
    button->setAccessibleName(tr("Add: %1").arg(text));
    button->setToolTip(tip);
    button->setFixedHeight(Metrics::kControl);
    connect(button, &QToolButton::clicked, this, [this, annotation = std::move(annotation)] { add(annotation); });
    m_adders.push_back(button);
    return button;
}

std::vector<viz::Annotation> AnnotationEditor::annotations() const
{
    std::vector<viz::Annotation> drawn;
    for (const viz::Annotation& one : m_listed)
        if (one.kind != Kind::Label || !one.text.isEmpty())
            drawn.push_back(one);
    return drawn;
}

int AnnotationEditor::chosen() const
{
    return m_list->currentRow();
}

void AnnotationEditor::choose(int at)
{
    m_list->setCurrentRow(at);
}

void AnnotationEditor::move(int at, bool end, QPointF share)
{
    viz::Annotation& one = m_listed[static_cast<std::size_t>(at)];
    (end ? one.to : one.from) = {share, false};
    Q_EMIT changed();
}

void AnnotationEditor::add(viz::Annotation annotation)
{
    // Not onto the one that was added just before.
    constexpr double kApart = 0.04;
    const auto shift = kApart * static_cast<double>(m_listed.size() % 5);
    for (viz::AnnotationPoint* point : {&annotation.from, &annotation.to})
        point->at += QPointF(shift, shift);
    m_listed.push_back(std::move(annotation));
    refresh(static_cast<int>(m_listed.size()) - 1);
    m_text->setFocus();
    m_text->selectAll();
    Q_EMIT changed();
}

void AnnotationEditor::remove()
{
    const int at = chosen();
    if (at < 0)
        return;
    m_listed.erase(m_listed.begin() + at);
    refresh(std::min(at, static_cast<int>(m_listed.size()) - 1));
    Q_EMIT changed();
}

void AnnotationEditor::refresh(int chosen)
{
    {
        const QSignalBlocker quiet(m_list);
        m_list->clear();
        for (const viz::Annotation& one : m_listed)
            m_list->addItem(lineOf(one));
        m_list->setCurrentRow(chosen);
    }
    for (QToolButton* button : m_adders)
        button->setEnabled(std::ssize(m_listed) < kMost);
    // What is not there takes no room.
    m_list->setVisible(!m_listed.empty());
    m_text->setVisible(!m_listed.empty());
    m_remove->setVisible(!m_listed.empty());
    refreshText();
    Q_EMIT chosenChanged();
}

void AnnotationEditor::refreshText()
{
    const int at = chosen();
    m_remove->setEnabled(at >= 0);
    m_text->setEnabled(at >= 0);
    m_text->setText(at < 0 ? QString() : m_listed[static_cast<std::size_t>(at)].text);
    m_text->setPlaceholderText(at < 0 ? tr("Select an annotation to change its text") : tr("Text"));
}

} // namespace headscope::ui
