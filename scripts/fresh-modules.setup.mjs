// Before each test file that shares its process with others: our modules begin anew, so that nothing is left of what
// another file had them keep (secrets, which results were read).
import { vi } from 'vitest';

vi.resetModules();
