/**
 * The page that this window was opened with, when it is one of its own: `sit` for a person who sits a trial, whose server
 * answers for nothing else, `watch` for a run that is watched. Neither leads about in records.
 */
export const pageOfItsOwn: "sit" | "watch" | undefined = /^#\/(sit|watch)(\/|\?|$)/.exec(
  window.location.hash,
)?.[1] as "sit" | "watch" | undefined;

/** This window was opened with the address that lets a browser in: nothing can be asked before. */
export const isEntering: boolean = window.location.hash.startsWith("#/serve/");
