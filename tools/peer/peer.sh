#!/bin/sh
# peer: one CM kernel through both back ends, cmc's and IGC's vector back end (docs/compiler/peer.md).
set -u

usage() {
    cat <<'END'
usage: peer [OPTION]... KERNEL.cm [-- CMC-OPTION...]
Compile KERNEL.cm with cmc and, from the same llvm.genx IR, with IGC's vector back end through ocloc, both with the
same finalizer options, and print static counts of Gen instructions.

  -d PLATFORM       platform by ocloc's name, such as icllp, dg2 or pvc; may be repeated (default: skl icllp tgllp)
  -o FOLDER         keep all intermediate files there
  --unoptimised     give the peer the module of cmc -O0, so that IGC's own passes optimise it
  --at-most RATIO   status 1 when cmc's count is more than RATIO times the peer's for a kernel and platform
  --run 'ARGUMENTS' then run both binaries under gensim: `cmrun BINARY ARGUMENTS`; %o in ARGUMENTS stands for a
                    folder of its own for each, whose files must be equal afterwards; with -o, gensim's statistics
                    stand in PLATFORM/cmc/stats.json and PLATFORM/peer/stats.json
  -h, --help

Where the kernel cannot be compiled for a platform, peer says so and goes on with the next one; the status is 1 then.

Programs are looked up beside this one, then on the path; the environment may name others:
CMKIT_CMC, CMKIT_GENSIM, CMKIT_CMRUN, CMKIT_OCLOC.
END
}

die() {
    echo "peer: error: $*" >&2
    exit 1
}

usage_error() {
    echo "peer: error: $*; see peer --help" >&2
    exit 2
}

here=$(cd "$(dirname "$0")" && pwd)

# find_program CHOICE NAME PACKAGE: the program's path on standard output.
find_program() {
    if [ -n "$1" ]; then
        command -v "$1" || die "cannot run $1"
    elif [ -x "$here/$2" ]; then
        echo "$here/$2"
    else
        command -v "$2" || die "$2 is neither beside peer nor on the path${3:+ (Debian package $3)}"
    fi
}

# --- options ---------------------------------------------------------------------------------------------------------

platforms='' kept='' at_most='' run='' source='' level=''
while [ $# -gt 0 ]; do
    case $1 in
    -d | -o | --at-most | --run)
        [ $# -ge 2 ] || usage_error "$1 needs a value"
        case $1 in
        -d) platforms="$platforms $2" ;;
        -o) kept=$2 ;;
        --at-most) at_most=$2 ;;
        --run) run=$2 ;;
        esac
        shift ;;
    --unoptimised) level=-O0 ;;
    -h | --help) usage; exit 0 ;;
    --) shift; break ;;
    -*) usage_error "unknown option $1" ;;
    *)
        [ -z "$source" ] || usage_error "more than one kernel file: $source and $1"
        source=$1 ;;
    esac
    shift
done # the rest of "$@" is for cmc
[ -n "$source" ] || usage_error "no kernel file"
[ -r "$source" ] || die "cannot read $source"
case $at_most in
*[!0-9.]* | *.*.* | .) usage_error "--at-most $at_most is not a number" ;;
esac
: "${platforms:=skl icllp tgllp}"

cmc=$(find_program "${CMKIT_CMC:-}" cmc '') || exit 1
ocloc=$(find_program "${CMKIT_OCLOC:-}" ocloc intel-opencl-icd) || exit 1
if [ -n "$run" ]; then
    gensim=$(find_program "${CMKIT_GENSIM:-}" gensim '') || exit 1
    cmrun=$(find_program "${CMKIT_CMRUN:-}" cmrun '') || exit 1
fi

if [ -n "$kept" ]; then
    mkdir -p "$kept" || exit 1
    work=$(cd "$kept" && pwd) || exit 1
else
    work=$(mktemp -d) || exit 1
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' HUP INT TERM
fi

# --- the two compilers -----------------------------------------------------------------------------------------------

# logged NAME COMMAND...: runs it with its output in $folder/NAME.log; if it fails, prints that as the error, status 1.
logged() {
    log=$folder/$1.log name=$1
    shift
    "$@" >"$log" 2>&1
    code=$?
    [ $code -ne 0 ] || return 0
    echo "peer: error: $name failed for $source on $platform, status $code:" >&2
    grep -v -e '^Command was:' -e '^Compilation from IR' "$log" | sed 's/^/    /' | tail -n 20 >&2
    return 1
}

