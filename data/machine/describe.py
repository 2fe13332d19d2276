# --------------------------------------------------------------------------------------- the machine described
import hashlib
import os
import re


def op_describe(*_):
    def text(path):
        try:
            with open(path) as file:
                return file.read()
        except OSError:
            return ""

    found = re.search('^PRETTY_NAME="?([^"\n]*)', text("/etc/os-release"), re.M)
    installed = re.findall("^(?:Package|Version): .*$", text("/var/lib/dpkg/status"), re.M)
    digest = "sha256:" + hashlib.sha256("\n".join(installed).encode()).hexdigest() if installed else ""
    system = os.uname()
    return {
        "os": found.group(1) if found else "Linux",
        "kernel": system.release,
        "arch": system.machine,
        "packages": digest,
        "root": os.getuid() == 0,
    }
