import { deflateRawSync, gunzipSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readBlock } from '#features/datasets/server/rows/rowBlocks.ts';
import { openFileRecords, type FileItem } from './fileRecords.ts';
import { toLines } from './fileText.ts';
import { IDS, RECORD_LINES, toChanged, toText, type FileLine } from './projectFile.fixture.ts';
import { KINDS, MAX_LINE, type TransferRecord } from './records.ts';

/** All items of a file that comes in chunks of so many bytes, with lines of at most so many. */
async function read(file: Buffer, size = 64 * 1024, longest?: number): Promise<FileItem[]> {
  const records = openFileRecords(longest);
  const items: FileItem[] = [];
  for (let at = 0; at < file.length; at += size) items.push(...(await records.push(file.subarray(at, at + size))));
  return [...items, ...(await records.end())];
}

const whole = gzipSync(toText(RECORD_LINES));
const MIB = 1024 ** 2;
const others = (items: readonly FileItem[]): FileItem[] => items.filter(({ kind }) => kind !== 'blocks');

it('has a record of each kind to try', () => {
  expect(RECORD_LINES.map(({ kind }) => kind)).toEqual(Object.keys(KINDS).filter((kind) => kind !== 'end'));
});

it.each([1, 7, 1000, 64 * 1024])('reads every record, in chunks of %i bytes', async (size) => {
  const items = await read(whole, size);
  expect(others(items)).toEqual(RECORD_LINES.filter(({ kind }) => kind !== 'rows'));
  const blocks = items.flatMap((item) => (item.kind === 'blocks' ? item.blocks : []));
  const rows = blocks.flatMap(({ body }) => readBlock(body, 0));
  expect(rows).toMatchObject([
    { original: null, bucket: null },
    { original: '{"q":"Two?"}', bucket: 'validation' },
    { original: null },
  ]);
  expect(new Set(rows.map(({ hash }) => hash)).size).toBe(3);
});

it.each([1, 7, 64 * 1024])('ignores zeros after the file, as gzip does, in chunks of %i bytes', async (size) => {
  for (const zeros of [1, 8, 512])
    expect(others(await read(Buffer.concat([whole, Buffer.alloc(zeros)]), size))).toHaveLength(RECORD_LINES.length - 1);
});

it('reads what was unpacked, and what the writer writes', async () => {
  expect(others(await read(gunzipSync(whole)))).toHaveLength(RECORD_LINES.length - 1);
  async function* records() {
    yield* RECORD_LINES as unknown as TransferRecord[];
  }
  const written: string[] = [];
  for await (const text of toLines(records())) written.push(text);
  expect(written.join('')).toBe(toText(RECORD_LINES));
});

it('refuses a line without end, and takes one that is as long as lines may be', async () => {
  const blank = gzipSync(Buffer.alloc(3 * MIB, ' '));
  await expect(read(blank, 64 * 1024, MIB)).rejects.toMatchObject({ code: 'not_a_project_file' });
  const longest = Math.max(
    ...toText(RECORD_LINES)
      .split('\n')
      .map((line) => Buffer.byteLength(line)),
  );
  expect(others(await read(whole, 64 * 1024, longest))).toHaveLength(RECORD_LINES.length - 1);
  expect(MAX_LINE).toBe(128 * MIB);
});

it('takes a snapshot without sides whose rows have them as buckets', async () => {
  const lines = RECORD_LINES.filter(({ kind }) => kind !== 'frozen' && kind !== 'frozen-texts').map((line) =>
    line.kind === 'snapshot' ? Object.assign({}, line, { training_count: 0, validation_count: 1 }) : line,
  );
  expect((await read(gzipSync(toText(lines)))).some(({ kind }) => kind === 'snapshot')).toBe(true);
});

it('leaves out NUL, which the database does not keep', async () => {
  const items = await read(toChanged('job', { label: 'A\0B' }));
  expect(items.find(({ kind }) => kind === 'job')).toMatchObject({ label: 'AB' });
});

const UNKNOWN = '00000000-0000-4000-8000-0000000000ff';
const with_ = (change: (lines: FileLine[]) => (FileLine | string)[]): Buffer =>
  gzipSync(toText(change([...RECORD_LINES])));
const NO_GZIP = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 255, 255]);
const CUT = RECORD_LINES.map((line) => JSON.stringify(line)).join('\n');
const move = (kind: string, to: number): Buffer =>
  with_((lines) => {
    const [line] = lines.splice(
      lines.findIndex((each) => each.kind === kind),
      1,
    );
    return line ? lines.toSpliced(to, 0, line) : lines;
  });
