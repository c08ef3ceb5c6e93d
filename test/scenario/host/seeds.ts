import { calls, type ModelScript, resultsIn, words } from '../../cloud/model-service.ts';

/** A question, the tool that a model would take, and how it would say the result. */
export interface Seed {
  readonly question: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly say: (result: string) => string;
}

/** What people asked of the assistants that came before this one. `note.txt` and `README.md` lie in the folder. */
export const SEEDS: readonly Seed[] = [
  {
    question: 'What is the BMI of somebody 1.65 m tall who weighs 65 kg?',
    tool: 'calculate_bmi',
    args: { height_m: 1.65, weight_kg: 65 },
    say: (result) => `The BMI is ${numberIn(result)}.`,
  },
  {
    question: '请问身高1.75米体重70公斤的BMI是多少',
    tool: 'calculate_bmi',
    args: { height_m: 1.75, weight_kg: 70 },
    say: (result) => `您的BMI是${numberIn(result)}。`,
  },
  {
    question: 'What is the weather in Sapporo?',
    tool: 'fetch_weather',
    args: { city: 'Sapporo' },
    say: (result) => `In Sapporo it is ${/-?\d+\.\d+/.exec(result)?.[0]} degrees.`,
  },
  {
    question: 'What is in this folder?',
    tool: 'list_dir',
    args: {},
    say: (result) => `There are ${[...new Set(result.match(/[\w-]+\.\w{2,3}\b/g))].sort().join(' and ')}.`,
  },
  {
    question: 'Read the readme.',
    tool: 'read_file',
    args: { path: 'README.md' },
    say: (result) => `It says: ${/The kettle.*whistles\./.exec(result)?.[0]}`,
  },
];

export const SEED_FILES = { 'README.md': 'The kettle is hot when it whistles.\n', 'note.txt': 'two eggs\n' };

/** The sentences that the real servers' results have to end in. */
export const SEED_ANSWERS = [
  'The BMI is 23.9.',
  '您的BMI是22.9。',
  'In Sapporo it is -1.5 degrees.',
  'There are README.md and note.txt.',
  'It says: The kettle is hot when it whistles.',
];

/** A model that knows the seeds' questions; what it says it has from the tools alone. */
export const seedModel: ModelScript = (request) => {
  const question = request.messages.findLast(({ role }) => role === 'user')?.content;
  const seed = SEEDS.find((one) => one.question === question);
  if (seed === undefined) return words('I do not know.');
  const [result] = resultsIn(request);
  if (request.messages.at(-1)?.role === 'tool') return words(seed.say(result ?? ''));
  const offered = request.tools?.map((tool) => tool.function.name) ?? [];
  const tool = offered.find((name) => name === seed.tool || name.endsWith(`__${seed.tool}`));
  return tool === undefined ? words(`There is no ${seed.tool}.`) : calls([tool, seed.args]);
};

function numberIn(result: string): string {
  return /\d+\.\d/.exec(result)?.[0] ?? 'unknown';
}
