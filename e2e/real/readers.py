"""Short runs of ms-swift, litgpt and Lightning, and what the studio says of them beside their own files. Called by readers.sh.

swift FOLDER | litgpt FOLDER | lightning FOLDER    trains into FOLDER/runs, on the processor
compare FOLDER PORT                                points, settings and checkpoints
"""

import csv
import json
import math
import re
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

task, folder = sys.argv[1], Path(sys.argv[2]).resolve()
RUNS, BIN = folder / "runs", Path(sys.executable).parent
PAIRS = [(f"How much is {i} and {i}?", f"It is {2 * i}.") for i in range(40)]


def run(*command):
    done = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{done.stdout[-1000:]}\n{done.stderr[-3000:]}")


def write_rows(name, rows):
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def train_swift():
    turns = [[{"role": "user", "content": q}, {"role": "assistant", "content": a}] for q, a in PAIRS]
    rows = write_rows("chat.jsonl", [{"messages": messages} for messages in turns])
    for tuner in ("lora", "full"):
        run(
            BIN / "swift", "sft", "--model", folder / "base", "--model_type", "llama", "--template", "chatml", "--use_hf", "true",
            "--tuner_type", tuner, "--dataset", rows, "--split_dataset_ratio", "0.2", "--max_steps", 12,
            "--per_device_train_batch_size", 2, "--gradient_accumulation_steps", 2, "--learning_rate", "1e-3",
            "--warmup_steps", "0.25", "--logging_steps", 1, "--eval_steps", 5, "--save_steps", 5, "--use_cpu", "true",
            "--bf16", "false", "--report_to", "none", "--output_dir", RUNS / f"swift-{tuner}",
        )


def train_litgpt():
    import shutil

    import torch
    from litgpt import GPT, Config
    from litgpt.utils import save_config

    base = folder / "litgpt-base"
    base.mkdir()
    sizes = dict(block_size=256, vocab_size=400, padded_vocab_size=448, n_layer=2, n_head=4, n_embd=32, rotary_percentage=1.0)
    config = Config(name="tiny", hf_config={}, parallel_residual=False, **sizes)
    save_config(config, base)
    torch.save(GPT(config).state_dict(), base / "lit_model.pth")
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(folder / "base" / name, base)
    (base / "generation_config.json").write_text('{"bos_token_id": 0, "eos_token_id": 2}')
    rows = folder / "alpaca.json"
    rows.write_text(json.dumps([{"instruction": q, "input": "", "output": a} for q, a in PAIRS]))
    for kind in ("lora", "full"):
        run(
            BIN / "litgpt", f"finetune_{kind}", base, "--data", "JSON", "--data.json_path", rows, "--data.val_split_fraction", 0.2,
            "--train.global_batch_size", 4, "--train.micro_batch_size", 2, "--train.max_steps", 12, "--train.save_interval", 5,
            "--train.log_interval", 1, "--train.lr_warmup_steps", 3, "--train.epochs", 5, "--eval.interval", 5,
            "--eval.evaluate_example", "first", "--eval.max_new_tokens", 4, "--precision", "32-true", "--devices", 1,
            "--out_dir", RUNS / f"litgpt-{kind}",
        )


def train_lightning():
    import lightning
    import torch
    from lightning.pytorch.callbacks import LearningRateMonitor, ModelCheckpoint
    from lightning.pytorch.loggers import CSVLogger

    class Module(lightning.LightningModule):
        def __init__(self, learning_rate, hidden, optimizer):
            super().__init__()
            self.save_hyperparameters()
            self.layers = torch.nn.Sequential(torch.nn.Linear(8, hidden), torch.nn.Linear(hidden, 1))

        def measure(self, batch):
            return self.layers(batch).square().mean()

        def training_step(self, batch, _):
            loss = self.measure(batch)
            self.log("train_loss", loss, on_step=True, on_epoch=True)
            return loss

        def validation_step(self, batch, _):
            self.log("val_loss", self.measure(batch), prog_bar=True)

        def configure_optimizers(self):
            optimizer = torch.optim.AdamW(self.parameters(), lr=self.hparams.learning_rate)
            return [optimizer], [torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)]

    lightning.seed_everything(7)
    rows = torch.randn(40, 8)
    trainer = lightning.Trainer(
        accelerator="cpu",
        max_epochs=4,
        log_every_n_steps=1,
        logger=CSVLogger(str(RUNS), name="lightning", flush_logs_every_n_steps=1),
        callbacks=[ModelCheckpoint(every_n_epochs=2, save_top_k=-1, save_last=True), LearningRateMonitor("step")],
        enable_progress_bar=False,
    )
    loaders = [torch.utils.data.DataLoader(part, batch_size=4) for part in (rows[:32], rows[32:])]
    trainer.fit(Module(learning_rate=0.003, hidden=16, optimizer="adamw"), *loaders)


def to_name(raw):
    """What the studio calls a measure."""
    name = re.sub(r"^(?:eval|val)_", "eval/", raw)
    return name if raw in SUMMARY else re.sub(r"^train_(.*?)(?:_step)?$", r"\1", name)


SUMMARY = {"train_runtime", "train_loss", "train_samples_per_second", "train_steps_per_second", "total_flos"}


def is_same(one, other):
    if len(one) < 3:
        return one[0] == other[0] and (len(one) == 1 or one[1] in other[1])
    # ms-swift rounds to eight digits what the state of its trainer has whole.
    return one[:2] == other[:2] and math.isclose(one[2], float(other[2]), rel_tol=1e-6, abs_tol=1e-8)


def number(value):
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def flat(values, prefix=""):
    for name, value in values.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{name}.")
        elif isinstance(value, (str, int, float, bool)) and value != "":
            # A long text is cut.
            yield f"{prefix}{name}", value[:4000] if isinstance(value, str) else value


