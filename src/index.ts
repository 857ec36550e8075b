export { Failure } from './failure.js';
export type { RunResult } from './result/result.js';
export type { Plan } from './scenario/plan.js';
