"""Chooses the driver under which gensim simulates a device, for the scripts of this folder."""
import os
import subprocess
import sys

NEWEST = ("lnl",)  # devices that only the newest driver and its finalizer know


def newest_is_installed():
    """True if the installed driver and its compiler are as new as those of ./dev deps --current."""
    chooser = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "run_time", "with_current.sh")
    return subprocess.run(["sh", chooser, "--installed"], check=False).returncode == 0


def driver_options(device):
    """Options of gensim. Ends the test as skipped (77) if the driver has not been downloaded."""
    if device not in NEWEST:
        return []
    root = os.environ.get("CMKIT_CURRENT") or os.path.expanduser("~/.cache/cmkit/current")
    if not newest_is_installed() and not os.path.exists(f"{root}/root/usr/bin/GenX_IR"):
        print("skipped: the newest driver and finalizer are not there; ./dev deps --current downloads them")
        sys.exit(77)
    return ["--driver", "current"]
