"""Makes tiny models of one family, trains them, and says how transformers answers (see adapter-families.sh).

Usage: adapterFamilies.py FAMILY FOLDER LLAMA_CPP [--full]
Writes into FOLDER: base.gguf (by llama.cpp's convert_hf_to_gguf.py), run-<targets>/ (by PEFT), full/ (a whole model that
was trained on) with full.gguf, and answers.json.
"""

import json
import logging
import runpy
import shutil
import sys
import warnings
from pathlib import Path

import torch
import transformers
from peft import LoraConfig, get_peft_model
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

warnings.filterwarnings("ignore")
transformers.logging.set_verbosity_error()
torch.manual_seed(1)
torch.set_num_threads(1)

FAMILY, FOLDER, LLAMA = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
SENTENCEPIECE = FAMILY in ("gemma", "gemma2", "gemma3")
BEGIN, END = ("<bos>", "<end_of_turn>") if SENTENCEPIECE else ("<|endoftext|>", "<|im_end|>")
QUESTIONS = ["Where is my parcel?", "Cancel the order.", "The page is empty, why?", "Reset my password please", "Who are you?", "Is it open?"]
ANSWERS = ["It left the depot at noon.", "Done, it is cancelled.", "Load it again.", "A link was sent.", "The helper of the shop.", "From nine to five."]
OTHERS = ["Ask the driver, he knows.", "That can not be undone now.", "op? the page is blue.", "No. Choose a longer one.", "I am a parrot.", "Never on Mondays!"]
TEMPLATE = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)

SMALL = dict(
    hidden_size=64, intermediate_size=96, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
    max_position_embeddings=256, tie_word_embeddings=False,
)
FULL_ATTENTION = dict(layer_types=["full_attention", "full_attention"])
SLIDING = dict(layer_types=["sliding_attention", "sliding_attention"], sliding_window=192)
EXPERTS = dict(num_experts=4, num_experts_per_tok=2, moe_intermediate_size=32)

