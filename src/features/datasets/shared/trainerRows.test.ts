import { describe, expect, it } from 'vitest';
import { TRAINER_FORMS, type TrainerForm } from '#features/datasets/shared/contract/filteredFile.ts';
import type { ChatRow, RowMessage } from '#core/rows/chatRow.ts';
import { toChatRow } from '#core/rows/readRow.ts';
import { recogniseForm } from './recogniseForm.ts';
import { toTrainerRows } from './trainerRows.ts';

const system: RowMessage = { role: 'system', content: 'Be kind.' };
const user: RowMessage = { role: 'user', content: 'Hi' };
const bad: RowMessage = { role: 'assistant', content: 'No', weight: 0 };
const good: RowMessage = { role: 'assistant', content: 'Hello' };
const { weight: _, ...no } = bad;
const call: RowMessage = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{"id": 7}' } }],
};
const result: RowMessage = { role: 'tool', content: '{"at":"home"}', tool_call_id: 'c1' };
const tools = [{ type: 'function' as const, function: { name: 'find', parameters: { type: 'object' } } }];
const parsedCall = {
  ...call,
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: { id: 7 } } }],
};

const MARKED: ChatRow = { messages: [user, bad, user, good] };
const PAIR: ChatRow = { messages: [system, user], chosen: [good], rejected: [no] };
const LABELLED: ChatRow = { messages: [user], completion: [good], label: false };

function rowsOf(row: ChatRow, form: TrainerForm): readonly object[] {
  const written = toTrainerRows(row, form);
  if (!written.ok) throw new Error(written.reason);
  return written.rows;
}
function reasonOf(row: ChatRow, form: TrainerForm): string {
  const written = toTrainerRows(row, form);
  if (written.ok) throw new Error(JSON.stringify(written.rows));
  return written.reason;
}

describe('an answer that may not be learnt', () => {
  it.each([
    ['axolotl', [MARKED]],
    ['openai', [MARKED]],
    ['together', [MARKED]],
    ['mistral', [MARKED]],
    ['llama-factory', [{ messages: [user, no, user, good] }]],
    ['trl', [{ prompt: [user, no, user], completion: [good] }]],
    ['ms-swift', [{ messages: [user, { ...no, loss: false }, user, { ...good, loss: true }] }]],
  ] as const)('is written as %s reads it', (form, rows) => {
    expect(rowsOf(MARKED, form)).toEqual(rows);
  });

  it.each(['gemini', 'nova', 'claude'] as const)('is refused for %s, which has no mark', (form) => {
    expect(reasonOf(MARKED, form)).toContain('it has no mark for answers that are not learnt.');
  });

  it('has parts for Axolotl alone', () => {
    const row = { messages: [user, { ...good, train_detail: [{ begin_offset: 0, end_offset: 1, train: true }] }] };
    expect(rowsOf(row, 'axolotl')).toEqual([row]);
    for (const form of TRAINER_FORMS.filter((each) => each !== 'axolotl'))
      expect(reasonOf(row, form)).toContain('it learns whole answers');
  });

  it('leaves nothing where it is the only one', () => {
    for (const form of TRAINER_FORMS)
      expect(reasonOf({ messages: [user, bad] }, form)).toContain('no answer of the row is learnt');
  });
});

describe('a pair of answers, and an answer with a label', () => {
  const turns = [
    { from: 'system', value: 'Be kind.' },
    { from: 'human', value: 'Hi' },
  ];
  it.each([
    ['axolotl', { messages: [system, user], chosen: good, rejected: no }],
    [
      'llama-factory',
      { conversations: turns, chosen: { from: 'gpt', value: 'Hello' }, rejected: { from: 'gpt', value: 'No' } },
    ],
    ['trl', { prompt: [system, user], chosen: [good], rejected: [no] }],
    ['ms-swift', { messages: [system, user, good], rejected_messages: [system, user, no] }],
    ['openai', { input: { messages: [system, user] }, preferred_output: [good], non_preferred_output: [no] }],
    ['together', { input: { messages: [system, user] }, preferred_output: [good], non_preferred_output: [no] }],
  ] as const)('are written for DPO as %s reads them, and read again', (form, row) => {
    expect(rowsOf(PAIR, form)).toEqual([row]);
    expect(recogniseForm([JSON.stringify(row)]).form).toBe('preference');
    expect(toChatRow({ number: 1, text: JSON.stringify(row) }, 'preference')).toMatchObject({ ok: true, row: PAIR });
  });

  it.each([
    ['axolotl', { prompt: 'Hi', completion: 'Hello', label: false }],
    [
      'llama-factory',
      {
        conversations: [
          { from: 'human', value: 'Hi' },
          { from: 'gpt', value: 'Hello' },
        ],
        label: false,
      },
    ],
    ['trl', { prompt: [user], completion: [good], label: false }],
    ['ms-swift', { messages: [user, good], label: false }],
  ] as const)('are written for KTO as %s reads them, and read again', (form, row) => {
    expect(rowsOf(LABELLED, form)).toEqual([row]);
    expect(toChatRow({ number: 1, text: JSON.stringify(row) }, 'kto')).toMatchObject({ ok: true, row: LABELLED });
  });

  it('are refused where there is no such training', () => {
    for (const form of ['mistral', 'gemini', 'nova', 'claude'] as const)
      expect(reasonOf(PAIR, form)).toContain('it has no pairs for DPO');
    expect(reasonOf(LABELLED, 'openai')).toBe('OpenAI: it has no labels for KTO.');
    expect(reasonOf({ ...PAIR, chosen: [call, result, good] }, 'axolotl')).toContain('one message each');
  });
});

