import { expect, it } from 'vitest';
import { parseGridAddress, toRowsAddress } from './gridAddress.ts';

it.each([
  [null, null],
  ['abc', { kind: 'stored', id: 'abc' }],
  [toRowsAddress('s1'), { kind: 'rows', snapshotId: 's1' }],
])('%s is read as %o', (text, address) => expect(parseGridAddress(text)).toEqual(address));
