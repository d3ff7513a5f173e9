// Cuts a stream of bytes into lines. Bounded: the rest of a line that is too long is dropped.
import { StringDecoder } from 'node:string_decoder';
import { MAX_LINE } from '#trainer/protocol/trainerProtocol.ts';

export interface LineCutter {
  push(bytes: Buffer): void;
  /** The last line, which may have no end. */
  end(): void;
}

/** What a terminal would show of a line: a progress bar writes over itself with carriage returns. */
function toShown(line: string): string {
  const text = line.replace(/\r+$/, '');
  return text.slice(text.lastIndexOf('\r') + 1);
}

export function openLineCutter(onLine: (line: string) => void): LineCutter {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  /** The line is longer than what is kept of it. */
  let isFull = false;
  const add = (text: string): void => {
    if (isFull) return;
    rest += text;
    if (rest.length <= MAX_LINE) return;
    rest = toShown(rest).slice(0, MAX_LINE);
    isFull = rest.length === MAX_LINE;
  };
  const finish = (): void => {
    const line = toShown(rest);
    rest = '';
    isFull = false;
    onLine(line);
  };
  const take = (text: string): void => {
    let from = 0;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
      add(text.slice(from, at));
      finish();
      from = at + 1;
    }
    add(text.slice(from));
  };
  return {
    push: (bytes) => take(decoder.write(bytes)),
    end() {
      take(decoder.end());
      if (rest !== '') finish();
    },
  };
}
