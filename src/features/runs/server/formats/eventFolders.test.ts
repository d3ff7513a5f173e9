import { describe, expect, it } from 'vitest';
import type { RunEvidence } from '#features/runs/server/evidence.ts';
import { pointsOf, readRuns, type TestFiles } from './folder.fixture.ts';
import { hparams, joinBytes, scalar, versionEvent } from './tfevents.fixture.ts';
import { tensorboardFormat } from './tfevents.ts';

const START = 1_787_393_224.5;

const read = (files: TestFiles): readonly RunEvidence[] => readRuns(tensorboardFormat, files);

describe('folders below that of a run', () => {
  const line = (tag: string, value: number) =>
    joinBytes(versionEvent(START), ...[1, 2, 3].map((step) => scalar(START + step, step, tag, value * step)));
  const at = (folder: string, number: number, process = 'node7.4242') =>
    `${folder}/events.out.tfevents.${1_787_393_224 + number}.${process}${process.includes('.') ? `.${number}` : ''}`;

  it.each([
    ['torch', 'exp/loss_train', 'exp/loss_val', 'node7.4242'],
    ['tensorboardX', 'exp/loss/train', 'exp/loss/val', 'node7'],
  ])('are lines of add_scalars, as %s writes them', (_tool, train, validation, process) => {
    const runs = read({
      [at('exp', 0, process)]: line('lr', 0.5),
      [at(train, 1, process)]: line('loss', 2),
      [at(validation, 2, process)]: line('loss', 3),
    });
    expect(runs.map(({ key }) => key)).toEqual(['exp']);
    expect([...(runs[0]?.curves.keys() ?? [])]).toEqual(['lr', 'loss', 'eval/loss']);
    expect(pointsOf(runs[0], 'eval/loss')).toEqual([
      [1, 3],
      [2, 6],
      [3, 9],
    ]);
  });

  it('or later files hold settings and last figures of add_hparams, and take no curve away', () => {
    const settings = joinBytes(
      versionEvent(START + 100),
      hparams(START + 100, { lr: 0.001, optimizer: 'adam', nesterov: true }),
      scalar(START + 101, 0, 'train/loss', 0.5),
    );
    for (const folder of ['exp/1795000001.107033', 'exp']) {
      const [run, ...more] = read({ [at('exp', 0)]: line('train/loss', 2), [at(folder, 9)]: settings });
      expect(more).toEqual([]);
      expect(pointsOf(run, 'loss')).toHaveLength(3);
      expect([...(run?.parameters ?? [])].map(([name, { value }]) => [name, value])).toEqual([
        ['lr', 0.001],
        ['optimizer', 'adam'],
        ['nesterov', true],
      ]);
      expect(run?.summary.get('train/loss')?.value).toBe(0.5);
    }
  });

  it('named by a time hold last figures, also where their settings are missing', () => {
    const figure = joinBytes(versionEvent(START), scalar(START, 0, 'hparam/accuracy', 0.9));
    const [run, ...more] = read({ [at('exp', 0)]: line('train/loss', 2), [at('exp/1795000001.107033', 9)]: figure });
    expect([more.length, run?.summary.get('hparam/accuracy')?.value]).toEqual([0, 0.9]);
  });

  it('are runs of their own where another program wrote them, or this one a whole run', () => {
    const whole = joinBytes(line('train/loss', 1), line('lr', 1));
    for (const inner of [at('exp/loss_train', 1, 'node7.5000'), at('exp/trial', 1)]) {
      const runs = read({
        [at('exp', 0)]: line('lr', 0.5),
        [inner]: inner.includes('trial') ? whole : line('loss', 1),
      });
      expect(runs.map(({ folder }) => folder)).toEqual(['exp', inner.slice(0, inner.lastIndexOf('/'))]);
    }
  });
});
