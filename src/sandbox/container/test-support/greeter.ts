// Greets everybody who connects; tells its parent its port first.
import { createServer } from "node:net";

const server = createServer((socket) => {
  socket.on("error", () => undefined);
  socket.end("hello\n");
});
server.listen(0, "0.0.0.0", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") process.send?.(address.port);
});
