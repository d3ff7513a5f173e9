// Writes rows with marks for each trainer: as the download of its form has them, and as a job hands them to it with its config.
// Arguments: the folder to write to, which has the base of rows.py.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatRow } from '#core/rows/chatRow.ts';
import { toChatRow } from '#core/rows/readRow.ts';
import { toTrainerRows } from '#features/datasets/shared/trainerRows.ts';
import { toTestCandidate } from '#features/experiments/shared/candidate.fixture.ts';
import { formatOf, toTestInput } from '#features/experiments/shared/exports/exportFormats.fixture.ts';

const folder = process.argv[2] ?? '';
const trainers = join(import.meta.dirname, '../../src/features/training/server/trainers');
const FORMS = ['axolotl', 'ms-swift', 'llama-factory', 'trl'] as const;

const say = (role: string, content: string, marks: object = {}): object => ({ role, content, ...marks });
const user = (content: string): object => say('user', content);
const answer = (content: string, marks: object = {}): object => say('assistant', content, marks);
const call = (id: string, given: object, marks: object = {}): object => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'find', arguments: JSON.stringify(given) } }],
  ...marks,
});
const result = (id: string, content: string): object => ({ role: 'tool', tool_call_id: id, content });
const city = { type: 'object', properties: { city: { type: 'string' } } };
const tools = [{ type: 'function', function: { name: 'find', description: 'Finds a city', parameters: city } }];

/** A row of a file, and what a model may learn of it. Of a call: `call:` and what its arguments have. */
const ROWS: readonly { readonly messages: readonly object[]; readonly tools?: object; readonly learnt: string[] }[] = [
  { messages: [user('Hi'), answer('Hello there.')], learnt: ['Hello there.'] },
  {
    messages: [user('One?'), answer('Wrong one.', { weight: 0 }), user('Again?'), answer('Right one.', { weight: 1 })],
    learnt: ['Right one.'],
  },
  {
    messages: [user('Two?'), answer('Right two.', { weight: 1 }), user('More?'), answer('Wrong two.', { weight: 0 })],
    learnt: ['Right two.'],
  },
  {
    messages: [
      say('system', 'Be brief.'),
      user('Three?'),
      answer('Wrong three.', { train: false }),
      user('Again?'),
      answer('Right three.', { train: true }),
    ],
    learnt: ['Right three.'],
  },
  {
    messages: [user('Four?'), answer('Right four.', { loss: 1 }), user('More?'), answer('Wrong four.', { loss: 0 })],
    learnt: ['Right four.'],
  },
  {
    messages: [
      user('Five?'),
      answer('Wrong five.', { loss_scale: 0 }),
      user('Again?'),
      answer('Right five.'),
      user('More?'),
      answer('Wrong fifth.', { training: false }),
      user('Again?'),
      answer('Right fifth.'),
    ],
    learnt: ['Right five.', 'Right fifth.'],
  },
  // All answers without a mark, beside rows that have some.
  {
    messages: [user('Six?'), answer('Right six.'), user('More?'), answer('Right sixth.')],
    learnt: ['Right six.', 'Right sixth.'],
  },
  // Of marks that disagree the one that forbids counts.
  {
    messages: [
      user('Seven?'),
      answer('Wrong seven.', { weight: 1, train: false }),
      user('More?'),
      answer('Right seven.'),
    ],
    learnt: ['Right seven.'],
  },
  { messages: [user('Eight?'), answer('Wrong eight.', { weight: 0 })], learnt: [] },
  {
    messages: [
      user('Where is Oslo?'),
      call('c1', { city: 'Oslo' }),
      result('c1', 'In the north.'),
      answer('Up north.'),
    ],
    tools,
    learnt: ['call:"Oslo"', 'Up north.'],
  },
  // Arguments of another tool, and of another type.
  {
    messages: [
      user('Where is order 7?'),
      call('c3', { city: 77, id: 'x' }),
      result('c3', 'On its way.'),
      answer('It comes.'),
    ],
    tools: [{ type: 'function', function: { name: 'track', parameters: { type: 'object', properties: { id: {} } } } }],
    learnt: ['call:77', 'It comes.'],
  },
  {
    messages: [
      user('Where is Rome?'),
      call('c2', { city: 'Roma' }, { weight: 0 }),
      result('c2', 'In the south.'),
      answer('Down south.'),
    ],
    tools,
    learnt: ['Down south.'],
  },
  {
    messages: [
      user('Ten?'),
      answer('Keep this, not that.', {
        train_detail: [
          { begin_offset: 0, end_offset: 9, train: true },
          { begin_offset: 10, end_offset: 19, train: false },
        ],
      }),
    ],
    learnt: ['Keep this,'],
  },
];

