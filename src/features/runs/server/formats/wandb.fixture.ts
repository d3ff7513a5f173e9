// For tests: `.wandb` files. Two were recorded from wandb 0.30.0 in offline mode; the rest are made here, block by block.
import { Buffer } from 'node:buffer';
import { crc32, gunzipSync } from 'node:zlib';

const unpack = (text: string): Uint8Array => new Uint8Array(gunzipSync(Buffer.from(text, 'base64')));

/** A run that logged three rows, an evaluation and the Trainer's summary, and ended by itself. */
export const FINISHED_FOLDER = 'wandb/offline-run-20261123_025715-2ovsb1x2';
export const FINISHED_LOG = `${FINISHED_FOLDER}/run-2ovsb1x2.wandb`;
export const finishedLog = (): Uint8Array => unpack(FINISHED);

/** The same run, which ended with a ValueError after its evaluation. */
export const FAILED_FOLDER = 'wandb/offline-run-20261123_025718-mhr8iepi';
export const FAILED_LOG = `${FAILED_FOLDER}/run-mhr8iepi.wandb`;
export const failedLog = (): Uint8Array => unpack(FAILED);

const BLOCK = 32_768;
const HEADER = [0x3a, 0x57, 0x26, 0x42, 0xe1, 0xbe, 0x00];

/** A file with these records, cut into the chunks of LevelDB's log. */
export function toWandbFile(records: readonly Uint8Array[]): Uint8Array {
  const parts: Uint8Array[] = [Uint8Array.from(HEADER)];
  let length = HEADER.length;
  const add = (part: Uint8Array): void => {
    parts.push(part);
    length += part.length;
  };
  for (const record of records) {
    let at = 0;
    do {
      const rest = BLOCK - (length % BLOCK);
      if (rest < 7) add(new Uint8Array(rest));
      const end = Math.min(record.length, at + BLOCK - (length % BLOCK) - 7);
      const isLast = end === record.length;
      const type = at === 0 ? (isLast ? 1 : 2) : isLast ? 4 : 3;
      const body = Buffer.concat([Uint8Array.of(type), record.subarray(at, end)]);
      const head = Buffer.alloc(6);
      head.writeUInt32LE(crc32(body), 0);
      head.writeUInt16LE(end - at, 4);
      add(head);
      add(body);
      at = end;
    } while (at < record.length);
  }
  return new Uint8Array(Buffer.concat(parts));
}

type Content = Uint8Array | string | number;

const toVarint = (value: number): number[] => {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return [...bytes, Number(rest)];
};

/** A message of these fields: numbers as varints, texts and messages by length. */
export function toMessage(fields: readonly (readonly [number: number, content: Content])[]): Uint8Array {
  const bytes = fields.flatMap(([number, content]) => {
    if (typeof content === 'number') return [...toVarint(number * 8), ...toVarint(content)];
    const body = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    return [...toVarint(number * 8 + 2), ...toVarint(body.length), ...body];
  });
  return Uint8Array.from(bytes);
}

const toItems = (items: Readonly<Record<string, unknown>>) =>
  Object.entries(items).map(
    ([key, value]) =>
      [
        1,
        toMessage([
          ...(key.includes('>') ? key.split('>').map((part) => [2, part] as const) : [[1, key] as const]),
          [16, typeof value === 'string' ? value : JSON.stringify(value)],
        ]),
      ] as const,
  );

/** Values that are texts are JSON already; a key with `>` is nested. */
export const historyRecord = (row: Readonly<Record<string, unknown>>, step: number): Uint8Array =>
  toMessage([[2, toMessage([...toItems(row), [2, toMessage([[1, step]])]])]]);

/** What only the summary has, and the last values of rows. */
export const summaryRecord = (values: Readonly<Record<string, unknown>>): Uint8Array =>
  toMessage([[3, toMessage(toItems(values))]]);

/** `define_metric(name, step_metric=...)`; a name with `*` is a glob. */
export const metricRecord = (name: string, stepMetric: string): Uint8Array =>
  toMessage([[12, toMessage([[name.includes('*') ? 2 : 1, name], ...(stepMetric ? [[4, stepMetric] as const] : [])])]]);

export const configRecord = (config: Readonly<Record<string, unknown>>): Uint8Array =>
  toMessage([[5, toMessage(toItems(config))]]);

export const runRecord = (fields: readonly (readonly [number: number, content: Content])[]): Uint8Array =>
  toMessage([[17, toMessage(fields)]]);

export const exitRecord = (code: number, isOpen = false): Uint8Array =>
  toMessage([[18, toMessage([...(code === 0 ? [] : [[1, code] as const]), ...(isOpen ? [[3, 1] as const] : [])])]]);

