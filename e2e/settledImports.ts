// After each test file, code that its parts still load lazily arrives: an import that is left fails the file after it.
import { afterAll, vi } from 'vitest';

afterAll(() => vi.dynamicImportSettled());