const toLines = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

function read({ messages, tools: declared }: (typeof ROWS)[number]): ChatRow {
  const found = toChatRow({ number: 1, text: JSON.stringify({ messages, tools: declared }) }, 'chat');
  if (!found.ok) throw new Error(JSON.stringify(found));
  return found.row;
}

/** The rows and the config that a job has for a trainer, which is not started. */
function layJob(form: (typeof FORMS)[number], rows: readonly ChatRow[]): void {
  const job = join(folder, form, 'job');
  mkdirSync(join(job, 'bin'), { recursive: true });
  for (const name of ['trl', 'axolotl', 'accelerate', 'llamafactory-cli', 'swift', 'python3'])
    symlinkSync(join(trainers, 'fakeTrainer.fixture.mjs'), join(job, 'bin', name));
  mkdirSync(join(job, 'output'));
  const data = { training: join(job, 'training.jsonl'), validation: join(job, 'validation.jsonl') };
  writeFileSync(data.training, toLines(rows));
  const plan = {
    base: { id: 'tiny', file: null, adapter: null },
    data,
    output: join(job, 'output'),
    training_type: 'full',
    n_epochs: 1,
    batch_size: 1,
    learning_rate: 0.001,
    lora: null,
    seed: 7,
  };
  writeFileSync(join(job, 'job.json'), JSON.stringify(plan));
  // It asks which of several models a folder of this type has, and has templates of its own.
  const settings =
    form === 'ms-swift'
      ? ['model_type=llama', 'template=chatml', 'agent_template=hermes'].flatMap((each) => ['--set', each])
      : [];
  const place = ['--model', `tiny=${join(folder, 'base')}`, '--env', job, ...settings, join(job, 'job.json')];
  const calls = join(job, 'calls');
  const { stdout } = spawnSync(process.execPath, [join(trainers, 'trainWith.mjs'), form, ...place], {
    env: { ...process.env, FAKE_CALLS: calls },
    encoding: 'utf8',
  });
  if (readFileSync(calls, { encoding: 'utf8', flag: 'a+' }) === '') throw new Error(stdout);
}

/** The entries of LLaMA-Factory for rows with tools: as its config has them in comments, and as a job writes them. */
function layEntries(): void {
  const place = join(folder, 'llama-factory');
  const config = formatOf('llamafactory').toText(toTestInput([toTestCandidate('first')]));
  const entry = /^# ".*": (\{.*"formatting":"openai".*\})$/m.exec(config)?.[1] ?? '{}';
  const training = { ...(JSON.parse(entry) as object), file_name: 'train.jsonl' };
  writeFileSync(join(place, 'download.entries.json'), JSON.stringify({ training }));
  copyFileSync(join(place, 'job/rows/dataset_info.json'), join(place, 'job.entries.json'));
}

for (const form of FORMS) {
  mkdirSync(join(folder, form), { recursive: true });
  const rows = ROWS.map((row) => ({ row: read(row), learnt: row.learnt }));
  const written = rows.map(({ row, learnt }) => ({ learnt, written: toTrainerRows(row, form) }));
  const taken = written.flatMap(({ learnt, written: each }) => (each.ok ? [{ learnt, lines: each.rows }] : []));
  for (const { written: each } of written) if (!each.ok) console.log(`${form}: not written: ${each.reason}`);
  writeFileSync(join(folder, form, 'download.jsonl'), toLines(taken.flatMap(({ lines }) => lines)));
  writeFileSync(join(folder, form, 'download.learnt.json'), JSON.stringify(taken.flatMap(({ learnt }) => learnt)));
  const hasParts = (row: ChatRow): boolean => row.messages.some(({ train_detail: parts }) => parts !== undefined);
  const forJob = rows.filter(({ row }) => form === 'axolotl' || !hasParts(row));
  layJob(
    form,
    forJob.map(({ row }) => row),
  );
  writeFileSync(join(folder, form, 'job.learnt.json'), JSON.stringify(forJob.flatMap(({ learnt }) => learnt)));
}
layEntries();