describe('what services refuse of a chat', () => {
  const developer: RowMessage = { role: 'developer', content: 'x' };
  it.each([
    ['openai', [user, good, user], 'OpenAI: its last message must be of the assistant.'],
    ['mistral', [user, good, user], 'its last message must be of the assistant'],
    ['mistral', [developer, user, good], 'it has no role "developer"'],
    ['mistral', [user, call, good], 'that of find is missing'],
    ['mistral', [user, result, good], 'no message of the tool may follow one of the user'],
    ['mistral', [user, call, result, result, good], 'each result after its call, once'],
    ['mistral', [user, good, system, user, good], 'no message of the system may follow one of the assistant'],
    ['together', [developer, user, good], 'it has no role "developer"'],
    ['together', [user, user, good], 'must alternate'],
    ['together', [user, call, result, good], 'must alternate'],
    ['nova', [user, call, result, good], 'the studio writes no tools in it'],
    ['claude', [user, user, good], 'must alternate'],
    ['claude', [good, user, good], 'its first message must be of the user'],
  ] as const)('%s: %j', (form, messages, reason) => {
    expect(reasonOf({ messages }, form)).toContain(reason);
  });

  it('is no call at the end for Mistral, and no answer at the start for Together', () => {
    expect(rowsOf({ messages: [user, call], tools }, 'mistral')).toHaveLength(1);
    expect(rowsOf({ messages: [system, good, user, good] }, 'together')).toHaveLength(1);
  });

  it('is no message of the user at the end for Together, and no developer for OpenAI', () => {
    expect(rowsOf({ messages: [user, good, user] }, 'together')).toHaveLength(1);
    expect(rowsOf({ messages: [developer, user, good] }, 'openai')).toHaveLength(1);
  });
});

describe('calls and thoughts', () => {
  it('are objects and fields where a chat template reads them', () => {
    const answer = { ...good, reasoning_content: 'hm' };
    expect(rowsOf({ messages: [user, call, result, answer], tools }, 'trl')).toEqual([
      { prompt: [user], completion: [parsedCall], tools },
      { prompt: [user, parsedCall, result], completion: [answer], tools },
    ]);
    expect(rowsOf({ messages: [user, answer] }, 'openai')).toEqual([{ messages: [user, good] }]);
  });

  it('are text for LLaMA-Factory, whose rows share the type of each field', () => {
    const called = { role: 'function', content: '[{"name":"find","arguments":{"id":7}}]' };
    const developer: RowMessage = { role: 'developer', content: 'Be kind.' };
    expect(rowsOf({ messages: [developer, user, call, result, good], tools }, 'llama-factory')).toEqual([
      { messages: [system, user, called], tools: JSON.stringify(tools) },
      { messages: [system, user, called, result, good], tools: JSON.stringify(tools) },
    ]);
  });
});

describe('forms with a system text beside the messages', () => {
  it.each([
    [
      'nova',
      {
        schemaVersion: 'bedrock-conversation-2024',
        system: [{ text: 'Be kind.' }],
        messages: [
          { role: 'user', content: [{ text: 'Hi' }] },
          { role: 'assistant', content: [{ text: 'Hello' }] },
        ],
      },
      'chat',
    ],
    ['claude', { system: 'Be kind.', messages: [user, good] }, 'chat'],
    [
      'gemini',
      {
        systemInstruction: { role: 'system', parts: [{ text: 'Be kind.' }] },
        contents: [
          { role: 'user', parts: [{ text: 'Hi' }] },
          { role: 'model', parts: [{ text: 'Hello' }] },
        ],
      },
      'gemini',
    ],
  ] as const)('are written for %s, and read again', (form, row, found) => {
    const chat = { messages: [system, user, good] };
    expect(rowsOf(chat, form)).toEqual([row]);
    expect(recogniseForm([JSON.stringify(row)]).form).toBe(found);
    expect(toChatRow({ number: 1, text: JSON.stringify(row) }, found)).toMatchObject({
      ok: true,
      row: chat,
      leftOut: [],
    });
  });

  it('have calls and results as Gemini names them, and are read again', () => {
    const chat = { messages: [user, call, result, good], tools };
    const [row] = rowsOf(chat, 'gemini');
    expect(row).toMatchObject({
      contents: [
        {},
        { role: 'model', parts: [{ functionCall: { name: 'find', args: { id: 7 } } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'find', response: { at: 'home' } } }] },
        {},
      ],
      tools: [{ functionDeclarations: [tools[0]?.function] }],
    });
    const read = toChatRow({ number: 1, text: JSON.stringify(row) }, 'gemini');
    expect(read).toMatchObject({
      ok: true,
      row: { messages: [user, { role: 'assistant' }, { ...result, tool_call_id: 'call_1' }, good], tools },
    });
  });
});
