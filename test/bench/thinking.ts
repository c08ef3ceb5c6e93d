import { type Brain, rules } from '../cloud/brain/mind.ts';
import type { Flags } from './flags.ts';

/** The brain that was asked for. A model is loaded only where it is the one; its key is in the environment alone. */
export async function brainOf({ service }: Flags): Promise<Brain> {
  if (service === undefined) return rules;
  const { openaiModel } = await import('../host/model.ts');
  const { openaiBrain } = await import('../cloud/brain/openai.ts');
  return openaiBrain(openaiModel({ ...service, apiKey: process.env.OPENAI_API_KEY || undefined }));
}
