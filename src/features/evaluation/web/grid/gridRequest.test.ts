import { describe, expect, it } from 'vitest';
import type { PromptRow } from '#features/evaluation/shared/promptRow.ts';
import { parseRows } from '#features/evaluation/shared/promptRows.ts';
import { toColumnNames } from '#features/evaluation/shared/rowColumns.ts';
import type { GridColumn } from './gridBook.ts';
import { toCellRequest } from './gridRequest.ts';
import { textVariables } from './gridSetup.ts';

const COLUMN: GridColumn = {
  id: 'c',
  label: 'c',
  request: { model: 'm', messages: [{ role: 'system', content: 'Be {{tone}}.' }], temperature: 0, stream: true },
};
const row = (more: Partial<PromptRow>): PromptRow => ({
  number: 4,
  messages: null,
  variables: new Map([['tone', 'kind']]),
  expected: null,
  ...more,
});
const messagesOf = (built: ReturnType<typeof toCellRequest>) => (built.ok ? built.request.messages : built.message);

describe('a row of variables', () => {
  it('fills the system prompt and the prompt', () => {
    expect(
      toCellRequest(
        COLUMN,
        row({
          variables: new Map([
            ['tone', 'kind'],
            ['q', '{{tone}}?'],
          ]),
        }),
        'Say {{q}}',
      ),
    ).toEqual({
      ok: true,
      request: {
        model: 'm',
        temperature: 0,
        stream: true,
        messages: [
          { role: 'system', content: 'Be kind.' },
          { role: 'user', content: 'Say {{tone}}?' },
        ],
      },
    });
  });

  it('names what is missing, by row', () => {
    expect(messagesOf(toCellRequest(COLUMN, row({ variables: new Map() }), '{{q}}'))).toBe(
      'Row 4 has no value for {{tone}}, {{q}}. Add the column, give it a value in the chat, or take the variable ' +
        'out of the prompt.',
    );
  });

  it('refuses an empty prompt', () => expect(toCellRequest(COLUMN, row({}), '  ').ok).toBe(false));
});

describe('values of the session', () => {
  const given = { ...COLUMN, values: { tone: 'formal', company: 'Acme' } };
  it('fill what the row brings no value for', () => {
    expect(
      messagesOf(toCellRequest(given, row({ variables: new Map([['q', 'Hi']]) }), '{{q}} from {{company}}')),
    ).toEqual([
      { role: 'system', content: 'Be formal.' },
      { role: 'user', content: 'Hi from Acme' },
    ]);
  });

  it('stand back behind the row’s own, also an empty one', () => {
    expect(messagesOf(toCellRequest(given, row({ variables: new Map([['tone', '']]) }), 'Hi'))).toEqual([
      { role: 'system', content: 'Be .' },
      { role: 'user', content: 'Hi' },
    ]);
  });
});

