import { Fault, messageOf } from '#kernel/fault.ts';
import { apply, check } from './apply.ts';
import { type Request, readRequest } from './arguments.ts';
import type { Context } from './context.ts';
import { guard } from './guard.ts';
import { mend } from './mend.ts';
import { held, receive } from './package/receive.ts';
import { acknowledge, listReleases, releasesText } from './releases.ts';
import { NO_VERDICT, type Report, type Verdict } from './report.ts';
import { rollback } from './rollback.ts';
import { isFull } from './store/durable.ts';
import { takeLock } from './store/lock.ts';
import { clearLeavings, prune } from './store/prune.ts';
import { usage } from './usage.ts';
import { watch } from './watch.ts';

const EXIT: Readonly<Record<Verdict['verdict'], number>> = {
  good: 0,
  same: 0,
  failed: 1,
  refused: 4,
  undone: 5,
  busy: 6,
};
const NOTHING_TO_GO_BACK_TO = 7;
const WRONG_USAGE = 64;

/** What changes the store, so that only root may do it. */
const CHANGING = new Set(['apply', 'receive', 'rollback', 'acknowledge', 'guard', 'mend', 'watch', 'prune']);

/** Does what the command line asks for and tells how it ended; returns the exit code. Never rejects. */
export async function run(
  args: readonly string[],
  report: Report,
  makeContext: () => Context,
  input: AsyncIterable<Buffer>,
): Promise<number> {
  try {
    const { request } = readRequest(args);
    if (request.verb === 'help') {
      report.line(usage(report.language));
      return 0;
    }
    const context = makeContext();
    if (CHANGING.has(request.verb) && !context.isRoot && context.store.places.root === '/')
      throw new Fault('NEEDS_ROOT', request.verb);
    const verdict = await perform(context, request, input);
    if (!verdict) return 0;
    report.verdict(verdict);
    return EXIT[verdict.verdict];
  } catch (error) {
    return reportFault(report, error);
  }
}

/** Resolves with nothing where the answer has been printed already. */
async function perform(
  context: Context,
  request: Request,
  input: AsyncIterable<Buffer>,
): Promise<Verdict | undefined> {
  const { store, report, clock } = context;
  switch (request.verb) {
    case 'apply':
      return await apply(context, request.source, request);
    case 'check':
      return await checkOnly(context, request.source);
    case 'have':
      report.line(String(held(store.places, request.sha256)));
      return undefined;
    case 'receive':
      return await receive(context, request, input);
    case 'rollback':
      return await rollback(context, request.deadlineMs);
    case 'watch':
      return await watch(context);
    case 'guard':
      return await guard(context);
    case 'mend':
      return await mend(context);
    case 'releases':
      if (report.json) report.line(JSON.stringify(listReleases(store)));
      else for (const line of releasesText(store, report.language)) report.line(line);
      return undefined;
    case 'acknowledge':
      report.step(acknowledge(context) ? 'acknowledged' : 'nothingUndone');
      return undefined;
    case 'prune': {
      store.prepare();
      using _lock = await takeLock(store.places, 'prune', clock);
      clearLeavings(store);
      prune(store);
      report.step('pruned');
      return undefined;
    }
    default:
      return undefined;
  }
}

/** Nothing is in place by it, so people are told only that the file is sound. */
async function checkOnly(context: Context, source: string): Promise<Verdict | undefined> {
  const verdict = await check(context, source);
  return context.report.json ? verdict : undefined;
}

function reportFault(report: Report, error: unknown): number {
  const fault = error instanceof Fault ? error : faultOf(error);
  const { code, message } = fault;
  if (code === 'USAGE') {
    report.fault(code, message);
    report.aside(usage(report.language));
    return WRONG_USAGE;
  }
  const verdict = code.startsWith('RELEASE_') ? 'refused' : code === 'UPDATE_BUSY' ? 'busy' : 'failed';
  report.verdict({ ...NO_VERDICT, verdict, code, reason: message });
  return code === 'ROLLBACK_NOTHING' ? NOTHING_TO_GO_BACK_TO : EXIT[verdict];
}

/** What no step has a code for is of the machine. */
function faultOf(error: unknown): Fault {
  return new Fault(isFull(error) ? 'UPDATE_NO_SPACE' : 'UPDATE_FAILED', messageOf(error), { cause: error });
}
