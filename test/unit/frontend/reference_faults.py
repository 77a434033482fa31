#!/usr/bin/env python3
"""Checks that tools/reference/reference.py finds planted faults: reference_faults.py CLANG ROOT breaks comments in a
copy of the headers and wants a line for each, and no other."""
import os
import shutil
import subprocess
import sys
import tempfile

# header, what stands in it (once), what is put there, the fault
BREAKS = (
    ("detail/math/integer.h", " From ICLLP on. Source: Intel's cm/cm.h. */\nCM_DETAIL_ROTATION(cm_rol",
     " From ICLLP on. */\nCM_DETAIL_ROTATION(cm_rol",
     "cm_rol, cm_ror: the comment names no source (Source: ...)"),
    ("detail/thread/print.h", '4.17 "Formatted Output"', '4.17 "Printing"',
     'printf: `CM specification 4.17 "Printing"` is no source of tools/reference/sources.txt'),
    ("detail/memory/sampler.h", "0. All\n * platforms but not on PVC.", "0. All\n * platforms.",
     "cm_3d_sample: the comment does not say `All platforms but not on PVC`, as the table has it"),
    ("detail/math/math.h", "x to the power of y, of float or half, as", "x to the power of y, as",
     "cm_pow: the comment does not say which types it takes"),
    ("detail/thread/thread.h", "a ushort, of the group", "of the group",
     "get_thread_origin_x, get_thread_origin_y: the comment does not say which shapes operands and result have"),
    ("detail/memory/block2d.h", "Limits as for cm_ptr_load. Not inside SIMD control flow.",
     "Limits as for cm_ptr_load.",
     "cm_load, cm_prefetch, cm_store: the comment does not say that it is not for SIMD control flow"),
    ("detail/memory/buffer.h", "the offset counts bytes and is a multiple of 32.", "the offset counts bytes.",
     "cm_hword_read, cm_hword_write: the comment says nothing about alignment"),
    ("detail/thread/thread.h", "with CM_GLOBAL_COHERENT_FENCE. */\n", "with CM_GLOBAL_COHERENT_FENCE. */\n;\n",
     "cm_fence: editors show no comment; one must stand directly before this declaration"),
    ("detail/math/linear.h", "CM_DETAIL_DOT(cm_dp2, dot2)\n", "CM_DETAIL_DOT(cm_dp2, dot2);\n",
     "cm_dp3: editors show no comment; one must stand directly before this declaration"),
    ("detail/core/vector.h", "    /* m.n_cols(): the number of columns. */\n", "",
     "n_cols: editors show no comment; one must stand directly before this declaration"),
    ("detail/core/types.h", "/* Handles: only passed on to memory operations. */\n", "",
     "SurfaceIndex: editors show no comment; one must stand directly before this declaration"),
)
FAULTS = [fault for *_, fault in BREAKS] + [
    "cm_dp4: editors show no comment; one must stand directly before this declaration",
    "cm_dph: editors show no comment; one must stand directly before this declaration",
    'no comment names `CM specification 4.17 "Formatted Output"`',
    "is not what the headers and tables say: print it anew (reference.py page)",
]


def main():
    clang, root = sys.argv[1:]
    with tempfile.TemporaryDirectory() as copy:
        for folder in ("include", "tables", "tools/reference", "docs/language"):
            shutil.copytree(os.path.join(root, folder), os.path.join(copy, folder))
        for header, old, new, _ in BREAKS:
            path = os.path.join(copy, "include/cm", header)
            with open(path, encoding="utf-8") as file:
                text = file.read()
            if text.count(old) != 1:
                sys.exit(f"{header}: this test's text stands there {text.count(old)} times: {old}")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text.replace(old, new))
        script = os.path.join(copy, "tools/reference/reference.py")
        done = subprocess.run([sys.executable, script, "check", clang, copy], capture_output=True, text=True)
    found = [line.split(": ", 1)[1] for line in done.stdout.splitlines()]
    for fault in sorted(set(FAULTS) - set(found)):
        print(f"not found: {fault}")
    for fault in sorted(set(found) - set(FAULTS)):
        print(f"found but not there: {fault}")
    sys.exit(set(found) != set(FAULTS) or done.returncode != 1)


if __name__ == "__main__":
    main()
