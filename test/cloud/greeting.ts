import type { Connection } from './connection.ts';
import { greetAsRealCloud, type RealTimes } from './real.ts';
import { openRobot } from './self-hosted.ts';
import type { Welcome } from './welcome.ts';

export interface GreetingOptions {
  /** Who speaks on a new socket: the real cloud itself, or one robot through a self-hosted broker. Default `real`. */
  readonly mode?: 'real' | 'self-hosted';
  readonly times?: Partial<RealTimes>;
}

const OBSERVED: RealTimes = { pingMs: 60_000, pingLostMs: 60_000, handshakeMs: 10_000 };

/** Speaks first on a socket that has just opened, if its welcome lets it; never throws. */
export function greet(line: Connection, welcome: Welcome, { mode, times }: GreetingOptions): void {
  if (welcome.closeWith !== undefined) {
    void line.close(welcome.closeWith.code, welcome.closeWith.reason);
  } else if (welcome.greet === false) {
    return;
  } else if (mode === 'self-hosted') {
    // A robot that goes away unanswered is the line's end, which `closed` tells.
    openRobot(line, line.session).catch(() => undefined);
  } else {
    void greetAsRealCloud(line, { ...OBSERVED, ...times });
  }
}
