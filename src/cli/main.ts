#!/usr/bin/env node
import module from 'node:module';
import { packageVersion } from '../version.js';
import { tellBug } from './tell.js';

// Only this file ends the process. The version is answered before anything else is loaded: package managers and CI ask for nothing but that.
const argv = process.argv.slice(2);
// What nobody foresaw may have a server's words in it, too.
process.on('uncaughtException', (error) => {
  tellBug(error);
  process.exit(1);
});
if (argv.length === 1 && argv[0] === '--version') console.log(packageVersion());
else {
  // Most of a start is compiling what was compiled at the last one; Node keeps it in the system's folder for temporary files.
  // (From Node 22 on; what we compile against is 20.)
  (module as { enableCompileCache?: () => void }).enableCompileCache?.();
  process.exitCode = await (await import('./command-line.js')).runCommandLine(argv);
}