def read_swift(place):
    """Points: name, step, value; settings by name; steps of checkpoints."""
    points = []
    for line in (place / "logging.jsonl").read_text().splitlines():
        row = json.loads(line)
        step = row.pop("global_step/max_steps", None)
        for name, raw in row.items():
            if step and number(raw) is not None and name != "epoch":
                points.append((to_name(name), None if name in SUMMARY else int(step.split("/")[0]), float(raw)))
    values = json.loads((place / "args.json").read_text())
    # One below others is shown as JSON.
    settings = dict(flat({name: json.dumps(value, separators=(",", ":")) if isinstance(value, dict) else value for name, value in values.items()}))
    return points, settings, [int(each.name.split("-")[1]) for each in place.glob("checkpoint-*")]


def read_csv(path, counters, batches=1):
    points, newest = [], 0
    for row in csv.DictReader(path.open()):
        # litgpt's validation after the last step is logged without a step.
        newest = max(newest, int(row["step"]))
        for name, raw in row.items():
            if name not in counters and number(raw) is not None:
                points.append((to_name(name), newest / batches, float(raw)))
    return points


def read_litgpt(place):
    import yaml

    settings = yaml.safe_load((place / "final" / "hyperparameters.yaml").read_text())
    micro = settings["train"]["global_batch_size"] // settings["train"]["micro_batch_size"]
    (path,) = place.glob("logs/csv/version_*/metrics.csv")
    points = read_csv(path, {"step", "epoch", "iter", "tokens", "total_tokens"}, micro)
    return points, dict(flat(settings)), [int(each.name.split("-")[1]) for each in place.glob("step-*")] + [None]


def read_lightning(place):
    import yaml

    points = read_csv(place / "metrics.csv", {"step", "epoch"})
    settings = dict(flat(yaml.safe_load((place / "hparams.yaml").read_text())))
    steps = [each.stem.split("step=") for each in place.glob("checkpoints/*.ckpt")]
    return points, settings, [int(parts[1]) if len(parts) > 1 else None for parts in steps]


def compare(port):
    def call(path, body=None):
        headers = {"Authorization": f"Bearer {(folder / 'data' / 'token').read_text().strip()}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{port}/api/v1/{path}", data, headers)
        return json.load(urllib.request.urlopen(request, timeout=60))

    def experiments(node):
        if node.get("type") == "experiment":
            yield node["id"]
        for child in node.get("children", []):
            yield from experiments(child)

    until = time.time() + 180
    root = None
    while root is None or root["state"] == "scanning":
        if time.time() > until:
            sys.exit("the folder was not read in three minutes")
        time.sleep(1)
        try:
            (root,) = call("studio/run-roots")["roots"]
        except OSError:
            pass
    project = call(f"public/projects/{root['id']}")
    told = [call(f"studio/runs/{each}") for each in experiments(project.get("project", project))]
    places = [(read_swift, path.parent) for path in RUNS.glob("swift-*/**/logging.jsonl")]
    places += [(read_litgpt, path) for path in RUNS.glob("litgpt-*")]
    places += [(read_lightning, path.parent) for path in RUNS.glob("lightning/**/metrics.csv")]
    counts = {"points": [0, 0], "settings": [0, 0], "checkpoints": [0, 0]}
    wrong = []

    def judge(kind, run, own, shown):
        """Counts what is in both; `own` and `shown` are lists."""
        left = list(shown)
        counts[kind][1] += len(own)
        for each in own:
            same = next((other for other in left if is_same(each, other)), None)
            if same is None:
                wrong.append(f"{run}: {kind} {each} is not shown")
            else:
                left.remove(same)
                counts[kind][0] += 1
        return left

    for read, place in places:
        name = str(place.relative_to(RUNS))
        run = next((each for each in told if (folder / "runs" / each["folder"]).resolve() == place), None)
        points, settings, steps = read(place)
        if run is None:
            wrong.append(f"{name} is missing")
            continue
        names = [metric["name"] for metric in run["metrics"] if metric["name"] != "epoch"]
        curves = call("studio/curves", {"runs": [run["id"]], "names": names})["curves"]
        shown = [(curve["name"], *point) for curve in curves for point in zip(curve["steps"], curve["values"])]
        figures = [(fact["name"], None, fact["value"]) for fact in run["summary"] if fact["name"] in SUMMARY]
        left = judge("points", name, points, shown + figures)
        wrong += [f"{name}: {each} is not of the tool" for each in left]
        # Of sources that differ each is shown.
        facts = [(fact["name"], [each["value"] for each in (fact, *fact.get("others", []))]) for fact in run["parameters"]]
        facts = [(fact, [value[:4000] if isinstance(value, str) else value for value in values]) for fact, values in facts]
        judge("settings", name, list(settings.items()), facts)
        checkpoints = [each["step"] for each in run["checkpoints"]]
        left = judge("checkpoints", name, [(step,) for step in steps], [(step,) for step in checkpoints])
        wrong += [f"{name}: a checkpoint of step {each[0]}" for each in left]
        print(name, run["formats"], run["status"], run["status_reason"], f"{run['step']} of {run['total_steps']}", file=sys.stderr)
    if len(told) != len(places):
        wrong.append(f"{len(told)} runs instead of {len(places)}")
    print("\n".join(wrong), file=sys.stderr)
    print(f"{len(places)} runs: " + ", ".join(f"{same} of {all} {kind}" for kind, (same, all) in counts.items()))
    sys.exit(1 if wrong else 0)


if task == "compare":
    compare(sys.argv[3])
else:
    RUNS.mkdir(exist_ok=True)
    {"swift": train_swift, "litgpt": train_litgpt, "lightning": train_lightning}[task]()
