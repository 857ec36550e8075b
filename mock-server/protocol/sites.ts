import type { MockConfig } from '../config/config.js';
import { classic } from './dialects/classic.js';
import { dialectNames } from './dialects/dialect.js';
import type { Dialect, DialectName } from './dialects/dialect.js';
import { pymcp } from './dialects/pymcp.js';
import { rmcp } from './dialects/rmcp.js';
import { serena } from './dialects/serena.js';
import { workspace } from './dialects/workspace.js';
import { presets } from './presets.js';
import { Site } from './site.js';
import { plainWire } from './plain-wire.js';

const dialects: Record<DialectName, Dialect> = { classic, rmcp, serena, workspace, pymcp };

/** A dialect by its name. */
export function dialectOf(name: DialectName): Dialect {
  return dialects[name];
}

/** The sites that a configuration asks for: one at the root, or all of them under their names. */
export function sitesOf(config: MockConfig): Site[] {
  const preset = config.like ? presets[config.like] : undefined;
  if (config.dialect === 'all')
    return dialectNames.map((name) => {
      const { wire } = dialects[name];
      return new Site(dialects[name], { ...plainWire, ...wire, ...config.wire }, `/${name}`);
    });
  const dialect = dialects[config.dialect ?? preset?.dialect ?? 'classic'];
  return [new Site(dialect, { ...plainWire, ...dialect.wire, ...preset?.wire, ...config.wire }, '')];
}
