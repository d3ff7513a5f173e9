#!/usr/bin/env bash
# MLflow 3.17.2, Python 3.11, SQLite store
#
# NaN comes back as NaN: the table `metrics` has 0 and a column is_nan. Infinity has no such column. It is stored as the largest
# float, and MLflow's own client gives that back, so a loss of Infinity is a finite number to everything that asks MLflow:
# isfinite is true, and "the lowest loss" of -Infinity is -1.797e308. The file store of the same version keeps Infinity.
#
# Output:
#   SQLite: logged nan, inf, -inf; read nan, 1.7976931348623157e+308, -1.7976931348623157e+308
#   files: logged nan, inf, -inf; read nan, inf, -inf
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python=${REAL_PYTHON:-}
if [ -z "$python" ]; then
  python3 -m venv venv
  python=$folder/venv/bin/python
  "$python" -m pip install --quiet mlflow==3.17.2
fi
cat >log.py <<'PY'
import math, os
os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"
import mlflow

values = [math.nan, math.inf, -math.inf]
for name, place in (("SQLite", "sqlite:///mlflow.db"), ("files", f"file://{os.getcwd()}/mlruns")):
    mlflow.set_tracking_uri(place)
    mlflow.set_experiment("demo")
    with mlflow.start_run() as run:
        for step, value in enumerate(values):
            mlflow.log_metric("loss", value, step=step)
    history = mlflow.MlflowClient().get_metric_history(run.info.run_id, "loss")
    read = [metric.value for metric in sorted(history, key=lambda metric: metric.step)]
    print(f"{name}: logged {', '.join(map(repr, values))}; read {', '.join(map(repr, read))}")
PY
"$python" log.py 2>log | grep '; read' | tee output || { cat log; exit 1; }
diff output - <<'SEEN'
SQLite: logged nan, inf, -inf; read nan, 1.7976931348623157e+308, -1.7976931348623157e+308
files: logged nan, inf, -inf; read nan, inf, -inf
SEEN
