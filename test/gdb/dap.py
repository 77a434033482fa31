#!/usr/bin/env python3
"""Steps through a kernel with gdb's Debug Adapter Protocol, as an editor does: the launch example of the guide.

    dap.py BIN-FOLDER PRETTY-PRINTERS WORK-FOLDER

$CMKIT_GDB names the gdb (default: gdb). Before gdb 14 there is no adapter: status 77, skipped.
"""
import json
import os
import re
import subprocess
import sys

programs, printers, work = (os.path.abspath(path) for path in sys.argv[1:])
gdb = os.environ.get("CMKIT_GDB", "gdb")
device = os.environ.get("CMKIT_TEST_DEVICE", "icllp")
SOURCE = """#include <cm/cm.h>

extern "C" _GENX_MAIN_ void scale(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]], uint n)
{
    vector<uint, 8> v;
    read(in, 0, v);
    v *= n;
    write(out, 0, v);
}
"""


class Adapter:
    """gdb, and the messages that it has sent and nobody has asked for yet."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=open(os.path.join(work, "dap.log"), "w"))
        self.sent, self.waiting = 0, []

    def send(self, command, **arguments):
        self.sent += 1
        message = json.dumps({"seq": self.sent, "type": "request", "command": command, "arguments": arguments}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(message), message))
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while (line := self.process.stdout.readline().strip()) or not length:
            if not line and self.process.poll() is not None:
                sys.exit("gdb has ended")
            found = re.match(rb"Content-Length: (\d+)", line)
            length = int(found[1]) if found else length
        return json.loads(self.process.stdout.read(length))

    def wait(self, **wanted):
        """The first message with these members, which may have come already."""
        while True:
            for message in self.waiting:
                if all(message.get(name) == value for name, value in wanted.items()):
                    self.waiting.remove(message)
                    return message
            self.waiting.append(self.receive())

    def ask(self, command, **arguments):
        self.send(command, **arguments)
        answer = self.wait(type="response", command=command)
        assert answer["success"], answer
        return answer.get("body", {})


def variables(adapter, frame):
    found = {}
    for scope in adapter.ask("scopes", frameId=frame)["scopes"]:
        if "egister" not in scope["name"]:
            listed = adapter.ask("variables", variablesReference=scope["variablesReference"])["variables"]
            found.update({each["name"]: each["value"] for each in listed})
    return found


def where(adapter, thread):
    frame = adapter.ask("stackTrace", threadId=thread)["stackFrames"][0]
    return frame["name"], frame["line"], frame["id"]


def main():
    version = subprocess.run([gdb, "--version"], capture_output=True, text=True).stdout
    found = re.search(r" (\d+)\.\d+", version.split("\n")[0])
    if not found or int(found[1]) < 14:
        print(f"skipped: gdb 14 is the first with an adapter, and this is: {version.splitlines()[:1]}")
        return 77
    os.makedirs(work, exist_ok=True)
    os.chdir(work)
    with open("scale.cm", "w") as source:
        source.write(SOURCE)
    subprocess.run([f"{programs}/cmc", f"-march={device}", "-O0", "-g", "scale.cm", "-o", "scale.bin"], check=True)
    target = (f"| {programs}/gensim -d {device} --gdb=pipe -- {programs}/cmrun scale.bin -k scale -g 1 "
              "buf:32:iota-u32 buf:32@print=u32 u32:3")
    adapter = Adapter([gdb, "-nx", "-q", "-iex", "set breakpoint pending on", "-x", printers, "-i=dap"])
    adapter.ask("initialize", clientID="test", adapterID="gdb", linesStartAt1=True, columnsStartAt1=True)
    adapter.wait(type="event", event="initialized")
    adapter.ask("setBreakpoints", source={"path": os.path.join(work, "scale.cm")}, breakpoints=[{"line": 8}])
    adapter.send("attach", target=target)
    adapter.send("configurationDone")
    adapter.wait(type="response", command="attach")
    stopped = adapter.wait(type="event", event="stopped")["body"]
    threads = adapter.ask("threads")["threads"]
    assert [thread["name"] for thread in threads] == ["group 0,0,0 thread 0"], threads
    for _ in range(3):
        name, line, frame = where(adapter, stopped["threadId"])
        if line == 8:
            break
        adapter.ask("continue", threadId=stopped["threadId"])
        stopped = adapter.wait(type="event", event="stopped")["body"]
    values = variables(adapter, frame)
    assert line == 8 and name.startswith("scale"), (name, line)
    assert values["v"] == "{0, 3, 6, 9, 12, 15, 18, 21}", values
    assert values["n"] == "3", values
    assert adapter.ask("evaluate", expression="$r0.ud[1]", frameId=frame)["result"] == "0"
    adapter.send("continue", threadId=stopped["threadId"])
    adapter.wait(type="event", event="exited")
    adapter.ask("disconnect")
    printed = "".join(message["body"]["output"] for message in adapter.waiting if message.get("event") == "output")
    assert adapter.process.wait(60) == 0
    with open("dap.log") as log:
        printed += log.read()
    assert "0 3 6 9 12 15 18 21" in printed, printed
    return 0


sys.exit(main())
