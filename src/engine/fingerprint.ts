// A short name for "the same weights, adapter, engine and settings" (SPEC 2.4 `system_fingerprint`).
import { createHash, type Hash } from 'node:crypto';
import { open } from 'node:fs/promises';

const BLOCK = 64 * 1024;
const BLOCKS = 16;

/** Hashes the size and 16 blocks of the file. Files can be huge, and fine-tuning changes weights everywhere. */
async function addFile(hash: Hash, path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    hash.update(`${size};`);
    const buffer = Buffer.alloc(BLOCK);
    const last = Math.max(0, size - BLOCK);
    for (let block = 0; block < BLOCKS; block += 1) {
      const { bytesRead } = await file.read(buffer, 0, BLOCK, Math.floor((last * block) / (BLOCKS - 1)));
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

/** `fp_` and 16 hexadecimal digits. `settings` names all else that changes the text of an answer. */
export async function toFingerprint(paths: readonly string[], settings: string): Promise<string> {
  const hash = createHash('sha256').update(settings);
  for (const path of paths) await addFile(hash, path);
  return `fp_${hash.digest('hex').slice(0, 16)}`;
}