const FINISHED =
  'H4sIAAAAAAACA91XXWzTVhTuTdOS3qYldUtbvK4E81NoiOOf2Em6P9btZahjjGkaYg+enTg/JbGD47TpqkqQjQkxhKZtTwNpPw/TgG1CExIDTQiN' +
  'B0BiDNgQm4aE+oI2HoDtAXjbjpNCY9qSoO2B8WLZvuc73znfOff4euC15YOTR+uCt3ZtfbEOudD3boxdnD6SU9gCtw89gSM4wNA8QzM+VVCjkVg0' +
  'wvFijJWDcUWJxNVQlAlFBEWJRmPxOKsyaihENDJ0CACHfacuf4iQy1FErZQ7GXlzs54bicmxTWkbyQ50wzH9RDqzqpmjtjhwC26URmUtphSRY3wC' +
  'L8JYz5vZvCnFUkYReSg6UH7OBaIyIHA3bkmrsqGltIRkyKZaRBAHwzAc7sQeLZ+RTENOaZKa1aPJXBEhHntwU0YuSDlTzcILh58Fy6ZkXpFMfZOq' +
  'FZGLSsYlWYlSmMRt2XwuCQtSxbpTy6fTwOsy8pqkyRmgbKasYLxp3ZApvAS3lF5LuiFlZTNZRG3Uy6OqFrAuvJ+hxUEKd2G3qufKLqVUDKJmBVYM' +
  'CpwzK6eMwaa7/tY7S9cG0xjzcsOOkcwO5HbtvLjrl0bP7SvXdqGP0EqyyYuSqIC2IEQ18jTL0qH+xnL1ht3plJYv+AthURKDb/Uc4I5BuevPoyMI' +
  '+4ZKSyLNhulg0B+P+keEiDBl6h9NmUl/Ip1SohzNi0Trc+vGzKSuecv+Sbfr3VIMZ7d/sLeeaw+YmWygpHT5SmfHBlx37gbv3m1EtAIpGGSF/Yiq' +
  'jQQUuMmWCI64vUkmGuaMbCGvFuJ6XiwMh4zRhJjQE+HhYFTRQx/fPDO5AtJwnkdLajC/0rPuLxLMG7hO3IE9hro5nzLUjKqZOdosmN3oy5X7IwNg' +
  '0Ghr0I216/r835sWj4CDeTYH/SqO4uasGjelqK7FU4kiemWciqlxOZ82qYFxqrRkjmVVaoAaemn9s9QqyqAGWHEVpcg5VcroMTVt6ySwu7eRJibO' +
  '7RninwRylz16H9nsReHa4k8UDpYEbbK5ULpwW7lEibSuyOnSjuEc3SgS2y08A+bYzkiTrRWM7zmrkF7nVrN+8NJsJ+0hUD81C6/ThboR+9mBVwOA' +
  'cSs+jMs2aT2Xm83e4UIDdWvgug65f9t6LQioFoXB86csDTkmabqRqQK9+cbmyTBAW5Ugbp8irJw2VeC+2DsdDMDnK6twc9myNIiqwDbMi3I+gHnI' +
  'PryAmJqHxDyYN2bKGjeIwa3YJVU8rx68dOY0INrIEwh3ERVrGITnwkEuzLO4mWgocZU8EESFgkVUz9ECIO/VBxYYWOglZst+eta2EZXpgX8WdxMz' +
  'k4RxyzJ4GYElK7icKWfgVSe0SEQIMpzIizwvBAWWVX1M5OCajdvOQEoEcQr9a2cPhyZEnW/nBmxVtr3myvYO7Z/8ARAd5Ek0Iz52rvjWymurxMfO' +
  'jI+bS2aumswiz4VLMndXytxsyRxhOIbng5U6s+ye7cPnIKcFxOlHJicCdu7Rto5Bq7qdNVd3i/NU6CQgusjjCLfblXDCeeo+7bdwDimAZIYK/Fwq' +
  '8AxealdhgU0FkREic4nABpkQz1WKwN26/dQhawx1EycehXSgpg73eP4qCyktVPxwZBuR04EpXJUZXni6SaABRyr9uKmEq+FLtefb4/VWAz1WcwO5' +
  'Pbsvfg2IHnIvwp3ENBOcY1+AQ4eWMsdwB2GLfGqTPZCs990rosAJ3Fy6BkPhSNi2V/hLCvH2NxD048RXyLbwMGcAzVDvcny3WIDAexUWeyqOu1IN' +
  'tVV+OnfdOkosmj5KlLG19RMbOr3NovZWUOsmGMaBuwrWGa773GqrxTW31RefTv54ARAUedZWoSDuIWYLHrY3a30sSWJGbEXUAJ9g1trhMySzYLQQ' +
  '/i8LGRZD/OyF5BlWZLlw6PX05ZO/Qm5LiJ/R/yLgBygANKlzfbz3T+uHYKntYD3scyHizp/jscN/fILIheN9Nh99A94+y0nfxNlGzbsUXCyzu2iv' +
  'cPH71RvgAmH3vrWjVm8tr7m3LhzSmjEg+kCdFeh9VPcPOU4xuo0QAAA=';
