# Twice, because the files of the first run are there in the second.
export XDG_DATA_HOME=$2
"$1"
"$1"
