import { createHost } from '../../host/host.ts';
import type { Model } from '../../host/model.ts';
import type { Answer } from './brain.ts';
import type { Asking, Brain } from './mind.ts';
import { Sentences } from './sentences.ts';

const SYSTEM = `You are a voice assistant. Your answer is spoken: one or two short sentences, no lists, no marks of
formatting. Answer in the language of the question. Use the tools for whatever they can tell; never guess what they know.`;

/** A brain that is a language model with the appliance's tools. */
export function openaiBrain(model: Model): Brain {
  return () => {
    let hands: Asking | undefined;
    const appliance = {
      name: '',
      tools: async () => hands?.tools ?? [],
      call: (tool: string, args: Record<string, unknown>) => hands!.call(tool, args),
    };
    let tool: string | undefined;
    const host = createHost({
      model,
      servers: [appliance],
      system: SYSTEM,
      onToolCall: (name) => {
        tool = name;
      },
    });
    return async (question, asking) => {
      hands = asking;
      tool = undefined;
      const { signal, onSentence = () => undefined } = asking;
      const sentences = new Sentences();
      const onToken = (token: string) => sentences.take(token).forEach(onSentence);
      const answer = (text: string, known: boolean): Answer => ({ text, known, ...(tool ? { tool } : {}) });
      try {
        const text = await host.run(question, { onToken, ...(signal ? { signal } : {}) });
        sentences.end().forEach(onSentence);
        return text === '' ? answer('Sorry, I have no answer.', false) : answer(text, true);
      } catch (error) {
        signal?.throwIfAborted();
        return answer(`That did not work: ${error instanceof Error ? error.message : String(error)}`, false);
      }
    };
  };
}
