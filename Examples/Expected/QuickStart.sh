# The first run makes the file, the second shows what the first wrote.
export XDG_DATA_HOME=$2
echo "first run"
"$1"
echo "second run"
"$1"
