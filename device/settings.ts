import { sentence } from '#kernel/codes.ts';
import { monitorService } from '#kernel/monitor.ts';
import type { Health, Service } from '#kernel/service.ts';
import type { Problem } from './config/problem.ts';

/** Slips that must not keep an unattended appliance from running: what is wrong is left out and shown. */
export function isBearable({ severity, code, path }: Problem): boolean {
  return severity === 'warning' || code === 'CONFIG_UNKNOWN_KEY' || isOfServer(path);
}

/** What is wrong with one server is told by that one. */
function isOfServer(path: string | undefined): boolean {
  return path?.startsWith('mcpServers.') ?? false;
}

/** The settings as a part of the status: whether what is in the files is what runs. */
export class SettingsHealth {
  readonly #wall: () => number;
  #problem: Problem | undefined;
  #readAt = 0;

  constructor(wall: () => number, problems: readonly Problem[]) {
    this.#wall = wall;
    this.read(problems);
  }

  /** The files were read again, with these problems; the last good settings go on where they could not be used. */
  read(problems: readonly Problem[]): void {
    this.#readAt = this.#wall();
    this.#problem = problems.find(({ severity, path }) => severity === 'error' && !isOfServer(path));
  }

  health(): Health {
    const proof = { what: 'settings read', at: this.#readAt };
    if (!this.#problem) return { state: 'ready', proof };
    const { code, file, line, column, path, detail } = this.#problem;
    const place = [file, line, column].filter((part) => part !== undefined).join(':');
    const reason = `${place}: ${path ? `${path}: ` : ''}${detail || sentence(code, 'en')}`;
    return { state: 'degraded', code, reason, proof };
  }

  service(): Service {
    return monitorService({
      name: 'settings',
      kind: 'config',
      watch: () => undefined, // it is told
      health: () => this.health(),
    });
  }
}
