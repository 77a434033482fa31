"""Compares `cmrun --list --json` with what readelf says of a zebin and with the text of its .ze_info.

usage: describe.py CMRUN ZEBIN READELF

Every mapping entry of .ze_info must be in the JSON with its value. Cut and damaged copies of the file must be answered
with one line and status 1, or be described as JSON."""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from elf_sections import section

LINES = re.compile(r"^[ -]*([a-z_]+): *(?:'(.*)'|(\S*))$", re.M)


def check(good, what):
    if not good:
        sys.exit("describe.py: " + what)


def run(cmrun, path):
    return subprocess.run([cmrun, "--list", "--json", path], capture_output=True, timeout=60)


def entries(node, found):
    """Each key with its scalar value, in the order of the document; values as their text."""
    if isinstance(node, list):
        for item in node:
            entries(item, found)
    elif isinstance(node, dict):
        for key, value in node.items():
            if isinstance(value, (dict, list)):
                found.append((key, ""))
                entries(value, found)
            else:
                found.append((key, str(value).lower() if isinstance(value, bool) else str(value)))
    return found


def check_program(program, zebin, readelf):
    table = subprocess.run([readelf, "-SW", zebin], check=True, capture_output=True, text=True).stdout
    rows = re.findall(r"^ *\[ *\d+\] (\.\S+) +\S+ +[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+)", table, re.M)
    wanted = [(name, int(size, 16)) for name, size in rows]
    check(len(wanted) > 3 and wanted == [(s["name"], s["bytes"]) for s in program["sections"]], f"sections: {wanted}")
    text = section(zebin, ".ze_info").decode()
    wanted = [(key, quoted or plain) for key, quoted, plain in LINES.findall(text)]
    found = entries(program["zeInfo"], [])
    check(len(wanted) > 20 and found == wanted, f"ze_info: {set(wanted) ^ set(found)}")
    debug = any(name.startswith(".debug_info") for name, _ in rows)
    check(program["debugInfo"] == debug, "debugInfo")


def check_damage(cmrun, zebin):
    data = open(zebin, "rb").read()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "damaged.bin")
        for n in range(120):
            cut = len(data) * n // 120
            broken = data[:cut] if n % 2 else data[:cut] + bytes([data[cut] ^ 0xff]) + data[cut + 1:]
            open(path, "wb").write(broken)
            done = run(cmrun, path)
            check(done.returncode in (0, 1), f"status {done.returncode} for damage at {cut}")
            if done.returncode == 0:
                json.loads(done.stdout.decode("utf-8", "replace"))
            else:
                check(not done.stdout and done.stderr.count(b"\n") == 1, f"damage at {cut}: {done.stderr}")


def main():
    cmrun, zebin, readelf = sys.argv[1:]
    done = run(cmrun, zebin)
    check(done.returncode == 0, done.stderr.decode())
    data = json.loads(done.stdout)
    check(data["file"] == zebin and len(data["programs"]) == 1, "not one program")
    check_program(data["programs"][0], zebin, readelf)
    check_damage(cmrun, zebin)
    print(f"{len(data['programs'][0]['zeInfo']['kernels'])} kernels described as readelf shows them")


main()
