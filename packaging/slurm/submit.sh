#!/bin/bash
# submit.sh RUN.env PROFILE.env [--submit]
# Shows the two commands that submit an extraction as an array and its merge; with --submit it runs them.
set -eu

[ $# -ge 2 ] || { echo "usage: submit.sh RUN.env PROFILE.env [--submit]" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
HEADSCOPE_RUN=$(realpath "$1")
HEADSCOPE_PROFILE=$(realpath "$2")
. "$HEADSCOPE_RUN"
. "$HEADSCOPE_PROFILE"

tasks=$(((DOCUMENTS + PER_TASK - 1) / PER_TASK))
[ "$tasks" -ge 1 ] || { echo "expected DOCUMENTS from 1 in $1" >&2; exit 2; }
export=ALL,HEADSCOPE_RUN=$HEADSCOPE_RUN,HEADSCOPE_PROFILE=$HEADSCOPE_PROFILE
array=(sbatch --parsable "--export=$export" "--array=0-$((tasks - 1))%$AT_ONCE" "${SBATCH_OPTIONS[@]}" "$here/extract_array.sbatch")
merge=(sbatch --parsable "--export=$export" "${MERGE_OPTIONS[@]}")

if [ "${3:-}" != --submit ]; then
    echo "${array[*]}"
    echo "${merge[*]} --dependency=afterok:JOB $here/merge.sbatch"
    exit 0
fi
case "${SBATCH_OPTIONS[*]} ${MERGE_OPTIONS[*]} ${MERGE_ENGINE:-}" in
*@*@*) echo "expected the words of your site in place of those between @ in $2" >&2; exit 2 ;;
esac
job=$("${array[@]}")
job=${job%%;*}
merged=$("${merge[@]}" "--dependency=afterok:$job" "$here/merge.sbatch")
echo "array job $job of $tasks tasks, merge job ${merged%%;*}; how far it is: $ENGINE status $OUT.parts"
