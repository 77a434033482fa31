"""messages.py JSON SARIF: prints the messages in cmc's two documents, one per line."""
import json
import sys


def place(line, column):
    return f"{line}:{column}" if line else "-"


def gcc(message):
    caret = message["locations"][0]["caret"] if message["locations"] else {"line": 0, "column": 0}
    return place(caret["line"], caret["column"])


def sarif(location):
    region = location.get("physicalLocation", {}).get("region", {"startLine": 0, "startColumn": 0})
    return place(region["startLine"], region["startColumn"])


with open(sys.argv[1]) as file:
    for m in json.load(file):
        notes = "".join(f" | {note['kind']} {gcc(note)}" for note in m["children"])
        print("json", m["kind"], gcc(m), m["message"] + notes)
with open(sys.argv[2]) as file:
    log = json.load(file)
    assert log["version"] == "2.1.0" and log["runs"][0]["tool"]["driver"]["name"] == "cmc"
    for m in log["runs"][0]["results"]:
        notes = "".join(f" | note {sarif(note)}" for note in m.get("relatedLocations", []))
        print("sarif", m["level"], sarif(m.get("locations", [{}])[0]), m["message"]["text"] + notes)
