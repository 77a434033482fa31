#!/bin/sh
# cached.sh FOLDER WORD...: ccache with its cache in FOLDER, which knows cmc by its --version and takes files that are
# new.
export CCACHE_DIR=$1 CCACHE_COMPILERCHECK='%compiler% --version' CCACHE_NOHASHDIR=1 \
    CCACHE_SLOPPINESS=include_file_mtime,include_file_ctime
shift
exec ccache "$@"
