// For tests: a root whose evidence is given.
import type { Stats } from 'node:fs';
import { localCalls, type FileCalls } from '#features/runs/server/disk/fileCalls.ts';
import type { RootState } from '#features/runs/server/disk/describeRoot.ts';
import type { ClaimState } from '#features/runs/server/disk/openClaim.ts';
import type { RootReader } from '#features/runs/server/disk/rootReader.ts';
import type { RunEvidence } from './evidence.ts';

export interface FakeReader extends RootReader {
  /** Puts other evidence in place of that there was. `unread`: keys of what was not read to its end. */
  put(evidence: readonly RunEvidence[], unread?: readonly string[]): void;
  stateNow: RootState;
  isClosed: boolean;
}

/** Every path is a file. */
const calls: FileCalls = {
  ...localCalls,
  realpath: (path) => path,
  lstat: () => ({ isFile: () => true }) as Stats,
};

export function fakeReader(root: string, first: readonly RunEvidence[], onChange: () => void = () => {}): FakeReader {
  let states: readonly ClaimState[] = [];
  const toStates = (evidence: readonly RunEvidence[], unread: readonly string[] = []): readonly ClaimState[] =>
    evidence.map((each) => ({
      id: `${each.format}:${each.key}`,
      format: each.format,
      label: each.format.toUpperCase(),
      key: each.key,
      folder: each.folder,
      evidence: [each],
      isRead: !unread.includes(each.key),
      wasRead: !unread.includes(each.key),
      problems: [],
    }));
  states = toStates(first);
  return {
    folder: root,
    calls,
    silentSince: null,
    stateNow: 'watching',
    isClosed: false,
    put(evidence, unread) {
      states = toStates(evidence, unread);
      onChange();
    },
    claims: () => states,
    state() {
      return this.stateNow;
    },
    report() {
      return {
        state: this.stateNow,
        stateReason: 'The system tells of changes.',
        folders: 3,
        files: 7,
        unknown: [{ path: 'photos', reason: 'It is empty.' }],
        skipped: [],
        problems: [{ path: 'a/x.json', reason: 'It is not JSON.' }],
      };
    },
    look: async () => {},
    read: async () => new Uint8Array(),
    async close() {
      this.isClosed = true;
    },
  };
}
