/** Where the gradebook lies on the agent's machine; the manifest's service runs it from there. */
export const serviceFolder = "/var/lib/gradebook";
export const databasePath = `${serviceFolder}/gradebook.db`;

/** What the agent is told to open. */
export const address = "http://127.0.0.1:8765";
