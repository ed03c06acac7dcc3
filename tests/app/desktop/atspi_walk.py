#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the window as a screen reader does: from outside, over the accessibility bus.

    dbus-run-session -- atspi_walk.py HEADSCOPE CACHE [OTHER_CACHE [SMALL_CACHE]]

Goes through the window while nothing is open (tst_accessibility reads the empty views), through all views with caches,
while they compute and when that is done, through every dialog of the menus, through all steps of all lessons with their
pictures, views, answers and the presentation, and through all views of a small cache without labels, where most
analyses fail.
Every object is asked for its name, role, states, value, text, cells and actions. Found wrong are: a crash, a control
without a name, a control that is named by its value, and a control whose role says nothing ("filler").
HEADSCOPE_STATES names some of the states, separated by commas: "no cache", "cache", "cache of an encoder", "cache
without labels". Ends with 77 (skipped) where the packages of `packaging/setup.sh atspi` are not installed.
"""

import os
import subprocess
import sys
import time
import warnings

try:
    import gi

    gi.require_version("Atspi", "2.0")
    from gi.repository import Atspi, GLib
except (ImportError, ValueError) as missing:
    print(f"skipped: {missing}; packaging/setup.sh atspi installs it")
    sys.exit(77)
if not any(os.path.exists(path) for path in ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")):
    print("skipped: at-spi2-core is not installed")
    sys.exit(77)

warnings.simplefilter("ignore", DeprecationWarning)
VIEWS = 11
MOST_CHILDREN = 60  # of a table or a list: its first ones
SAYS_NOTHING = {Atspi.Role.FILLER, Atspi.Role.UNKNOWN, Atspi.Role.INVALID, Atspi.Role.REDUNDANT_OBJECT,
                Atspi.Role.EXTENDED}
CONTROLS = {Atspi.Role.PUSH_BUTTON, Atspi.Role.TOGGLE_BUTTON, Atspi.Role.CHECK_BOX, Atspi.Role.RADIO_BUTTON,
            Atspi.Role.COMBO_BOX, Atspi.Role.ENTRY, Atspi.Role.SPIN_BUTTON, Atspi.Role.SLIDER, Atspi.Role.DIAL,
            Atspi.Role.PAGE_TAB, Atspi.Role.MENU_ITEM, Atspi.Role.CHECK_MENU_ITEM, Atspi.Role.RADIO_MENU_ITEM,
            Atspi.Role.MENU, Atspi.Role.LIST, Atspi.Role.TREE, Atspi.Role.TREE_TABLE, Atspi.Role.TABLE,
            Atspi.Role.PASSWORD_TEXT, Atspi.Role.PROGRESS_BAR}
TOGGLES = {Atspi.Role.TOGGLE_BUTTON, Atspi.Role.CHECK_BOX, Atspi.Role.RADIO_BUTTON}
MENUS = {Atspi.Role.MENU_BAR, Atspi.Role.MENU, Atspi.Role.MENU_ITEM, Atspi.Role.POPUP_MENU,
         Atspi.Role.CHECK_MENU_ITEM, Atspi.Role.RADIO_MENU_ITEM}
HAVE_VALUES = {Atspi.Role.COMBO_BOX, Atspi.Role.ENTRY, Atspi.Role.SPIN_BUTTON, Atspi.Role.SLIDER}
STARTS = ("Run ", "Train", "Measure", "Record", "Search", "Compute", "Start ", "Compare", "Try again")
# Of dialogs that belong to the program, beside all commands with three dots; dialogs of files are Qt's.
DIALOGS = ("About", "Keys and gestures", "Find a command", "Shortcuts", "Contents")
LEAVES = ("Quit", "Exit", "Close window")
CLOSES = ("Close", "Cancel", "OK", "Done", "No")
LESSONS = 3
SETTLED = ("Ready",)  # what the line of jobs says when none runs


class Gone(Exception):
    """The program has ended."""


class Walk:
    def __init__(self, program, arguments):
        environment = dict(os.environ, QT_LINUX_ACCESSIBILITY_ALWAYS_ON="1", QT_ACCESSIBILITY="1")
        self.process = subprocess.Popen([program, *arguments], env=environment)
        self.problems = set()
        self.read = 0
        self.where = "start"
        self.app = None
        self.status = None  # the line of jobs

    def alive(self):
        if self.process.poll() is not None:
            raise Gone(f"{self.where}: the program ended with {self.process.returncode}")

    def wait_for(self, what, condition, seconds=120):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.alive()
            found = condition()
            if found:
                return found
            time.sleep(0.1)
        windows = [f"{top.get_role_name()} \"{top.get_name()}\"" for top in self.windows() if top is not None] if self.app else []
        raise Gone(f"{self.where}: {what} did not come within {seconds} s; windows: {', '.join(windows)}")

    def find_application(self):
        def own():
            desktop = Atspi.get_desktop(0)
            for i in range(desktop.get_child_count()):
                child = desktop.get_child_at_index(i)
                try:
                    if child is not None and child.get_process_id() == self.process.pid:
                        return child
                except GLib.Error:
                    continue
            return None

        self.app = self.wait_for("the program on the accessibility bus", own)
        self.wait_for("a window", lambda: self.app.get_child_count() > 0)

    def windows(self):
        """Those that are seen: a dialog may be kept for its next time."""
        self.app.clear_cache()
        tops = [self.app.get_child_at_index(i) for i in range(self.app.get_child_count())]
        seen = []
        for top in tops:
            try:
                if top is not None and (top.get_role() == Atspi.Role.FRAME or self.showing(top)):
                    seen.append(top)
            except GLib.Error:  # it went away
                self.alive()
        return seen

    def escape(self, windows):
        """The key, until no more than so many windows are left. @return whether that is so"""
        code = 9
        for _ in range(20):
            if len(self.windows()) <= windows:
                return True
            Atspi.generate_keyboard_event(code, None, Atspi.KeySynthType.PRESSRELEASE)
            time.sleep(0.5)
        return len(self.windows()) <= windows

    def each(self, root=None, deep=0, menus=True):
        """All objects below, without what cannot be seen."""
        for top in [root] if root is not None else self.windows():
            if top is None:
                continue
            try:
                yield top
                role = top.get_role()
                if deep > 0 and role not in MENUS and not self.showing(top):
                    continue  # what lies in a page behind another one is read when that is shown
                if role == Atspi.Role.MENU_BAR and not menus:
                    continue
                count = top.get_child_count()
                many = MOST_CHILDREN if role in (Atspi.Role.TABLE, Atspi.Role.TREE_TABLE, Atspi.Role.LIST,
                                                 Atspi.Role.TREE) else count
                if deep < 60:
                    for i in range(min(count, many)):
                        child = top.get_child_at_index(i)
                        if child is not None:
                            yield from self.each(child, deep + 1, menus)
            except GLib.Error:  # it went away while it was read
                self.alive()

    def showing(self, item):
        states = item.get_state_set()
        return states.contains(Atspi.StateType.SHOWING) and states.contains(Atspi.StateType.VISIBLE)

    def value_of(self, item, role):
        if role == Atspi.Role.COMBO_BOX:
            text = item.get_text_iface()
            if text is not None and text.get_character_count() > 0:
                return text.get_text(0, -1)
            selection = item.get_selection_iface()
            if selection is not None and selection.get_n_selected_children() > 0:
                chosen = selection.get_selected_child(0)
                return chosen.get_name() if chosen is not None else ""
            return ""
        text = item.get_text_iface()
        if text is not None and text.get_character_count() > 0:
            return text.get_text(0, min(200, text.get_character_count()))
        value = item.get_value_iface()
        return f"{value.get_current_value():g}" if value is not None else ""

    def chosen_tab(self, item):
        for i in range(item.get_child_count()):
            tab = item.get_child_at_index(i)
            if tab is not None and tab.get_state_set().contains(Atspi.StateType.SELECTED):
                return tab.get_name() or ""
        return ""

    def path_of(self, item):
        names = []
        while item is not None and len(names) < 5:
            names.append(f"{item.get_role_name()} \"{item.get_name()}\"")
            item = item.get_parent()
        return " in ".join(names)

    def ask(self, item):
        """Everything that a screen reader asks for, and what is wrong with it."""
        self.read += 1
        role = item.get_role()
        name = item.get_name() or ""
        item.get_description()
        states = item.get_state_set()
        focusable = states.contains(Atspi.StateType.FOCUSABLE)
        actions = item.get_action_iface()
        number = actions.get_n_actions() if actions is not None else 0
        for i in range(number):
            actions.get_action_name(i)
        text = item.get_text_iface()
        if text is not None:
            text.get_text(0, min(2000, text.get_character_count()))
        table = item.get_table_iface()
        if table is not None:
            for row in range(min(3, table.get_n_rows())):
                for column in range(min(8, table.get_n_columns())):
                    cell = table.get_accessible_at(row, column)
                    if cell is not None:
                        cell.get_name()
        if not self.showing(item):
            return
        value = self.value_of(item, role) if role in HAVE_VALUES else ""
        if role in SAYS_NOTHING and focusable:
            self.problems.add(f"{self.where}: role says nothing: {self.path_of(item)}")
        if not name.strip() and (focusable or role in CONTROLS):
            if not self.is_inside(item):
                self.problems.add(f"{self.where}: no name: {self.path_of(item)}")
        if role == Atspi.Role.PAGE_TAB_LIST and focusable:
            value = self.chosen_tab(item)
        if value.strip() and name.strip() == value.strip() and role != Atspi.Role.PAGE_TAB:
            self.problems.add(f"{self.where}: named by its value: {self.path_of(item)}")

    def is_inside(self, item):
        """Whether it is a part of a named control, such as the line of a spin box, or a bar that scrolls one."""
        role = item.get_role()
        if role in (Atspi.Role.SCROLL_BAR, Atspi.Role.SCROLL_PANE, Atspi.Role.VIEWPORT, Atspi.Role.SEPARATOR,
                    Atspi.Role.TABLE_CELL, Atspi.Role.LIST_ITEM, Atspi.Role.TREE_ITEM, Atspi.Role.FRAME,
                    Atspi.Role.TABLE_ROW_HEADER, Atspi.Role.TABLE_COLUMN_HEADER):
            return True
        parent = item.get_parent()
        return parent is not None and parent.get_role() in (Atspi.Role.COMBO_BOX, Atspi.Role.SPIN_BUTTON) and bool(
            parent.get_name())

    def read_all(self, where, menus=True):
        self.where = where
        before = self.read
        for top in self.windows():
            if top is None or (top.get_role() == Atspi.Role.DIALOG and self.is_of_qt(top)):
                continue
            for item in self.each(top, 0, menus):
                try:
                    self.ask(item)
                except GLib.Error:  # it went away while it was read
                    self.alive()
        self.alive()
        return self.read - before

    def press(self, item):
        actions = item.get_action_iface()
        if actions is None:
            return False
        for i in range(actions.get_n_actions()):
            if actions.get_action_name(i) in ("Press", "Toggle", "click", "press", "toggle"):
                return actions.do_action(i)
        return False

    def find(self, role, condition, menus=True):
        for item in self.each(menus=menus):
            try:
                if item.get_role() == role and condition(item):
                    return item
            except GLib.Error:
                self.alive()
        return None

    def button(self, *names, starts=False):
        """A button that is seen and can be pressed."""
        def is_it(item):
            name = item.get_name() or ""
            return ((name.startswith(names) if starts else name in names) and self.showing(item)
                    and item.get_state_set().contains(Atspi.StateType.ENABLED))
        return self.find(Atspi.Role.PUSH_BUTTON, is_it, menus=False)

    def command(self, *names):
        """A command of the menus, which can be called while the menu is closed."""
        return self.find(Atspi.Role.MENU_ITEM, lambda item: (item.get_name() or "") in names
                         and item.get_state_set().contains(Atspi.StateType.ENABLED))

    def settle(self, seconds=60):
        """Until no job runs, or the line of jobs has said the same for a while, as after a failure. What goes on even
        then is read as it is."""
        quiet = 6
        if self.status is None:
            self.status = self.find(Atspi.Role.LABEL, lambda item: (item.get_name() or "") in SETTLED
                                    and self.showing(item), menus=False)
        said = ""
        since = end = time.monotonic()
        while time.monotonic() < end + seconds and time.monotonic() < since + quiet:
            self.alive()
            time.sleep(0.3)
            try:
                if self.status is not None:
                    self.status.clear_cache()
                    now = self.status.get_name() or ""
                    if now in SETTLED and self.showing(self.status):
                        return
                    if now != said:
                        said, since = now, time.monotonic()
            except GLib.Error:
                self.alive()
                self.status = None

    def view_tabs(self):
        tabs = self.find(Atspi.Role.PAGE_TAB_LIST, lambda item: item.get_child_count() >= VIEWS)
        return [tabs.get_child_at_index(i) for i in range(tabs.get_child_count())] if tabs is not None else []

    def is_of_qt(self, top):
        """Whether a dialog is Qt's own, in which one chooses a file."""
        return any(item.get_role() == Atspi.Role.LABEL and item.get_name() == "Look in:" for item in self.each(top))

    def walk_views(self, state):
        tabs = self.wait_for("the tabs of the views", self.view_tabs)
        tabs = [tab for tab in tabs if tab.get_role() == Atspi.Role.PAGE_TAB]
        for tab in tabs:
            name = tab.get_name() or ""
            self.where = f"{state}, {name}"
            if not self.press(tab):
                self.problems.add(f"{self.where}: its tab cannot be pressed")
            time.sleep(0.3)
            self.read_all(f"{state}, {name}", menus=False)
            button = self.button(*STARTS, starts=True)
            if button is None:
                continue
            self.press(button)
            self.read_all(f"{state}, {name}, running", menus=False)
            self.settle()
            self.read_all(f"{state}, {name}, then", menus=False)
        return len(tabs)

    def walk_lessons(self, state):
        """All steps of all lessons: the picture, the view, the answer, and the first steps on the whole screen."""
        steps = 0
        for number in range(LESSONS):
            self.where = f"{state}, lessons"
            lessons = self.wait_for("the command of the lessons", lambda: self.command("Lessons…"))
            self.press(lessons)
            starts = self.wait_for("the list of lessons", lambda: [
                item for item in self.each(menus=False) if item.get_role() == Atspi.Role.PUSH_BUTTON
                and (item.get_name() or "").startswith(("Start: ", "Start over: ")) and self.showing(item)])
            if number == 0:
                self.read_all(f"{state}, list of lessons", menus=False)
            if len(starts) < LESSONS:
                self.problems.add(f"{state}: {len(starts)} lessons are offered")
                return steps
            self.press(starts[number])
            following = self.wait_for("the lesson", lambda: self.button("Next"))
            step = 0
            while True:
                step += 1
                steps += 1
                where = f"{state}, lesson {number + 1}, step {step}"
                self.settle()
                self.read_all(where, menus=False)
                answer = self.button("Show answer")
                if answer is not None:
                    self.press(answer)
                view = next((item for item in self.each(menus=False) if (item.get_name() or "").endswith(" view")
                             and item.get_role() in TOGGLES and self.showing(item)), None)
                if view is not None:
                    self.press(view)
                    time.sleep(0.3)
                    self.read_all(f"{where}, view", menus=False)
                if step in (2, 3):
                    self.read_presentation(where)
                following.clear_cache()
                is_last = following.get_name() == "End lesson"
                self.press(following)
                time.sleep(0.3)
                if is_last:
                    break
                if step > 60:
                    self.problems.add(f"{state}, lesson {number + 1}: does not end")
                    return steps
        return steps

    def read_presentation(self, where):
        before = len(self.windows())
        start = self.button("Start presentation") or self.command("Start presentation")
        if start is None or not self.press(start):
            self.problems.add(f"{where}: cannot be presented")
            return
        self.where = f"{where}, presented"
        self.wait_for("the presentation", lambda: len(self.windows()) > before)
        time.sleep(0.5)
        self.read_all(f"{where}, presented", menus=False)
        if not self.escape(before):
            self.problems.add(f"{where}: the presentation does not end with Escape")

    def walk_dialogs(self):
        opened = 0
        for item in list(self.each()):
            try:
                name = item.get_name() or ""
                if item.get_role() != Atspi.Role.MENU_ITEM or name in LEAVES:
                    continue
                if not name.startswith(DIALOGS) and not name.endswith("…"):
                    continue
                self.where = f"command {name}"
                if not item.get_state_set().contains(Atspi.StateType.ENABLED):
                    continue
                before = len(self.windows())
                self.press(item)
                time.sleep(0.7)
                if len(self.windows()) <= before:
                    continue
                opened += 1
                self.read_all(f"dialog of {name}", menus=False)
                self.close_dialogs(before)
                if not self.escape(before):
                    self.problems.add(f"dialog of {name}: cannot be closed")
            except GLib.Error:
                self.alive()
        return opened

    def close_dialogs(self, windows):
        for word in CLOSES * 2:
            if len(self.windows()) <= windows:
                return
            for top in self.windows():
                if top is None or top.get_role() == Atspi.Role.FRAME:
                    continue
                for item in self.each(top):
                    if item.get_role() == Atspi.Role.PUSH_BUTTON and (item.get_name() or "") == word:
                        self.press(item)
                        time.sleep(0.4)
                        break

    def end(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


def main():
    program, cache = sys.argv[1:3]
    other = sys.argv[3] if len(sys.argv) > 3 else ""
    small = sys.argv[4] if len(sys.argv) > 4 else ""
    # Without a file the program opens its demo, unless its settings say otherwise. HOME is the test's own (atspi_walk.sh).
    settings = os.path.join(os.environ["HOME"], ".config", "headscope", "headscope.ini")
    os.makedirs(os.path.dirname(settings), exist_ok=True)
    with open(settings, "w", encoding="utf-8") as file:
        file.write("[files]\nwelcomeAtStart=1\n")
    problems = set()
    lines = []
    for state, arguments, parts in (
            ("no cache", [], ("dialogs", "lessons")),
            ("cache", [cache], ("views", "dialogs", "lessons")),
            ("cache of an encoder", [other], ("views",)),
            ("cache without labels", [small], ("views",))):
        if arguments == [""] or state not in os.environ.get("HEADSCOPE_STATES", state).split(","):
            continue
        walk = Walk(program, arguments)
        views = dialogs = steps = 0
        try:
            walk.find_application()
            walk.read_all(f"{state}, first window")
            # Without a cache there is the welcome page, in front of the views.
            if "views" in parts:
                views = walk.walk_views(state)
            if "dialogs" in parts:
                dialogs = walk.walk_dialogs()
            if "lessons" in parts:
                steps = walk.walk_lessons(state)
            if "views" in parts and views < VIEWS:
                walk.problems.add(f"{state}: {views} views were walked")
            if "dialogs" in parts and dialogs < 3:
                walk.problems.add(f"{state}: only {dialogs} dialogs opened")
            if "lessons" in parts and steps < 30:
                walk.problems.add(f"{state}: only {steps} steps of lessons were read")
        except Gone as gone:
            walk.problems.add(str(gone))
        finally:
            walk.end()
        lines.append(f"{state}: {walk.read} objects read in {views} views, {dialogs} dialogs and {steps} steps of lessons")
        print("\n".join(lines[-1:] + sorted(walk.problems)), flush=True)
        problems |= walk.problems
    print(f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
