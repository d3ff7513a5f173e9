// The endpoints of runs that other trainers left in folders, and of their saved weights as models.
// ASSUMED: not in SPEC. Only a local studio reads folders.
import { defineEndpoints } from '#core/contract/endpoint.ts';
import {
  curveListSchema,
  curveRequestSchema,
  newRunRootSchema,
  runRootChangeSchema,
  runRootListSchema,
  runRootSchema,
  runSchema,
} from './runs.ts';
import { completionListSchema, completionQuestionSchema } from './completions.ts';

const OURS = 'Not in SPEC: only a local studio reads folders, and a gateway answers 404.';

/** A path of 4,096 characters, each written as two escapes. */
const SMALL_BYTES = 64 * 1024;

const ofFolder = { rootId: 'UUID of the folder.' };

export const RUNS = defineEndpoints(
  { tag: 'Runs', source: OURS },
  {
    listRunRoots: {
      method: 'GET',
      path: '/api/v1/studio/run-roots',
      title: 'List the folders whose runs are shown',
      about: 'What was found in each, and what was not understood.',
      answer: { RunRootList: runRootListSchema },
      says: 'The folders.',
      isTagged: true,
    },
    addRunRoot: {
      method: 'POST',
      path: '/api/v1/studio/run-roots',
      title: 'Show the runs of a folder',
      about:
        'The folder is only read. It is shown again after a restart. A named token may show only folders in those that the ' +
        'studio was started with.',
      body: { NewRunRoot: newRunRootSchema },
      bodyBytes: SMALL_BYTES,
      answer: { RunRoot: runRootSchema },
      status: 201,
      says: 'It is scanned now.',
    },
    changeRunRoot: {
      method: 'PUT',
      path: '/api/v1/studio/run-roots/{rootId}',
      title: 'Choose how the runs of a folder become jobs, and by which measure they are compared',
      about: 'What the request leaves out stays as it is.',
      params: ofFolder,
      body: { RunRootChange: runRootChangeSchema },
      bodyBytes: SMALL_BYTES,
      answer: { RunRoot: runRootSchema },
      says: 'Changed.',
    },
    removeRunRoot: {
      method: 'DELETE',
      path: '/api/v1/studio/run-roots/{rootId}',
      title: 'Stop showing the runs of a folder',
      about: 'Nothing in the folder changes. One that was given with `--runs` stays: the answer is 409.',
      params: ofFolder,
      says: 'Removed.',
      failures: [409],
    },
    getRun: {
      method: 'GET',
      path: '/api/v1/studio/runs/{runId}',
      title: 'Get a run with its facts and their sources',
      params: { runId: 'UUID of the run; also the id of its experiment in the tree.' },
      answer: { Run: runSchema },
      says: 'The run.',
      isTagged: true,
    },
    listCompletions: {
      method: 'GET',
      path: '/api/v1/studio/runs/{runId}/completions',
      title: 'List completions that a run wrote while it trained',
      about:
        'A page of 50 rows of one step, with rewards and advantage. 422: the file is damaged, too large or not readable; ' +
        'the message says why.',
      query: completionQuestionSchema,
      answer: { CompletionList: completionListSchema },
      says: 'The rows.',
      isTagged: true,
      failures: [422],
      load: 'folder',
    },
    getCurves: {
      method: 'POST',
      path: '/api/v1/studio/curves',
      title: 'Get curves of runs, thinned',
      about:
        'A POST, because the question is too long for an address. Send the `version` of the last answer to get 304 while ' +
        'nothing is new.',
      body: { CurveRequest: curveRequestSchema },
      // A thousand ids and a hundred names.
      bodyBytes: 1024 * 1024,
      answer: { CurveList: curveListSchema },
      says: 'The curves.',
      others: { 304: { says: 'Nothing has changed since `version`.' } },
      changesNothing: true,
      load: 'folder',
    },
  },
);

declare module '#core/contract/endpoint.ts' {
  interface EndpointGroups {
    readonly runs: typeof RUNS;
  }
}
