"""Logs runs with real trackers, and compares the studio's curves with what was logged. Called by trackers.sh."""
import json
import os
import sys
import time
import urllib.request
from importlib.metadata import version

# By run and metric: the steps at which the studio must show a point, and the value at each. No two runs have the same values:
# it would take them for one run that two trackers logged.
ROWS = {
    "resumed": {"loss": [(step, 1 / (step + 1)) for step in range(35)]},
    "defined": {"loss": [(step * 10, step + 0.1) for step in range(1, 21)], "eval/loss": [(100, 0.5), (200, 0.25)]},
    "iteration": {"loss": [(step, step + 0.2) for step in range(1, 31)]},
    "unordered": {"eval/acc": [(step, step / 20000) for step in (1000, 2000, 3000, 10000, 11000)]},
    "per-step": {"loss": [(step, 2 / step) for step in range(1, 31)], "eval/loss": [(step, 3) for step in (10, 20, 30)]},
    "files": {"loss": [(step, 7 / step) for step in range(1, 31)]},
    "tracked": {"loss": [(step, step + 0.3) for step in range(10)], "nested.a": [(step, step) for step in range(10)]},
    "exp": {"lr": [(1, 0.5)], "loss": [(step, step + 0.4) for step in range(5)], "eval/loss": [(step, 2 * step) for step in range(5)]},
    "swan": {"loss": [(step * 10, step + 0.5) for step in range(10)]},
}


def write(folder):
    import mlflow
    import swanlab
    import tensorboardX
    import trackio
    import wandb

    runs = os.path.join(folder, "runs")
    for rows in (range(20), range(20, 35)):
        with wandb.init(project="p", id="resumed", name="resumed", resume="allow") as run:
            for step in rows:
                run.log({"loss": 1 / (step + 1)})
    with wandb.init(project="p", name="defined", notes="a note", tags=["one"]) as run:
        run.define_metric("train/*", step_metric="train/iter")
        run.define_metric("eval/*", step_metric="eval/at")
        for step in range(1, 21):
            run.log({"train/loss": step + 0.1, "train/iter": step * 10})
            if step % 10 == 0:
                run.log({"eval/loss": 5 / step, "eval/at": step * 10})
        run.summary["best"] = 0.5
        run.log({"table": wandb.Table(columns=["a"], data=[[1]])})
    with wandb.init(project="p", name="iteration") as run:
        for step in range(1, 31):
            run.log({"loss": step + 0.2, "iteration": (step - 1) % 10 + 1})
    for uri, names in (
        (f"sqlite:///{runs}/mlflow.db", ("unordered", "per-step")),
        (f"file://{runs}/mlruns", ("files",)),
    ):
        mlflow.set_tracking_uri(uri)
        mlflow.set_experiment("alpha")
        for name in names:
            with mlflow.start_run(run_name=name):
                if name == "unordered":
                    for step in (1000, 10000, 11000, 2000, 3000):
                        mlflow.log_metric("eval_acc", step / 20000, step=step)
                    continue
                for step in range(1, 31):
                    mlflow.log_metric("train_loss", (7 if name == "files" else 2) / step, step=step)
                    if name == "per-step" and step % 10 == 0:
                        mlflow.log_metric("val_loss", 3, step=step)
    trackio.init(project="p", name="tracked", embed=False)
    for step in range(10):
        trackio.log({"train_loss": step + 0.3, "nested": {"a": step}})
    trackio.finish()
    with tensorboardX.SummaryWriter(os.path.join(runs, "exp")) as writer:
        writer.add_scalar("lr", 0.5, 1)
        for step in range(5):
            writer.add_scalars("loss", {"train": step + 0.4, "val": 2 * step}, step)
    swanlab.init(project="p", experiment_name="swan", mode="offline", logdir=os.path.join(runs, "swanlog"))
    for step in range(10):
        swanlab.log({"train/loss": step + 0.5}, step=step * 10)
    swanlab.finish()


def compare(folder, port):
    token_file = os.path.join(folder, "data", "token")

    def call(path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {open(token_file).read().strip()}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data, headers)
        return json.load(urllib.request.urlopen(request, timeout=30))

    def experiments(node):
        if node.get("type") == "experiment":
            yield node
        for child in node.get("children", []):
            yield from experiments(child)

    until = time.time() + 180
    while True:
        try:
            [root] = call("/api/v1/studio/run-roots")["roots"]
            project = call("/api/v1/public/projects/" + root["id"])
            found = {node["label"]: node["id"] for node in experiments(project.get("project", project))}
            if root["state"] != "scanning" and set(ROWS) <= set(found):
                break
        except (OSError, ValueError):
            found = {}
        if time.time() > until:
            break
        time.sleep(1)
    wrong = [f"{name} is missing" for name in ROWS if name not in found]
    wrong += [f"{name} is no run" for name in found if name not in ROWS]
    points = 0
    for name in set(ROWS) & set(found):
        answer = call("/api/v1/studio/curves", {"runs": [found[name]], "names": list(ROWS[name])})
        curves = {curve["name"]: list(zip(curve["steps"], curve["values"])) for curve in answer["curves"]}
        for metric, rows in ROWS[name].items():
            shown = curves.get(metric, [])
            same = len(shown) == len(rows) and all(a == c and abs(b - d) < 1e-6 for (a, b), (c, d) in zip(shown, rows))
            points += len(rows)
            if not same:
                wrong.append(f"{metric} of {name}: {shown[:6]} instead of {rows[:6]}")
    names = ["wandb", "mlflow", "trackio", "tensorboardX", "swanlab"]
    print(", ".join(f"{name} {version(name)}" for name in names))
    print("; ".join(wrong) if wrong else f"{len(ROWS)} runs, all of {points} points at their steps")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    {"write": write, "compare": compare}[sys.argv[1]](*sys.argv[2:])
