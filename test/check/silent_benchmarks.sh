#!/bin/sh
# silent_benchmarks.sh BIN_FOLDER DEVICE SHARD KNOWN WORK_FOLDER
# Runs benchmarks on tiny inputs under gensim --check: no variant has a finding that the file KNOWN does not suppress.
set -u
bin=$1 device=$2 shard=$3 known=$4 work=$5
rm -rf "$work" && mkdir -p "$work/reports" && cd "$work" || exit 1
# cmbench starts the gensim beside it.
cp "$bin/cmbench" cmbench && ln -s "$bin/cmc" cmc || exit 1
cat >gensim <<END
#!/bin/sh
exec "$bin/gensim" --check --suppress "$known" --report "$work/reports/%p.json" "\$@"
END
chmod +x gensim
./cmbench -d "$device" -s tiny --threads 1 --shard "$shard" >log 2>&1
status=$?
if [ $status -ne 0 ] && [ $status -ne 3 ]; then # 3: some were skipped
  cat log
  exit 1
fi
python3 - reports/*.json <<'END'
import json, sys
found = 0
for path in sys.argv[1:]:
    for place in json.load(open(path))["places"]:
        found += 1
        print(place["suppression"], place["what"], place["count"])
print(f"{len(sys.argv) - 1} runs, {found} places with findings")
sys.exit(1 if found or len(sys.argv) < 6 else 0)
END
