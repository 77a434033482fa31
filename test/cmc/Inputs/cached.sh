#!/bin/sh
# cached.sh FOLDER WORD...: runs ccache with its cache in FOLDER; it identifies cmc by --version and caches new files.
export CCACHE_DIR=$1 CCACHE_COMPILERCHECK='%compiler% --version' CCACHE_NOHASHDIR=1 \
    CCACHE_SLOPPINESS=include_file_mtime,include_file_ctime
shift
exec ccache "$@"
