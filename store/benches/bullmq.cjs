// What throughput.rs compares with: adds jobs of 5 KB to a queue of BullMQ, or works them off.
// node bullmq.cjs add|work <port> <jobs> <workers>, in a folder that has bullmq.
const { createRequire } = require('node:module');
const { Queue, Worker } = createRequire(process.cwd() + '/')('bullmq');
const [step, port, jobs, workers] = [process.argv[2], ...process.argv.slice(3).map(Number)];
const connection = { host: '127.0.0.1', port, maxRetriesPerRequest: null };
const text = 'what was said '.repeat(360);

async function add() {
  const queue = new Queue('bench', { connection });
  for (let left = jobs; left > 0; left -= 500) {
    const batch = Array.from({ length: Math.min(left, 500) }, () => ({ name: 'item', data: { text } }));
    await queue.addBulk(batch.map((job) => ({ ...job, opts: { removeOnComplete: true } })));
  }
  await queue.close();
}

async function work() {
  let left = jobs;
  await new Promise((resolve) => {
    for (let i = 0; i < workers; i += 1) {
      new Worker('bench', async () => {}, { connection }).on('completed', () => {
        left -= 1;
        if (left === 0) resolve();
      });
    }
  });
  process.exit(0);
}

(step === 'add' ? add() : work()).catch((error) => {
  console.error(error);
  process.exit(1);
});
