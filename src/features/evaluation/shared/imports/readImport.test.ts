// What the files in made/ say: promptfoo 0.123.1, inspect-ai 0.3.285 and lm-eval 0.4.13 made them (e2e/real/evaluations.sh).
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { IMPORT_LIMITS, ImportRefusal, type ImportedEvaluation } from './importedEvaluation.ts';
import { readImport, toByteSource } from './readImport.ts';
import { toZip, type ZippedFile } from './zip.fixture.ts';

const made = (name: string): Buffer => readFileSync(new URL(`./made/${name}`, import.meta.url));
const read = (content: Buffer | string, name = 'file'): Promise<ImportedEvaluation> =>
  readImport(toByteSource(Buffer.from(content)), name);
const readMade = (name: string): Promise<ImportedEvaluation> => read(made(name), name);
const textsOf = ({ answers }: ImportedEvaluation): readonly string[] => answers.map(({ text }) => text);

describe('results of promptfoo', () => {
  it('have the rows, the answers with the verdict of each assert, and errors', async () => {
    const results = await readMade('promptfooResults.json');
    expect(results).toMatchObject({ tool: 'promptfoo', toolVersion: '0.123.1', name: 'Capitals', models: ['fixed'] });
    expect(
      results.rows.map(({ messages, expected, tags }) => [messages?.at(-1)?.content, expected, tags['prompt']]),
    ).toEqual([
      ['Capital of France? Answer with one word.', 'Paris', 'Capital of {{country}}? Answer with one word.'],
      ['Capital of France?', 'Paris', 'chat'],
      ['Capital of Japan? Answer with one word.', 'Tokyo', 'Capital of {{country}}? Answer with one word.'],
      ['Capital of Japan?', 'Tokyo', 'chat'],
      ['Capital of Chile? Answer with one word.', 'Tokyo', 'Capital of {{country}}? Answer with one word.'],
      ['Capital of Chile?', 'Tokyo', 'chat'],
    ]);
    expect(textsOf(results)).toEqual(['Paris', 'Paris', 'Paris', 'Paris', '', '']);
    expect(results.answers.map(({ error }) => error)).toEqual([
      null,
      null,
      null,
      null,
      'The server is busy',
      'The server is busy',
    ]);
    expect(results.answers[0]).toMatchObject({ promptTokens: 10, completionTokens: 2, repeat: 1 });
    expect(results.answers[2]?.verdicts).toEqual([
      { scorer: 'icontains', outcome: 'fail', score: 0, reason: 'Expected output to contain "Tokyo"' },
      { scorer: 'short', outcome: 'pass', score: 1, reason: null },
      { scorer: 'not-contains', outcome: 'pass', score: 1, reason: null },
    ]);
    expect(results.problems).toEqual([
      expect.stringMatching(/^Test 1: “javascript” differs between tests, and was left out/),
    ]);
  });

  it('count the answers of a repeated test', async () => {
    const value = JSON.parse(made('promptfooResults.json').toString()) as { results: { results: object[] } };
    value.results.results.push(...value.results.results.map((each) => ({ ...each, testIdx: 9 })));
    const results = await read(JSON.stringify(value));
    expect([results.rows.length, results.repeats, results.answers.length]).toEqual([6, 2, 12]);
  });

  it('are read as JSON Lines, too', async () => {
    const value = JSON.parse(made('promptfooResults.json').toString()) as { results: { results: object[] } };
    const lines = value.results.results.map((each) => JSON.stringify(each)).join('\n');
    expect(textsOf(await read(lines))).toEqual(textsOf(await readMade('promptfooResults.json')));
  });
});

