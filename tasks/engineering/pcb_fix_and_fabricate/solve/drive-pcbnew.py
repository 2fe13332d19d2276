"""Replaces the tracks of a board through pcbnew, KiCad's own Python interface, checks its rules and plots it.

usage: drive-pcbnew.py input.kicad_pcb routing.json output-folder rule-report
"""
import json
import pathlib
import sys

import pcbnew


def millimetres(value):
    return pcbnew.FromMM(value)


def point(place):
    return pcbnew.wxPoint(millimetres(place[0]), millimetres(place[1]))


def replace_tracks(board, routing):
    for track in list(board.GetTracks()):
        board.Delete(track)
    nets = board.GetNetsByName()
    for one in routing["tracks"]:
        track = pcbnew.PCB_TRACK(board)
        track.SetStart(point(one["points"][0]))
        track.SetEnd(point(one["points"][1]))
        track.SetWidth(millimetres(one["width"]))
        track.SetLayer(board.GetLayerID(one["layer"]))
        track.SetNet(nets[one["net"]])
        board.Add(track)
    for one in routing["vias"]:
        via = pcbnew.PCB_VIA(board)
        via.SetPosition(point(one["at"]))
        via.SetWidth(millimetres(one["diameter"]))
        via.SetDrill(millimetres(one["drill"]))
        via.SetNet(nets[one["net"]])
        board.Add(via)


def plot(board, folder):
    controller = pcbnew.PLOT_CONTROLLER(board)
    options = controller.GetPlotOptions()
    options.SetOutputDirectory(str(folder))
    options.SetUseGerberProtelExtensions(False)
    options.SetUseAuxOrigin(False)
    options.SetUseGerberX2format(False)
    options.SetIncludeGerberNetlistInfo(False)
    options.SetDrillMarksType(pcbnew.PCB_PLOT_PARAMS.NO_DRILL_SHAPE)
    for name, layer in (
        ("F_Cu", pcbnew.F_Cu),
        ("B_Cu", pcbnew.B_Cu),
        ("F_Mask", pcbnew.F_Mask),
        ("B_Mask", pcbnew.B_Mask),
        ("Edge_Cuts", pcbnew.Edge_Cuts),
    ):
        controller.SetLayer(layer)
        controller.OpenPlotfile(name, pcbnew.PLOT_FORMAT_GERBER, name)
        controller.PlotLayer()
    controller.ClosePlot()
    drill = pcbnew.EXCELLON_WRITER(board)
    drill.SetOptions(False, False, pcbnew.wxPoint(0, 0), True)
    drill.SetFormat(True)
    drill.CreateDrillandMapFilesSet(str(folder), True, False)


def main(source, routing, output, report):
    board = pcbnew.LoadBoard(source)
    replace_tracks(board, json.loads(pathlib.Path(routing).read_text()))
    board.BuildConnectivity()
    folder = pathlib.Path(output)
    pcbnew.SaveBoard(str(folder / "board.kicad_pcb"), board)
    plot(board, folder / "fabrication")
    if not pcbnew.WriteDRCReport(board, report, pcbnew.EDA_UNITS_MILLIMETRES, True):
        raise SystemExit("the rules could not be checked")


main(*sys.argv[1:])
