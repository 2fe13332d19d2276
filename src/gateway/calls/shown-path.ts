/** Path and query of a request, without the key that some clients put there. */
export function shownPath(url: URL): string {
  const query = new URLSearchParams(url.search);
  query.delete("key");
  return query.size === 0 ? url.pathname : `${url.pathname}?${query}`;
}
