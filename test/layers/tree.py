"""Makes a small tree in a folder of its own, compiles it, and runs a check of tools/layers on it."""
import json
import os
import subprocess
import tempfile

TOOLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools/layers")


def check(script, compiler, files):
    """Exit status and output of `script` for a tree of `files` (name to text), all .c files compiled."""
    with tempfile.TemporaryDirectory() as root:
        commands = []
        for name, text in files.items():
            path = os.path.join(root, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as out:
                out.write(text)
            if name.endswith(".c"):
                command = [compiler, "-w", "-I", root, "-c", path, "-o", path + ".o"]
                subprocess.run(command, check=True)
                commands.append({"directory": root, "file": path, "command": " ".join(command)})
        with open(os.path.join(root, "compile_commands.json"), "w") as out:
            json.dump(commands, out)
        run = subprocess.run([os.path.join(TOOLS, script), "--root", root, root], capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr
