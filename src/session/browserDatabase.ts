// What all that is kept in the browser's IndexedDB has in common: opening, reading, writing. It must not know what is kept.

export function toPromise<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('The database gave no reason.')));
  });
}

/** Rejects where the browser allows no database. */
export function openDatabase(name: string, stores: readonly string[]): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.addEventListener('upgradeneeded', () => {
      for (const store of stores) request.result.createObjectStore(store);
    });
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('The database could not be opened.')));
    request.addEventListener('blocked', () => reject(new Error('Another tab holds an older version of the database open.')));
  });
}

/** Writes in one transaction; resolves when it is on its way to disk, rejects (QuotaExceededError) with nothing written. */
export function writeAtOnce(database: IDBDatabase, stores: readonly string[], write: (transaction: IDBTransaction) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction([...stores], 'readwrite', { durability: 'relaxed' });
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('The database undid the write.')));
    write(transaction);
    // Does not wait for this script to become idle, so that a write still gets out while the page is being closed.
    transaction.commit();
  });
}
