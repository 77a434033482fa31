"""Makes gdb disassemble Intel GPU code that gensim --gdb runs: x/5i $pc, disassemble, layout asm.

gdb -x gen.py -ex 'target remote localhost:PORT'. gdb believes that the code is x86 (docs/simulator/gdb.md); gensim
disassembles it instead. Needs gdb 13.
"""
import re

import gdb
from gdb.disassembler import Disassembler, DisassemblerResult, register_disassembler

COMPACTED_BYTE, COMPACTED_BIT = 3, 0x20  # bit 29 of an instruction: it has 8 bytes instead of 16


def is_gensim(architecture):
    return any(register.name == "dmask" for register in architecture.registers())


class GenDisassembler(Disassembler):
    """Asks gensim for the text of each instruction."""

    def __init__(self):
        super().__init__("cmkit-gen")

    def __call__(self, info):
        if not is_gensim(info.architecture):
            return None
        text = gdb.execute(f"monitor disassemble {info.address:#x} 1", to_string=True)
        found = re.match(r"0x[0-9a-f]+: *(.*)", text)
        if not found or found[1] == "no code":
            raise gdb.MemoryError("no code")
        compacted = info.read_memory(1, COMPACTED_BYTE)[0][0] & COMPACTED_BIT
        return DisassemblerResult(length=8 if compacted else 16, string=found[1])


register_disassembler(GenDisassembler(), "i386:x86-64")