describe('a row with tools of its own', () => {
  const [mine, theirs] = [
    { type: 'function' as const, function: { name: 'mine' } },
    { type: 'function' as const, function: { name: 'theirs', parameters: { type: 'object' } } },
  ];
  const column: GridColumn = { ...COLUMN, request: { model: 'm', messages: [], tools: [mine] } };
  const withTools = (tools: string): PromptRow =>
    row({ messages: [{ role: 'user', content: 'Hi' }], variables: new Map([['tools', tools]]) });
  const toolsOf = (built: ReturnType<typeof toCellRequest>) => (built.ok ? built.request.tools : built.message);

  it('is asked with them in place of the column’s', () => {
    expect(toolsOf(toCellRequest(column, withTools(JSON.stringify([theirs])), ''))).toEqual([theirs]);
    expect(
      toolsOf(toCellRequest(column, withTools(JSON.stringify([{ ...theirs.function, description: null }])), '')),
    ).toEqual([theirs]);
    expect(
      toolsOf(
        toCellRequest(
          COLUMN,
          {
            ...withTools(JSON.stringify([theirs])),
            variables: new Map([
              ['tools', JSON.stringify([theirs])],
              ['tone', 'x'],
            ]),
          },
          '',
        ),
      ),
    ).toEqual([theirs]);
  });

  it('is asked with them in every form of a row, but not where the prompt writes them as text', () => {
    const [line] = parseRows(JSON.stringify({ prompt: 'Where?', tools: [theirs] }), 'jsonl').rows;
    const [cells] = parseRows(`prompt,tools\nWhere?,"${JSON.stringify([theirs]).replaceAll('"', '""')}"\n`, 'csv').rows;
    for (const plain of [line, cells]) {
      if (!plain) throw new Error('no row');
      expect(toolsOf(toCellRequest(column, plain, '{{prompt}}'))).toEqual([theirs]);
      expect(toolsOf(toCellRequest(column, plain, '{{tools}} {{prompt}}'))).toEqual([mine]);
      expect(
        toolsOf(toCellRequest(column, { ...plain, variables: new Map([['tools', '[{"a":1}]']]) }, 'Hi')),
      ).toContain('entry 1 needs a name');
      expect([toColumnNames([plain]), textVariables([plain])]).toEqual([['prompt'], ['prompt']]);
    }
    const texts = parseRows('{"prompt":"a","tools":"hammer"}\n{"prompt":"b","tools":["saw"]}', 'jsonl').rows;
    expect([toColumnNames(texts), textVariables(texts)]).toEqual([
      ['prompt', 'tools'],
      ['prompt', 'tools'],
    ]);
  });

  it('is asked with the column’s where it brings none', () => {
    for (const none of ['', '[]', ' [ ] ', '{}', 'null'])
      expect(toolsOf(toCellRequest(column, withTools(none), ''))).toEqual([mine]);
    expect(
      toolsOf(
        toCellRequest(
          column,
          row({
            variables: new Map([
              ['tools', 'hammer'],
              ['q', 'x'],
            ]),
          }),
          '{{q}} with {{tools}}',
        ),
      ),
    ).toEqual([mine]);
  });

  it.each([
    ['{', 'they are not JSON'],
    ['{"a":1}', 'they are not a list'],
    ['[1]', 'entry 1 is not an object'],
    ['[{"type":"function","function":{}}]', 'entry 1 needs a name of 1 to 64 letters, digits, "_", "." or "-"'],
    ['[{"name":"a"},{"name":"a"}]', 'the name a occurs twice'],
    ['[{"name":"a","parameters":"x"}]', 'the parameters of a are not a JSON schema'],
    [
      JSON.stringify(Array.from({ length: 129 }, (_, at) => ({ name: `f${at}` }))),
      'there are 129, and a request takes 128 at most',
    ],
  ])('is never asked without them: %.40s', (tools, reason) => {
    expect(toolsOf(toCellRequest(column, withTools(tools), ''))).toBe(`The tools of row 4 can't be used: ${reason}.`);
  });

  it('says when the column wants a tool that is none of them', () => {
    const choosing: GridColumn = {
      ...column,
      request: { ...column.request, tool_choice: { type: 'function', function: { name: 'mine' } } },
    };
    expect(toolsOf(toCellRequest(choosing, withTools('[{"name":"theirs"}]'), ''))).toBe(
      "The column's tool choice is mine, but row 4 has no tool mine. Set another tool choice in the pane.",
    );
    expect(toolsOf(toCellRequest(choosing, withTools('[{"name":"mine"}]'), ''))).toEqual([mine]);
  });
});

describe('a chat row', () => {
  const messages = [{ role: 'user', content: '{{not_mine}}' }] as const;
  it('is data: nothing is filled in it', () => {
    expect(messagesOf(toCellRequest(COLUMN, row({ messages }), ''))).toEqual([
      { role: 'system', content: 'Be kind.' },
      ...messages,
    ]);
  });

  it('sends calls and results as they were, with the tools of the column', () => {
    const tools = [{ type: 'function' as const, function: { name: 'f' } }];
    const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } } as const;
    const chat = [
      ...messages,
      { role: 'assistant', content: '', tool_calls: [call] },
      { role: 'tool', content: '7', tool_call_id: 'c1' },
    ] as const;
    const built = toCellRequest(
      { ...COLUMN, request: { ...COLUMN.request, messages: [], tools } },
      row({ messages: chat }),
      '',
    );
    expect(built).toEqual({
      ok: true,
      request: {
        model: 'm',
        temperature: 0,
        stream: true,
        tools,
        messages: [messages[0], { role: 'assistant', content: null, tool_calls: [call] }, chat[2]],
      },
    });
  });

  it('keeps its own system message', () => {
    const own = [{ role: 'system', content: 'Mine' }, ...messages] as const;
    expect(messagesOf(toCellRequest(COLUMN, row({ messages: own, variables: new Map() }), ''))).toEqual(own);
  });
});
