// What each reader of a Parquet file needs: its bytes as hyparquet takes them, and its pages decompressed.
import type { AsyncBuffer } from 'hyparquet';
import { snappyUncompress } from 'hyparquet/src/snappy.js';
import { decompress as decompressZstd } from 'fzstd';
import { decompressBrotli } from 'hyparquet-compressors/src/brotli.js';
import { gunzip } from 'hyparquet-compressors/src/gzip.js';
import { decompressLz4, decompressLz4Raw } from 'hyparquet-compressors/src/lz4.js';

/** Bytes of a page. */
const MAX_PAGE_BYTES = 256 * 2 ** 20;

type Decompress = (input: Uint8Array, length: number) => Uint8Array;

/** Decompresses what says that it is small. */
const guarded =
  (decompress: Decompress): Decompress =>
  (input, length) => {
    if (!(length >= 0 && length <= MAX_PAGE_BYTES)) throw new Error(`a page of ${length} bytes`);
    return decompress(input, length);
  };

/** By the name that the file gives the codec of a column. */
export const compressors = {
  SNAPPY: guarded((input, length) => {
    const output = new Uint8Array(length);
    snappyUncompress(input, output);
    return output;
  }),
  GZIP: guarded((input, length) => gunzip(input, new Uint8Array(length))),
  BROTLI: guarded(decompressBrotli),
  ZSTD: guarded((input, length) => decompressZstd(input, new Uint8Array(length))),
  LZ4: guarded(decompressLz4),
  LZ4_RAW: guarded(decompressLz4Raw),
};

/** A file that is in memory. */
export const toParquetBuffer = (bytes: Uint8Array): AsyncBuffer => ({
  byteLength: bytes.length,
  slice: (start, end) => bytes.slice(start, end).buffer,
});
