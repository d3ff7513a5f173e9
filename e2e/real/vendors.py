# Asks the checkers of Mistral and Together, and Google's types, about the rows of vendors.ts. Usage: vendors.py ANSWER.json
import json, sys, tempfile
from pathlib import Path

from google.genai import types
from mistral_common.protocol.instruct.messages import (
    FinetuningAssistantMessage,
    SystemMessage,
    ToolMessage,
    UserMessage,
)
from mistral_common.protocol.instruct.request import ChatCompletionRequest
from mistral_common.protocol.instruct.validator import MistralRequestValidatorV13, ValidationMode
from together.utils.files import check_file


def mistral(row):
    message = UserMessage | FinetuningAssistantMessage | SystemMessage | ToolMessage
    request = ChatCompletionRequest[message].model_validate(row)
    MistralRequestValidatorV13(ValidationMode.finetuning).validate_request(request)


def together(row):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rows.jsonl")
        path.write_text("\n".join([json.dumps(row)] * 12) + "\n")
        report = check_file(path)
    if not report["is_check_passed"]:
        raise ValueError(report["message"])


def gemini(row):
    for content in row.get("contents", []):
        types.Content.model_validate(content)
    for tool in row.get("tools", []):
        types.Tool.model_validate(tool)
    if not row.get("contents"):
        raise ValueError("no contents")


CHECKS = {"mistral": mistral, "together": together, "gemini": gemini}


def refusal(form, row):
    try:
        CHECKS[form](row)
        return None
    except Exception as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"


right, wrong = 0, []
for case in json.load(open(sys.argv[1])):
    form, written = case["form"], case["written"]
    if written["ok"]:
        reasons = [refusal(form, row) for row in written["rows"]]
        verdict = next((reason for reason in reasons if reason), None)
        is_right = verdict is None
    else:
        verdict = refusal(form, case["given"])
        is_right = verdict is not None
    right += is_right
    said = "written" if written["ok"] else written["reason"]
    print(f"{'ok ' if is_right else 'NOT'} {form}, {case['name']}: {said} | {verdict or 'accepted'}")
    if not is_right:
        wrong.append(case["name"])
print(f"{right} of {right + len(wrong)} verdicts as the services' own checkers", file=open(sys.argv[2], "w"))
sys.exit(1 if wrong else 0)
