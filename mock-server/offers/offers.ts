import type { MockConfig } from '../config/config.js';
import type { CompletionsConfig } from '../config/offers-config.js';
import { PromptShelf } from './prompt-shelf.js';
import { ResourceShelf } from './resource-shelf.js';
import type { ToolBox } from '../tools/tool-box.js';

/** All that a server has to offer. */
export interface Offers {
  readonly tools: ToolBox;
  readonly resources: ResourceShelf;
  readonly prompts: PromptShelf;
  readonly completions: CompletionsConfig;
}

/** What the configuration offers. */
export function offersOf(config: MockConfig, tools: ToolBox): Offers {
  return {
    tools,
    resources: new ResourceShelf(config.resources),
    prompts: new PromptShelf(config.prompts),
    completions: config.completions,
  };
}
