import type { MockConfigInput } from './config.js';

type Tools = NonNullable<MockConfigInput['tools']>;
type Question = NonNullable<Tools[string]['input']>[number]['requests'][string];

// The smallest there are: a red pixel, and a second of nothing at no samples.
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const silence = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const text = (words: string) => ({ type: 'text', text: words });
const image = { type: 'image', data: pixel, mimeType: 'image/png' };
const pause = { wait: '50ms' };

function form(message: string, properties: Record<string, object>): Question {
  const requestedSchema = { type: 'object', properties, required: Object.keys(properties) };
  return { method: 'elicitation/create', params: { message, requestedSchema } as never };
}

function prompt(words: string, maxTokens: number): Question {
  const messages = [{ role: 'user', content: text(words) }];
  return { method: 'sampling/createMessage', params: { messages, maxTokens } };
}

const roots: Question = { method: 'roots/list', params: {} };
const name = { name: { type: 'string' } };
const confirm = form('Please confirm', { ok: { type: 'boolean' } });

const plainTools: Tools = {
  test_simple_text: {
    description: 'Returns a simple text.',
    content: [text('This is a simple text response for testing.')],
  },
  test_image_content: { description: 'Returns an image.', content: [image] },
  test_audio_content: {
    description: 'Returns a sound.',
    content: [{ type: 'audio', data: silence, mimeType: 'audio/wav' }],
  },
  test_embedded_resource: {
    description: 'Returns an embedded resource.',
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  },
  test_multiple_content_types: {
    description: 'Returns content of several types.',
    content: [
      text('Multiple content types test:'),
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  },
  test_error_handling: {
    description: 'Always fails.',
    fails: 'This tool intentionally returns an error for testing',
  },
  test_custom_header: {
    description: 'Has an argument that is repeated in a header.',
    inputSchema: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
      required: ['region'],
    },
    content: [text('Region: {{arguments.region}}')],
  },
  json_schema_2020_12_tool: {
    description: 'Has a schema with keywords of JSON Schema 2020-12.',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    content: [text('ok')],
  },
};

const talkingTools: Tools = {
  test_tool_with_logging: {
    description: 'Logs three messages before it answers.',
    steps: [
      { log: 'Tool execution started' },
      pause,
      { log: 'Tool processing data' },
      pause,
      { log: 'Tool execution completed' },
    ],
    content: [text('Tool with logging executed')],
  },
  test_logging_tool: {
    description: 'Logs a message before it answers.',
    steps: [{ log: 'Logging evaluated' }],
    content: [text('Logging evaluated')],
  },
  test_tool_with_progress: {
    description: 'Reports progress three times before it answers.',
    steps: [
      { progress: 0, total: 100 },
      pause,
      { progress: 50, total: 100 },
      pause,
      { progress: 100, total: 100 },
    ],
    content: [text('Tool with progress executed')],
  },
  test_reconnection: {
    description: 'Ends its stream before it answers, where streams can be resumed.',
    steps: [{ disconnect: true }, pause],
    content: [text('Reconnection test completed successfully')],
  },
  test_missing_capability: {
    description: 'Needs a client that can sample.',
    requires: { sampling: {} },
    content: [text('The client can sample')],
  },
  test_trigger_tool_change: {
    description: 'Says that the list of tools has changed.',
    steps: [{ announce: 'tools' }],
    content: [text('Tools changed')],
  },
  test_trigger_prompt_change: {
    description: 'Says that the list of prompts has changed.',
    steps: [{ announce: 'prompts' }],
    content: [text('Prompts changed')],
  },
};

const completed = [
  text('Elicitation completed: action={{input.form.action}}, content={{input.form.content}}'),
];
const single = ['option1', 'option2', 'option3'];
const titled = (titles: Record<string, string>) =>
  Object.entries(titles).map(([value, title]) => ({ const: value, title }));

/** One round of questions, which a client without sessions answers by asking again; with a state that it has to bring back. */
const once = (requests: Record<string, Question>) => [{ requests }];
const proven = (requests: Record<string, Question>) => ({ requests, state: true });

