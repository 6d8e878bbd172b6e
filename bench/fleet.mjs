// npm run bench:fleet: the doctor on a live hub of 5,000 clusters, 50,000 Applications and 10,000 ManifestWorks, against
// downloading and parsing the same lists alone, with kubectl beside it. Takes some minutes and 6 GiB of memory: the API server
// holds the fleet. BENCH_ROUNDS is the number of pairs, BENCH_KUBECTL=0 leaves kubectl out.
import { runBench } from './bundled.mjs'

await runBench('fleet-main', 'fleet-child')