describe('a log of Inspect', () => {
  it('has what was sent, the answers of all epochs, verdicts and scores', async () => {
    const log = await readMade('small.eval');
    expect(log).toMatchObject({
      tool: 'inspect',
      toolVersion: '0.3.285',
      name: 'small',
      repeats: 2,
      models: ['mockllm/model'],
    });
    expect(log.rows.map(({ messages }) => messages?.map(({ role }) => role))).toEqual([
      ['system', 'user'],
      ['system', 'user'],
      ['system', 'user'],
    ]);
    expect(log.rows[1]?.messages?.[0]?.content).toBe('Be brief.\n\nAnswer with one word.');
    expect(log.rows[2]?.messages?.[1]?.content).toMatch(/^A long question.*Name a colour\.$/);
    expect(log.rows.map(({ expected, tags }) => [expected, tags])).toEqual([
      ['4', { topic: 'sums' }],
      ['Paris', { topic: 'places', hard: 'true' }],
      ['red', {}],
    ]);
    expect(log.answers.map(({ row, repeat, text }) => [row, repeat, text])).toEqual([
      [0, 1, '4'],
      [0, 2, 'It is 4'],
      [1, 1, 'Paris'],
      [1, 2, 'London'],
      [2, 1, 'red'],
      [2, 2, 'blue'],
    ]);
    expect(log.answers.map(({ verdicts }) => verdicts[0]?.outcome)).toEqual([
      'pass',
      'pass',
      'pass',
      'fail',
      'pass',
      'fail',
    ]);
    expect(log.scores.map(({ measure, value, error }) => [measure, value, error])).toEqual([
      ['match/accuracy', 2 / 3, 1 / 6],
      ['includes/accuracy', 2 / 3, 1 / 6],
    ]);
    expect(log.checks).toEqual([
      { id: 'includes', name: 'includes', counts: true, kind: 'contains', expected: null, is_case_sensitive: false },
    ]);
    expect(log.problems).toEqual([
      'Sample 2: It has several targets; the first is the expected answer here.',
      '“match” has no check here: give the evaluation one that judges as it does.',
    ]);
  });

  const header = (fields: object = {}): object => ({
    version: 2,
    status: 'success',
    eval: { task: 't', model: 'm' },
    ...fields,
  });
  const sample = (fields: object = {}): object => ({
    id: 1,
    epoch: 1,
    input: 'Hi',
    target: 'x',
    output: { completion: 'x' },
    ...fields,
  });
  const readLog = (samples: readonly object[], fields: object = {}): Promise<ImportedEvaluation> =>
    read(JSON.stringify({ ...header(fields), samples }));

  it('is read as one JSON file', async () => {
    const log = await readLog([
      sample({ scores: { s: { value: 'P' }, t: { value: { a: 0.25, b: true } }, u: { value: 7 } } }),
    ]);
    expect(log.rows[0]?.messages).toEqual([{ role: 'user', content: 'Hi' }]);
    expect(log.answers[0]?.verdicts.map(({ scorer, outcome, score }) => [scorer, outcome, score])).toEqual([
      ['s', 'not_checked', 0.5],
      ['t/a', 'not_checked', 0.25],
      ['t/b', 'pass', 1],
      ['u', 'not_checked', null],
    ]);
  });

  it('says how the evaluation ended and which samples are not of texts', async () => {
    const picture = [{ role: 'user', content: [{ type: 'image', image: 'a' }] }];
    const log = await readLog([sample(), sample({ id: 2, input: picture, target: '' })], {
      status: 'error',
      error: { message: 'Out of money' },
    });
    expect(log.rows).toHaveLength(1);
    expect(log.problems).toEqual([
      'Sample 2: Its messages hold more than texts, such as pictures. It was left out.',
      'The evaluation did not end well: its status is “error” (Out of money).',
    ]);
  });

  const zipped = (files: readonly ZippedFile[]): Promise<ImportedEvaluation> => read(toZip(files), 'a.eval');
  const HEADER = { name: 'header.json', content: JSON.stringify(header()) };

  it('is read from archives whose files are deflated or stored, and without a header from its journal', async () => {
    const content = JSON.stringify(sample());
    for (const method of [0, 8])
      expect(
        textsOf(
          await zipped([
            { ...HEADER, method },
            { name: 'samples/1_epoch_1.json', content, method },
          ]),
        ),
      ).toEqual(['x']);
    const log = await zipped([
      { name: '_journal/start.json', content: JSON.stringify({ version: 2, eval: { task: 't', model: 'm' } }) },
      { name: 'samples/1_epoch_1.json', content },
    ]);
    expect(log.problems).toEqual(['The evaluation did not end well: its status is “started”.']);
  });

  it.each<[string, Promise<unknown> | (() => Promise<unknown>), RegExp]>([
    ['no log in it', () => zipped([{ name: 'a.json', content: '{}' }]), /no header\.json/],
    ['a header of another tool', () => zipped([{ ...HEADER, content: '{}' }]), /is no header of a log/],
    ['a header that is no JSON', () => zipped([{ ...HEADER, content: '{' }]), /header\.json is not JSON/],
    [
      'a header of an old form',
      () => zipped([{ ...HEADER, content: JSON.stringify(header({ version: 1 })) }]),
      /older than form 2/,
    ],
    ['neither samples nor scores', () => zipped([HEADER]), /neither samples nor scores/],
    ['an unknown packing', () => zipped([{ ...HEADER, method: 12 }]), /by method 12/],
    ['damaged zstd', () => zipped([{ ...HEADER, method: 93 }]), /can’t be unpacked/],
    [
      'a file that unpacks to more than it says',
      () => zipped([{ ...HEADER, content: Buffer.alloc(IMPORT_LIMITS.wholeBytes + 1), claimedBytes: 10 }]),
      /unpacks to more than 64 MiB/,
    ],
    ['no list of files', () => read(toZip([HEADER]).subarray(0, 60), 'a.eval'), /damaged or not whole/],
    [
      'a cut beginning',
      () => read(Buffer.concat([Buffer.from('PK'), toZip([HEADER]).subarray(60)]), 'a.eval'),
      /damaged/,
    ],
  ])('is refused with %s', async (_, open, message) => {
    await expect(typeof open === 'function' ? open() : open).rejects.toThrow(message);
  });

  it('is read from an archive of 200 MB with little memory', { timeout: 60_000 }, async () => {
    const events = 'x'.repeat(2_000_000);
    const content = JSON.stringify(sample({ events: [events] }));
    const archive = toZip([HEADER, { name: 'samples/1_epoch_1.json', content, method: 0 }]);
    const one = toZip([{ name: 'samples/1_epoch_1.json', content, method: 0 }]);
    // The same bytes stand for a hundred samples: the list names one place again and again.
    const entry = archive.subarray(archive.length - 22 - (46 + 22), archive.length - 22);
    const start = archive.length - 22 - (46 + 22) - (46 + 11);
    const list = Buffer.concat([archive.subarray(start, start + 46 + 11), ...Array.from({ length: 100 }, () => entry)]);
    const end = Buffer.from(archive.subarray(archive.length - 22));
    end.writeUInt32LE(list.length, 12);
    const whole = Buffer.concat([archive.subarray(0, start), list, end]);
    expect(one.length).toBeGreaterThan(2_000_000);
    let most = 0;
    const source = toByteSource(whole);
    const log = await readImport(
      {
        size: source.size,
        read: (from, length) => {
          most = Math.max(most, length);
          return source.read(from, length);
        },
      },
      'a.eval',
    );
    expect(log.answers).toHaveLength(100);
    expect(most).toBeLessThan(2_100_000);
  });
});

