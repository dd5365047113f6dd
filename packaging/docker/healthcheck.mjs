// Ends with 0 while the service of this container runs. The role rosetta-offline has no metrics port.
const { CAIRN_METRICS_PORT, CAIRN_API_PORT, STACKS_BLOCKCHAIN_API_PORT } = process.env;
const ports = [CAIRN_METRICS_PORT || '9153', CAIRN_API_PORT || STACKS_BLOCKCHAIN_API_PORT || '3999'];
const alive = port =>
  fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(3000) }).then(
    response => response.ok,
    () => false,
  );
const answers = await Promise.all(ports.map(alive));
process.exitCode = answers.includes(true) ? 0 : 1;
