#!/usr/bin/env bash
# ClearML 2.1.12, Python 3.11, offline mode
#
# report_scalar sends 0 for NaN and for both infinities. A loss that broke is drawn as a loss of 0, the best of all runs, and
# metrics.jsonl of an offline session has no sign that it was no number. The console says it, once for many values.
# Logger.set_reporting_nan_value(None) sends such a point without a value instead.
#
# Output: the value that was logged, and the one in metrics.jsonl.
#   0.5 -> 0.5
#   nan -> 0.0
#   inf -> 0.0
#   -inf -> 0.0
#   nan after set_reporting_nan_value(None) -> no value
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python=${REAL_PYTHON:-}
if [ -z "$python" ]; then
  python3 -m venv venv
  python=$folder/venv/bin/python
  "$python" -m pip install --quiet clearml==2.1.12
fi
cat >log.py <<'PY'
import json, math, os
from clearml import Logger, Task

values = [0.5, math.nan, math.inf, -math.inf, math.nan]
Task.set_offline(True)
off = dict(auto_connect_frameworks=False, auto_connect_streams=False, auto_resource_monitoring=False, auto_connect_arg_parser=False)
task = Task.init(project_name="demo", task_name="run", **off)
for step, value in enumerate(values):
    if step == 4:
        Logger.set_reporting_nan_value(None)
    task.get_logger().report_scalar("train", "loss", value, step)
task.flush(wait_for_uploads=True)
task.close()
read = {}
for line in open(os.path.join(task.get_offline_mode_folder(), "metrics.jsonl")):
    read.update({event["iter"]: event.get("value", "no value") for event in json.loads(line) if event["metric"] == "train"})
for step, value in enumerate(values):
    print(f"{value}{' after set_reporting_nan_value(None)' if step == 4 else ''} -> {read.get(step, 'no point')}")
PY
HOME=$folder "$python" log.py 2>log | grep -e '->' | tee output || { cat log; exit 1; }
diff output - <<'SEEN'
0.5 -> 0.5
nan -> 0.0
inf -> 0.0
-inf -> 0.0
nan after set_reporting_nan_value(None) -> no value
SEEN