# stepping PLATFORM: ocloc's option for the stepping that is sold, if ocloc's default is an earlier one, whose
# workarounds cost instructions. The number: compute-runtime, hw_info of DG2, getHwRevIdFromStepping.
stepping() {
    case $1 in
    dg2) echo -revision_id 8 ;;
    esac
}

# registers OPTION...: IGC's option for the number of registers in cmc's options.
registers() {
    for option; do
        case $option in
        -Qxcm_doubleGRF | -Qxcm_register_file_size=256) echo ' -ze-opt-large-register-file' ;;
        esac
    done
}

# With some modules IGC aborts every second time when it writes dumps, and never otherwise: they are tried ten times.
compile_with_dumps() {
    # shellcheck disable=SC2046
    env IGC_ShaderDumpEnable=1 "IGC_DumpToCustomDir=$folder/peer/dump" \
        "$ocloc" compile -file "$folder/peer/kernel.spv" -spirv_input -device "$platform" $(stepping "$platform") \
        -options "-vc-codegen$(registers "$@") -Xfinalizer '-printregusage'" --format zebin -output_no_suffix \
        -output kernel.bin -out_dir "$folder/peer"
}

# Fills the folder peer/: the module in both forms, kernel.bin, and IGC's dumps. -printregusage adds the registers to
# the listing. Status 1 if the platform cannot run the kernel, or IGC has no code for it.
compile_peer() {
    begin=$(date +%s%N)
    rm -rf "$folder/peer" && mkdir -p "$folder/peer/dump" || exit 1
    "$cmc" "-march=$platform" -emit-vc "$source" -o "$folder/peer/kernel.vc.ll" "$@" $level || return 1 # to be read
    "$cmc" "-march=$platform" -emit-spirv "$source" -o "$folder/peer/kernel.spv" "$@" $level || return 1
    tries=0
    until compile_with_dumps "$@" >"$folder/ocloc.log" 2>&1 || [ $((tries += 1)) -eq 9 ]; do :; done
    [ $tries -lt 9 ] || logged ocloc compile_with_dumps "$@" || return 1
    echo $(($(date +%s%N) - begin)) >"$folder/peer/nanoseconds"
    cat "$folder"/peer/dump/*.asm >"$folder/peer/kernel.asm" 2>"$folder/ocloc.log" && return
    echo "peer: error: ocloc wrote no listing for $source on $platform" >&2
    return 1
}

# finalizer_options LISTING: the options that affect the finalizer's code generation, sorted, one a line. It leaves out
# options that name or dump files, and those with which code that spills is made again.
finalizer_options() {
    sed -n 's/^\/\/\.options_string "\(.*\)".*/\1/p' "$1" | sed -n 1p | sed 's/ -/\n-/g' | sed 's/ *$//' |
        grep -v -e '^$' -e '^-dump' -e '^-output' -e '^-binary' -e '^-printregusage' -e '^-platform' \
            -e '^-nospillcleanup' \
            -e '^-nosplitonspill' -e '^-newspillcost' -e '^-presched' | sort -u
}

# Fills the folder cmc/: with the options that IGC gave the finalizer and cmc does not give itself.
compile_own() {
    rm -rf "$folder/cmc" && mkdir -p "$folder/cmc" || exit 1
    begin=$(date +%s%N)
    "$cmc" "-march=$platform" -mdump_asm "$source" -o "$folder/cmc/kernel.bin" "$@" || exit 1
    echo $(($(date +%s%N) - begin)) >"$folder/cmc/nanoseconds"
    more=$(finalizer_options "$folder/cmc/kernel.asm" >"$folder/cmc/options"
           finalizer_options "$folder/peer/kernel.asm" >"$folder/peer/options"
           comm -13 "$folder/cmc/options" "$folder/peer/options" | tr '\n' ' ')
    if [ -n "$more" ]; then
        "$cmc" "-march=$platform" -mdump_asm "$source" -o "$folder/cmc/kernel.bin" -Xfinalizer "$more" "$@" || exit 1
        finalizer_options "$folder/cmc/kernel.asm" >"$folder/cmc/options"
    fi
    cmp -s "$folder/cmc/options" "$folder/peer/options" ||
        die "the finalizer's options differ on $platform: cmc $(tr '\n' ' ' <"$folder/cmc/options"), peer $(
            tr '\n' ' ' <"$folder/peer/options")"
}

