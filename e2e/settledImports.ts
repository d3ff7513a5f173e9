// Waits after each test file for lazy imports: one that is still loading would fail the next file.
import { afterAll, vi } from 'vitest';

afterAll(() => vi.dynamicImportSettled());
