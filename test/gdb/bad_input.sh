#!/bin/sh
# bad_input.sh BIN_FOLDER SOURCE WORK_FOLDER
# Checks mistakes around gensim --gdb: one clear line each, and the program's own result where it runs.
set -u
bin=$1 source=$2 work=$3 device=${CMKIT_TEST_DEVICE:-icllp}
failures=0
mkdir -p "$work" && cd "$work" || exit 1
"$bin/cmc" -march=$device -g "$source" -o steps.bin || exit 1
"$bin/cmc" -march=$device "$source" -o plain.bin || exit 1
values='0 3 6 9 12 15 18 21'

fail() {
  echo "FAIL $1"
  cat log
  failures=$((failures + 1))
}

# expect STATUS TEXT OPTION...: gensim ends with the status, and prints the text
expect() {
  status=$1 text=$2
  shift 2
  "$bin/gensim" -d $device "$@" -- "$bin/cmrun" steps.bin -k scale -g 1 buf:32:iota-u32 buf:32@print=u32 u32:3 \
    >log 2>&1 </dev/null
  got=$?
  [ $got -eq "$status" ] && grep -qF -e "$text" log || fail "$*: status $got, expected $status and '$text'"
}

# debug BINARY COMMAND...: a session over a pipe
debug() {
  binary=$1
  shift
  set -- "$@" -ex continue
  launch="$bin/cmrun $binary -k scale -g 2 buf:64:iota-u32 buf:64@print=u32 u32:3"
  target="target remote | $bin/gensim -d $device --gdb=pipe -- $launch"
  gdb -nx -batch -ex 'set width 0' -ex 'set remotetimeout 60' -ex "$target" "$@" >log 2>&1 </dev/null
}

expect 125 "--gdb: 'x' is neither a port, unix:PATH nor pipe" --gdb=x
expect 125 "--gdb: '70000' is neither a port" --gdb=70000
expect 125 '--gdb: the name of the socket is empty' --gdb=unix:
expect 125 "--gdb: cannot listen at '/absent/socket': No such file" --gdb=unix:/absent/socket
expect 125 '--gdb: there is nothing to debug without running kernels' --gdb --execute none

# A port in use: the first gensim has it, and waits in its kernel.
rm -f first.log
"$bin/gensim" -d $device --gdb=unix:used -- \
  "$bin/cmrun" steps.bin -k scale -g 1 buf:32:iota-u32 buf:32@print=u32 u32:3 >first.log 2>&1 </dev/null &
first=$!
while [ ! -S used ]; do sleep 0.1; done
expect 125 "used': Address already in use" --gdb=unix:used
# gdb goes away at once: the program goes on to its own result.
gdb -nx -batch -ex 'set remotetimeout 60' -ex "target remote $work/used" >log 2>&1 </dev/null ||
  fail 'no connection to a Unix socket'
wait $first || fail 'a program whose gdb has gone fails'
cp first.log log
grep -qE "^ *$values" log || fail 'the result of a program whose gdb has gone'
[ ! -e used ] || fail 'the socket is left behind'

# A port: on the loopback interface only, and refused where it is in use.
"$bin/gensim" -d $device --gdb -- "$bin/cmrun" steps.bin -k scale -g 1 buf:32:iota-u32 buf:32@print=u32 u32:3 \
  >first.log 2>&1 </dev/null &
first=$!
while ! grep -q 'localhost:' first.log; do sleep 0.1; done
port=$(sed -n "s/.*localhost:\([0-9]*\)'.*/\1/p" first.log)
grep -q " 0100007F:$(printf %04X "$port") 00000000:0000 0A" /proc/net/tcp || fail "port $port of the loopback interface"
expect 125 "cannot listen at port $port: Address already in use" --gdb="$port"
gdb -nx -batch -ex "target remote localhost:$port" -ex continue >log 2>&1 </dev/null || fail 'no connection to a port'
grep -qF 'exited normally' log || fail 'the end of the program'
wait $first || fail 'a program that gdb has watched fails'

# A gdb that is killed while a thread stands at a breakpoint: one line, and the program goes on to its own result.
run="$bin/cmrun steps.bin -k scale -g 2 buf:64:iota-u32 buf:64@print=u32 u32:3"
gone='gensim: gdb: the debugger has gone away; the program goes on without it'

