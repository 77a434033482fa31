#!/usr/bin/env python3
"""read_strings.py PROGRAM: has PROGRAM print strings as JSON and as HTML, and reads them again with Python's modules.
Bytes that are not UTF-8 must come back as U+FFFD and leave their neighbours alone."""
import html
import json
import random
import subprocess
import sys

chance = random.Random(5)
SPECIAL = '"\\/<>&\'\t\n\x01\x1f\x7f é€😀\u2028\ud7ff\uffff'
valid = ["", SPECIAL]
valid += ["".join(chance.choice(SPECIAL + "abc") for _ in range(chance.randrange(40))) for _ in range(200)]
BROKEN = [b"\x80", b"\xc3", b"\xc0\xaf", b"\xe2\x82", b"\xed\xa0\x80", b"\xf0\x9f\x98", b"\xf5\x80\x80\x80", b"\xff"]
broken = [b"a" + bad + b"b" for bad in BROKEN]
broken += [bytes(chance.randrange(1, 256) for _ in range(30)) for _ in range(200)]

sent = [text.encode() for text in valid] + broken
printed = subprocess.run(sys.argv[1], input=b"".join(text + b"\0" for text in sent), capture_output=True, check=True)
got = printed.stdout.split(b"\0")[:-1]
assert len(got) == 2 * len(sent), len(got)
for text, as_json in zip(valid, got[0::2]):
    assert json.loads(as_json.decode()) == text, (text, as_json)
for text, as_html in zip(valid, got[1::2]):
    kept = "".join(c for c in text if c >= " " or c in "\t\n")
    assert html.unescape(as_html.decode()) == kept and not set(as_html) & set(b'<>"'), (text, as_html)
for text, as_json in zip(broken, got[2 * len(valid)::2]):
    read = json.loads(as_json.decode())
    assert read.replace("\ufffd", "") == text.decode(errors="ignore").replace("\ufffd", ""), (text, read)
    assert text in (b"",) or ("\ufffd" in read) == (text != text.decode(errors="ignore").encode()), (text, read)
for text in broken[:len(BROKEN)]:
    read = json.loads(got[2 * sent.index(text)].decode())
    assert read[0] == "a" and read[-1] == "b" and "\ufffd" in read, (text, read)
