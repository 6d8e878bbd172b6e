// Breaks healthy recorded fleets in every single way (an object deleted, a field changed) and lists the breaks for which nothing
// is reported. `node scripts/mutate-fleets.mjs [FLEET...]`; -v lists every survivor, not only their groups.
import { bundled } from './bundled.mjs'

const HEALTHY = ['push-healthy', 'pull-healthy', 'agent-healthy', 'upstream-healthy']

/** Kind and field, with places in lists and the names of labels taken out: what survivors have in common. */
function groupOf({ object, what }) {
  const kind = object.split('/')[1]
  return `${kind} ${what.replace(/\[\d+\]/g, '[]')}`
}

const verbose = process.argv.includes('-v')
const names = process.argv.slice(2).filter(a => !a.startsWith('-'))
const { mutate } = await bundled('test/mutation/mutate.ts')
const groups = new Map()
for (const name of names.length > 0 ? names : HEALTHY) {
  const { mutants, errors, warnings, infos, harmless, survivors } = await mutate(name)
  console.log(
    `${name}: ${mutants} breaks; error ${errors}, warning ${warnings}, info ${infos}, harmless ${harmless}, survivors ${survivors.length}`,
  )
  for (const s of survivors) {
    const list = groups.get(groupOf(s)) ?? []
    list.push(s)
    groups.set(groupOf(s), list)
  }
}
for (const [group, list] of [...groups].sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1))) {
  console.log(`${String(list.length).padStart(5)}  ${group}`)
  if (verbose) for (const s of list) console.log(`         ${s.fleet} ${s.object} ${s.what}`)
}
