// Follows the visit to one project: keeps what was on the screen, and begins a new visit after a long absence. Loaded
// after the tree is shown.
import type { TreeNode } from '#core/contract/projectReader.ts';
import type { Database } from '#ui/storage/browserDatabase.ts';
import { HIDDEN_MS, REOPEN_MS, toSeenProject, toVisit, type Visit } from './visitChanges.ts';
import { openVisitDatabase, readVisit, writeVisit, writeVisitTime } from './visitDatabase.ts';
import { keepPreviousVisit } from './visitStore.ts';

/** Well below REOPEN_MS, so that a second tab goes on with the visit of the first. */
const SIGN_MS = 20_000;
/** Answers may follow each other quickly, and a record of 20,000 nodes takes some 10 ms. */
const PAUSE_MS = 1_000;

/** The parts of the document that are used. */
type Page = Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>;

export interface VisitTracker {
  /** The project as the last answer has it. */
  readonly see: (project: TreeNode) => void;
  readonly stop: () => void;
}

class Tracker implements VisitTracker {
  private visit: Visit | null = null;
  private stored: TreeNode | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private signs: ReturnType<typeof setInterval> | null = null;

  constructor(
    private readonly database: Database,
    private project: TreeNode,
    private readonly page: Page,
  ) {}

  follow(): void {
    this.signs = setInterval(() => this.keep(), SIGN_MS);
    this.page.addEventListener('visibilitychange', this.onVisibility);
  }

  /** Continues the stored visit if its last sign is at most `gap` ms old; else begins one. */
  async begin(gap: number): Promise<void> {
    const stored = await readVisit(this.database, this.project.id);
    this.visit = toVisit(stored, toSeenProject(this.project, Date.now()), gap);
    this.stored = null;
    keepPreviousVisit(this.project.id, this.visit.previous);
    if (this.page.visibilityState === 'visible') this.keep();
  }

  readonly see = (project: TreeNode): void => {
    this.project = project;
    if (this.page.visibilityState === 'visible') this.timer ??= setTimeout(() => this.keep(), PAUSE_MS);
  };

  readonly stop = (): void => {
    this.keep();
    if (this.signs !== null) clearInterval(this.signs);
    this.page.removeEventListener('visibilitychange', this.onVisibility);
  };

  /** Writes what is on the screen, or if it is stored already the time alone. Nobody sees a hidden page. */
  private keep(isLeaving = false): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const { visit, project, database } = this;
    if (visit === null || (this.page.visibilityState !== 'visible' && !isLeaving)) return;
    const at = Date.now();
    if (project === this.stored) {
      void writeVisitTime(database, project.id, at).catch(() => undefined);
      return;
    }
    this.stored = project;
    this.visit = { ...visit, seen: toSeenProject(project, at) };
    // Without storage the next visit compares with an older one.
    void writeVisit(database, project.id, this.visit).catch(() => undefined);
  }

  private readonly onVisibility = (): void => {
    if (this.page.visibilityState === 'hidden') this.keep(true);
    else void this.begin(HIDDEN_MS).catch(() => undefined);
  };
}

/** Rejects if the browser forbids databases. */
export async function startVisit(project: TreeNode, page: Page = document): Promise<VisitTracker> {
  const tracker = new Tracker(await openVisitDatabase(), project, page);
  await tracker.begin(REOPEN_MS);
  tracker.follow();
  return tracker;
}
