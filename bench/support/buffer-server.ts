// A program of its own: Fastify as the service uses it, with nothing to do but to send the same bytes.
import Fastify from 'fastify';

const size = Number(process.argv[2]);
const body = Buffer.alloc(size, 'x');
const app = Fastify({ logger: false });
app.get('/', (_request, reply) => reply.type('application/json; charset=utf-8').send(body));
const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${new URL(address).port}\n`);
process.on('SIGTERM', () => void app.close());
