"""Prints what programs tell of their windows over AT-SPI, as JSON. Arguments: the most nodes, the most text of each,
and a part of the name of the program or window that is asked for; empty for all.

With the one argument `on`, asks programs that are started from now on to tell what they show.
"""
import json
import sys

try:
    import gi

    gi.require_version("Atspi", "2.0")
    from gi.repository import Atspi, Gio, GLib
except (ImportError, ValueError) as error:
    print(json.dumps({"absent": f"the machine has no AT-SPI library for Python: {error}"}))
    sys.exit(0)


def switch_on():
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    value = GLib.Variant("(ssv)", ("org.a11y.Status", "IsEnabled", GLib.Variant("b", True)))
    bus.call_sync(
        "org.a11y.Bus", "/org/a11y/bus", "org.freedesktop.DBus.Properties", "Set", value, None, 0, 10000, None
    )


if sys.argv[1] == "on":
    try:
        switch_on()
        print(json.dumps({"on": True}))
    except GLib.Error as error:
        print(json.dumps({"absent": f"AT-SPI could not be switched on: {error.message}"}))
    sys.exit(0)

most_nodes = int(sys.argv[1])
most_text = int(sys.argv[2])
asked = sys.argv[3].casefold()
seen = 0
cut = False


def text_of(node):
    """The text of a text field or paragraph; an empty one for the rest."""
    if node.get_text_iface() is None:
        return ""
    count = Atspi.Text.get_character_count(node)
    # Each part that is a node of its own stands in the text as one such sign.
    return Atspi.Text.get_text(node, 0, min(count, most_text)).replace("\ufffc", "").strip()


def is_asked(node):
    return asked in (node.get_name() or "").casefold()


def describe(node, is_wanted=lambda child: True):
    global seen, cut
    if seen >= most_nodes:
        cut = True
        return None
    seen += 1
    states = [state.value_nick for state in node.get_state_set().get_states()]
    told = {"role": node.get_role_name(), "name": (node.get_name() or "")[:most_text]}
    text = text_of(node)
    if text and text != told["name"]:
        told["text"] = text
    if node.get_component_iface() is not None:
        box = Atspi.Component.get_extents(node, Atspi.CoordType.SCREEN)
        if box.width > 0 and box.height > 0:
            told["box"] = {"x": box.x, "y": box.y, "width": box.width, "height": box.height}
    told["states"] = [state for state in states if state in ("focused", "selected", "checked", "editable", "expanded")]
    # What is not shown is of no use to who sees, and there is much of it. Some programs leave it to places to tell.
    children = []
    if "showing" in states or "box" in told or node.get_role_name() == "application":
        for index in range(node.get_child_count()):
            try:
                child = node.get_child_at_index(index)
                described = describe(child) if child is not None and is_wanted(child) else None
            except GLib.Error:
                continue  # It went away while it was looked at.
            if described is not None:
                children.append(described)
            if cut:
                break
    if not children and "showing" not in states and "box" not in told:
        return None
    told["children"] = children
    return told


try:
    desktop = Atspi.get_desktop(0)
    programs = []
    for index in range(desktop.get_child_count()):
        try:
            program = desktop.get_child_at_index(index)
            if program is None:
                continue
            described = describe(program) if is_asked(program) else describe(program, is_asked)
        except GLib.Error:
            continue  # One that answers nothing keeps none of the others from being told.
        if described is not None and (described["children"] or is_asked(program)):
            programs.append(described)
    print(json.dumps({"programs": programs, "cut": cut}))
except GLib.Error as error:
    print(json.dumps({"absent": f"programs could not be asked over AT-SPI: {error.message}"}))
