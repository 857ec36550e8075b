// Bundles the modules of a run's worker thread: loading ninety files took two fifths of the CPU of a thread's start.
// The bundle replaces the compiled entry; packages and Node's own modules stay imports.
import { join } from 'node:path';
import { build } from 'vite';
import { root } from './ready.mjs';

const folder = join(root, 'dist', 'src', 'run');

await build({
  configFile: false,
  root,
  logLevel: 'warn',
  build: {
    ssr: join(folder, 'worker.js'),
    outDir: folder,
    emptyOutDir: false,
    copyPublicDir: false,
    minify: false,
    target: 'node20',
    rollupOptions: {
      output: { entryFileNames: 'worker.js', chunkFileNames: 'worker-[name].js', format: 'es' },
    },
  },
});
