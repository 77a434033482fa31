#!/bin/sh
# Runs the finalizer as on a full disk: the end of the code is missing.
GenX_IR "$@"
head -c 64 kernel.dat >cut && mv cut kernel.dat
