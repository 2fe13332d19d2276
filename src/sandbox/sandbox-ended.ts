import { AleError } from "../contract/ale-error.ts";

/** For a command of the agent's on a machine that has been quiesced. */
export function sandboxQuiesced(id: string): AleError {
  return new AleError({
    code: "sandbox-quiesced",
    message: `Sandbox ${id} has been quiesced: nothing runs in it any more as the agent.`,
    remedy: 'Run trusted steps with user: "root", or run this before quiesce().',
    fields: { sandbox: id },
  });
}

/** For anything asked of a machine that is no more. */
export function sandboxGone(id: string): AleError {
  return new AleError({
    code: "sandbox-gone",
    message: `Sandbox ${id} is no more.`,
    fields: { sandbox: id },
  });
}