# --- counting --------------------------------------------------------------------------------------------------------

# count LISTING: a line for each kernel: name, instructions, movs, sends, registers, spilled bytes.
# An instruction's line begins with blanks or with a predicate in parentheses; comments and labels do not. The
# finalizer's own count must agree.
count() {
    awk '
        function put() {
            if (name == "") return
            if (claimed != "" && claimed != total) {
                printf "peer: error: %d instructions of %s counted, the finalizer says %d\n", total, name, claimed \
                    > "/dev/stderr"
                bad = 1
            }
            print name, total, movs, sends, registers, spilled
        }
        /^\/\/\.kernel /      { put(); name = $2; total = movs = sends = registers = spilled = 0; claimed = ""; next }
        /^\/\/\.instCount /   { claimed = $2 }
        /^\/\/\.GRF count/    { registers = $3 }
        /^\/\/\.spill size/   { spilled = $3 }
        /^(\(|[ \t]+[a-z(])/ {
            line = $0
            sub(/^[ \t]*(\([^)]*\)[ \t]*)?/, "", line)
            split(line, word, /[ \t]/)
            total++
            if (word[1] ~ /^mov/) movs++
            if (word[1] ~ /^(send|load|store|atomic|fence)/) sends++
        }
        END { put(); exit bad }' "$1"
}

headed=''
print_head() {
    [ -z "$headed" ] || return 0
    headed=yes
    printf '%-29s  %20s  %11s  %9s  %9s  %11s\n' '' instructions mov send registers spilled
    printf '%-20s %-8s %6s %6s %6s  %5s %5s  %4s %4s  %4s %4s  %5s %5s\n' kernel platform cmc peer ratio cmc peer \
        cmc peer cmc peer cmc peer
}

# Prints the table's rows of $platform; status 1 if --at-most is exceeded or a kernel is missing.
compare() {
    count "$folder/cmc/kernel.asm" >"$folder/cmc/counts" || exit 1
    count "$folder/peer/kernel.asm" >"$folder/peer/counts" || exit 1
    [ -s "$folder/cmc/counts" ] || die "cmc's listing has no kernel"
    print_head
    awk -v platform="$platform" -v at_most="$at_most" '
        NR == FNR { total[$1] = $2; movs[$1] = $3; sends[$1] = $4; registers[$1] = $5; spilled[$1] = $6; next }
        !($1 in total) { printf "peer: error: the peer has no kernel %s\n", $1 > "/dev/stderr"; bad = 1; next }
        {
            ratio = $2 / total[$1]
            printf "%-20s %-8s %6d %6d %6.3f  %5d %5d  %4d %4d  %4d %4d  %5d %5d\n", $1, platform, $2, total[$1], ratio,
                   $3, movs[$1], $4, sends[$1], $5, registers[$1], $6, spilled[$1]
            if (at_most != "" && ratio > at_most + 0) {
                printf "peer: error: kernel %s on %s: %.3f times the instructions of the peer, at most %s wanted\n",
                       $1, platform, ratio, at_most > "/dev/stderr"
                bad = 1
            }
        }
        END { exit bad }' "$folder/peer/counts" "$folder/cmc/counts"
}

# --- running ---------------------------------------------------------------------------------------------------------

# run_binary SIDE: the arguments are the user's words, split at blanks.
run_binary() {
    rm -rf "$folder/$1/results" && mkdir "$folder/$1/results" || exit 1
    words=$(printf '%s' "$run" | sed "s|%o|$folder/$1/results|g")
    # shellcheck disable=SC2086
    logged "run-$1" "$gensim" -d "$platform" --stats "$folder/$1/stats.json" -- "$cmrun" "$folder/$1/kernel.bin" \
        $words ||
        exit 1
}

run_both() {
    run_binary cmc
    run_binary peer
    [ -n "$(ls -A "$folder/cmc/results")" ] || die \
        "--run wrote no result: name one with %o in it, such as buf:64@w=%o/out"
    diff -rq "$folder/cmc/results" "$folder/peer/results" >"$folder/diff.log" ||
        die "the results differ on $platform: $(sed -n 1p "$folder/diff.log")"
    echo "$platform: results equal"
}

status=0
for platform in $platforms; do
    folder=$work/$platform
    mkdir -p "$folder" || exit 1
    compile_peer "$@" || { status=1; continue; }
    compile_own "$@"
    compare || status=1
    [ -z "$run" ] || run_both
done
exit $status
