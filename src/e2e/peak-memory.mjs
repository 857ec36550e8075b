// Loaded before a program (node --import): writes the most memory that it ever held to a file when it ends.
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  writeFileSync(process.env['PEAK_MEMORY_FILE'], String(process.resourceUsage().maxRSS * 1024));
});
