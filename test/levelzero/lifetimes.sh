#!/bin/sh
# lifetimes.sh GENSIM DEVICE LIFETIMES KERNELS: runs programs that die, are killed, execute other programs, and run
# concurrently.
gensim=$1 device=$2 lives=$3 kernels=$4
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failures=0

fail()
{
    echo "FAILED: $*"
    failures=$((failures + 1))
}

run() { timeout 60 "$gensim" -d "$device" -- "$lives" "$kernels" "$@"; }

# Starts a program that never ends, waits until it is at work, sends it the signal; it must be gone, threads and all.
kill_with()
{
    signal=$1
    "$gensim" -d "$device" -- "$lives" "$kernels" die > "$folder/out" &
    process=$!
    tries=0
    until grep -q running "$folder/out" || [ $tries -eq 300 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    sleep 0.3
    kill "-$signal" "$process" || fail "$signal: the program was gone already"
    wait "$process" 2> "$folder/err"
    [ $? -eq $((128 + $2)) ] || fail "$signal: another status than that of the signal"
    [ ! -e "/proc/$process" ] || fail "$signal: the process is still there"
}

kill_with KILL 9
kill_with TERM 15
LIFETIMES_ALARM=1 run die > "$folder/out" 2>&1 # the alarm's own end
[ $? -eq 142 ] || fail "a signal that the program sends itself"

run exec "$lives" "$kernels" fork-first || fail "a program that becomes another one"

# Two at once, each with children: neither disturbs the other.
run fork-later & one=$!
run repeat & two=$!
wait $one || fail "the first of two programs"
wait $two || fail "the second of two programs"

# Everybody counts for himself: the parent five launches of each round and its own, each child one or two.
timeout 60 "$gensim" -d "$device" --stats "$folder/stats.%p" -- "$lives" "$kernels" fork-first \
    || fail "fork with --stats"
[ "$(ls "$folder" | grep -c '^stats\.')" -eq 2 ] || fail "not one file of statistics for each process: $(ls "$folder")"
for file in "$folder"/stats.*; do
    [ "$(grep -c '"kernel": "add_one"' "$file")" -ge 1 ] || fail "statistics without the launch: $(cat "$file")"
done
# Memory that goes while a batch uses it is a fault; the program's own mistakes stay its own.
run vanish-busy > "$folder/out" 2>&1
[ $? -eq 126 ] && grep -q '^gensim: fault: a batch uses memory of the program at 0x' "$folder/out" ||
    fail "memory that goes while it is used: $(cat "$folder/out")"
(ulimit -c 0; run crash) > "$folder/out" 2>&1
[ $? -eq 139 ] && ! grep -q gensim: "$folder/out" || fail "a program that crashes: $(cat "$folder/out")"

# Checks that statistics are also written after a fault, and through links and pipes.
timeout 60 "$gensim" -d "$device" --max-instructions 100000 --stats "$folder/fault" -- "$lives" "$kernels" die \
    > "$folder/out" 2>&1
[ $? -eq 126 ] || fail "an endless kernel: $(cat "$folder/out")"
grep -q '"kernel": "add_one"' "$folder/fault" || fail "no statistics at a fault"
: > "$folder/file"
ln -s file "$folder/link"
timeout 60 "$gensim" -d "$device" --stats "$folder/link" -- "$lives" "$kernels" fork-busy
[ -L "$folder/link" ] && grep -q '"device"' "$folder/file" || fail "no statistics behind a link"
mkfifo "$folder/pipe"
timeout 60 "$gensim" -d "$device" --stats "$folder/pipe" -- "$lives" "$kernels" fork-busy &
grep -q '"device"' "$folder/pipe" || fail "no statistics in a pipe"
wait
[ "$failures" -eq 0 ]
