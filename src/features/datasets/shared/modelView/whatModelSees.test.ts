import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatRow, RowMessage, RowRole } from '#core/rows/chatRow.ts';
import { splitAtCuts } from '#core/templates/promptMarks.ts';
import { CHATML, GEMMA, LLAMA, OPENS_THOUGHTS, THINKING, USERS_ONLY } from './templates.fixture.ts';
import { openTemplateText, type TemplateSource, type TemplateText } from '#core/templates/templateText.ts';
import { toModelView, type ModelView } from './whatModelSees.ts';

/** Those of `shared/training/chatTemplates.ts`, which exported configs train by. */
const CHATML_MARKS = { assistantMark: '<|im_start|>assistant\n', endOfTurn: '<|im_end|>' };
const turn = (role: RowRole, content: string | null): RowMessage => ({ role, content });
const view = (messages: readonly RowMessage[], source: TemplateSource, more: Partial<ChatRow> = {}): ModelView =>
  toModelView({ messages, ...more }, openTemplateText(source), source.marks);
const textOf = ({ parts }: ModelView): string => parts.flatMap(({ pieces }) => pieces).join('');
const trainedOf = ({ parts }: ModelView): string[] =>
  parts.filter(({ isTrained }) => isTrained).map(({ pieces }) => pieces.join(''));

const chat = [turn('user', 'Q'), turn('assistant', 'A1'), turn('user', 'R'), turn('assistant', 'A2')];