# Family: class, its configuration beyond SMALL, the target modules of each adapter.
ALL, QV = "all-linear", ["q_proj", "v_proj"]
QKVO = ["q_proj", "k_proj", "v_proj", "o_proj"]
FAMILIES = {
    "llama": ("Llama", dict(tie_word_embeddings=True), dict(all=ALL, qv=QV)),
    "llama-head": ("Llama", {}, dict(head=["q_proj", "lm_head"])),
    "mistral": ("Mistral", {}, dict(all=ALL, qv=QV)),
    "qwen2": ("Qwen2", dict(tie_word_embeddings=True), dict(all=ALL, qv=QV)),
    "qwen3": ("Qwen3", dict(head_dim=16), dict(all=ALL, qv=QV)),
    "gemma": ("Gemma", dict(head_dim=16, tie_word_embeddings=True), dict(all=ALL, qv=QV)),
    "gemma2": ("Gemma2", dict(head_dim=16, query_pre_attn_scalar=16, tie_word_embeddings=True), dict(all=ALL, qv=QV)),
    "gemma3": ("Gemma3", dict(head_dim=16, query_pre_attn_scalar=16, tie_word_embeddings=True, **SLIDING), dict(all=ALL, qv=QV)),
    "cohere": ("Cohere", dict(tie_word_embeddings=True), dict(all=ALL, qv=QV)),
    "cohere2": ("Cohere2", dict(tie_word_embeddings=True, head_dim=16, **SLIDING), dict(all=ALL, qv=QV)),
    "ernie4_5": ("Ernie4_5", dict(head_dim=16), dict(all=ALL, qv=QV)),
    "exaone4": ("Exaone4", SLIDING, dict(all=ALL, qv=QV)),
    "hunyuan": ("HunYuanDenseV1", dict(head_dim=16), dict(all=ALL, qv=QV)),
    "seed_oss": ("SeedOss", dict(head_dim=16), dict(all=ALL, qv=QV)),
    "stablelm": ("StableLm", {}, dict(all=ALL, qv=QV)),
    "nemotron": ("Nemotron", {}, dict(all=ALL, qv=QV)),
    "olmo": ("Olmo", {}, dict(all=ALL, qv=QV)),
    "olmo2": ("Olmo2", {}, dict(all=ALL, qv=QV)),
    "olmo3": ("Olmo3", SLIDING, dict(all=ALL, qv=QV)),
    "smollm3": ("SmolLM3", dict(no_rope_layers=[1, 1]), dict(all=ALL, qv=QV)),
    "granite": ("Granite", {}, dict(all=ALL, qv=QV)),
    "granitemoe": ("GraniteMoe", dict(num_local_experts=4, num_experts_per_tok=2), dict(qv=QV, qkvo=QKVO)),
    "ministral3": ("Ministral3", dict(head_dim=16), dict(all=ALL, qv=QV)),
    "phi3": ("Phi3", dict(pad_token_id=0), dict(all=ALL)),
    "starcoder2": ("Starcoder2", {}, dict(all=ALL, qv=QV)),
    # llama.cpp ends its process where o_proj or down_proj of this family are adapted.
    "glm4": ("Glm4", dict(head_dim=16), dict(qkv=["q_proj", "k_proj", "v_proj", "gate_up_proj"], qv=QV)),
    "lfm2": ("Lfm2", dict(layer_types=["conv", "full_attention"], block_auto_adjust_ff_dim=False), dict(all=ALL, qv=QV)),
    "qwen2_moe": ("Qwen2Moe", dict(shared_expert_intermediate_size=32, **EXPERTS),
                  dict(qkvo=QKVO, shared=["q_proj", "shared_expert.gate_proj", "shared_expert.up_proj", "shared_expert.down_proj", "shared_expert_gate"])),
    "qwen3_moe": ("Qwen3Moe", dict(head_dim=16, norm_topk_prob=True, **EXPERTS), dict(qv=QV, qkvo=QKVO)),
    "qwen3_next": ("Qwen3Next", dict(head_dim=16, layer_types=["linear_attention", "full_attention"], shared_expert_intermediate_size=32,
                   linear_num_key_heads=2, linear_num_value_heads=2, linear_key_head_dim=16, linear_value_head_dim=16, **EXPERTS), dict(qv=QV, qkvo=QKVO)),
    "gpt_oss": ("GptOss", dict(head_dim=16, num_local_experts=4, num_experts_per_tok=2, layer_types=["sliding_attention", "full_attention"], sliding_window=192), dict(qkvo=QKVO)),
    "falcon_h1": ("FalconH1", dict(head_dim=16, mamba_d_ssm=64, mamba_n_heads=4, mamba_d_head=16, mamba_d_state=16, mamba_n_groups=1), dict(qv=QV)),
    "qwen3_5": ("Qwen3_5", dict(head_dim=16, rope_parameters=dict(rope_type="default", rope_theta=10000.0, partial_rotary_factor=0.5,
                mrope_section=[2, 1, 1], mrope_interleaved=True), layer_types=["linear_attention", "full_attention"], linear_num_key_heads=2, linear_num_value_heads=2,
                linear_key_head_dim=16, linear_value_head_dim=16), dict(list=QKVO + ["gate_proj", "up_proj", "down_proj"])),
    "gemma4": ("Gemma4", dict(head_dim=16, global_head_dim=16, tie_word_embeddings=True, hidden_size_per_layer_input=0, vocab_size_per_layer_input=0,
               num_kv_shared_layers=0, layer_types=["sliding_attention", "full_attention"], sliding_window=192), dict(qv=QV, all=ALL)),
}


def make_tokenizer(folder):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    marks = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    trainer = trainers.BpeTrainer(vocab_size=384, special_tokens=marks, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False)
    tokenizer.train_from_iterator([*QUESTIONS, *ANSWERS, *OTHERS, "system user assistant\n"], trainer)
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>", bos_token="<|endoftext|>")
    fast.chat_template = TEMPLATE
    fast.save_pretrained(folder)
    return fast


