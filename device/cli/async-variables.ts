import { isBlank, readWord, Text } from './async-text.ts';

const VARIABLE = 'MCP_ENV';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The variables that MCP_ENV gives the target: `A=1 B="x y" C=$A/${B} NAME`, from left to right. $ sees what stands
 * further left, then `surroundings`; a bare NAME is copied from there. `$$` is a dollar sign, as are those in '…' and behind \.
 * Throws CONFIG_INVALID with the place of a slip, and with the name of a variable that is not set; never with a value.
 */
export function variablesOf(line: string, surroundings: Variables): Record<string, string> {
  const text = new Text(VARIABLE, line);
  const lineBreak = [...line].findIndex((character) => character === '\n' || character === '\r');
  if (lineBreak >= 0)
    text.fail('a line break cannot stand here: copy such a variable by its name', lineBreak);
  const given = new Map<string, string>();
  const lookUp = (name: string, at: number): string =>
    given.get(name) ?? ownOf(surroundings, name) ?? text.fail(`the variable ${name} is not set`, at);
  for (text.skipBlanks(); text.next !== ''; text.skipBlanks()) {
    const start = text.at;
    const name = nameIn(text);
    if (name === '') text.fail('expected NAME=value or NAME, a name being letters, digits and _', start);
    if (text.next === '=') {
      text.take();
      given.set(
        name,
        readWord(text, (word) => expanded(word, lookUp)),
      );
    } else if (text.next === '' || isBlank(text.next)) given.set(name, lookUp(name, start));
    else text.fail('a name is letters, digits and _, and = follows it');
  }
  return Object.fromEntries(given);
}

/** What stands for a $ and what follows it, or nothing where the character stands for itself. */
function expanded(text: Text, lookUp: (name: string, at: number) => string): string | undefined {
  if (text.next === '`' || (text.next === '$' && text.second === '('))
    text.fail(`no command is run here: write \\${text.next} for the character itself`);
  if (text.next !== '$') return undefined;
  const start = text.at;
  text.take();
  if (text.next === '$') return text.take();
  if (text.next !== '{') {
    const name = nameIn(text);
    return name === '' ? '$' : lookUp(name, start);
  }
  text.take();
  const name = nameIn(text);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a user writes it.
  if (name === '' || text.take() !== '}') text.fail('expected ${NAME}', start);
  return lookUp(name, start);
}

function nameIn(text: Text): string {
  return /[0-9]/.test(text.next) ? '' : text.takeWhile((character) => /[A-Za-z0-9_]/.test(character));
}

function ownOf(variables: Variables, name: string): string | undefined {
  return Object.hasOwn(variables, name) ? variables[name] : undefined;
}
