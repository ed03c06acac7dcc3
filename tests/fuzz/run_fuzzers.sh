#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the fuzzers of the fuzz preset, two at a time, at the lowest priority, on seeds from
# tests/golden. What they find is left in FOLDER, with one log a target.
#
#   tests/fuzz/run_fuzzers.sh [SECONDS] [FOLDER] [TARGET...]     default: 30 seconds, build/fuzz/run, all
# shellcheck disable=SC2317  # functions that xargs calls
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
seconds=${1:-30}
folder=$(realpath -m "${2:-$root/build/fuzz/run}")
shift $(($# < 2 ? $# : 2))
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(fuzz_gguf fuzz_tokenizer fuzz_safetensors fuzz_json fuzz_config fuzz_gguf_model fuzz_records)
golden=$root/build/fuzz/golden

# seeds TARGET INTO: files that are small enough to be changed usefully
seeds() {
    local into=$2 file kind
    case $1 in
    fuzz_gguf | fuzz_gguf_model) find "$golden/gguf" -name '*.gguf' -size -200k ;;
    fuzz_safetensors) find "$golden/models" -name '*.safetensors' -size -200k ;;
    fuzz_tokenizer) find "$golden/tokenizers" -name tokenizer.json -size -200k ;;
    fuzz_config) find "$golden/models" -name config.json ;;
    fuzz_json) find "$golden" -name '*.json' -size -20k ;;
    fuzz_records) find "$golden" -name '*.jsonl' -size -60k ;;
    esac | while read -r file; do
        kind=$into/$(echo "${file#"$golden"/}" | tr / _)
        if [ "$1" = fuzz_records ]; then
            { printf '\0' && head -c 4000 "$file"; } >"$kind"
        else
            cp "$file" "$kind"
        fi
    done
    [ "$1" != fuzz_records ] || printf '\2id,text\n1,"a ""b"", c"\n2,d\n' >"$into/csv"
}

fuzz() {
    local target=$1 dictionary=json
    case $target in fuzz_gguf*) dictionary=gguf ;; esac
    mkdir -p "$folder/$target/corpus" "$folder/$target/seeds"
    seeds "$target" "$folder/$target/seeds"
    cd "$folder/$target"
    nice -n 19 "$root/build/fuzz/bin/$target" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=25 \
        -max_len=200000 -print_final_stats=1 -dict="$root/tests/fuzz/$dictionary.dict" corpus seeds >log 2>&1
}

export root folder seconds golden
export -f fuzz seeds
{ echo 19 >/proc/self/autogroup; } 2>/dev/null || true
code=0
printf '%s\n' "${targets[@]}" | xargs -P 2 -I{} bash -c 'fuzz {}' || code=1
for target in "${targets[@]}"; do
    log=$folder/$target/log
    printf '%-18s %12s runs  %6s edges  %s\n' "$target" \
        "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" \
        "$(grep -o 'cov: [0-9]*' "$log" | tail -1 | cut -c6-)" \
        "$(find "$folder/$target" -maxdepth 1 -name 'crash-*' -o -maxdepth 1 -name 'oom-*' -o -maxdepth 1 -name 'timeout-*' | wc -l) findings"
done
exit $code
