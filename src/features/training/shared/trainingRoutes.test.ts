import { expect, it } from 'vitest';
import { ROUTES } from '#core/contract/routes.ts';
import {
  commandPath,
  takeAwayPath,
  takenFilePath,
  experimentActionPath,
  jobActionPath,
  logPath,
  progressPath,
  TRAINING_ROUTES,
} from './trainingRoutes.ts';

const ID = '3f0c1a52-7b1e-4a1d-9c55-0123456789ab';

it('fills an id in where the route has its place', () => {
  const at = (route: string): string => route.replace(/\{\w+\}/, ID);
  expect(jobActionPath(ID, 'cancel')).toBe(at(TRAINING_ROUTES.cancelJob));
  expect(jobActionPath(ID, 'duplicate')).toBe(at(TRAINING_ROUTES.duplicateJob));
  expect(experimentActionPath(ID, 'cancel')).toBe(at(TRAINING_ROUTES.cancelExperiment));
  expect(experimentActionPath(ID, 'stop')).toBe(at(TRAINING_ROUTES.stopExperiment));
  expect(experimentActionPath(ID, 'resume')).toBe(at(TRAINING_ROUTES.resumeExperiment));
  expect(progressPath(ID)).toBe(at(TRAINING_ROUTES.progress));
  expect(logPath(ID)).toBe(at(TRAINING_ROUTES.log));
  expect(commandPath(ID)).toBe(at(TRAINING_ROUTES.command));
  expect(takeAwayPath(ID)).toBe(at(TRAINING_ROUTES.takeAway));
  expect(takenFilePath(ID, 'a.gguf')).toBe(at(TRAINING_ROUTES.takenFile).replace('{name}', 'a.gguf'));
});

it('asks for what is new alone', () => {
  expect(progressPath(ID, 0)).toBe(`${progressPath(ID)}?since=0`);
  expect(logPath(ID, 1024)).toBe(`${logPath(ID)}?from=1024`);
});

it('lets no id leave its place', () => {
  for (const path of [
    jobActionPath('../x?y', 'cancel'),
    experimentActionPath('a/b', 'stop'),
    progressPath('a#b'),
    takenFilePath(ID, '../a/b'),
  ])
    expect(path).not.toMatch(/\.\.\/|\?y|a\/b|#/);
});

it('has no address twice, and none of the other routes', () => {
  const paths = [...Object.values(TRAINING_ROUTES), ...Object.values(ROUTES)];
  expect(new Set(paths).size).toBe(paths.length);
});
