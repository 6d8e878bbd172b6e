// npm run bench:read: how near reading a big hub is to what downloading and parsing alone costs.
import { runBench } from './bundled.mjs'

await runBench('read-main', 'read-child')
