"""OpenMM: energy and forces of 27 particles before and after two steps, against its reference platform."""
import os
import re

import shared

DEVICES = ["skl", "icllp", "tgllp", "dg2"]
DEBIAN = {"libopenmm-plugins": "7.7.0", "python3-simtk": "7.7.0"}
PYTHON = "/usr/bin/python3"  # Debian's own: its modules are for no other
PLUGINS = "/usr/lib/x86_64-linux-gnu/openmm/plugins"
WORST = 1e-4  # relative to the largest force: single precision


def run(on):
    output = on.gensim([PYTHON, os.path.join(on.folder, "case.py"), PLUGINS])
    found = re.search(r"^difference (\S+)", output, re.MULTILINE)
    if not found or not float(found.group(1)) < WORST:
        raise shared.Wrong(found.group(0) if found else shared.last_line(output))
    return f"energies and forces, difference {float(found.group(1)):.1g} of the largest"
