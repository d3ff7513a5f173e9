// Scripts and notebook cells are read by a real shell and a real Python, where this machine has them.
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { toTestCandidate } from '#features/experiments/shared/candidate.fixture.ts';
import { CONFIGS, EVERY_WAY, formatOf, toTestInput } from './exportFormats.fixture.ts';
import type { ExportInput } from './exportInput.ts';

const rowFiles = new Map([['snap', { training: 'x.training.jsonl', validation: 'x.validation.jsonl' }]]);
const withRows = { validation: new Map([['snap', 5]]), rowFiles };
const HOSTILE = toTestCandidate('h', {
  label: `'"$(x)\`\\ \u2028 """`,
  origin: 'run',
  base_model_id: 'org/name',
  reason_for_recommendation: `it's "quoted" $(here)\n%% 473 steps`,
});
const INPUTS: readonly (readonly [string, ExportInput])[] = [
  ['every way of training', toTestInput(EVERY_WAY)],
  ['the studio’s rows', toTestInput(EVERY_WAY, withRows)],
  [
    'each kind of template',
    toTestInput(
      ['qwen3-0.6b', 'llama3.2-1b', 'phi-4-mini', 'org/name'].map((id) => toTestCandidate(id, { base_model_id: id })),
      withRows,
    ),
  ],
  ['a name made to break out', toTestInput([HOSTILE], withRows)],
  ['an unknown rate', toTestInput([toTestCandidate('k')], { rate: { means: 'unknown' } })],
];
const OF_FOLDER: readonly (readonly [string, ExportInput])[] = [
  ['runs of a folder', toTestInput([...EVERY_WAY, HOSTILE], { isOfFolder: true, baseline: HOSTILE })],
  [
    'a run that recorded nothing',
    toTestInput(
      [
        toTestCandidate('k', {
          base_model_id: 'unknown',
          training_type: null,
          learning_rate_multiplier: null,
          batch_size: null,
        }),
      ],
      { isOfFolder: true },
    ),
  ],
];
const isThere = (command: string): boolean => spawnSync(command, ['-c', '']).status === 0;

it.skipIf(!isThere('sh')).each([...INPUTS, ...OF_FOLDER])('the TRL script is shell: %s', (_case, input) => {
  const { status, stderr } = spawnSync('sh', ['-n'], { input: formatOf('trl').toText(input), encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});

const PARSE = 'import ast, sys; ast.parse(sys.stdin.buffer.read().decode("utf-8"))';
it.skipIf(!isThere('python3')).each([...INPUTS, ...OF_FOLDER])('the Unsloth cells are Python: %s', (_case, input) => {
  const options = { input: formatOf('unsloth').toText(input), encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync('python3', ['-IS', '-c', PARSE], options);
  expect([status, stderr]).toEqual([0, '']);
});

it('no file of Python has the name of a package that it imports: Python would import the file', () => {
  const python = CONFIGS.filter(({ language }) => language === 'python');
  expect(python).not.toHaveLength(0);
  for (const { fileName, toText } of python) {
    const packages = [...toText(INPUTS[0]![1]).matchAll(/^(?:from|import) (\w+)/gm)].map(([, name]) => `${name}.py`);
    expect(packages).toContain('trl.py');
    expect(packages).not.toContain(fileName);
  }
});

it('every config says what it was checked against, and whether it was run', () => {
  // By e2e/real/exports.sh.
  for (const { toText } of CONFIGS)
    for (const [, input] of INPUTS) expect(toText(input)).toMatch(/^# checked against .*, and run with it/m);
});
