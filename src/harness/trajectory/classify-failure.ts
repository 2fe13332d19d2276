import type { StreamErrorKind } from "./stream-reader.ts";

/**
 * The kind of a failure from its HTTP status, or, without one, from the words by which the harness reports it.
 */
export function classifyFailure(message: string, status?: number): StreamErrorKind {
  const code = status ?? statusIn(message);
  if (code === 401 || code === 403) return "auth";
  if (code === 429) return "rate-limit";
  if (code !== undefined && code >= 500 && code <= 599) return "server";
  if (/unauthenticated|unauthorized|authentication|invalid.{0,9}api.?key/i.test(message)) return "auth";
  if (/rate.?limit|too many requests|resource.?exhausted/i.test(message)) return "rate-limit";
  if (/high demand|overloaded|server.?error|unavailable|bad gateway/i.test(message)) return "server";
  if (/budget/i.test(message)) return "budget";
  if (/max\w*[ _-]?(\w+[ _-])?(turn|iteration)/i.test(message)) return "turn-limit";
  return "other";
}

function statusIn(message: string): number | undefined {
  const found = /\b(401|403|429|5[0-3]\d)\b/.exec(message)?.[1];
  return found === undefined ? undefined : Number(found);
}
