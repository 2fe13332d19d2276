import { AleError } from "../../../contract/ale-error.ts";
import type { Engine } from "../engine.ts";
import { hubRegistry, type ImageReference } from "./image-reference.ts";

interface Kind {
  readonly code: string;
  /** In what daemons pass on of it, in lower case; Docker's words and Podman's. */
  readonly says: RegExp;
  readonly what: (image: string, reference: ImageReference) => string;
  readonly remedy: (tool: string, image: string, reference: ImageReference) => string;
}

/** The first that fits is taken: what is full or refused is told as such, whatever it broke. */
const kinds: readonly Kind[] = [
  {
    code: "disk-full",
    says: /no space left|disk quota exceeded/,
    what: (image) => `The daemon's disk is full: the image ${image} could not be kept`,
    remedy: (tool) => `ale sandboxes prune, or ${tool} system prune`,
  },
  {
    code: "registry-busy",
    says: /toomanyrequests|too many requests|rate limit/,
    what: (image, { registry }) =>
      `${registry} lets nobody fetch more for now: the image ${image} is not here`,
    remedy: (tool, _, reference) => `wait, or ${loginTo(tool, reference)}: who is known may fetch more`,
  },
  {
    code: "image-denied",
    says: /unauthorized|(?<!permission )denied|no basic auth|authentication required|invalid username|status: 40[13]|40[13] \(/,
    what: (image, { registry }) =>
      `${registry} does not let this user have the image ${image}, or has none of that name`,
    remedy: (tool, image, reference) => `look whether ${image} is spelt right; ${loginTo(tool, reference)}`,
  },
  {
    code: "no-image",
    says: /manifest unknown|name unknown|manifest for .* not found|repository .*not (found|known)|status: 404|404 \(/,
    what: (image, { registry }) => `${registry} has no image ${image}`,
    remedy: (_, image) => `correct the name ${image}, in the task's sandbox.image`,
  },
  {
    code: "image-of-other-machine",
    says: /no matching manifest|no image found in .*(index|list)|no match for platform/,
    what: (image) => `There is no image ${image} for this host's processor`,
    remedy: () => "name an image that is made for it",
  },
  {
    code: "image-broken",
    says: /verification failed|digest did not match|unexpected eof|invalid checksum|connection reset|broken pipe/,
    what: (image, { registry }) =>
      `What ${registry} sent of the image ${image} was cut short or not what its digest says`,
    remedy: () => "try again; if it stays so, whoever keeps the registry has to push the image anew",
  },
  {
    code: "registry-unreachable",
    says: /refused|no such host|timeout|timed out|deadline|unreachable|no route|name resolution|server misbehaving|tls|x509|certificate|\beof\b/,
    what: (_, { registry }) => `The daemon does not reach the registry ${registry}`,
    remedy: (tool, image) =>
      `look whether ${tool} pull ${image} works: network, proxy and certificates are the daemon's own`,
  },
];

/**
 * Why an image could not be fetched, as an error that says what to do, coded `disk-full`, `registry-busy`, `image-denied`,
 * `no-image`, `image-of-other-machine`, `image-broken`, `registry-unreachable`, or `image-pull` for what is none of these.
 *
 * @param told the daemon's own words
 * @param credentialProblem why logins could not be read, when they could not
 */
export function pullFailure(
  engine: Engine,
  image: string,
  reference: ImageReference,
  told: string,
  credentialProblem?: AleError,
): AleError {
  const words = withoutSecrets(withoutSteps(told));
  const tool = engine.facts.name;
  const kind = kinds.find(({ says }) => says.test(told.toLowerCase()));
  const remedy = kind?.remedy(tool, image, reference) ?? `look whether ${tool} pull ${image} works`;
  const withoutLogin = kind?.code === "image-denied" ? credentialProblem : undefined;
  return new AleError({
    code: kind?.code ?? "image-pull",
    message: `${kind?.what(image, reference) ?? `the image ${image} could not be fetched`}: ${words}${
      withoutLogin === undefined ? "" : `. It was asked without a login: ${withoutLogin.message}`
    }`,
    remedy: withoutLogin?.remedy ?? remedy,
    fields: { image },
  });
}

/** Podman puts in front what it was at, and of which image: that is told anyway, and what follows would be cut off. */
function withoutSteps(told: string): string {
  return told.replace(/^(?:initializing source \S+: |pinging container registry \S+: )+/, "");
}

/** Addresses without the user in front and the questions behind: they hold signatures that open the registry. */
function withoutSecrets(told: string): string {
  return told.replace(/(https?:\/\/)(?:[^\s/"@]*@)?([^\s?"]*)(\?[^\s"]*)?/g, (_, scheme, place, asked) =>
    asked === undefined ? `${scheme}${place}` : `${scheme}${place}?…`,
  );
}

function loginTo(tool: string, { registry }: ImageReference): string {
  return registry === hubRegistry ? `${tool} login` : `${tool} login ${registry}`;
}
