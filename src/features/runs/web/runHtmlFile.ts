// A run's page as one HTML file: everything in it, nothing loaded, no scripts. Light and dark as the reader's system. Pure.
import { formatBytes, formatMeasure } from '#core/contract/numberNotation.ts';
import type { Note } from '#features/notes/shared/notes.ts';
import type { RunCheckpoint, RunFact, Run } from '#features/runs/shared/runs.ts';
import { toStateWord } from '#core/contract/statuses.ts';
import { toCountText } from '#ui/kit/format.ts';
import { toFactText, toSourceText } from './factText.ts';
import { toCertaintyText, toDateText, toProgressText, toTimeText } from './runWords.ts';

interface DocumentPicture {
  readonly title: string;
  /** Trusted: drawn by the page. Its colours are the variables below. */
  readonly svg: string;
  readonly words: string;
}

export interface RunDocumentInput {
  readonly run: Run;
  /** The folder of the runs on the machine of the service; null: not known. */
  readonly rootPath: string | null;
  readonly pictures: readonly DocumentPicture[];
  /** Metrics that have no picture here. */
  readonly leftOut: number;
  /** What people wrote about the run; null: nothing. Its text stays as it was typed. */
  readonly note: Pick<Note, 'name' | 'tags' | 'is_starred' | 'is_archived' | 'text'> | null;
  /** Unix milliseconds. */
  readonly savedAt: number;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');

/** As `styles.css` has them. */
const LIGHT =
  '--paper:#f6f6f4;--surface:#fff;--ink:#1b1d1f;--soft:#5c6166;--line:#e4e4e0;--series-1:#0b5fd0;--series-2:#c2410c;--error:#b3261e';
const DARK =
  '--paper:#121314;--surface:#191a1c;--ink:#e9eaeb;--soft:#a9aeb4;--line:#2a2c2f;--series-1:#7db3ff;--series-2:#ffa15c;--error:#ff9a92';

const STYLE = [
  `:root{color-scheme:light dark;${LIGHT}}`,
  `@media (prefers-color-scheme:dark){:root{${DARK}}}`,
  `@media print{:root{${LIGHT}}section,figure{break-inside:avoid}}`,
  'body{margin:0 auto;max-width:72rem;padding:1.5rem 1rem;background:var(--paper);color:var(--ink);',
  'font:14px/1.5 system-ui,sans-serif}',
  'h1{font-size:1.5rem;margin:0 0 .25rem;overflow-wrap:anywhere}h2{font-size:1rem;margin:0 0 .5rem}',
  'p{margin:.25rem 0;overflow-wrap:anywhere}.soft{color:var(--soft)}.bad{color:var(--error)}.note{white-space:pre-wrap}',
  'section{margin:1rem 0;padding:.75rem 1rem;background:var(--surface);border:1px solid var(--line);border-radius:8px}',
  '.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%}',
  'th,td{text-align:left;vertical-align:top;padding:.15rem 1rem .15rem 0;font-weight:400}td,.mono{overflow-wrap:anywhere}thead th{white-space:nowrap}',
  'tr+tr,tbody tr{border-top:1px solid var(--line)}thead th,.soft-col{color:var(--soft)}',
  'code,.mono{font-family:ui-monospace,monospace;font-size:.92em}',
  '.plots{display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(min(100%,26rem),1fr))}',
  'figure{margin:0;min-width:0}figure>svg{display:block;width:100%;height:auto}figcaption{color:var(--soft);font-size:.92em}',
].join('');

const toSection = (title: string, body: string): string => `<section><h2>${escape(title)}</h2>${body}</section>`;

/** `cells`: HTML. The first cell of a row is its head. */
function toTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((text) => `<th scope="col">${escape(text)}</th>`).join('');
  const body = rows
    .map(
      ([first = '', ...rest]) =>
        `<tr><th scope="row">${first}</th>${rest.map((cell) => `<td>${cell}</td>`).join('')}</tr>`,
    )
    .join('');
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

const toFactCell = ({ value, note, others = [] }: RunFact): string =>
  [
    `<span class="mono">${escape(toFactText(value))}</span>`,
    ...(note === undefined ? [] : [`<br><span class="soft">${escape(note)}</span>`]),
    ...others.map(
      (other) =>
        `<br>but <span class="mono">${escape(toFactText(other.value))}</span> from ${escape(toSourceText(other.source))}`,
    ),
  ].join('');

const toFacts = (facts: readonly RunFact[]): string =>
  toTable(
    ['Name', 'Value', 'Read from'],
    facts.map((fact) => [
      `<span class="mono">${escape(fact.name)}</span>`,
      toFactCell(fact),
      `<span class="soft">${escape(toSourceText(fact.source))}</span>`,
    ]),
  );

function toCheckpointRow({
  path,
  step,
  kind,
  bytes,
  is_complete,
  is_best,
  measures,
  saved_at,
}: RunCheckpoint): readonly string[] {
  const measured = Object.entries(measures).map(([name, value]) => `${name} ${formatMeasure(value)}`);
  return [
    step === null ? 'final' : toCountText(step),
    `<span class="mono">${escape(path)}</span>`,
    `${escape(kind)}${is_complete ? '' : ' <span class="bad">not complete</span>'}${is_best ? ' · best' : ''}`,
    formatBytes(bytes),
    measured.length === 0 ? '<span class="soft">not measured</span>' : escape(measured.join(', ')),
    saved_at === null ? 'unknown' : toDateText(saved_at),
  ];
}

function toNote({ run, note }: RunDocumentInput): string {
  if (note === null) return '';
  const words = [
    note.is_starred ? 'starred' : '',
    note.is_archived ? 'archived' : '',
    note.tags.length > 0 ? `tags: ${note.tags.join(', ')}` : '',
    note.name === null ? '' : `renamed from ${run.label}`,
  ].filter((each) => each !== '');
  const about = words.length === 0 ? '' : `<p class="soft">${escape(words.join(' · '))}</p>`;
  const body = `${about}${note.text === '' ? '' : `<p class="note">${escape(note.text)}</p>`}`;
  return body === '' ? '' : toSection('Notes', body);
}

function toState({ run, rootPath, savedAt }: RunDocumentInput): string {
  const path = rootPath === null ? run.folder : `${rootPath.replace(/\/$/, '')}/${run.folder}`;
  const progress = toProgressText(run);
  return [
    `<p><strong>${escape(toStateWord(run.status, run.status_cause))}</strong> · ${escape(run.status_reason)} `,
    `<span class="soft">${escape(toCertaintyText(run))}</span></p>`,
    progress === null ? '' : `<p>${escape(progress)}</p>`,
    `<p class="soft">${escape(toTimeText(run, savedAt))}</p>`,
    `<p class="mono">${escape(path)}</p>`,
    ...run.problems.map((problem) => `<p class="bad">${escape(problem)}</p>`),
  ].join('');
}

/** The whole file. */
export function toRunDocument(input: RunDocumentInput): string {
  const { run, pictures, leftOut, note, savedAt } = input;
  const name = note?.name ?? run.label;
  const figures = pictures.map(({ svg, words, title }) => {
    const named = svg.replace('<svg ', `<svg role="img" aria-label="${escape(title)}" `);
    return `<figure>${named}<figcaption>${escape(words)}</figcaption></figure>`;
  });
  const sections = [
    toNote(input),
    toSection('State', toState(input)),
    ...(figures.length === 0 ? [] : [toSection('Curves by step', `<div class="plots">${figures.join('')}</div>`)]),
    ...(leftOut === 0 ? [] : [`<p class="soft">${leftOut} more metrics are in the studio.</p>`]),
    ...(run.facts.length + run.summary.length === 0
      ? []
      : [toSection('Facts', toFacts([...run.facts, ...run.summary]))]),
    toSection(
      'Saved weights',
      run.checkpoints.length === 0
        ? '<p class="soft">No saved weights were found in its folder.</p>'
        : toTable(['Step', 'Path', 'Weights', 'Size', 'Measures', 'Saved'], run.checkpoints.map(toCheckpointRow)),
    ),
    ...(run.parameters.length === 0 ? [] : [toSection('Settings', toFacts(run.parameters))]),
    ...(run.parts.length < 2
      ? []
      : [toSection('Parts', `<ol>${run.parts.map((part) => `<li class="mono">${escape(part)}</li>`).join('')}</ol>`)]),
    ...(run.environment.length === 0 ? [] : [toSection('Environment', toFacts(run.environment))]),
  ];
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    // Whatever a file of the run holds, this page runs nothing and asks nobody.
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escape(name)} · Model Studio</title><style>${STYLE}</style></head><body><main>`,
    `<h1>${escape(name)}</h1>`,
    `<p class="soft">A run as its files told it on ${toDateText(savedAt)}. Id <span class="mono">${escape(run.id)}</span></p>`,
    ...sections,
    '</main></body></html>\n',
  ].join('\n');
}

/** A file name for every system: the label's letters and digits. */
export const toDocumentName = (label: string): string =>
  `${
    label
      .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
      .replaceAll(/^[-.]+|[-.]+$/g, '')
      .slice(0, 100) || 'run'
  }.html`;