describe('toModelView', () => {
  it.each([
    ['ChatML', CHATML, ['A1<|im_end|>', 'A2<|im_end|>']],
    ['Llama', LLAMA, ['A1<|eot_id|>', 'A2<|eot_id|>']],
    ['Gemma', GEMMA, ['A1<end_of_turn>', 'A2<end_of_turn>']],
    ['a template with thoughts', THINKING, ['A1<|im_end|>', '<think>\n\n</think>\n\nA2<|im_end|>']],
    ['a prompt that opens thoughts', OPENS_THOUGHTS, ['A1<|im_end|>', 'A2<|im_end|>']],
  ])('trains the answers and the ends of their turns: %s', (_name, source, trained) => {
    const result = view(chat, source);
    expect(trainedOf(result)).toEqual(trained);
    expect(result).toMatchObject({ dropped: [], problem: null });
    expect(result.parts.filter(({ isTrained }) => isTrained).map(({ message }) => message)).toEqual([1, 3]);
  });

  it('trains no answer that its marks forbid, and says so where they forbid all', () => {
    const [ask, first, again, second] = chat as [RowMessage, RowMessage, RowMessage, RowMessage];
    const masked = view([ask, { ...first, weight: 0 }, again, second], CHATML);
    expect(trainedOf(masked)).toEqual(['A2<|im_end|>']);
    expect(masked).toMatchObject({ dropped: [], problem: null });
    expect(textOf(masked)).toBe(textOf(view(chat, CHATML)));
    expect(view([ask, { ...first, weight: 0 }], CHATML)).toMatchObject({
      problem: { kind: 'masked', message: expect.stringContaining('forbid to learn its answers') as string },
    });
  });

  it('says which parts of an answer its marks forbid', () => {
    const part = { begin_offset: 2, end_offset: 3, train: true };
    const { parts } = view([turn('user', 'Q'), { ...turn('assistant', 'abcd'), train_detail: [part] }], CHATML);
    expect(parts.find(({ isTrained }) => isTrained)).toMatchObject({
      pieces: ['abcd<|im_end|>'],
      forbidden: [{ from: 0, to: 2 }],
    });
  });

  it('gives a template the thoughts of an answer', () => {
    const source = {
      ...CHATML,
      text: "{% for m in messages %}{{ m.role + ':' }}{% if m.reasoning_content %}{{ '(' + m.reasoning_content + ')' }}{% endif %}{{ m.content + '<|im_end|>' }}{% endfor %}{% if add_generation_prompt %}assistant:{% endif %}",
    };
    const messages = [turn('user', 'Q'), { ...turn('assistant', 'A'), reasoning_content: 'hm' }];
    expect(trainedOf(view(messages, source))).toEqual(['(hm)A<|im_end|>']);
  });

  it('gives the whole text in order', () => {
    expect(textOf(view(chat.slice(0, 2), CHATML))).toBe(
      '<|im_start|>user\nQ<|im_end|>\n<|im_start|>assistant\nA1<|im_end|>\n',
    );
  });

  it('trains calls, as text and as the template writes them', () => {
    const calls = [{ id: 'a', type: 'function' as const, function: { name: 'get', arguments: '{"id": 7}' } }];
    const messages = [turn('user', 'Q'), { ...turn('assistant', null), tool_calls: calls }];
    expect(trainedOf(view(messages, CHATML))).toEqual([
      '<tool_call>{"name":"get","arguments":{"id": 7}}</tool_call><|im_end|>',
    ]);
    expect(trainedOf(view(messages, THINKING))[0]).toContain('{"name": "get", "arguments": {"id": 7}}');
  });

  it('says that thoughts of earlier answers are left out', () => {
    const messages = [turn('user', 'Q'), turn('assistant', '<think>hm</think>A1'), ...chat.slice(2)];
    const result = view(messages, THINKING);
    expect(result).toMatchObject({ dropped: [1], problem: null });
    expect(trainedOf(result)).toHaveLength(1);
  });

  it('cuts marks that messages hold, and trains no end of turn that a person wrote', () => {
    const result = view([turn('user', 'a<|im_end|>b'), turn('assistant', 'c<|im_end|>d')], CHATML);
    expect(textOf(result)).toContain('a<|im_end|>b');
    for (const piece of result.parts.flatMap(({ pieces }) => pieces))
      expect(piece).not.toMatch(/[abcd<]<\|im_end\|>[bd]/);
    expect(trainedOf(result)).toEqual(['c<|im_end|>d<|im_end|>']);
  });

  it.each([
    ['refused', GEMMA, [turn('system', 'S'), ...chat], 'System role not supported'],
    ['refused', GEMMA, [turn('user', 'a'), turn('user', 'b'), turn('assistant', 'c')], 'must alternate'],
    ['no-answer', CHATML, [turn('user', 'Q')], 'no assistant message'],
    ['dropped', USERS_ONLY, chat, 'leaves out all answers'],
  ] as const)('says why nothing is trained: %s', (kind, source, messages, message) => {
    const result = view(messages, source);
    expect(result.problem).toMatchObject({ kind });
    expect(result.problem?.message).toContain(message);
    expect(trainedOf(result)).toEqual([]);
  });

  it('trains an empty answer as the end of its turn', () => {
    expect(trainedOf(view([turn('user', 'Q'), turn('assistant', '')], CHATML))).toEqual(['<|im_end|>']);
  });

  it('is, for the sample rows, what engine and exported configs train', () => {
    for (const name of ['orders', 'triage', 'replies']) {
      const file = new URL(`../../../projects/server/sample/${name}.val.jsonl`, import.meta.url);
      const template = openTemplateText(CHATML);
      // Every fourth one: the rest reads the same way.
      const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
      for (const line of lines.filter((_, at) => at % 4 === 0)) {
        const row = JSON.parse(line) as ChatRow;
        const { parts } = toModelView(row, template, CHATML.marks);
        const [prompt, answer, rest] = parts.map(({ pieces }) => pieces.join(''));
        expect(prompt).toBe(splitAtCuts(template.render(row.messages.slice(0, -1), [], true)).join(''));
        expect(prompt?.endsWith(CHATML_MARKS.assistantMark)).toBe(true);
        expect(answer).toBe(`${row.messages.at(-1)?.content}${CHATML_MARKS.endOfTurn}`);
        expect(rest).toBe('\n');
      }
    }
  });

  it('trains no letter of a prompt and all of the answers, in random chats', () => {
    const unit = fc.constantFrom(
      'a',
      'B',
      ' ',
      '\n',
      '<|im_end|>',
      '<|im_start|>',
      '\uFDD0',
      'é',
      '😀',
      '\ud800',
      '{{ 7*7 }}',
    );
    const content = fc.string({ unit, maxLength: 8 });
    const pair = fc.tuple(content, content);
    fc.assert(
      fc.property(
        fc.array(pair, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(CHATML, LLAMA, GEMMA),
        (pairs, source) => {
          const messages = pairs.flatMap(([asked, answered]) => [turn('user', asked), turn('assistant', answered)]);
          const result = view(messages, source);
          if (result.problem || result.dropped.length > 0) expect(result).toMatchObject({ problem: null, dropped: [] });
          const wanted = pairs.map(([, answered]) => (source === CHATML ? answered : answered.trim()));
          const end = source === GEMMA ? '<end_of_turn>' : source.marks.eosText;
          expect(trainedOf(result)).toEqual(wanted.map((answered) => answered + end));
        },
      ),
    );
  });

  it('bounds the answers that it looks for', () => {
    const many = Array.from({ length: 203 }, () => turn('assistant', 'A1'));
    // One that takes little time: it is rendered twice for each answer, with all that came before.
    const template: TemplateText = {
      render: (messages) => messages.map(({ content }) => `${content}<|im_end|>`).join(''),
    };
    const result = toModelView({ messages: many }, template, CHATML.marks);
    expect(trainedOf(result)).toEqual(Array.from({ length: 200 }, () => 'A1<|im_end|>'));
    expect(textOf(result).split('A1')).toHaveLength(204);
  });

  it('does not let a row reach objects behind the template', () => {
    const messages = JSON.parse(
      '[{"role":"user","content":"{{ x.constructor }}","__proto__":{"y":1}},{"role":"assistant","content":"a"}]',
    ) as RowMessage[];
    expect(textOf(view(messages, CHATML))).toContain('{{ x.constructor }}');
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});
