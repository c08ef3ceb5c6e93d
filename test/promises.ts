/**
 * What the README promises, as data. A test says which of them it proves with `proves('…')`; one test fails on a
 * promise that no test proves.
 */
export const PROMISES = {
  'bench-one-command':
    'One command shows the whole appliance at work, on this machine alone, and ends with PASS or FAIL.',
  'line-new-session': 'After a reconnect, for whatever cause, the cloud sees the same tools again.',
  'line-one-socket': 'There are never two sockets at a time.',
  'line-ids': 'Ids are echoed as they came: 0, texts, and ids that are used again.',
  'line-local-fault': 'A fault of a local server never ends the line to the cloud.',
  'line-4004': 'After a 4004 it dials again for ever, in growing waits, and says which side failed.',
  'line-redial':
    'Each cause of a lost line has its own wait and its own code; a new endpoint is dialled at once.',
  'line-half-open': 'A line that is only half open is found dead and dialled again.',
  'line-robots': 'Several robots of a self-hosted cloud share the one line without a mix-up.',
  'line-notifications': 'A notification is never answered, a request always exactly once.',
  'line-odd-input': 'Unknown methods and bad JSON get their error, and the line stays.',
  'line-large-list': 'A long list of tools arrives whole.',
  'call-deadline': 'A call that takes too long gets an error that says so, and its server is told to stop.',
  'call-once': 'No call is sent twice, and none is left without an answer when its server dies.',
  'result-budget': 'A result that is too long for the cloud is cut at a character and marked as cut.',
  'server-habits':
    'Pages, progress, changed lists and questions of a server are handled and never left hanging.',
  'server-stdout': 'Nothing but valid JSON-RPC goes to the cloud, whatever a server prints.',
  'server-restart': 'A server that ends is shown dead within a second, and started again.',
  'server-failing':
    'A server that keeps ending is tried ever more slowly, its tools are withdrawn, the others are not disturbed.',
  'server-silent': 'A server that answers nothing is found and replaced.',
  'task-handle':
    'A slow tool costs no turn: its caller gets a handle at once, and the result when it asks for it.',
  'task-kept':
    'A task outlives the line to the cloud, is cancelled by request, and fails with the reason when its server ends.',
  'task-bounds': 'However many slow calls come, so many run as may, and the rest are refused at once.',
  'remote-server':
    'A server behind streamable HTTP or SSE works like a local one, its headers on every request and in no log.',
  'remote-away':
    'While a remote server is away its tools say so at once, the others are not disturbed, and it is back by itself.',
  'remote-faults':
    'Whatever a remote server answers instead of MCP has its own code, and nothing hangs on it.',
  'tool-choice':
    'Of any server only the chosen tools are offered, under the names that their owner gave them.',
  'server-any-language': 'A server in any language runs unchanged.',
  'settings-one-bad-entry': 'One bad entry in the settings never stops the other servers.',
  'secret-endpoint':
    'The key in the endpoint reaches no log, no error, no command line, no child and no status.',
  'life-stop': 'Asked to stop, the appliance ends within 3 s with any server, and with exit code 0.',
  'life-no-leftovers': 'No process stays behind, with its grandchildren, on any path.',
  'voice-last-word': 'An answer is heard to its last word.',
  'voice-barge-in': 'Whoever interrupts has silence within 100 ms, and the cloud is told.',
  'voice-half-duplex':
    'The assistant never hears itself: it does not listen while it speaks, nor right after.',
  'voice-never-stuck':
    'Whatever fails in a question or in an answer, the appliance is idle again, and the next turn works.',
  'voice-mute':
    'While the switch of the terminal is on, or the terminal was lost with it on, no recorder runs.',
  'voice-secret':
    'The token of the voice cloud reaches no log, no error, no command line, no child and no status.',
  'sound-returns':
    'A microphone or a speaker that was busy or gone is used again without help, and the status says what is wrong until then.',
  'terminal-returns':
    'A terminal that was unplugged, restarted or silent comes back without help, and shows what is so now.',
  'calculator-no-code': 'The calculator computes and runs no code.',
  'calculator-percent':
    'A percent sign has one written rule, and the reading that was used stands beside the value.',
  'files-jail': 'The files server never leaves its folder, not by a link and not in a race.',
  'files-unicode':
    'A file is found by its name however its marks are composed, and answered as it is stored.',
  'release-whole':
    'A release that is cut, damaged, unsigned, foreign, older or unsafe is refused in one line, before anything is touched.',
  'update-undone':
    'A release that does not work is undone by itself, and why is kept until somebody has seen it.',
  'update-any-time':
    'An update may be killed at any point and run again; what serves is always a whole release.',
  'update-data': 'No update changes settings or data.',
  'deploy-verdict':
    'A deploy ends with one line a host that says what became of it, and can be run again from any point.',
  'provision-whole':
    'A provisioning file is applied as a whole and wiped, or nothing is changed and each slip is named with line and column.',
  'provision-wifi': 'Every legal name and password of a Wi-Fi arrives as it was written.',
  'provision-secret':
    'No key and no password of a provisioning file reaches a log or the list of its errors.',
} as const;

export type PromiseId = keyof typeof PROMISES;

/**
 * Says which promises a test proves: the first statement of its body. The names are checked by the compiler, and that
 * every promise has its proof by promises.test.ts, which reads the calls where they stand.
 */
export function proves(..._ids: readonly PromiseId[]): void {
  // Nothing to do while it runs.
}
