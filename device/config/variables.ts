/** What became of a text with variables in it: the text, or what is wrong with one of them. */
export type Expanded = { readonly text: string } | { readonly slip: string };

/** Keys of our own that no server is given, not even by the person who writes its settings. */
const OWN_KEYS = ['MCP_ENDPOINT', 'AIVOICE_ENDPOINT'];

/** Longest text of an entry, in characters: a program's argument on Linux ends at 128 KiB. */
export const MAX_TEXT = 65_536;

const VARIABLE = /\$\{(env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/**
 * Replaces `${NAME}` and `${NAME:-default}`; as in a shell, the default also stands for an empty variable. Anything
 * else with a dollar stays as it is. A value is not searched for further variables.
 */
export function expandVariables(text: string, lookup: (name: string) => string | undefined): Expanded {
  let slip: string | undefined;
  // Behind the last brace nothing can match: to look for its end from each `${` would take quadratic time.
  const end = text.lastIndexOf('}') + 1;
  let size = 0;
  const expanded = text
    .slice(0, end)
    .replace(VARIABLE, (_all, prefix, name: string, fallback: string | undefined) => {
      const value = lookup(name);
      if (prefix) slip ??= `expected \${${name}}, got \${env:${name}}`;
      else if (OWN_KEYS.includes(name))
        slip ??= `${name} is the key of this appliance and is given to no server`;
      else if (value === undefined && fallback === undefined) {
        slip ??= `the variable ${name} is not set (a default is written \${${name}:-default})`;
      }
      const put = value || (fallback ?? '');
      size += put.length;
      if (size > MAX_TEXT) slip ??= `expected at most ${MAX_TEXT} characters from variables`;
      return size > MAX_TEXT ? '' : put;
    });
  return slip === undefined ? { text: expanded + text.slice(end) } : { slip };
}
