// How alike two texts are, from 0 to 1. Pure.
import { distance } from 'fastest-levenshtein';
import { toWords } from './textLength.ts';

export const SIMILARITY_MEASURES = ['levenshtein', 'rouge-l', 'chrf'] as const;
export type SimilarityMeasure = (typeof SIMILARITY_MEASURES)[number];

/** What each counts. */
export const SIMILARITY_NAMES: Readonly<Record<SimilarityMeasure, string>> = {
  levenshtein: 'edits (Levenshtein)',
  'rouge-l': 'words in order (ROUGE-L)',
  chrf: 'groups of letters (chrF)',
};

/** The share of characters that stay, of the longer text (Levenshtein 1966). */
const toEditSimilarity = (a: string, b: string): number => 1 - distance(a, b) / Math.max(a.length, b.length, 1);

/** The length of the longest common subsequence. */
function countCommon(a: readonly string[], b: readonly string[]): number {
  let above = new Uint32Array(b.length + 1);
  for (const word of a) {
    const line = new Uint32Array(b.length + 1);
    for (const [at, other] of b.entries())
      line[at + 1] = word === other ? (above[at] ?? 0) + 1 : Math.max(above[at + 1] ?? 0, line[at] ?? 0);
    above = line;
  }
  return above[b.length] ?? 0;
}

/** F1 of the longest common subsequence of words, without case (Lin 2004, aclanthology.org/W04-1013). */
function toRougeL(answer: string, expected: string): number {
  const [own, wanted] = [toWords(answer.toLowerCase()), toWords(expected.toLowerCase())];
  const common = countCommon(own, wanted);
  return common === 0 ? 0 : (2 * common) / (own.length + wanted.length);
}

const MAX_ORDER = 6;
const toLetters = (text: string): readonly string[] => [...text.replaceAll(/\s/gu, '')];

function countGroups(text: readonly string[], size: number): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (let at = 0; at + size <= text.length; at += 1) {
    const group = text.slice(at, at + size).join('');
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  return counts;
}

/** chrF2 of groups of 1 to 6 characters without white space, as sacreBLEU counts it (Popović 2015, aclanthology.org/W15-3049). */
function toChrf(answer: string, expected: string): number {
  const [own, wanted] = [toLetters(answer), toLetters(expected)];
  const orders = Math.min(MAX_ORDER, own.length, wanted.length);
  let [precision, recall] = [0, 0];
  for (let size = 1; size <= orders; size += 1) {
    const expectedGroups = countGroups(wanted, size);
    let matches = 0;
    for (const [group, count] of countGroups(own, size)) matches += Math.min(count, expectedGroups.get(group) ?? 0);
    precision += matches / (own.length - size + 1) / orders;
    recall += matches / (wanted.length - size + 1) / orders;
  }
  return precision + recall === 0 ? 0 : (5 * precision * recall) / (4 * precision + recall);
}

const MEASURES: Readonly<Record<SimilarityMeasure, (answer: string, expected: string) => number>> = {
  levenshtein: toEditSimilarity,
  'rouge-l': toRougeL,
  chrf: toChrf,
};

/** 1: equal in what the measure counts. */
export const toSimilarity = (measure: SimilarityMeasure, answer: string, expected: string): number =>
  MEASURES[measure](answer, expected);
