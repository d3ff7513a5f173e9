// The part of exported code that prints the text and the tool calls of an answer, in Python and TypeScript. Pure.

export interface Printing {
  readonly isStreamed: boolean;
  /** The request has tools, so the model may call some instead of writing text. */
  readonly hasTools: boolean;
}

/** Joins lines of code; leaves out `false`. */
const toCode = (...lines: readonly (string | false)[]): string =>
  `${lines.filter((line) => line !== false).join('\n')}\n`;

/** Pieces of several calls may interleave, so the code collects them and prints the calls at the end. */
export function toPythonPrinter({ isStreamed, hasTools }: Printing): string {
  if (!isStreamed) {
    return toCode(
      'message = answer.choices[0].message',
      'print(message.content or "")',
      hasTools && 'for call in message.tool_calls or []:',
      hasTools && '    print("calls", call.function.name, call.function.arguments)',
    );
  }
  return toCode(
    hasTools && 'calls = {}',
    'for chunk in answer:',
    '    for choice in chunk.choices:',
    '        print(choice.delta.content or "", end="", flush=True)',
    hasTools && '        for part in choice.delta.tool_calls or []:',
    hasTools && '            call = calls.setdefault(part.index, {"name": "", "arguments": ""})',
    hasTools && '            if part.function:',
    hasTools && '                call["name"] += part.function.name or ""',
    hasTools && '                call["arguments"] += part.function.arguments or ""',
    'print()',
    hasTools && 'for call in calls.values():',
    hasTools && '    print("calls", call["name"], call["arguments"])',
  );
}

export function toScriptPrinter({ isStreamed, hasTools }: Printing): string {
  if (!isStreamed) {
    return toCode(
      'const { message } = (await response.json()).choices[0];',
      "process.stdout.write(message.content ?? '');",
      hasTools &&
        'for (const { function: call } of message.tool_calls ?? []) process.stdout.write(`\\ncalls ${call.name} ' +
          '${call.arguments}\\n`);',
    );
  }
  return toCode(
    hasTools && 'const calls: Record<number, { name: string; arguments: string }> = {};',
    'const decoder = new TextDecoder();',
    "let rest = '';",
    'for await (const bytes of response.body!) {',
    "  const lines = (rest + decoder.decode(bytes, { stream: true })).split('\\n');",
    "  rest = lines.pop() ?? '';",
    '  for (const line of lines) {',
    "    if (!line.startsWith('data: ') || line.startsWith('data: [DONE]')) continue;",
    "    const chunk = JSON.parse(line.slice('data: '.length));",
    '    if (chunk.error) throw new Error(chunk.error.message);',
    '    for (const choice of chunk.choices) {',
    "      process.stdout.write(choice.delta?.content ?? '');",
    hasTools && '      for (const part of choice.delta?.tool_calls ?? []) {',
    hasTools && "        const call = (calls[part.index] ??= { name: '', arguments: '' });",
    hasTools && "        call.name += part.function?.name ?? '';",
    hasTools && "        call.arguments += part.function?.arguments ?? '';",
    hasTools && '      }',
    '    }',
    '  }',
    '}',
    hasTools &&
      'for (const call of Object.values(calls)) process.stdout.write(`\\ncalls ${call.name} ${call.arguments}\\n`);',
  );
}
