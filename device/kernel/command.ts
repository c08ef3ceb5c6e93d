import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { errnoOf, Fault } from './fault.ts';

/**
 * The file that a command names, looked up as `execvp` would: a path with a slash stands for itself, a bare name is
 * sought along `path`; what is relative begins at `cwd`. Throws SERVER_NOT_FOUND with the reason in words, before any process
 * exists: behind a shell the same slip would only show as exit 127.
 */
export function findCommand(command: string, path: string, cwd: string): string {
  if (!isFolder(cwd)) throw new Fault('SERVER_NOT_FOUND', `working folder not found: ${cwd}`);
  const candidates = command.includes('/')
    ? [isAbsolute(command) ? command : resolve(cwd, command)]
    : path.split(delimiter).map((folder) => join(resolve(cwd, folder), command));
  let denied = false;
  for (const file of candidates) {
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
    } catch (error) {
      denied ||= errnoOf(error) === 'EACCES';
    }
  }
  throw new Fault(
    'SERVER_NOT_FOUND',
    `${denied ? 'command not executable' : 'command not found'}: ${command}`,
  );
}

/** The same for a program that need not be there: `undefined` where it is not. */
export function findOptional(command: string, path: string): string | undefined {
  try {
    return findCommand(command, path, '/');
  } catch {
    return undefined;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