const askingTools: Tools = {
  test_sampling: {
    description: "Asks the client's model.",
    arguments: { prompt: 'string' },
    input: once({ answer: prompt('{{arguments.prompt}}', 100) }),
    content: [text('LLM response: {{input.answer.content.text}}')],
  },
  test_elicitation: {
    description: 'Asks the user.',
    arguments: { message: 'string' },
    input: once({
      form: form('{{arguments.message}}', {
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      }),
    }),
    content: [text('User response: {{input.form}}')],
  },
  test_elicitation_sep1034_defaults: {
    description: 'Asks the user by a form with defaults.',
    input: once({
      form: form('Please review and update the form fields with defaults', {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      }),
    }),
    content: completed,
  },
  test_elicitation_sep1330_enums: {
    description: 'Asks the user by a form with every kind of choice.',
    input: once({
      form: form('Please select options from the enum fields', {
        untitledSingle: { type: 'string', enum: single },
        titledSingle: {
          type: 'string',
          oneOf: titled({ value1: 'First Option', value2: 'Second Option', value3: 'Third Option' }),
        },
        legacyEnum: {
          type: 'string',
          enum: ['opt1', 'opt2', 'opt3'],
          enumNames: ['Option One', 'Option Two', 'Option Three'],
        },
        untitledMulti: { type: 'array', items: { type: 'string', enum: single } },
        titledMulti: {
          type: 'array',
          items: {
            anyOf: titled({ value1: 'First Choice', value2: 'Second Choice', value3: 'Third Choice' }),
          },
        },
      }),
    }),
    content: completed,
  },
  test_streaming_elicitation: {
    description: 'Asks the user in the course of its call.',
    input: once({ user_name: form('What is your name?', name) }),
    content: [text('Hello, {{input.user_name.content.name}}!')],
  },
  test_input_required_result_elicitation: {
    description: 'Asks the user for a name.',
    input: once({ user_name: form('What is your name?', name) }),
    content: [text('Hello, {{input.user_name.content.name}}!')],
  },
  test_input_required_result_sampling: {
    description: "Asks the client's model for a capital.",
    input: once({ capital_question: prompt('What is the capital of France?', 100) }),
    content: [text('{{input.capital_question.content.text}}')],
  },
  test_input_required_result_list_roots: {
    description: "Asks for the client's roots.",
    input: once({ client_roots: roots }),
    content: [text('Roots: {{input.client_roots.roots}}')],
  },
  test_input_required_result_request_state: {
    description: 'Asks for a confirmation, and keeps its state with the client.',
    input: [proven({ confirm })],
    content: [text('state-ok: {{input.confirm.content.ok}}')],
  },
  test_input_required_result_tampered_state: {
    description: 'Asks for a confirmation, and takes back no state but its own.',
    input: [proven({ confirm })],
    content: [text('integrity-ok: {{input.confirm.content.ok}}')],
  },
  test_input_required_result_multiple_inputs: {
    description: 'Asks three questions at once.',
    input: [
      proven({
        user_name: form('What is your name?', name),
        greeting: prompt('Generate a greeting', 50),
        client_roots: roots,
      }),
    ],
    content: [
      text('{{input.greeting.content.text}} {{input.user_name.content.name}}: {{input.client_roots.roots}}'),
    ],
  },
  test_input_required_result_multi_round: {
    description: 'Asks a second question when the first has been answered.',
    input: [
      proven({ step1: form('Step 1: What is your name?', name) }),
      proven({ step2: form('Step 2: What is your favorite color?', { color: { type: 'string' } }) }),
    ],
    content: [text('{{input.step1.content.name}} likes {{input.step2.content.color}}')],
  },
  test_input_required_result_capabilities: {
    description: 'Asks what the client can be asked.',
    input: [
      proven({
        elicit_input: form('Elicitation input', { value: { type: 'string' } }),
        sample_input: prompt('Sample request', 50),
      }),
    ],
    content: [text('capabilities-ok')],
  },
};

/** The tools, prompts and resources by name that the official conformance suite asks servers for. */
export const conformance: MockConfigInput = {
  tools: { ...plainTools, ...talkingTools, ...askingTools },
  prompts: {
    test_simple_prompt: {
      description: 'A prompt without arguments.',
      messages: [{ role: 'user', content: text('This is a simple prompt for testing.') }],
    },
    test_prompt_with_arguments: {
      description: 'A prompt with two arguments.',
      arguments: {
        arg1: { description: 'First test argument', required: true },
        arg2: { description: 'Second test argument', required: true },
      },
      messages: [
        {
          role: 'user',
          content: text("Prompt with arguments: arg1='{{arguments.arg1}}', arg2='{{arguments.arg2}}'"),
        },
      ],
    },
    test_prompt_with_embedded_resource: {
      description: 'A prompt with a resource in it.',
      arguments: { resourceUri: { description: 'URI of the resource to embed', required: true } },
      messages: [
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: {
              uri: '{{arguments.resourceUri}}',
              mimeType: 'text/plain',
              text: 'Embedded resource content for testing.',
            },
          },
        },
        { role: 'user', content: text('Please process the embedded resource above.') },
      ],
    },
    test_prompt_with_image: {
      description: 'A prompt with an image in it.',
      messages: [
        { role: 'user', content: image },
        { role: 'user', content: text('Please analyze the image above.') },
      ],
    },
    test_input_required_result_prompt: {
      description: 'A prompt that asks the user first.',
      input: once({
        user_context: form('What context should the prompt use?', { context: { type: 'string' } }),
      }),
      messages: [{ role: 'user', content: text('Use this context: {{input.user_context.content.context}}') }],
    },
  },
  resources: {
    'test://static-text': {
      name: 'Static text',
      description: 'A text that stays the same.',
      mimeType: 'text/plain',
      text: 'This is the content of the static text resource.',
    },
    'test://static-binary': {
      name: 'Static binary',
      description: 'An image that stays the same.',
      mimeType: 'image/png',
      blob: pixel,
    },
    'test://watched-resource': {
      name: 'Watched resource',
      description: 'A text to subscribe to.',
      mimeType: 'text/plain',
      text: 'Watched resource content',
    },
    'test://template/{id}/data': {
      name: 'Data by id',
      description: 'Data that depends on the id in its URI.',
      mimeType: 'application/json',
      text: '{"id":"{{params.id}}","templateTest":true,"data":"Data for ID: {{params.id}}"}',
    },
  },
  completions: {
    prompts: { test_prompt_with_arguments: { arg1: ['test', 'testValue1', 'paris'] } },
    resources: { 'test://template/{id}/data': { id: ['1', '12', '123'] } },
  },
};
