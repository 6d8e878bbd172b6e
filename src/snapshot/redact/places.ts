import type { Lexicon } from './lexicon.ts'
import { isStandardHost, isStandardWord } from './standard.ts'

const URLS = /[a-z][a-z0-9+.-]*:\/\/([^\s'"<>()[\]{}|\\^`,;]+)/gi
const EMAILS = /[\w.+-]+@([a-z0-9-]+(?:\.[a-z0-9-]+)+)/gi
/** `git@host:owner/repository`. */
const SCP = /^[\w.-]+@([\w.-]+):(?!\/\/)(.+)$/
/** Four groups of digits that are no version: no letter, digit or dot before them. */
const IPV4 = /(?<![\w.])(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}(?![\w.]|\.\d)/g
const IPV6 = /(?<![\w:])(?:[0-9a-f]{1,4}:){3,7}(?::|[0-9a-f]{1,4})(?:[0-9a-f:]*[0-9a-f])?(?![\w:])/gi

/** A host: of labels that are all standard, the domain as a whole is a user's own. */
export function learnHost(lexicon: Lexicon, given: string): void {
  const host = given.toLowerCase().replace(/\.$/, '').replace(/^\*\./, '')
  if (host === '' || isStandardHost(host) || /^[\d.:[\]]+$/.test(host)) return
  const labels = host.split('.')
  if (labels.length === 1) {
    lexicon.add(host, 'host')
    return
  }
  const isOwn = labels.some(label => label.split(/[^a-z0-9]+/).some(word => !isStandardWord(word)))
  if (isOwn) lexicon.add(host, 'host')
  else lexicon.addName(labels.slice(-2).join('.'), 'host')
}

/** A URL without its scheme: host, and a path that names owners and repositories. */
function learnUrl(lexicon: Lexicon, rest: string): void {
  const [authority = '', ...path] = rest.split('/')
  learnHost(lexicon, authority.replace(/^.*@/, '').replace(/:\d+$/, ''))
  for (const segment of path) if (!segment.includes('{{')) lexicon.add(segment.replace(/[?#].*/s, ''), 'word')
}

/** Hosts, URLs and mail addresses in any text. */
export function learnPlaces(lexicon: Lexicon, text: string): void {
  if (text.includes('://')) for (const [, rest = ''] of text.matchAll(URLS)) learnUrl(lexicon, rest)
  if (!text.includes('@')) return
  const scp = SCP.exec(text)
  if (scp !== null) learnUrl(lexicon, `${scp[1]}/${scp[2]}`)
  for (const [address, domain = ''] of text.matchAll(EMAILS)) {
    lexicon.add(address.slice(0, -domain.length), 'user')
    learnHost(lexicon, domain)
  }
}

/** Image names: only a registry of one's own tells something. */
export function learnImage(lexicon: Lexicon, image: string): void {
  const [first = '', ...path] = image.split('/')
  const host = first.replace(/:\d+$/, '')
  if (path.length === 0 || !/[.:]/.test(first) || isStandardHost(host)) return
  learnHost(lexicon, host)
}

/** Replaces addresses of machines, each by its own one of those that are set aside for tests (RFC 2544, RFC 3849). */
export class Addresses {
  readonly #known: Map<string, string>

  constructor(known: Readonly<Record<string, string>> = {}) {
    this.#known = new Map(Object.entries(known))
  }

  get mapping(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#known)
  }

  text(text: string): string {
    let out = text
    if (/\d\.\d/.test(out)) out = out.replace(IPV4, found => (isNobodys(found) ? found : this.#of(found, 4)))
    if (/[0-9a-f]:[0-9a-f:]/i.test(out)) out = out.replace(IPV6, found => (isTime(found) ? found : this.#of(found, 6)))
    return out
  }

  #of(address: string, version: 4 | 6): string {
    const known = this.#known.get(address)
    if (known !== undefined) return known
    const n = this.#known.size + 1
    const made =
      version === 4 ? `198.${18 + ((n >> 16) & 1)}.${(n >> 8) & 255}.${n & 255}` : `2001:db8::${n.toString(16)}`
    this.#known.set(address, made)
    return made
  }
}

const isNobodys = (address: string): boolean => /^(127\.|0\.0\.0\.0$|255\.|198\.1[89]\.)/.test(address)
const isTime = (text: string): boolean => /^(\d\d:){3,}\d\d$/.test(text)
