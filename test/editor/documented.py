#!/usr/bin/env python3
"""documented.py SOURCE CLANGD: a kernel outside of the source tree, with the options of docs/editor.md, has no errors in clangd,
and a wrong one has."""
import os
import re
import subprocess
import sys
import tempfile

source, clangd = sys.argv[1:3]
GOOD = """extern "C" _GENX_MAIN_ void good(SurfaceIndex s [[type("buffer_t")]], svmptr_t p)
{
    matrix<float, 4, 8> m = 1;
    vector<uint, 8> lane;
    cmtl::cm_vector_assign(lane.select_all(), 0, 1);
    SIMD_IF_BEGIN (lane > 3) {
        m.row(1) += cm_max<float>(m.row(2), 3.0f);
    } SIMD_IF_END;
    write(s, 0, m.select<2, 1, 8, 1>(0, 0).format<int>());
}
"""

with open(os.path.join(source, "docs/editor.md")) as page:
    flags = re.search(r"```\n(-xc\+\+\n.*?)```", page.read(), re.S)[1].replace("/path/to/cmkit", source)
with tempfile.TemporaryDirectory() as folder:
    with open(os.path.join(folder, "compile_flags.txt"), "w") as file:
        file.write(flags)
    for text, wanted in ((GOOD, 0), (GOOD.replace("m.row(2)", "m"), 1)):
        path = os.path.join(folder, "kernel.cm")
        with open(path, "w") as file:
            file.write(text)
        run = subprocess.run([clangd, "--check=" + path], capture_output=True, text=True)
        if bool(run.returncode) != bool(wanted):
            sys.exit(run.stderr)
