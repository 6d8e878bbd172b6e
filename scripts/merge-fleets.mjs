// Makes one fleet of every two broken recorded fleets (clusters and names of the second changed) and shows where the doctor does
// not find both roots, or finds a false one. `node scripts/merge-fleets.mjs [PART OF A NAME...]`: only pairs with all the parts.
import { bundled } from './bundled.mjs'

const parts = process.argv.slice(2)
const { pairs, judged } = await bundled('test/mutation/pairs.ts')
let right = 0
let wrong = 0
let same = 0
for (const pair of pairs()) {
  if (!parts.every(part => pair.some(name => name.includes(part)))) continue
  const notes = await judged(pair)
  if (notes === undefined) same++
  else if (notes.length === 0) right++
  else {
    wrong++
    console.log(`${pair.join(' + ')}\n  ${notes.join('\n  ')}`)
  }
}
console.log(`${right + wrong} pairs: ${right} right, ${wrong} wrong; ${same} left out, since both blame one object`)
process.exitCode = wrong > 0 ? 1 : 0