# killed TARGET OUTPUT: kills gdb at a breakpoint, and waits for the program's last number in a file
killed() {
  rm -f stands
  gdb -nx -batch -ex 'set remotetimeout 60' -ex "target remote $1" -ex 'break scale' -ex continue \
    -ex 'shell touch stands; exec sleep 30 >/dev/null 2>&1' >gdb.log 2>&1 </dev/null &
  debugger=$!
  while [ ! -e stands ] && kill -0 $debugger; do sleep 0.1; done
  kill -KILL $debugger
  tries=0
  until grep -q '45$' "$2" || [ $tries -eq 100 ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
  cat gdb.log "$2" >log
  [ "$(grep -cF "$gone" "$2")" = 1 ] && grep -qE "^ *$values" "$2" && grep -q 'Breakpoint 1, scale' gdb.log ||
    fail "a gdb that is killed: $1"
}

rm -f gone.log
# shellcheck disable=SC2086 # words
"$bin/gensim" -d $device --gdb=unix:used -- $run >gone.log 2>&1 </dev/null &
first=$!
while [ ! -S used ]; do sleep 0.1; done
killed "$work/used" gone.log
wait $first || fail 'a program whose gdb was killed fails'
rm -f gone.log
killed "| exec $bin/gensim -d $device --gdb=pipe -- $run 2>gone.log" gone.log

# Packets of any kind: the stub answers them or not, and the program goes on to its own result.
"$bin/gensim" -d $device --gdb=unix:used -- \
  "$bin/cmrun" steps.bin -k scale -g 1 buf:32:iota-u32 buf:32@print=u32 u32:3 >log 2>&1 </dev/null &
first=$!
while [ ! -S used ]; do sleep 0.1; done
python3 - <<'END' || fail 'random packets'
import random, socket, threading
random.seed(24)
gdb = socket.socket(socket.AF_UNIX)
gdb.connect("used")
def drain():
    try:
        while gdb.recv(65536):
            pass
    except OSError:
        pass
reader = threading.Thread(target=drain)
reader.start()
words = [b"?", b"g", b"p", b"m", b"Z2,", b"z0,", b"Hg", b"T", b"qXfer:libraries:read::", b"qXfer:threads:read::",
         b"qXfer:features:read:target.xml:", b"vFile:open:", b"vFile:pread:", b"vFile:fstat:", b"vCont?", b"qRcmd,",
         b"P", b"X0,", b"Z0,", b"qSupported", b"!", b""]
try:
    for _ in range(3000):
        data = random.choice(words) + bytes(random.choice(b"0123456789abcdef,:;-=}")
                                            for _ in range(random.randrange(40)))
        gdb.sendall(b"$" + data + b"#%02x" % (sum(data) % 256 ^ (random.random() < 0.05)))
    gdb.sendall(b"$m" + b"f" * 70000 + b"#00$qXfer:exec-file:read:1:0")
except OSError:
    pass
gdb.shutdown(socket.SHUT_RDWR)
reader.join()
END
wait $first || fail 'a program that got random packets fails'
grep -qE "^ *$values" log || fail 'the result of a program that got random packets'

# ^C stops a kernel that would never end; `kill` ends the program.
python3 - "$bin" "$device" >log 2>&1 <<'END' || fail 'a kernel that is interrupted'
import os, socket, subprocess, sys, time
bin, device = sys.argv[1:]
run = subprocess.Popen([f"{bin}/gensim", "-d", device, "--gdb=unix:used", "--", f"{bin}/cmrun", "steps.bin", "-k",
                        "endless", "-g", "1", "buf:32"])
while not os.path.exists("used"):
    time.sleep(0.1)
gdb = socket.socket(socket.AF_UNIX)
gdb.connect("used")
stream = gdb.makefile("rb")

def send(text):
    gdb.sendall(b"$%s#%02x" % (text, sum(text) % 256))

def reply():
    while stream.read(1) != b"$":
        pass
    text = b""
    while not text.endswith(b"#"):
        text += stream.read(1)
    stream.read(2)
    gdb.sendall(b"+")
    return text[:-1].decode()

send(b"?")
first = reply()
assert first.startswith("T05thread:1;"), first
send(b"vCont;c")
time.sleep(0.5)
gdb.sendall(b"\x03")
stopped = reply()
assert stopped == "T02thread:1;", stopped
send(b"k")
assert run.wait(60) == 126
END

debug plain.bin -ex 'break scale' -ex continue
grep -qF 'kernel scale has no debug information (compile it with -g)' log || fail 'no line about debug information'
grep -qF 'Breakpoint 1,' log || fail 'no breakpoint at a kernel without debug information'
grep -qE "^ *$values" log || fail 'the result of a kernel without debug information'
debug steps.bin -ex kill
grep -qF 'killed' log || fail 'kill'

# A gdb that leaves its pipe: the program prints its result afterwards, perhaps in the middle of a line of gdb's, and
# runs on for as long as it likes.
cat >slow <<END
#!/bin/sh
"$bin/cmrun" steps.bin -k scale -g 1 buf:32:iota-u32 buf:32@print=u32 u32:3
sleep 7
echo late >&2
END
chmod +x slow
gdb -nx -batch -ex "target remote | $bin/gensim -d $device --gdb=pipe -- ./slow" -ex detach >log 2>&1
for _ in 1 2 3 4 5 6; do
  grep -q '^late' log && break
  sleep 1
done
grep -qF "$values" log && grep -q '^late' log || fail 'output after gdb has left a pipe'
[ "$failures" = 0 ]
