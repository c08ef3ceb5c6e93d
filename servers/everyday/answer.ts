import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

type EverydayCode =
  | 'ECHO_ARGUMENT'
  | 'TIME_ZONE_UNKNOWN'
  | 'BMI_DOMAIN'
  | 'WEATHER_CITY_UNKNOWN'
  | 'WEATHER_UNREACHABLE';

/** One sentence to be spoken, and the same facts for programs. */
export function said(text: string, facts: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: facts };
}

/** What went wrong in one sentence. The code stands in the text as well: many hosts show a model nothing else. */
export function failed(
  code: EverydayCode,
  message: string,
  facts: Record<string, unknown> = {},
): CallToolResult {
  return {
    content: [{ type: 'text', text: `${message}\ncode: ${code}` }],
    structuredContent: { code, message, ...facts },
    isError: true,
  };
}
