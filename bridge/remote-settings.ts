/** Where a server is that is no child of ours. */
export interface RemoteSettings {
  /** `http`: streamable HTTP; `sse`: the older form with one stream for all answers. */
  readonly type: 'sse' | 'http';
  /** http:// or https://. A secret, as the headers are. */
  readonly url: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** PEM text of an owner's CA, trusted beside the usual ones. */
  readonly ca?: string;
}
