// Reads a file of an evaluation of another tool, whichever it is.
import { parse as parseYaml, YAMLParseError } from 'yaml';
import { findJsonProblem } from '#core/contract/jsonText.ts';
import { isObject, parseJson } from '#core/contract/readJson.ts';
import { IMPORT_LIMITS, ImportRefusal, type ImportedEvaluation } from './importedEvaluation.ts';
import { isInspectLog, openInspectReader, readInspectLog } from './inspectLog.ts';
import { isLmEvalResults, isLmEvalSample, readLmEvalResults, readLmEvalSamples } from './lmEval.ts';
import { isPromptfooConfig, readPromptfooConfig } from './promptfooConfig.ts';
import { isPromptfooResult, isPromptfooResults, readPromptfooResults, toPromptfooResults } from './promptfooResults.ts';
import { isStudioHead, readStudioLines } from './studioFile.ts';
import { listZip, readZipEntry, type ByteSource } from './zipFile.ts';

const READS =
  'Read are promptfoo’s configuration (YAML or JSON) and results (JSON), Inspect’s logs (.eval or JSON), and lm-eval’s ' +
  'results_*.json and samples_*.jsonl, and what a studio exported as JSON lines.';

const toJson = (text: string, what: string): unknown => {
  const value = parseJson(text);
  if (value === undefined)
    throw new ImportRefusal(`${what} is not JSON: ${findJsonProblem(text) ?? 'it can’t be parsed'}.`);
  return value;
};

const SAMPLES = /samples_(.+?)_\d{4}-\d\d-\d\dT[\d.-]+\.jsonl$/;

/** Lines that are parsed one at a time: together their values would take several times the room of the text. */
function* parseLines(text: string): Generator<unknown> {
  let number = 0;
  for (let from = 0; from < text.length;) {
    const to = text.indexOf('\n', from);
    const end = to < 0 ? text.length : to;
    number += 1;
    const line = text.slice(from, end).trim();
    if (line !== '') yield toJson(line, `Line ${number}`);
    from = end + 1;
  }
}

function readValue(value: unknown, name: string): ImportedEvaluation {
  if (isInspectLog(value)) return readInspectLog(value);
  if (isPromptfooResults(value)) return readPromptfooResults(value);
  if (isLmEvalResults(value)) return readLmEvalResults(value);
  if (isPromptfooConfig(value)) return readPromptfooConfig(value);
  throw new ImportRefusal(`${name} is of no tool that is known here. ${READS}`);
}

/** The first line of JSON Lines; null: the text is one value of many lines. */
const readFirstLine = (text: string): unknown => parseJson(text.trimStart().split('\n', 1)[0] ?? '', null);

function readText(text: string, name: string): ImportedEvaluation {
  const bare = text.replace(/^\uFEFF/, '');
  if (bare.trim() === '') throw new ImportRefusal(`${name} is empty.`);
  if (bare.trimStart().startsWith('{')) {
    const first = readFirstLine(bare);
    if (isStudioHead(first)) return readStudioLines(parseLines(bare));
    if (isPromptfooResult(first)) return readPromptfooResults(toPromptfooResults(parseLines(bare)));
    if (isLmEvalSample(first)) return readLmEvalSamples(parseLines(bare), SAMPLES.exec(name)?.[1] ?? name);
    return readValue(toJson(bare, name), name);
  }
  let value: unknown;
  try {
    value = parseYaml(bare, { maxAliasCount: 1000 });
  } catch (error) {
    const why =
      error instanceof YAMLParseError || error instanceof ReferenceError
        ? error.message.split('\n')[0]
        : 'it can’t be parsed';
    throw new ImportRefusal(`${name} is neither JSON nor YAML: ${why}. ${READS}`);
  }
  if (!isObject(value)) throw new ImportRefusal(`${name} is of no tool that is known here. ${READS}`);
  return readValue(value, name);
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Uint8Array, name: string): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new ImportRefusal(`${name} is no text in UTF-8. ${READS}`);
  }
}

const SAMPLE = /^samples\/.+\.json$/;

async function readArchive(source: ByteSource, name: string): Promise<ImportedEvaluation> {
  if (source.size > IMPORT_LIMITS.archiveBytes)
    throw new ImportRefusal(`${name} has more than ${IMPORT_LIMITS.archiveBytes / 2 ** 30} GiB.`);
  const entries = await listZip(source);
  // A log that was not ended has no header: its beginning is in the journal.
  const header =
    entries.find((entry) => entry.name === 'header.json') ??
    entries.find((entry) => entry.name === '_journal/start.json');
  if (!header) throw new ImportRefusal(`${name} is an archive, but no log of Inspect: it has no header.json. ${READS}`);
  const readEntry = async (entry: (typeof entries)[number]): Promise<unknown> =>
    toJson(decode(await readZipEntry(source, entry, IMPORT_LIMITS.wholeBytes), entry.name), entry.name);
  const value = await readEntry(header);
  if (!isInspectLog(value)) throw new ImportRefusal(`${header.name} in ${name} is no header of a log of Inspect.`);
  const reader = openInspectReader();
  reader.takeHeader(value);
  for (const entry of entries) if (SAMPLE.test(entry.name)) reader.takeSample(await readEntry(entry));
  return reader.end();
}

/**
 * Reads one file of promptfoo, Inspect or lm-eval. An archive is read sample by sample; other files whole, and refused from 64
 * MiB on. `name`: of the file. Throws ImportRefusal, whose message says what is wrong.
 */
export async function readImport(source: ByteSource, name: string): Promise<ImportedEvaluation> {
  const [p, k] = await source.read(0, 2);
  if (p === 0x50 && k === 0x4b) return readArchive(source, name);
  if (source.size > IMPORT_LIMITS.wholeBytes)
    throw new ImportRefusal(
      `${name} has more than ${IMPORT_LIMITS.wholeBytes / 2 ** 20} MiB. Of Inspect, take the .eval log, which is read in parts; of ` +
        'others, split it.',
    );
  return readText(decode(await source.read(0, source.size), name), name);
}

/** Bytes in memory as a file that is read in parts. */
export const toByteSource = (bytes: Uint8Array): ByteSource => ({
  size: bytes.length,
  read: (from, length) => Promise.resolve(bytes.subarray(from, from + length)),
});
