export { Failure } from './failure.js';