const FAILED =
  'H4sIAAAAAAACA91WW2wUZRTm3y1l+3cp7VDasiIMUy5ttzs7M3tfELVeEgWRiwrhgWFm9t/ulNnZZWa2lxAi7gMPhBBAjMYIKkgIBg3eTROJAQWM' +
  'aIDEgMEYmxgeQIjRBB8U49nd0u5AS/uAlzgPk5n5z3e+c77zn39OfNW8joGjEzy/GTufmIBc6JgbY1c6ZURVklXfRAtwDPs5NsCxnJeEiBJLKDEh' +
  'EE7wUjApy7EkiShcJBaSZUVJJJM84UgkQlVybAQA+7lL7+1GyOXIoxrGzWthM5cNcgEllbORbEU/O4bfPBVZYpnMZgeejCvFHklPyHnk2LgJz8I4' +
  'k7OyOUtMqEYe1TKsv/Ru+hUJELgJT9aIZOiq3ikakkXyCOLgOE7ADbhWz6VFy5BUXSTZjJIy8wgFcC2uSku9ommRLHxw+HiwrErlZNHKrCd6HrmY' +
  'VFKUZIXBHlyXzZkpWBDL1iv0nKYBr8vI6aIupYGymikEQ2sZQ2JwM55c/CxmDDErWak8qmOW9xDdX7gFfBwb7mBwI3aTjFlyKaoJiJoP8eFgSKjI' +
  'SqrRUTXkb0VF8T7RMvpoocvRnd6K3K7t57dfqKw9suedD5wvo1ZPFY1SqBdtRoipDLA8z0baKkvV63Jrqp7r9fVGw2I4uO/ZD7cdh3I7z6FPEPYu' +
  'KS6FWT7KBoO+pOLrDsVCg6a+HtVK+To1VVYENhCmah5a1melMjpd8u+5GcOF508cdrShXmGq30pn/UWxS3c22xd33XzqGHpag1gZsjA8ZfbdRO/2' +
  'y/CQLXL0u2mVyCaXVjtj6/lkZzCyIdqTs7qTlppJZGJdJNp1pr/hRgtkUnEONY/D/NKMZb94wHyi0IDrca1BNuRUg6SJbpms1Ws1oZf6974YB4NK' +
  '2x5dM35pr35+OdQNDibZHLQRrODqLElaopLRk2pnHq3cyCRIUsppFhPfyBSXrL4sYeLMkidXPMi0MwYT58PtjCyZRExnEkSzbSawu3Uvbdp01blu' +
  'YCGQu+zRez3VNIqOL/7XdxzbVRC0yuZCbsR1pRJ1ahlZ0opNIziaUGv+ynf3gzm2M7KemjLGHRVjkO7uPVLrAy/VdtIZFGpjRuCtcKEmxO878rQf' +
  'MG7Zi3HJRsuY5kj2DheKT3gc7suQ++Jz14KAmixzeMqgpSElRD1jpMeAXl+3YSAK0Bo5iKcOEpYfOGPAvYkt9RzAp8jtuLpkWTyLxoCtnqQIXoDV' +
  'eubjadTgkUhNgiPHUgsnDuJwDXaJZe+zL174/TQg6jwnEW6ibncPZx3P4TkUFgsQ05LS8GkaFCcWCnJCOBCNRbigECVeLgb4Mt/VULhgKBYNhUMx' +
  'XE1NHPQGIVBUWQnyyCmwIdxI3SowLHCwMJMaSb7h87qOKtcH/POvrl2y+GtIiaK+QH831z8kGTXBu201LlR26rgr62qa9sZXgKj3nLpdBn40GZZK' +
  'S8eQgb9dBmE0GQQOz7XL0GCTgQ+FAuFRdAhHI9FQMFiuAz971T7pLOQ0jTqN7q7nf08hCjr3aF19R6G6DeOuLv9j7flTgGj0HEe30wVGowuMURAB' +
  'wi/J1lguGy7IFgkHIpxtXwp4ql21Chjm7tBf00eRDXFb9gwsLhxDTdTJ/0M6UFPH1QeOYRZSmi634SrSLWnj+eOklh48zAPII/tg1CuABoMeA/fK' +
  'x8edhQ10z7g3UM/AdeFtQMzwHEK4gRqOEEbZx2Do0FWrD9dTtiAG2+Iu1icaDURG6dKoEOShV8sLFFh+cOXedyHoe6m3kG3hv5wBbAbnuW33+R+G' +
  'wGfaZpauAHVzIn7tyqEzTk/zU4akEFlS1tMt6Yxp0QZRYNykFUnTaE0yrdY4/uPyl3/OAlez7K5qhlyd+uGzM84XJn7UfgKsaLvV+2iY8dxFYNyP' +
  'aPpRVSM0M8IkzrTTMHgRmufaaVWnF8JgmdPIIkzDpSZpjegtZp/JSkZndyu9iObjNABNQj8jaTnyiGFkjJb5spSgZclSUvNbi7iRr7V3uvDx7yO/' +
  'FlKePVrKnx796Yzz/IK68xGwYuxW84asjvTfgIwbhqOL00PRYW//Uq7A0Twax+Y92846dx5Ycq3QZ3PG3WfffHvA7QbEXNhMLWgXgnb9C9+kUEZH' +
  'DwAA';
