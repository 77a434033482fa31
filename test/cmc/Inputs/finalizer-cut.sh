#!/bin/sh
# The real finalizer on a disk that is full: the end of the code is missing.
GenX_IR "$@"
head -c 64 kernel.dat >cut && mv cut kernel.dat
