import { ensureBuilt } from './ready.mjs';

ensureBuilt();
