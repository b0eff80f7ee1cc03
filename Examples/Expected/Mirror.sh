# Two programs on one file: writing, following, a follower that is killed and started again, a cleaning.
mirror=$1
store=$2/Notes.sqlite
text=$2/Notes.txt
compare() {
  "$mirror" list "$store" >"$2/list"
  if tail -n +2 "$1" | diff - "$2/list" >&2; then echo "$3 shows every note"; fi
}
"$mirror" write "$store" 40 1
"$mirror" follow "$store" "$text" --once | tail -n 1
compare "$text" "$2" "the first run"
"$mirror" follow "$store" "$text" >"$2/heard" &
child=$!
"$mirror" write "$store" 60 2
# It hears of what the other program writes, and dies without a word.
until [ -s "$2/heard" ]; do sleep 0.05; done
kill -KILL "$child"
wait "$child" 2>/dev/null || echo "killed"
"$mirror" write "$store" 40 3
"$mirror" follow "$store" "$text" --once | tail -n 1
compare "$text" "$2" "the run after the kill"
# A second reader comes for the first time after a cleaning.
"$mirror" clean "$store" 5
"$mirror" follow "$store" "$2/Late.txt" --once
compare "$2/Late.txt" "$2" "a late reader"
status=0
"$mirror" sing "$store" 2>/dev/null || status=$?
echo "status $status"
