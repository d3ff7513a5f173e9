"""Real clients, unmodified but for address and key, against the studio of clients.sh: a row per thing that a client does.

clients.py GROUP URL TOKEN FOLDER: prints "ok ROW" or "FAIL ROW: reason" a line.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

group, url, token, folder = sys.argv[1:]
base = f"{url}/api/v1"
MODEL = "support-base"
USER = [{"role": "user", "content": "Hello, where is my order?"}]
PARTS = [{"role": "user", "content": [{"type": "text", "text": "Hello,"}, {"type": "text", "text": "where is my order?"}]}]
SCHEMA = {"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"], "additionalProperties": False}
TOOL = {"type": "function", "function": {"name": "look_up", "description": "Looks up", "parameters": SCHEMA, "strict": True}}


def row(name):
    def run(work):
        try:
            work()
            print(f"ok {group}: {name}", flush=True)
        except Exception as error:  # a row that fails must not end the others
            print(f"FAIL {group}: {name}: {type(error).__name__}: {str(error)[:300]}", flush=True)

    return run


def premai():
    import httpx
    import premai as sdk

    client = sdk.PremAI(api_key=token, base_url=url, _strict_response_validation=True)
    made = {}

    @row("projects and datasets, typed")
    def _():
        made["project"] = client.projects.create(name="Typed", goal="").project_id
        assert client.projects.list().projects
        lines = [{"messages": [{"role": "user", "content": f"Ticket {n}"}, {"role": "assistant", "content": "billing" if n % 2 else "shipping"}]} for n in range(40)]
        data = "\n".join(json.dumps(line) for line in lines).encode()
        made["dataset"] = client.datasets.create_from_jsonl(file=("rows.jsonl", data), name="Rows", project_id=made["project"]).dataset_id
        while (found := client.datasets.get(made["dataset"])).status == "processing":
            time.sleep(0.2)
        assert found.datapoints_count == 40 and found.labels == [] and found.snapshots == [] and found.updated_at, found
        messages = [{"role": "user", "content": "More"}, {"role": "assistant", "content": "billing"}]
        assert client.datasets.add_datapoint(made["dataset"], messages=messages, bucket="uncategorized").id
        made["snapshot"] = client.snapshots.create(dataset_id=made["dataset"], split_percentage=80).snapshot_id
        assert [s.id for s in client.datasets.get(made["dataset"]).snapshots] == [made["snapshot"]]
        assert client.projects.get_tree(made["project"]).project.children

    @row("a recommended experiment, copied by its typed fields, is trained as it was recommended")
    def _():
        client.recommendations.generate(snapshot_id=made["snapshot"])
        while (found := client.recommendations.get(made["snapshot"])).status == "processing":
            time.sleep(0.2)
        wanted = [e for e in found.recommended_experiments if e.base_model_id == MODEL][:1] or found.recommended_experiments[:1]
        fields = ["base_model_id", "batch_size", "learning_rate_multiplier", "n_epochs", "training_type"]
        copied = [{name: getattr(e, name) for name in fields} for e in wanted]
        job = client.finetuning.create(name="Copied", snapshot_id=made["snapshot"], experiments=copied).job_id
        got = client.finetuning.get(job).experiments
        assert [e.training_type for e in got] == [e.training_type for e in wanted] and got[0].training_type in ("lora", "full"), got

    @row("an experiment without a type is refused")
    def _():
        one = {"base_model_id": MODEL, "batch_size": 8, "learning_rate_multiplier": 0.006, "n_epochs": 1}
        try:
            client.finetuning.create(name="Untyped", snapshot_id=made["snapshot"], experiments=[one])
        except sdk.BadRequestError:
            return
        raise AssertionError("it was taken")

    @row("models: list, load, status, unload, typed")
    def _():
        assert client.models.list().data
        assert client.models.load(model=MODEL).message
        assert client.models.check_status(model=MODEL).status is True
        assert client.models.unload(model=MODEL).message

    @row("chat: text, tools, schema, typed")
    def _():
        assert client.chat.completions(model=MODEL, messages=USER, max_completion_tokens=8).choices[0].message
        assert client.chat.completions(model=MODEL, messages=USER, tools=[TOOL], tool_choice="auto", max_completion_tokens=8).choices

    @row("create_synthetic, which is not there, sends its files once")
    def _():
        sent = []
        counting = sdk.PremAI(api_key=token, base_url=url, http_client=httpx.Client(event_hooks={"request": [lambda r: sent.append(r)]}))
        try:
            counting.datasets.create_synthetic(name="x", pairs_to_generate=1, project_id=made["project"])
        except sdk.APIStatusError as error:
            assert error.status_code == 501
        assert len(sent) == 1, len(sent)


def openai_sdk():
    import openai

    client = openai.OpenAI(api_key=token, base_url=base)

    @row(f"openai {openai.__version__}: models")
    def _():
        assert client.models.retrieve(MODEL).id == MODEL
        try:
            client.models.retrieve("org/none")
        except openai.NotFoundError:
            return
        raise AssertionError("there is no such model")

    @row("chat with text parts, max_tokens as the limit")
    def _():
        for seed in range(6):
            answer = client.chat.completions.create(model=MODEL, messages=PARTS, max_tokens=5, temperature=2, seed=seed)
            assert answer.usage.completion_tokens <= 5

    @row("chat: stream with usage, forced tool, parsed schema")
    def _():
        chunks = list(client.chat.completions.create(model=MODEL, messages=USER, max_tokens=8, stream=True, stream_options={"include_usage": True}))
        assert chunks[-1].usage.total_tokens
        choice = {"type": "function", "function": {"name": "look_up"}}
        called = client.chat.completions.create(model=MODEL, messages=USER, tools=[TOOL], tool_choice=choice)
        assert json.loads(called.choices[0].message.tool_calls[0].function.arguments)["a"] in (True, False)
        form = {"type": "json_schema", "json_schema": {"name": "x", "schema": SCHEMA, "strict": True}}
        assert "a" in json.loads(client.chat.completions.create(model=MODEL, messages=USER, response_format=form).choices[0].message.content)

    @row("completions with echo and logprobs, streamed too")
    def _():
        answer = client.completions.create(model=MODEL, prompt="Thank you", echo=True, logprobs=2, max_tokens=4, temperature=0)
        logprobs = answer.choices[0].logprobs
        assert logprobs.token_logprobs[0] is None and all(v <= 0 for v in logprobs.token_logprobs[1:])
        pieces = [c.choices[0].text for c in client.completions.create(model=MODEL, prompt="Thank you", echo=True, max_tokens=4, temperature=0, stream=True)]
        assert "".join(pieces) == answer.choices[0].text

    @row("responses: text, tool, schema, stream, clear refusal of state")
    def _():
        answer = client.responses.create(model=MODEL, input="Hello", max_output_tokens=8)
        assert answer.output_text and answer.usage.total_tokens
        tool = {"type": "function", "name": "look_up", "parameters": SCHEMA, "strict": True}
        called = client.responses.create(model=MODEL, input="Hello", tools=[tool], tool_choice="required")
        assert called.output[0].type == "function_call"
        follow = [{"role": "user", "content": "Hello"}, *[o.to_dict() for o in called.output[:1]], {"type": "function_call_output", "call_id": called.output[0].call_id, "output": "1"}]
        assert client.responses.create(model=MODEL, input=follow, max_output_tokens=8).output
        form = {"format": {"type": "json_schema", "name": "x", "schema": SCHEMA, "strict": True}}
        assert "a" in json.loads(client.responses.create(model=MODEL, input="Hello", text=form).output_text)
        with client.responses.stream(model=MODEL, input="Hello", temperature=0) as stream:
            text = "".join(e.delta for e in stream if e.type == "response.output_text.delta")
            assert text == stream.get_final_response().output_text
        try:
            client.responses.create(model=MODEL, input="Hello", previous_response_id="resp_1")
        except openai.BadRequestError as error:
            assert error.param == "previous_response_id"
            return
        raise AssertionError("it was taken")


def inspect():
    os.environ |= {"STUDIO_API_KEY": token, "STUDIO_BASE_URL": base, "OPENAI_API_KEY": token, "OPENAI_BASE_URL": base}
    from inspect_ai import Task, eval
    from inspect_ai.dataset import Sample
    from inspect_ai.scorer import includes
    from inspect_ai.solver import generate

    for model in (f"openai-api/studio/{MODEL}", f"openai/{MODEL}"):

        @row(f"inspect-ai {model}")
        def _(model=model):
            task = Task(dataset=[Sample(input=f"Hello {n}", target="a") for n in range(3)], solver=generate(), scorer=includes())
            [log] = eval(task, model=model, max_tokens=8, display="none", log_dir=f"{folder}/inspect")
            assert log.status == "success", log.error


def others():
    import openai

    @row(f"openai {openai.__version__}: retrieve, parts, completions, responses")
    def _():
        client = openai.OpenAI(api_key=token, base_url=base)
        assert client.models.retrieve(MODEL).id == MODEL
        assert client.chat.completions.create(model=MODEL, messages=PARTS, max_tokens=4).choices
        assert client.completions.create(model=MODEL, prompt="Hello", max_tokens=4).choices
        assert client.responses.create(model=MODEL, input="Hello", max_output_tokens=4).output

    import litellm

    known = {"api_key": token, "api_base": base}

    @row("litellm: completion, text_completion, responses")
    def _():
        assert litellm.completion(model=f"openai/{MODEL}", messages=PARTS, max_tokens=4, **known).choices
        assert litellm.text_completion(model=f"text-completion-openai/{MODEL}", prompt="Hello", max_tokens=4, **known).choices
        assert litellm.responses(model=f"openai/{MODEL}", input="Hello", max_output_tokens=4, **known).output

    from langchain_openai import ChatOpenAI, OpenAI

    @row("langchain-openai: text blocks, stream, responses, completions")
    def _():
        chat = ChatOpenAI(model=MODEL, api_key=token, base_url=base, max_tokens=8)
        assert chat.invoke([("user", [{"type": "text", "text": "Hello"}])]).usage_metadata
        assert list(chat.stream("Hello"))
        assert ChatOpenAI(model=MODEL, api_key=token, base_url=base, max_tokens=8, use_responses_api=True).invoke("Hello").content is not None
        assert OpenAI(model=MODEL, api_key=token, base_url=base, max_tokens=8).invoke("Hello") is not None

    import instructor
    from pydantic import BaseModel

    class Answer(BaseModel):
        a: bool

    @row("instructor: tools and JSON schema")
    def _():
        for mode in (instructor.Mode.TOOLS, instructor.Mode.JSON_SCHEMA):
            client = instructor.from_openai(openai.OpenAI(api_key=token, base_url=base), mode=mode)
            got = client.chat.completions.create(model=MODEL, messages=USER, response_model=Answer, max_retries=1)
            assert got.a in (True, False)


def frameworks():
    os.environ |= {"DSPY_CACHEDIR": f"{folder}/dspy"}
    import openai
    from pydantic import BaseModel

    class Answer(BaseModel):
        a: bool

    import guidance

    # It sends `tools: null`, which SPEC 4.3 has not, and asks for log probabilities of every chat.
    @row("guidance: refused by the name of the field")
    def _():
        lm = guidance.models.OpenAI(MODEL, api_key=token, base_url=base, echo=False)
        with guidance.user():
            lm += "Hello, where is my order?"
        try:
            with guidance.assistant():
                lm += guidance.gen(max_tokens=8)
        except openai.BadRequestError as error:
            assert error.param == "tools" and "not null" in error.message
            return
        raise AssertionError("it was taken")

    from llama_index.core.llms import ChatMessage
    from llama_index.llms.openai_like import OpenAILike

    @row("llama-index OpenAILike: chat and completions, its default")
    def _():
        for is_chat in (None, True):
            more = {} if is_chat is None else {"is_chat_model": is_chat}
            llm = OpenAILike(model=MODEL, api_base=base, api_key=token, max_tokens=8, context_window=512, **more)
            assert llm.complete("Hello").text and llm.chat([ChatMessage(role="user", content="Hello")]).message.content
            assert "".join(chunk.delta or "" for chunk in llm.stream_complete("Hello"))
            assert "".join(chunk.delta or "" for chunk in llm.stream_chat([ChatMessage(role="user", content="Hello")]))

    from pydantic_ai import Agent, ModelHTTPError, NativeOutput
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    @row("pydantic-ai: list prompt, history, outputs, stream, responses; two system messages are to be joined")
    def _():
        provider = OpenAIProvider(base_url=base, api_key=token)
        short = {"max_tokens": 8, "temperature": 0}
        both = {"system_prompt": "You help.", "instructions": "Be short.", "model_settings": short}
        chat, responses = OpenAIChatModel(MODEL, provider=provider), OpenAIResponsesModel(MODEL, provider=provider)
        for agent in (Agent(chat, instructions="You help.", model_settings=short), Agent(responses, **both)):
            first = agent.run_sync(["Hello,", "where is my order?"])
            assert first.output and first.usage.output_tokens
            assert agent.run_sync("And now?", message_history=first.all_messages()).output
            assert agent.run_stream_sync("Hello").get_output()
        for model in (chat, responses):
            for output in (Answer, NativeOutput(Answer)):
                assert Agent(model, output_type=output).run_sync("Hello").output.a in (True, False)
        try:
            Agent(chat, **both).run_sync("Hello")
        except ModelHTTPError as error:
            assert "Join its text" in str(error)
            return
        raise AssertionError("SPEC 2.3 has one system message")

    import dspy

    @row("dspy: chat, text, responses")
    def _():
        for kind in ("chat", "text", "responses"):
            lm = dspy.LM(f"openai/{MODEL}", model_type=kind, api_base=base, api_key=token, max_tokens=8, temperature=0, cache=False)
            assert lm("Hello") if kind == "text" else lm(messages=USER), kind

    import outlines

    @row("outlines: text, JSON, stream, chat")
    def _():
        model = outlines.from_openai(openai.OpenAI(base_url=base, api_key=token), MODEL)
        assert model("Hello", max_tokens=8) and "".join(model.stream("Hello", max_tokens=8))
        assert model(outlines.inputs.Chat(USER), max_tokens=8)
        assert "a" in json.loads(model("Hello", Answer))


def lm_eval():
    here = Path(folder) / "tasks"
    here.mkdir(exist_ok=True)
    docs = [{"text": "Please send us your order", "choices": [" number", " zzzz"], "gold": 0} for _ in range(4)]
    (here / "docs.jsonl").write_text("\n".join(map(json.dumps, docs)))
    shared = f"dataset_path: json\ndataset_kwargs: {{data_files: {{test: {here}/docs.jsonl}}}}\ntest_split: test\n"
    (here / "likelier.yaml").write_text(
        f"task: likelier\noutput_type: multiple_choice\n{shared}doc_to_text: '{{{{text}}}}'\ntarget_delimiter: ''\n"
        "doc_to_target: gold\ndoc_to_choice: choices\nmetric_list: [{metric: acc}]\n"
    )
    (here / "written.yaml").write_text(
        f"task: written\noutput_type: generate_until\n{shared}doc_to_text: '{{{{text}}}}'\ndoc_to_target: '{{{{choices[0]}}}}'\n"
        "generation_kwargs: {until: ['.'], max_gen_toks: 5}\nmetric_list: [{metric: exact_match}]\n"
    )
    env = {**os.environ, "OPENAI_API_KEY": token, "HF_HUB_OFFLINE": "1", "HF_DATASETS_CACHE": f"{folder}/hf"}

    def run(task, model, args):
        out = Path(tempfile.mkdtemp(dir=folder))
        command = [sys.executable, "-m", "lm_eval", "run", "--model", model, "--model_args", args, "--tasks", task, "--include_path", str(here), "--output_path", str(out), "--log_samples"]
        if "chat" in model:
            command.append("--apply_chat_template")
        done = subprocess.run(command, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-300:]
        [results] = out.rglob("results_*.json")
        return json.loads(results.read_text())["results"][task]

    tokens = f"model={MODEL},base_url={base}/completions,tokenizer={folder}/tokenizer,tokenizer_backend=huggingface,max_length=256"
    for kind in ("True", "False"):

        @row(f"lm-eval loglikelihood, tokenized_requests={kind}")
        def _(kind=kind):
            assert run("likelier", "local-completions", f"{tokens},tokenized_requests={kind}")["acc,none"] == 1

    @row("lm-eval generate_until, completions")
    def _():
        assert run("written", "local-completions", tokens)

    @row("lm-eval generate_until, chat")
    def _():
        assert run("written", "local-chat-completions", f"model={MODEL},base_url={base}/chat/completions,tokenizer_backend=none")


{"premai": premai, "openai": openai_sdk, "inspect": inspect, "others": others, "frameworks": frameworks, "lm-eval": lm_eval}[group]()