const without = (...kinds: string[]): Buffer => with_((lines) => lines.filter(({ kind }) => !kinds.includes(kind)));
const JOB = 'abcdef00-0000-4000-8000-000000000004';
const inCapitals = (line: FileLine): FileLine[] =>
  line.kind === 'job' ? [line, ...[JOB, JOB.toUpperCase()].map((id) => Object.assign({}, line, { id }))] : [line];
const POINT = RECORD_LINES.find(({ kind }) => kind === 'points')?.['points'] as readonly object[];
const MANY_POINTS = Array.from({ length: 50_001 }, (_, step) => Object.assign({}, POINT[0], { step }));
/** A record a second time after itself and those that belong to it. */
const twice = (kind: string, more: object = {}, rest: readonly string[] = []): Buffer =>
  with_((lines) => {
    const own = lines.filter((line) => line.kind === kind || rest.includes(line.kind));
    const last = lines.findLastIndex((line) => own.includes(line));
    return lines.toSpliced(last + 1, 0, ...own.map((line) => Object.assign({}, line, line.kind === kind ? more : {})));
  });
const toSides = (...sides: number[]): string => deflateRawSync(Uint8Array.from(sides)).toString('base64');

it.each<[code: string, what: string, file: () => Buffer]>([
  ['not_a_project_file', 'nothing', () => Buffer.alloc(0)],
  ['not_a_project_file', 'one byte', () => Buffer.of(0x1f)],
  ['not_a_project_file', 'a picture', () => Buffer.from('\x89PNG\r\n\x1a\n'.repeat(100), 'latin1')],
  ['not_a_project_file', 'rows', () => Buffer.from('{"messages":[]}\n')],
  ['not_a_project_file', 'another gzip', () => gzipSync('hello')],
  ['not_a_project_file', 'gzip that is none', () => NO_GZIP],
  ['newer_version', 'a later version', () => toChanged('manifest', { version: 2, more: true })],
  ['file_cut_off', 'a file cut in its bytes', () => whole.subarray(0, whole.length - 100)],
  ['file_cut_off', 'a file without its last line', () => gzipSync(CUT)],
  ['file_cut_off', 'zeros after a file cut in its lines', () => Buffer.concat([gzipSync(CUT), Buffer.alloc(8)])],
  ['damaged_file', 'a changed line', () => gzipSync(toText(RECORD_LINES).replace('Tickets', 'Tackets'))],
  ['damaged_file', 'a lost line', () => gzipSync(toText(RECORD_LINES).replace(/\{"kind":"note".*\n/, ''))],
  ['damaged_line', 'a line that is no JSON', () => with_((lines) => [...lines, '{'])],
  ['unknown_record', 'a record of no kind', () => with_((lines) => [...lines, { kind: 'constructor' }])],
  ['wrong_record', 'a status that there is not', () => toChanged('job', { status: 'processed' })],
  ['wrong_record', 'a field more', () => toChanged('dataset', { owner: 'me' })],
  ['wrong_record', 'an id that is none', () => toChanged('project', { id: '../..' })],
  ['wrong_record', 'a position that the database can not hold', () => toChanged('dataset', { position: 2 ** 31 })],
  ['wrong_record', 'so many bad lines', () => toChanged('dataset', { bad_line_count: 2 ** 31 })],
  ['wrong_record', 'a job so far down', () => toChanged('job', { position: 9e15 })],
  ['wrong_record', 'a seed so large', () => toChanged('training', { seed: -(2 ** 31) - 1 })],
  ['wrong_record', 'a checkpoint so late', () => toChanged('checkpoint', { step: 9e15 })],
  ['wrong_record', 'a validation so late', () => toChanged('validation', { step: 2 ** 31 })],
  ['wrong_record', 'a year before ours', () => toChanged('project', { created_at: '0000-01-01T00:00:00Z' })],
  ['wrong_record', 'sides that are not deflated', () => toChanged('frozen', { sides: 'AAAA' })],
  ['wrong_record', 'more sides than rows', () => toChanged('frozen', { sides: 'Y2RkYgQA' })],
  ['wrong_record', 'fewer sides than rows', () => toChanged('frozen', { sides: toSides(1, 2) })],
  ['wrong_record', 'sides that are not as many as counted', () => toChanged('frozen', { sides: toSides(1, 1, 1) })],
  ['wrong_record', 'a snapshot without its rows', () => without('frozen', 'frozen-texts')],
  [
    'wrong_record',
    'sides that are said twice',
    () => with_((lines) => lines.flatMap((line) => (line.kind === 'frozen' ? [line, line] : [line]))),
  ],
  ['broken_reference', 'rows of another dataset', () => toChanged('rows', { dataset_id: UNKNOWN })],
  ['broken_reference', 'marks of another dataset', () => toChanged('marks', { dataset_id: UNKNOWN })],
  ['broken_reference', 'a snapshot of no dataset', () => toChanged('snapshot', { dataset_id: UNKNOWN })],
  ['broken_reference', 'sides of another snapshot', () => toChanged('frozen', { snapshot_id: UNKNOWN })],
  ['broken_reference', 'a job of no snapshot', () => toChanged('job', { snapshot_id: IDS.dataset })],
  ['broken_reference', 'an experiment of no job', () => toChanged('experiment', { job_id: UNKNOWN })],
  ['broken_reference', 'a training of no experiment', () => toChanged('training', { experiment_id: UNKNOWN })],
  ['broken_reference', 'a source that is not there', () => toChanged('training', { refinetune_from: UNKNOWN })],
  ['broken_reference', 'points without training', () => without('training')],
  ['broken_reference', 'a model of no experiment', () => toChanged('model', { experiment_id: UNKNOWN })],
  ['broken_reference', 'a file of another model', () => toChanged('file', { model_id: 'ft-x' })],
  ['broken_reference', 'an evaluation of no dataset', () => toChanged('evaluation', { dataset_id: UNKNOWN })],
  ['broken_reference', 'rows of another evaluation', () => toChanged('evaluation-rows', { evaluation_id: UNKNOWN })],
  ['wrong_record', 'a check of no kind', () => toChanged('evaluation-version', { checks: [{ id: 'a', kind: 'x' }] })],
  ['broken_reference', 'a note on no node', () => toChanged('note', { node_id: UNKNOWN })],
  ['wrong_order', 'a project later', () => move('project', 3)],
  ['broken_reference', 'a job before its snapshot', () => move('job', 4)],
  ['wrong_order', 'no project', () => without('project')],
  ['wrong_order', 'a dataset without its rows', () => without('rows')],
  ['wrong_order', 'rows that leave one out', () => toChanged('rows', { first: 1 })],
  ['wrong_order', 'more rows than there are', () => toChanged('dataset', { datapoints_count: 2 })],
  [
    'wrong_order',
    'a mark on no row',
    () => toChanged('marks', { marks: [{ position: 3, is_set_aside: true, tags: [], edited: null }] }),
  ],
  ['wrong_order', 'a snapshot with more rows', () => toChanged('snapshot', { rows_end: 4 })],
  ['wrong_order', 'a node twice', () => toChanged('job', { id: IDS.snapshot })],
  ['wrong_order', 'a model file that is not whole', () => toChanged('file', { bytes: 100 })],
  ['wrong_order', 'a model file that is longer', () => toChanged('file', { bytes: 3 })],
  ['wrong_order', 'a model file without end', () => without('file-end')],
  [
    'wrong_order',
    'a line after the end',
    () => gzipSync(`${toText(RECORD_LINES)}${JSON.stringify(RECORD_LINES[0])}\n`),
  ],
  ['wrong_order', 'the first line of another project', () => toChanged('manifest', { project_id: UNKNOWN })],
  ['wrong_order', 'another name in the first line', () => toChanged('manifest', { name: 'Harmless' })],
  ['wrong_order', 'a node twice, in capitals', () => with_((lines) => lines.flatMap(inCapitals))],
  ['wrong_order', 'two runs of a job with the same number', () => twice('experiment', { id: UNKNOWN })],
  ['wrong_order', 'two recommendations of a snapshot', () => twice('recommendation')],
  ['wrong_order', 'a step twice', () => twice('points')],
  ['wrong_order', 'a checkpoint twice', () => twice('checkpoint')],
  ['wrong_order', 'validations backwards', () => twice('validation', { step: 9 })],
  ['wrong_order', 'a part of a log twice', () => twice('log')],
  ['wrong_order', 'a log with a gap', () => twice('log', { starts_at: 4 })],
  ['wrong_order', 'a log that is shorter than it says', () => toChanged('training', { log_size: 9e15 })],
  ['wrong_order', 'a log that is not there', () => without('log')],
  ['wrong_order', 'more points than a studio keeps', () => toChanged('points', { points: MANY_POINTS })],
  ['wrong_order', 'two files of a model in one form', () => twice('file', {}, ['part', 'file-end'])],
  ['wrong_record', 'a form of a model that reads like another model', () => toChanged('file', { format: 'x.y' })],
  ['wrong_record', 'a run that learns backwards', () => toChanged('experiment', { learning_rate_multiplier: -1 })],
  ['wrong_record', 'a place after which there is none', () => toChanged('snapshot', { position: 2 ** 31 - 1 })],
  ['wrong_record', 'settings of another type', () => toChanged('experiment', { settings: { seed: '7' } })],
  [
    'wrong_record',
    'an answer with a field more',
    () => toChanged('validation', { answers: [{ prompt: 'p', html: 1 }] }),
  ],
  ['wrong_row', 'a row that is none', () => toChanged('rows', { rows: [{ text: '{"messages":1}' }] })],
  ['wrong_row', 'a edited row that is none', () => toChanged('frozen-texts', { texts: [[0, 'x']] })],
  [
    'wrong_row',
    'an original of two lines',
    () => toChanged('rows', { rows: [{ text: '{"messages":[{"role":"user","content":"A"}]}', original: 'a\nb' }] }),
  ],
])('refuses as %s: %s', async (code, _what, file) => {
  await expect(read(file())).rejects.toMatchObject({
    code,
    status: 400,
    message: expect.stringMatching(/Nothing was imported\.$/),
  });
});

it.each<[string, () => Buffer]>([
  ['Line 2 (project) is not as it should be: name must be a text.', () => toChanged('project', { name: 5 })],
  ['(project) is not as it should be: name is required.', () => toChanged('project', { name: undefined })],
  ['name must have at most 1000 characters.', () => toChanged('project', { name: 'a'.repeat(1001) })],
  ['name must not be blank.', () => toChanged('project', { name: ' ' })],
  ['label must not contain control characters.', () => toChanged('job', { label: 'a\u001B[31m' })],
  ['label must not contain half of a surrogate pair.', () => toChanged('dataset', { label: 'a\uD800' })],
  ['id must be a UUID, such as', () => toChanged('project', { id: 'x' })],
  ['id must not be the nil UUID.', () => toChanged('project', { id: '00000000-0000-0000-0000-000000000000' })],
  ['created_at must be a date and time from 1970 to 9999', () => toChanged('project', { created_at: 'today' })],
  ['position must be at most 1000000.', () => toChanged('dataset', { position: 2 ** 31 - 1 })],
  ['first_loss must be a number, "NaN"', () => toChanged('experiment', { first_loss: 'x' })],
])('says what is wanted: %s', async (words, file) => {
  await expect(read(file())).rejects.toMatchObject({ code: 'wrong_record', message: expect.stringContaining(words) });
});

it('takes ids in capitals for the same ids, and settings for nothing but settings', async () => {
  const lines = RECORD_LINES.map(
    (line) => JSON.parse(JSON.stringify(line).replaceAll(/-4000-8000-/g, '-4ABC-8000-')) as FileLine,
  );
  const items = await read(gzipSync(toText(lines)));
  expect(items.find(({ kind }) => kind === 'project')).toMatchObject({ id: IDS.project.replace('-4000-', '-4abc-') });
  expect(items.find(({ kind }) => kind === 'note')).toMatchObject({ node_id: IDS.job.replace('-4000-', '-4abc-') });
  const more = { seed: 7, status: 'running', id: 'x', model_id: 'support-base', failure: 'Call 123.' };
  const run = (await read(toChanged('experiment', { settings: more }))).find(({ kind }) => kind === 'experiment');
  expect(run).toMatchObject({ settings: { seed: 7 } });
  expect(Object.keys((run as { settings: object }).settings)).toEqual(['seed']);
});

it('takes halves of surrogate pairs in longer texts as unknown characters, which JSON of the database can not hold', async () => {
  const items = await read(
    toChanged('experiment', { settings: { optimizer: 'a\uD800', scheduler: '\u{1F600}' }, failure: '\uDC00' }),
  );
  expect(items.find(({ kind }) => kind === 'experiment')).toMatchObject({
    settings: { optimizer: 'a\uFFFD', scheduler: '\u{1F600}' },
    failure: '\uFFFD',
  });
});
