/** A size in whole mebibytes, rounded up: `5,120 MiB`. */
export const toMebibytes = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20).toLocaleString('en')} MiB`;
