#!/usr/bin/env python3
"""neovim.py SOURCE CMC NVIM CLANGD: opens a wrong kernel in Neovim with the set-up of docs/guide/editor.md and checks
the diagnostics that it shows.
"""
import os
import re
import subprocess
import sys
import tempfile

source, cmc, nvim, clangd = sys.argv[1:5]
WRONG = """extern "C" _GENX_MAIN_ void wrong(SurfaceIndex s [[type("buffer_t")]])
{
    vector<float, 8> v = 1;
    writes(s, 0, v);
}
"""
# waits for clangd, then prints each diagnostic's line and text
SHOW = """
vim.wait(30000, function() return #vim.diagnostic.get(0) > 0 end, 100)
for _, found in ipairs(vim.diagnostic.get(0)) do
  io.stdout:write(vim.bo.filetype .. " " .. found.lnum + 1 .. " " .. found.message .. "\\n")
end
vim.cmd("qall!")
"""
with open(os.path.join(source, "docs/guide/editor.md")) as page:
    setup = re.search(r"```lua\n(.*?)```", page.read(), re.S)[1].replace("clangd-19", clangd)
with tempfile.TemporaryDirectory() as folder:
    for name, text in (("wrong.cm", WRONG), ("init.lua", setup), ("show.lua", SHOW)):
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)
    subprocess.run([cmc, "-march=SKL", "--compile-commands", "wrong.cm", "-o", "compile_commands.json"], cwd=folder,
                   check=True)
    os.mkdir(os.path.join(folder, "home"))
    environment = {**os.environ, "HOME": os.path.join(folder, "home"), "XDG_CONFIG_HOME": os.path.join(folder, "home")}
    # Neovim 0.7's client lives in the editor: the script is run after the file is open
    shown = subprocess.run([nvim, "--headless", "-u", "init.lua", "wrong.cm", "-c", "luafile show.lua"], cwd=folder,
                           env=environment, capture_output=True, text=True, timeout=120)
if not re.search(r"^cpp 4 .*writes", shown.stdout + shown.stderr, re.M):
    sys.exit(f"Neovim shows: {shown.stdout} {shown.stderr}")
