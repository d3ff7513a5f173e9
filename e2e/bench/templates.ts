// Chat templates: a page of 100 rows as a model sees them, and the prompt of a long chat, beside @huggingface/jinja with the
// same template and messages. Texts of both must be equal.
import { Template } from '@huggingface/jinja';
import { openTemplateText } from '#core/templates/templateText.ts';
import { median } from './quantile.ts';
import { amount } from './short.ts';

const ROUNDS = amount(15, 3);
const REPEATS = amount(10, 1);

/** As families of models have them: tools, calls, thoughts that are cut, roles that must alternate. */
const SOURCE = `{%- if tools %}
    {{- '<|im_start|>system\\n' }}
    {%- if messages[0].role == 'system' %}{{- messages[0].content + '\\n\\n' }}{%- endif %}
    {{- "# Tools\\n<tools>" }}
    {%- for tool in tools %}{{- "\\n" }}{{- tool | tojson }}{%- endfor %}
    {{- "\\n</tools><|im_end|>\\n" }}
{%- elif messages[0].role == 'system' %}
    {{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}
{%- endif %}
{%- set ns = namespace(last=0) %}
{%- for message in messages %}{%- if message.role == 'user' %}{%- set ns.last = loop.index0 %}{%- endif %}{%- endfor %}
{%- for message in messages %}
    {%- if message.role == 'user' or (message.role == 'system' and not loop.first) %}
        {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
    {%- elif message.role == 'assistant' %}
        {%- set content = message.content %}
        {%- if '</think>' in content %}
            {%- set thoughts = content.split('</think>')[0].rstrip('\\n').split('<think>')[-1].lstrip('\\n') %}
            {%- set content = content.split('</think>')[-1].lstrip('\\n') %}
            {%- if loop.index0 > ns.last %}{%- set content = '<think>\\n' + thoughts + '\\n</think>\\n\\n' + content %}{%- endif %}
        {%- endif %}
        {{- '<|im_start|>assistant\\n' + content | trim }}
        {%- if message.tool_calls %}
            {%- for call in message.tool_calls %}
                {{- '\\n<tool_call>\\n{"name": "' ~ call.function.name ~ '", "arguments": ' ~ (call.function.arguments | tojson) ~ '}\\n</tool_call>' }}
            {%- endfor %}
        {%- endif %}
        {{- '<|im_end|>\\n' }}
    {%- elif message.role == 'tool' %}
        {{- '<|im_start|>user\\n<tool_response>\\n' + message.content + '\\n</tool_response><|im_end|>\\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}`;

const TOOLS = ['get_order', 'cancel_order', 'find_customer'].map((name) => ({
  type: 'function' as const,
  function: {
    name,
    description: 'Reads or changes what the shop knows.',
    parameters: { type: 'object', properties: { id: { type: 'integer' }, note: { type: 'string' } }, required: ['id'] },
  },
}));

/** A chat of so many rounds: question, call, result, answer. */
function toChat(rounds: number, seed: number): { role: string; content: string; tool_calls?: object[] }[] {
  const text = (at: number): string =>
    `The order ${seed * 1000 + at} has not come, and the customer asks again. `.repeat(3);
  return [
    { role: 'system', content: 'You help the customers of a shop. Be brief.' },
    ...Array.from({ length: rounds }, (_, at) => [
      { role: 'user', content: text(at) },
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          { id: `call_${at}`, type: 'function', function: { name: 'get_order', arguments: { id: at, note: 'again' } } },
        ],
      },
      { role: 'tool', content: '{"status": "shipped"}' },
      { role: 'assistant', content: `<think>\nIt was shipped.\n</think>\n\nIt was shipped. ${text(at)}` },
    ]).flat(),
  ];
}

type Render = (chat: ReturnType<typeof toChat>) => string;

/** Processor time in ms of each, in turn; the middle of the rounds. */
function compare(chats: readonly ReturnType<typeof toChat>[], ours: Render, theirs: Render): readonly [number, number] {
  for (const chat of chats) if (ours(chat) !== theirs(chat)) throw new Error('INCOMPLETE: the texts differ');
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, render] of [ours, theirs].entries()) {
      const from = process.cpuUsage();
      for (let repeat = 0; repeat < REPEATS; repeat += 1) for (const chat of chats) render(chat);
      const { user, system } = process.cpuUsage(from);
      times[at]?.push((user + system) / 1000 / REPEATS);
    }
  }
  return [median(times[0]), median(times[1])];
}

export async function measureTemplates(): Promise<void> {
  const own = openTemplateText({ text: SOURCE, marks: { bosText: '', eosText: '', markTexts: [] } });
  const other = new Template(SOURCE);
  const ours: Render = (chat) => own.render(chat, TOOLS, true);
  const theirs: Render = (chat) => other.render({ messages: chat, tools: TOOLS, add_generation_prompt: true });
  const kinds = [
    ['a page of 100 rows', Array.from({ length: 100 }, (_, at) => toChat(2, at))],
    ['the prompt of a chat of 200 messages', [toChat(50, 1)]],
  ] as const;
  for (const [name, chats] of kinds) {
    const [mine, its] = compare(chats, ours, theirs);
    process.stdout.write(
      `${name}: ${mine.toFixed(2)} ms, @huggingface/jinja ${its.toFixed(2)} ms: ${(mine / its).toFixed(2)} times\n`,
    );
  }
}
