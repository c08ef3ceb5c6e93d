/** What we use of the library, which has no types. */
declare module 'node-record-lpcm16' {
  import type { ChildProcess } from 'node:child_process';

  const library: {
    /** Starts the recorder before it returns. What `options` holds beside `recorder` is handed to that file. */
    record(options: { readonly recorder: string; readonly [option: string]: unknown }): {
      readonly process: ChildProcess;
    };
  };
  export = library;
}
