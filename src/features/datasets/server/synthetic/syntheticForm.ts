// The form of POST .../datasets/create-synthetic: fields that may come several times, and files whose text is read.
import type { IncomingMessage } from 'node:http';
import { newSyntheticSchema, type NewSynthetic } from '#features/datasets/shared/contract/synthetic.ts';
import { SYNTHETIC_LIMITS } from '#features/datasets/shared/syntheticLimits.ts';
import { readBytes } from '#service/http/body.ts';
import { toParsed } from '#service/http/endpointRoute.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import type { MemoryBudget } from '#service/http/memoryBudget.ts';

export interface SyntheticOrder extends NewSynthetic {
  /** The texts of the files. */
  readonly texts: readonly string[];
}

const LISTS = ['rules', 'example_questions', 'example_answers', 'youtube_urls', 'website_urls'] as const;

const refuse = (message: string, param: string | null, code = 'invalid_request'): HttpProblem =>
  new HttpProblem(400, message, { param, code });

/** What the studio can't read. The SDK of the hosted studio sends the files again after a 5xx, unless a header says no. */
const missing = (message: string, param: string, code: string): HttpProblem =>
  new HttpProblem(501, message, { param, code, headers: { 'x-should-retry': 'false' } });

async function readText(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const name = file.name.slice(0, 100);
  if (String.fromCharCode(...bytes.subarray(0, 5)) === '%PDF-')
    throw missing(
      `${name} is a PDF, which this studio does not read. Send its text, such as that of "pdftotext FILE".`,
      'files',
      'pdf_not_read',
    );
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Said below, as of other bytes that are no text.
  }
  throw refuse(`${name} is no text in UTF-8. Send text, Markdown or JSONL.`, 'files', 'not_text');
}

async function parseForm(bytes: Buffer, type: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'Content-Type': type } }).formData();
  } catch {
    throw refuse('The form can not be read. Send multipart/form-data, as the reference says.', null, 'invalid_upload');
  }
}

/** Throws HttpProblem: 400, 413, 415, 429; 501 for what is not read here. The bytes are released from `budget` at the end. */
export async function readSyntheticForm(incoming: IncomingMessage, budget: MemoryBudget): Promise<SyntheticOrder> {
  const type = incoming.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type))
    throw new HttpProblem(415, 'The request is not declared as a form. Send multipart/form-data.', {
      code: 'unsupported_media_type',
    });
  const bytes = await readBytes(incoming, SYNTHETIC_LIMITS.bytes, { budget });
  try {
    const form = await parseForm(bytes, type);
    const fields: Record<string, unknown> = {};
    const files: File[] = [];
    for (const [name, value] of form) {
      const plain = name.replace(/\[\d*\]$/, '');
      if (typeof value === 'string' && plain === 'files')
        throw refuse('files must be parts with a file, not text.', 'files');
      if (typeof value !== 'string' && plain !== 'files')
        throw refuse(`The part ${name.slice(0, 100)} is a file. Send files as files[].`, 'files');
      if (typeof value !== 'string') files.push(value);
      else if (LISTS.some((list) => list === plain)) fields[plain] = [...((fields[plain] as string[]) ?? []), value];
      else if (value !== '' && fields[plain] !== undefined)
        throw refuse(`The form has ${plain.slice(0, 100)} twice. Send it once.`, plain.slice(0, 100));
      else if (value !== '') fields[plain] = value;
    }
    const order = toParsed(newSyntheticSchema, fields);
    for (const [param, what] of [
      ['youtube_urls', 'videos'],
      ['website_urls', 'web sites'],
    ] as const)
      if ((order[param] ?? []).length > 0)
        throw missing(`This studio fetches no ${what}. Send their text as files.`, param, 'not_fetched');
    const { example_questions = [], example_answers = [] } = order;
    if (example_answers.length > example_questions.length)
      throw refuse('Each of example_answers needs its question in example_questions.', 'example_answers');
    if (files.length > SYNTHETIC_LIMITS.files)
      throw refuse(`The form has more than ${SYNTHETIC_LIMITS.files} files. Join some.`, 'files');
    const texts = (await Promise.all(files.map(readText))).filter((text) => text.trim() !== '');
    return { ...order, texts };
  } finally {
    budget.release(bytes.length);
  }
}
