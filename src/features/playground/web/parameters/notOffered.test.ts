import { expect, it } from 'vitest';
import type { ModelEntry } from '#core/contract/completion.ts';
import { findNotOffered } from './notOffered.ts';

const entry = (id: string, supported_parameters?: ModelEntry['supported_parameters']): ModelEntry => ({
  id,
  created: 0,
  object: 'model',
  owned_by: 'x',
  ...(supported_parameters && { supported_parameters }),
});
const MODELS = [entry('some', ['top_k', 'logprobs']), entry('silent')];
const ALL = ['top_k', 'min_p', 'repetition_penalty', 'logprobs'];

it.each([
  ['what its server does not name', 'some', 'local', ['min_p', 'repetition_penalty']],
  ['all where its server says nothing', 'silent', 'local', ALL],
  ['nothing of a model that a local studio does not list, such as an alias', 'alias', 'local', []],
  ['all of a model that a remote studio does not list', 'alias', 'gateway', ALL],
] as const)('does not offer %s', (_, model, mode, names) => {
  expect(findNotOffered(MODELS, model, mode)).toEqual(names);
});