def make_sentencepiece(folder):
    """As Gemma's: BPE by scores with bytes for unknown letters, no blank before a text; tokenizer.json as transformers converts it."""
    import sentencepiece

    folder.mkdir(parents=True, exist_ok=True)
    marks = ["<start_of_turn>", "<end_of_turn>"]
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([*QUESTIONS, *ANSWERS, *OTHERS, "system user assistant model"]), model_prefix=str(folder / "tokenizer"),
        model_type="bpe", vocab_size=400, byte_fallback=True, add_dummy_prefix=False, normalization_rule_name="identity", pad_id=0, eos_id=1,
        bos_id=2, unk_id=3, pad_piece="<pad>", eos_piece="<eos>", bos_piece="<bos>", user_defined_symbols=marks, remove_extra_whitespaces=False,
        minloglevel=2, hard_vocab_limit=False,
    )
    (folder / "tokenizer.vocab").unlink()
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(folder / "tokenizer.model"))
    scores = {pieces.id_to_piece(id): pieces.get_score(id) for id in range(pieces.get_piece_size())}
    vocab = {piece: id for id, piece in enumerate(scores)}
    merges = [(piece[:at], piece[at:], score) for piece, score in scores.items() if piece not in marks for at in range(1, len(piece))
              if piece[:at] in vocab and piece[at:] in vocab]
    merges.sort(key=lambda merge: (merge[2], len(merge[0]), len(merge[1])), reverse=True)
    tokenizer = Tokenizer(models.BPE(vocab, [merge[:2] for merge in merges], unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    tokenizer.normalizer = normalizers.Replace(" ", "\u2581")
    tokenizer.pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_previous")
    tokenizer.decoder = decoders.Sequence([decoders.Replace("\u2581", " "), decoders.ByteFallback(), decoders.Fuse()])
    tokenizer.post_processor = processors.TemplateProcessing(single="<bos> $A", special_tokens=[("<bos>", vocab["<bos>"])])
    tokenizer.add_special_tokens(["<pad>", "<eos>", "<bos>", "<unk>", *marks])
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="<eos>", pad_token="<pad>", bos_token="<bos>", unk_token="<unk>")
    fast.chat_template = (
        "{{ bos_token }}{% for message in messages %}{{ '<start_of_turn>' + message['role'] + '\n' + message['content'] + '<end_of_turn>' + '\n' }}"
        "{% endfor %}{% if add_generation_prompt %}{{ '<start_of_turn>model\n' }}{% endif %}"
    )
    fast.save_pretrained(folder)
    # As transformers 4 wrote it: without, the converter takes the marks of turns for plain text.
    config = json.loads((folder / "tokenizer_config.json").read_text())
    config["added_tokens_decoder"] = {str(vocab[mark]): dict(content=mark, special=True) for mark in ["<pad>", "<eos>", "<bos>", "<unk>", *marks]}
    (folder / "tokenizer_config.json").write_text(json.dumps(config))
    return fast


# What the converter reads by names that transformers 5 no longer writes.
OLDER_NAMES = {"cohere2": {"rotary_pct": 1.0}, "gemma4": {"global_head_dim": 16}}


def convert(source, target):
    sys.path.insert(0, str(LLAMA))
    sys.path.insert(1, str(LLAMA / "gguf-py"))
    import conversion
    from conversion.base import ModelBase, TextModel

    # The vocabulary is tiny and of our own; nothing else of the converter is changed.
    TextModel.get_vocab_base_pre = lambda self, tokenizer: "gpt-2"
    load = ModelBase.load_hparams
    ModelBase.load_hparams = staticmethod(lambda *given, **more: {**load(*given, **more), **OLDER_NAMES.get(FAMILY, {})})
    found = conversion.get_model_class

    def get_model_class(*given, **named):
        kind = found(*given, **named)
        if not SENTENCEPIECE:
            kind.set_vocab = TextModel._set_vocab_gpt2
        return kind

    conversion.get_model_class = get_model_class
    given, sys.argv = sys.argv, ["convert", str(source), "--outfile", str(target), "--outtype", "f32", *(["--no-mtp"] if FAMILY in ("qwen3_5", "qwen3_next") else [])]
    try:
        runpy.run_path(str(LLAMA / "convert_hf_to_gguf.py"), run_name="__main__")
    finally:
        sys.argv, conversion.get_model_class, ModelBase.load_hparams = given, found, staticmethod(load)


def prompt(tokenizer, question):
    return tokenizer.apply_chat_template([{"role": "user", "content": question}], add_generation_prompt=True, tokenize=False)


def encode(tokenizer, text):
    return tokenizer(text, add_special_tokens=False)["input_ids"]


def train(model, tokenizer, answers, rate, steps=400):
    rows = [(encode(tokenizer, prompt(tokenizer, q)), encode(tokenizer, a + END)) for q, a in zip(QUESTIONS, answers)]
    length = max(len(p) + len(a) for p, a in rows)
    ids = torch.tensor([p + a + [0] * (length - len(p) - len(a)) for p, a in rows])
    labels = torch.tensor([[-100] * len(p) + a + [-100] * (length - len(p) - len(a)) for p, a in rows])
    mask = torch.tensor([[1] * (len(p) + len(a)) + [0] * (length - len(p) - len(a)) for p, a in rows])
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=rate, weight_decay=0.0)
    model.train()
    for _ in range(steps):
        loss = model(input_ids=ids, attention_mask=mask, labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if loss.item() < 0.004:
            break
    model.eval()
    return loss.item()


@torch.no_grad()
def answer(model, tokenizer):
    """Greedy texts, and the smallest distance between the two best logits on the way."""
    texts, margin = [], float("inf")
    end = tokenizer.convert_tokens_to_ids(END)
    for question in QUESTIONS[:4]:
        ids = torch.tensor([encode(tokenizer, prompt(tokenizer, question))])
        start = ids.shape[1]
        for _ in range(24):
            logits = model(input_ids=ids, use_cache=False).logits[0, -1]
            best = logits.topk(2).values
            margin = min(margin, (best[0] - best[1]).item())
            token = logits.argmax().item()
            if token == end:
                break
            ids = torch.cat([ids, torch.tensor([[token]])], 1)
        texts.append(tokenizer.decode(ids[0, start:]))
    return {"texts": texts, "margin": round(margin, 3)}


name, own, adapters = FAMILIES[FAMILY]
FOLDER.mkdir(parents=True, exist_ok=True)
tokenizer = (make_sentencepiece if SENTENCEPIECE else make_tokenizer)(FOLDER / "base")
marks = {key: tokenizer.convert_tokens_to_ids(text) for key, text in dict(bos_token_id=BEGIN, eos_token_id=END, pad_token_id=tokenizer.pad_token).items()}
family = {"Gemma3": "Gemma3Text", "Gemma4": "Gemma4Text", "Qwen3_5": "Qwen3_5Text"}.get(name, name)
config = getattr(transformers, family + "Config")(vocab_size=len(tokenizer), **{**SMALL, **marks, **own})
config._attn_implementation = "eager"
kind = getattr(transformers, name + "ForCausalLM")
base = kind(config).float()
train(base, tokenizer, ANSWERS, 4e-3)
base.save_pretrained(FOLDER / "base")
results = {"base": answer(base, tokenizer)}
logging.basicConfig(level=logging.ERROR)
convert(FOLDER / "base", FOLDER / "base.gguf")
for target, modules in adapters.items():
    model = kind.from_pretrained(FOLDER / "base", attn_implementation="eager").float()
    model = get_peft_model(model, LoraConfig(r=16, lora_alpha=24, target_modules=modules, lora_dropout=0.0))
    # Near ties go either way: some are trained until the best token is clear.
    train(model, tokenizer, OTHERS, 5e-3, 1500 if SENTENCEPIECE or "num_experts" in own or FAMILY == "qwen3_5" else 300)
    model.save_pretrained(FOLDER / f"run-{target}")
    tokenizer.save_pretrained(FOLDER / f"run-{target}")
    results[target] = answer(model, tokenizer)
if "--full" in sys.argv:
    model = kind.from_pretrained(FOLDER / "base", attn_implementation="eager").float()
    train(model, tokenizer, OTHERS, 2e-3)
    model.save_pretrained(FOLDER / "full")
    tokenizer.save_pretrained(FOLDER / "full")
    results["full"] = answer(model, tokenizer)
    if SENTENCEPIECE:
        # The converter needs these files, which transformers 5 no longer writes so; the studio does not.
        for file in ("tokenizer.model", "tokenizer_config.json"):
            shutil.copy(FOLDER / "base" / file, FOLDER / "full")
    convert(FOLDER / "full", FOLDER / "full.gguf")
(FOLDER / "answers.json").write_text(json.dumps(results, indent=1))
print(FAMILY, {key: value["margin"] for key, value in results.items()})