describe('results of lm-eval', () => {
  it('have the scores of all tasks with their errors', async () => {
    const results = await readMade('lmEvalResults.json');
    expect(results).toMatchObject({ tool: 'lm-eval', toolVersion: '0.4.13', name: 'tiny_gen, tiny_choice', rows: [] });
    expect(
      results.scores.map(({ measure, value, error, isHigherBetter }) => [measure, value, error, isHigherBetter]),
    ).toEqual([
      ['tiny_gen/exact_match (first)', 1 / 3, 0.33333333333333337, true],
      ['tiny_gen/exact_match (upper)', 0, 0, true],
      ['tiny_choice/acc', 0, 0, true],
      ['tiny_choice/acc_norm', 0, 0, true],
    ]);
  });

  it('name the model by what it was loaded from', async () => {
    const value = JSON.parse(made('lmEvalResults.json').toString()) as { config: object };
    const withArguments = (model_args: unknown): Promise<ImportedEvaluation> =>
      read(JSON.stringify({ ...value, config: { ...value.config, model_args } }));
    expect((await withArguments('pretrained=org/a,dtype=float32')).models).toEqual(['org/a']);
    expect((await withArguments({ pretrained: '/models/b' })).models).toEqual(['/models/b']);
  });

  it('have answers as texts with all repeats and filters', async () => {
    const samples = await readMade('samples_tiny_gen.jsonl');
    expect(samples.rows.map(({ messages, expected }) => [messages?.[0]?.content, expected])).toEqual([
      ['Q: 2 + 2?\nA:', '4'],
      ['Q: Capital of France?\nA:', 'Paris'],
      ['Q: A colour?\nA:', 'lol'],
    ]);
    expect(samples.answers.map(({ row, repeat, text }) => [row, repeat, text])).toEqual(
      [0, 1, 2].flatMap((row) => [1, 2].map((repeat) => [row, repeat, 'lol'])),
    );
    expect(samples.answers[4]?.verdicts.map(({ scorer, outcome }) => [scorer, outcome])).toEqual([
      ['exact_match (first)', 'pass'],
      ['exact_match (upper)', 'fail'],
    ]);
  });

  it('have the likeliest choice as the answer', async () => {
    const samples = await readMade('samples_tiny_choice.jsonl');
    expect(samples.rows.map(({ expected }) => expected)).toEqual(['4', 'Paris', 'red']);
    expect(textsOf(samples)).toEqual(['3', 'Rome', 'seven']);
    expect(samples.answers.every(({ verdicts }) => verdicts[0]?.outcome === 'fail')).toBe(true);
  });
});

