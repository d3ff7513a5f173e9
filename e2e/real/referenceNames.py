"""Where llama.cpp's convert_lora_to_gguf.py puts the matrices of an adapter, and in which order their rows.

Usage: referenceNames.py LLAMA_CPP FOLDER...   (folders of adapterFamilies.py)
Prints JSON: family -> architecture, and for each module of a layer its name and the first 16 rows by their numbers.
"""

import contextlib
import io
import json
import re
import runpy
import shutil
import sys
import tempfile
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

LLAMA = Path(sys.argv[1]).resolve()
sys.path.insert(0, str(LLAMA))
sys.path.insert(1, str(LLAMA / "gguf-py"))
import gguf  # noqa: E402
from conversion.base import TextModel  # noqa: E402

TextModel.get_vocab_base_pre = lambda self, tokenizer: "gpt-2"

def by_base(base):
    """Where no adapter can be made (of Ministral 3 the script writes the base model): the rows of the base itself."""
    reader = gguf.GGUFReader(base.with_name(base.name) / "base.gguf")
    there = {}
    for tensor in reader.tensors:
        match = re.fullmatch(r"blk\.(\d+)\.(.+)\.weight", tensor.name)
        if match and tensor.data.ndim == 2:
            there[(match[1], match[2])] = torch.tensor(tensor.data)
    modules = {}
    for key, weight in load_file(base / "base" / "model.safetensors").items():
        match = re.fullmatch(r"model\.(?:language_model\.)?layers\.(\d+)\.(.+)\.weight", key)
        for (layer, name), rows in there.items():
            if match and layer == match[1] and rows.shape == weight.shape:
                order = [int((weight == row).all(1).nonzero()[0]) if (weight == row).all(1).any() else None for row in rows[:16]]
                if None not in order:
                    modules[match[2]] = [name, order]
    return reader.fields["general.architecture"].contents(), modules


found = {}
for given in sys.argv[2:]:
    base = Path(given).resolve()
    modules, architecture = {}, None
    for run in sorted(base.glob("run-*")):
        with tempfile.TemporaryDirectory() as name:
            copy = Path(name) / "adapter"
            shutil.copytree(run, copy)
            tensors = load_file(copy / "adapter_model.safetensors")
            keys = [key for key in tensors if "lora_B" in key]
            for at, key in enumerate(keys):
                rows = torch.arange(tensors[key].shape[0], dtype=torch.float32) + 10_000 * at
                tensors[key] = rows[:, None].expand(tensors[key].shape).contiguous()
            save_file(tensors, copy / "adapter_model.safetensors", metadata={"format": "pt"})
            outfile = Path(name) / "adapter.gguf"
            sys.argv = ["convert", "--base", str(base / "base"), "--outfile", str(outfile), "--outtype", "f32", str(copy)]
            try:
                with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
                    runpy.run_path(str(LLAMA / "convert_lora_to_gguf.py"), run_name="__main__")
                reader = gguf.GGUFReader(outfile)
            except (Exception, SystemExit) as error:
                print(base.name, run.name, repr(error)[:200], file=sys.stderr)
                continue
            architecture = reader.fields["general.architecture"].contents()
            for tensor in reader.tensors:
                match = re.fullmatch(r"(?:blk\.\d+\.)?(.+)\.weight\.lora_b", tensor.name)
                if match:
                    numbers = [int(value) for value in tensor.data[:16, 0]]
                    key = keys[numbers[0] // 10_000]
                    module = re.sub(r"^base_model\.model\.(?:model\.(?:language_model\.)?layers\.\d+\.)?|\.lora_B\.weight$", "", key)
                    modules[module] = [match[1], [number % 10_000 for number in numbers]]
    if not modules:
        architecture, modules = by_base(base)
    found[base.name] = {"architecture": architecture, "modules": modules}
print(json.dumps(found, indent=1))
