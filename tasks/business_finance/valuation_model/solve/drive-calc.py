"""Types cells into a new Calc document through LibreOffice's scripting interface (UNO) and saves it as XLSX.

usage: drive-calc.py plan.json result.xlsx profile-folder
"""
import json
import pathlib
import subprocess
import sys
import time

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException


def option(name, value):
    return PropertyValue(Name=name, Value=value)


def connect(pipe, office):
    context = uno.getComponentContext()
    resolver = context.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", context)
    deadline = time.monotonic() + 120
    while True:
        try:
            return resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
        except NoConnectException:
            if office.poll() is not None or time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def main(plan_path, result, profile):
    plan = json.loads(pathlib.Path(plan_path).read_text())
    pipe = "calc" + pathlib.Path(profile).name.replace("-", "")
    office = subprocess.Popen(
        [
            "soffice",
            f"-env:UserInstallation={pathlib.Path(profile).as_uri()}",
            "--headless",
            "--norestore",
            "--nologo",
            f"--accept=pipe,name={pipe};urp;",
        ]
    )
    try:
        context = connect(pipe, office)
        desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
        document = desktop.loadComponentFromURL("private:factory/scalc", "_blank", 0, (option("Hidden", True),))
        sheets = document.Sheets
        for index, sheet in enumerate(plan):
            sheets.insertNewByName(sheet["name"], index)
        for name in sheets.ElementNames:
            if name not in [sheet["name"] for sheet in plan]:
                sheets.removeByName(name)
        for sheet in plan:
            cells = sheets.getByName(sheet["name"])
            for address, content in sheet["cells"]:
                cell = cells.getCellRangeByName(address)
                if isinstance(content, str):
                    cell.setFormula(content)
                else:
                    cell.setValue(content)
        document.calculateAll()
        document.storeToURL(pathlib.Path(result).as_uri(), (option("FilterName", "Calc MS Excel 2007 XML"),))
        document.close(True)
        desktop.terminate()
        office.wait(60)
    finally:
        if office.poll() is None:
            office.kill()


main(*sys.argv[1:])
