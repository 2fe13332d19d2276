// `npm pack` of the checkout: what it would make cannot run, for Node does not strip types below node_modules.
process.stderr.write(`ale: this would pack the sources, which Node does not run once they are installed. Build the package and pack that:
  npx node scripts/build.ts
  npm pack ./dist
`);
process.exit(1);