describe('a file', () => {
  it.each([
    ['', /is empty/],
    ['{', /is not JSON: .*line 1/],
    ['{"a": 1}', /of no tool that is known here/],
    ['[1]', /of no tool that is known here/],
    ['a: [', /neither JSON nor YAML/],
    ['just words', /of no tool that is known here/],
    ['{"doc_id": 1, "arguments": {}, "resps": []}', /No sample can be read/],
    ['{"doc_id": 1, "arguments": {}, "resps": []}\n{', /Line 2 is not JSON/],
    ['{"results": {"version": 2, "results": []}}', /of form 2; 3 and newer are read/],
    ['{"results": {"version": 3, "results": []}}', /have no row/],
    ['{"results": {"t": {}}, "configs": {}, "versions": {}}', /have no score/],
    [Buffer.from([0xff, 0xfe, 0x00, 0xd8]), /no text in UTF-8/],
  ])('with %j is refused with what is wrong', async (content, message) => {
    await expect(read(content)).rejects.toThrow(message);
    await expect(read(content)).rejects.toBeInstanceOf(ImportRefusal);
  });

  it('that is too large to be read whole is refused before it is read', async () => {
    const source = { size: IMPORT_LIMITS.wholeBytes + 1, read: async () => new Uint8Array([0x7b]) };
    await expect(readImport(source, 'big.json')).rejects.toThrow(/more than 64 MiB/);
  });

  it('with names of an object’s own properties is read as data', async () => {
    await expect(read('{"__proto__": {"prompts": ["a"], "tests": []}}')).rejects.toThrow(/no tool/);
  });
});
