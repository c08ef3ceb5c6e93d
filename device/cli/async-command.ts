import { readWord, Text } from './async-text.ts';

const VARIABLE = 'MCP_TARGET_SERVER';

/**
 * Splits MCP_TARGET_SERVER into the words of a command, as a shell would, without being one: quotes and \ work, `*`
 * and `~` stand for themselves, and what would need a shell is refused with its place. Throws CONFIG_INVALID.
 */
export function commandOf(line: string): readonly [command: string, ...args: string[]] {
  const text = new Text(VARIABLE, line);
  const words: string[] = [];
  for (text.skipBlanks(); text.next !== ''; text.skipBlanks()) words.push(readWord(text, refuseShell));
  const [command = '', ...args] = words;
  if (command === '') text.fail('expected the command line of an MCP server, such as: npx -y some-server', 0);
  return [command, ...args];
}

const OPERATORS = [';', '|', '&', '<', '>', '\n', '\r'];

function refuseShell(text: Text, isQuoted: boolean): undefined {
  const { next, second } = text;
  if (!isQuoted && OPERATORS.includes(next)) {
    const shown = next === '\n' || next === '\r' ? 'a line break' : next;
    text.fail(`${shown} needs a shell, and there is none: quote it, or leave it out`);
  }
  if (next === '`' || (next === '$' && /[A-Za-z0-9_({]/.test(second)))
    text.fail(`${next} puts nothing in here: write \\${next} for the character itself`);
}
